// A position being set up by hand, changed touch by touch. Whether it can occur is the server's to say.

import type { Cell, Draft, Edge, Palette, PaletteItem, Piece, Seat, Shape, Touch } from '../lib/types';
import { kindOf, sameCell, sameShape } from './places';

/** What is in the hand: a piece, walls, or nothing, which takes away. */
export type EditTool = PaletteItem | 'wall' | 'erase';

/** Where covers lie unless something else does, taking away means covering. */
const coverOf = (palette: Palette): PaletteItem | undefined => palette.pieces.flat().find((item) => item.shape === 'cover');

/** All tools, in rows as they are shown. */
export function toolRows(palette: Palette): EditTool[][] {
  const rows: EditTool[][] = palette.pieces.map((row) => [...row]);
  const others: EditTool[] = [...(palette.walls ? (['wall'] as const) : []), ...(coverOf(palette) || isAllUnique(palette) ? [] : (['erase'] as const))];
  return palette.walls ? [[...others, ...rows.flat()]] : [...rows, ...(others.length > 0 ? [others] : [])];
}
const isAllUnique = (palette: Palette) => palette.pieces.flat().every((item) => item.unique);

export const toolKey = (tool: EditTool) => (typeof tool === 'string' ? tool : kindOf(tool));

/** Whether two walls lie on one line and share a stretch of it. */
function overlap(a: Edge, b: Edge): boolean {
  if (a.direction !== b.direction) return false;
  const [line, along] = a.direction === 'right' ? (['row', 'column'] as const) : (['column', 'row'] as const);
  return a.cell[line] === b.cell[line] && a.cell[along] < b.cell[along] + b.length && b.cell[along] < a.cell[along] + a.length;
}

function putWall(draft: Draft, wall: Edge): Draft {
  const left = draft.walls.filter((other) => !overlap(other, wall));
  return { ...draft, walls: left.length < draft.walls.length ? left : [...left, wall] };
}

function putPiece(draft: Draft, palette: Palette, item: PaletteItem, cell: Cell): Draft {
  const isSame = (piece: Piece) => sameShape(piece.shape, item.shape) && piece.owner === item.owner;
  const wasThere = draft.pieces.some((piece) => sameCell(piece.cell, cell) && isSame(piece));
  const others = draft.pieces.filter((piece) => !sameCell(piece.cell, cell) && !(item.unique && isSame(piece)));
  const placed = wasThere ? coverOf(palette) : item;
  return { ...draft, pieces: placed ? [...others, { cell, shape: placed.shape, owner: placed.owner }] : others };
}

/** The draft after a touch with a tool in the hand. */
export function put(draft: Draft, palette: Palette, tool: EditTool, touch: Touch): Draft {
  if (tool === 'wall') return 'edge' in touch ? putWall(draft, touch.edge) : draft;
  if (!('cell' in touch)) return draft;
  if (tool === 'erase') return { ...draft, pieces: draft.pieces.filter((piece) => !sameCell(piece.cell, touch.cell)) };
  return putPiece(draft, palette, tool, touch.cell);
}

/** The board from which one starts anew. Whose turn it is stays, and so do counts; rights are gone with the pieces. */
export function cleared(draft: Draft, palette: Palette): Draft {
  const counters = draft.counters.map((value, index) => (palette.counters[index]?.max === 1 ? (palette.cleared.counters[index] ?? 0) : value));
  return { ...palette.cleared, to_move: draft.to_move, counters };
}

export const withCounter = (draft: Draft, index: number, value: number): Draft => ({ ...draft, counters: draft.counters.with(index, value) });

/** The draft as the address holds it: pieces by their kind, each a list of columns and rows. */
export function writeDraft({ pieces, walls, to_move, counters }: Draft): string {
  const kinds: Record<string, number[]> = {};
  for (const piece of pieces) (kinds[kindOf(piece)] ??= []).push(piece.cell.column, piece.cell.row);
  const bars = walls.map(({ cell, direction, length }) => [cell.column, cell.row, direction, length]);
  return JSON.stringify({ pieces: kinds, walls: bars, to_move, counters });
}

/** Reads a draft from the address; null if the text is none, but a position perhaps. */
export function readDraft(text: string): Draft | null {
  if (!text.startsWith('{')) return null;
  try {
    const { pieces, walls, to_move, counters } = JSON.parse(text) as { pieces: Record<string, number[]>; walls: [number, number, Edge['direction'], number][]; to_move: Seat; counters: number[] };
    return {
      pieces: Object.entries(pieces).flatMap(([kind, places]) => readKind(kind, places)),
      walls: walls.map(([column, row, direction, length]) => ({ cell: { column, row }, direction, length })),
      to_move,
      counters: [...counters],
    };
  } catch {
    return null;
  }
}

function readKind(kind: string, places: number[]): Piece[] {
  const [name = '', owner = ''] = kind.split('/');
  const digit = /^digit (\d+)$/.exec(name)?.[1];
  const shape = (digit === undefined ? name : { digit: Number(digit) }) as Shape;
  return Array.from({ length: places.length / 2 }, (_, index) => ({
    cell: { column: places[2 * index]!, row: places[2 * index + 1]! },
    shape,
    owner: owner === '' ? null : (owner as Seat),
  }));
}

