// What players and solvers say of moves, as marks on a board.

import type { Mark, Tone } from '../boards/types';
import type { Answer, Opinion } from '../lib/protocol';

const TONES: Record<string, Tone> = { win: 'win', draw: 'draw', loss: 'loss' };
/** As many of a player's candidates as a board can show. */
const CANDIDATES = 5;

/** The exact value of the first moves listed; those that keep the position's own are the heaviest. */
export function exactMarks(answer: Answer, most: number): Mark[] {
  const best = Math.max(...answer.moves.map((one) => (typeof one.value === 'number' ? one.value : 0)));
  return answer.moves.slice(0, most).map(({ move, value, distance }) => {
    const isShare = typeof value === 'number';
    const isBest = isShare ? value === best : value === answer.value && distance === answer.distance;
    return {
      move,
      weight: isBest ? 1 : isShare ? 0.3 : 0.45,
      tone: isShare ? 'win' : (TONES[value] ?? 'draw'),
      ...(distance === null ? {} : { label: String(distance) }),
    };
  });
}

/** A player's preferences, its own move among them. */
export function opinionMarks(opinion: Opinion, tone: Tone): Mark[] {
  const listed = opinion.candidates.slice(0, CANDIDATES);
  const most = Math.max(...listed.map((one) => one.weight), 0.0001);
  const shown = listed.map((one) => ({ move: one.move, weight: one.weight / most, tone }));
  return shown.some((one) => one.move === opinion.best) ? shown : [{ move: opinion.best, weight: 1, tone }, ...shown];
}
