// What players and solvers say of moves, as overlays of a board.

import type { Overlay, Tone } from '../boards/types';
import type { Answer, Gesture, Opinion } from '../lib/types';

const TONES: Record<string, Tone> = { win: 'win', draw: 'draw', loss: 'loss' };
/** As many of a player's candidates as a board can show. */
const CANDIDATES = 5;

/** The exact value of the first moves listed; those that keep the position's own are the heaviest. */
export function exactOverlays(answer: Answer, most: number): Overlay[] {
  const best = Math.max(...answer.moves.map((one) => (typeof one.value === 'number' ? one.value : 0)));
  return answer.moves.slice(0, most).map(({ move, touches, value, distance }) => {
    const isShare = typeof value === 'number';
    const isBest = isShare ? value === best : value === answer.value && distance === answer.distance;
    return {
      move,
      touches,
      weight: isBest ? 1 : isShare ? 0.3 : 0.45,
      tone: isShare ? 'win' : (TONES[value] ?? 'draw'),
      ...(distance === null ? {} : { label: String(distance) }),
    };
  });
}

/** A player's preferences, its own move among them; the gestures say where a move lies that is no candidate. */
export function opinionOverlays(opinion: Opinion, tone: Tone, gestures: Gesture[]): Overlay[] {
  const listed = opinion.candidates.slice(0, CANDIDATES);
  const most = Math.max(...listed.map((one) => one.weight), 0.0001);
  const shown = listed.map(({ move, touches, weight }) => ({ move, touches, weight: weight / most, tone }));
  return shown.some((one) => one.move === opinion.best) ? shown : [...moveOverlay(opinion.best, tone, gestures), ...shown];
}

/** One move, if it is legal. */
export function moveOverlay(move: string, tone: Tone, gestures: Gesture[]): Overlay[] {
  const gesture = gestures.find((one) => one.move === move);
  return gesture ? [{ move, touches: gesture.touches, weight: 1, tone }] : [];
}
