// Keeps the identity of pieces from one scene to the next, so that they can be seen to move.
// It compares pictures and knows no rule: where it cannot tell, pieces vanish and appear.

import type { Edge, Piece, Scene } from '../lib/types';
import { cellKey, inward, isInside, kindOf, sameCell, shapeName } from './places';

export interface Tracked extends Piece {
  id: number;
  /** From how many cells away it comes in, if it does. */
  enters?: { dx: number; dy: number };
}

const apart = (a: Piece, b: Piece) => Math.hypot(a.cell.column - b.cell.column, a.cell.row - b.cell.row);
const picture = (pieces: Piece[]) => pieces.map((piece) => `${cellKey(piece.cell)} ${kindOf(piece)}`).sort().join(';');

/** The border edge that the last move touched, if it was one. */
function pushedAt(scene: Scene): Edge | null {
  if (scene.grid.edge_touch !== 'border') return null;
  const mark = scene.marks.find((one) => one.meaning === 'last_move' && 'edge' in one.at);
  return mark && 'edge' in mark.at ? mark.at.edge : null;
}

/** The pieces after something was pushed in over an edge; null if that is not what the pictures show. */
function pushed(before: Tracked[], scene: Scene, edge: Edge, fresh: () => number): Tracked[] | null {
  const { cell: entrance, dx, dy } = inward(scene.grid, edge);
  const entered = scene.pieces.find((piece) => sameCell(piece.cell, entrance));
  if (!entered) return null;
  const moved = new Map(before.map((piece): [number, Tracked] => [piece.id, { ...piece }]));
  for (let cell = entrance; isInside(scene.grid, cell); ) {
    const there = before.find((piece) => sameCell(piece.cell, cell));
    if (!there) break;
    cell = { column: cell.column + dx, row: cell.row + dy };
    if (isInside(scene.grid, cell)) moved.set(there.id, { ...there, cell });
    else moved.delete(there.id);
  }
  const all = [...moved.values(), { ...entered, id: -1, enters: { dx: -dx, dy: -dy } }];
  if (picture(all) !== picture(scene.pieces)) return null;
  return all.map((piece) => (piece.id === -1 ? { ...piece, id: fresh() } : piece));
}

/** Finds for every piece of the scene the one before that it was: one that stood there, else the nearest of its kind, else one that changed sides. */
function matched(before: Tracked[], scene: Scene, fresh: () => number): Tracked[] {
  const left = new Set(before);
  const ids: (number | null)[] = scene.pieces.map(() => null);
  const take = (index: number, found: Tracked | undefined) => {
    if (!found) return;
    left.delete(found);
    ids[index] = found.id;
  };
  const pass = (find: (piece: Piece) => Tracked | undefined) =>
    scene.pieces.forEach((piece, index) => ids[index] === null && take(index, find(piece)));

  const places = new Map<string, Tracked[]>();
  for (const piece of before) places.set(cellKey(piece.cell), [...(places.get(cellKey(piece.cell)) ?? []), piece]);
  const there = (piece: Piece) => (places.get(cellKey(piece.cell)) ?? []).filter((old) => left.has(old));
  pass((piece) => there(piece).find((old) => kindOf(old) === kindOf(piece)));
  // What belongs to nobody does not walk.
  pass((piece) => (piece.owner ? [...left].filter((old) => kindOf(old) === kindOf(piece)).sort((a, b) => apart(a, piece) - apart(b, piece))[0] : undefined));
  pass((piece) => there(piece).find((old) => shapeName(old.shape) === shapeName(piece.shape)));

  const isFirst = before.length === 0;
  return scene.pieces.map((piece, index) => {
    const id = ids[index] ?? null;
    if (id !== null) return { ...piece, id };
    const falls = scene.grid.style === 'holes' && !isFirst;
    return falls ? { ...piece, id: fresh(), enters: { dx: 0, dy: -1 - piece.cell.row } } : { ...piece, id: fresh() };
  });
}

/** Names the pieces of a scene by those of the one before. */
export function track(before: Tracked[], scene: Scene, fresh: () => number): Tracked[] {
  if (before.length > 0 && picture(before) === picture(scene.pieces)) return before;
  const edge = pushedAt(scene);
  return (edge && pushed(before, scene, edge, fresh)) || matched(before, scene, fresh);
}
