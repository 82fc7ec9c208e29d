// Matches touches to gestures. The legal moves are all there is to go by: nothing here knows why a touch means a move.

import type { Cell, Gesture, Piece, Scene, Touch } from '../lib/types';
import { sameCell, touchedCell, touchKey } from './places';

/** What a touch leads to. */
export type Reply =
  | { kind: 'play'; gesture: Gesture }
  /** Several moves have these touches. */
  | { kind: 'choose'; gestures: Gesture[] }
  /** More touches are needed. */
  | { kind: 'continue'; touches: Touch[] }
  /** No move begins like this: what was touched before is let go. */
  | { kind: 'nothing' }
  /** Someone meant a move that is not legal. */
  | { kind: 'refuse'; touches: Touch[] };

const NOTHING: Reply = { kind: 'nothing' };

const begins = (way: Touch[], touches: Touch[]) => touches.every((touch, index) => way[index] && touchKey(way[index]) === touchKey(touch));

/** The moves that begin with these touches, or are them. */
export const beginning = (gestures: Gesture[], touches: Touch[]) => gestures.filter((one) => begins(one.touches, touches));

/** The moves that are these touches and no more. */
export const complete = (gestures: Gesture[], touches: Touch[]) =>
  gestures.filter((one) => one.touches.length === touches.length && begins(one.touches, touches));

/** Moves without a place on the board. */
export const placeless = (gestures: Gesture[]) => gestures.filter((one) => one.touches.length === 0);

/** Whether a move begins here that goes on to another place: the piece can be dragged. */
export const canLift = (gestures: Gesture[], cell: Cell) =>
  gestures.some(({ touches: [first, next] }) => next !== undefined && first !== undefined && 'cell' in first && sameCell(first.cell, cell));

/** The cells that come next after these touches. */
export function targets(gestures: Gesture[], touches: Touch[]): Cell[] {
  const found = new Map<string, Cell>();
  for (const { touches: way } of gestures) {
    const next = way[touches.length];
    const cell = next && 'cell' in next && begins(way, touches) ? next.cell : null;
    if (cell) found.set(touchKey({ cell }), cell);
  }
  return [...found.values()];
}

function follow(gestures: Gesture[], touches: Touch[]): Reply | null {
  const whole = complete(gestures, touches);
  if (whole.length > 1) return { kind: 'choose', gestures: whole };
  if (whole[0]) return { kind: 'play', gesture: whole[0] };
  return beginning(gestures, touches).length > 0 ? { kind: 'continue', touches } : null;
}

/** Pieces in holes fall: any place in a column means the one place in it that can be touched. */
function dropped(scene: Scene, touch: Touch): Touch {
  if (scene.grid.style !== 'holes' || !('cell' in touch) || beginning(scene.gestures, [touch]).length > 0) return touch;
  const inColumn = scene.gestures.flatMap((one) => one.touches.slice(0, 1)).filter((first) => touchedCell(first)?.column === touch.cell.column);
  return inColumn.length === 1 ? inColumn[0]! : touch;
}

const pieceOn = (pieces: Piece[], cell: Cell) => pieces.findLast((piece) => sameCell(piece.cell, cell));

/** Whether a touch that begins no move was meant as one: others like it do, and it is not just a touch of a piece. */
function isTry(scene: Scene, touch: Touch): boolean {
  if ('edge' in touch) return scene.gestures.length > 0;
  const [kind, cell] = 'cell' in touch ? ['cell', touch.cell] as const : ['second', touch.second] as const;
  const isUsual = scene.gestures.some((one) => one.touches.length === 1 && kind in one.touches[0]!);
  const there = pieceOn(scene.pieces, cell);
  const isOpen = there !== undefined && typeof there.shape !== 'string' && there.shape.digit === 0;
  return isUsual && !isOpen && (kind === 'cell' ? !there?.owner : there !== undefined && !there.owner);
}

/** What comes of a touch after those before it. */
export function touched(scene: Scene, before: Touch[], touch: Touch): Reply {
  const now = dropped(scene, touch);
  const onward = before.length > 0 ? follow(scene.gestures, [...before, now]) : null;
  if (onward) return onward;
  const isAgain = before.length === 1 && touchKey(before[0]!) === touchKey(now);
  const anew = isAgain ? null : follow(scene.gestures, [now]);
  return anew ?? (before.length === 0 && isTry(scene, now) ? { kind: 'refuse', touches: [now] } : NOTHING);
}

/** What comes of a piece that was dragged somewhere: a move, or a try that is explained. */
export function droppedOn(scene: Scene, before: Touch[], cell: Cell): Reply {
  const touches = [...before, { cell }];
  return follow(scene.gestures, touches) ?? { kind: 'refuse', touches };
}

/** Where the second button can be used. */
export const hasSecond = (gestures: Gesture[]) => gestures.some((one) => one.touches.some((touch) => 'second' in touch));
