// What stands beside a board for each seat: walls in hand, material. A new game adds a line where it has any.

import { lead } from './chess/fen';
import { readScene } from './quoridor/notation';

export interface Extras {
  walls?: number;
  /** Letters of chess pieces taken from the other side. */
  taken?: string[];
  lead?: number;
}

export function extras(name: string, position: string, captured?: { first: string; second: string }): [Extras, Extras] {
  if (name === 'quoridor') {
    const scene = readScene(position);
    return [{ walls: scene?.hands[0] ?? 0 }, { walls: scene?.hands[1] ?? 0 }];
  }
  if (name === 'chess') {
    const ahead = lead(position);
    const order = (letters: string | undefined) =>
      [...(letters ?? '').toLowerCase()].sort((a, b) => 'pnbrq'.indexOf(a) - 'pnbrq'.indexOf(b));
    return [
      { taken: order(captured?.second), lead: Math.max(0, ahead) },
      { taken: order(captured?.first).map((letter) => letter.toUpperCase()), lead: Math.max(0, -ahead) },
    ];
  }
  return [{}, {}];
}

/** Columns over rows of a board, so that it can be given room. */
export function proportion(name: string, position: string): { ratio: number; columns: number } {
  if (name !== 'minesweeper') return { ratio: 1, columns: 9 };
  const rows = position.trim().split('\n').slice(1);
  const columns = rows[0]?.trim().length ?? 1;
  return { ratio: columns / Math.max(1, rows.length), columns };
}
