// The keyboard's place on a board. Arrows steer it for those who came by the keyboard; those who use the pointer keep the arrows for
// looking back and on, until a press of Enter brings the cursor.

import type { Cell, Grid, Piece, Seat } from '../lib/types';

const STEPS: Record<string, [across: number, down: number]> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

export interface Field {
  grid: Grid;
  /** Where the cursor appears. */
  start: Cell;
  flipped: boolean;
}

export const isPress = (event: KeyboardEvent) => event.key === 'Enter' || event.key === ' ';

/** Where the cursor appears: on the only piece of the side to move, else in its second row; in the corner of a board that is nobody's. */
export function startOf(grid: Grid, pieces: Piece[], mover: Seat, flipped: boolean): Cell {
  const own = pieces.filter((piece) => piece.owner === mover);
  if (own.length === 1) return own[0]!.cell;
  if (!pieces.some((piece) => piece.owner)) return { column: 0, row: 0 };
  return { column: Math.floor(grid.columns / 2), row: flipped ? Math.min(1, grid.rows - 1) : Math.max(0, grid.rows - 2) };
}

export class Cursor {
  at = $state.raw<Cell | null>(null);
  #byPointer = false;

  constructor(readonly field: () => Field) {}

  /** For `onpointerdown` and `onblur` of the board. */
  pointed = () => {
    this.#byPointer = true;
    this.at = null;
  };
  left = () => {
    this.#byPointer = false;
    this.at = null;
  };

  /** Lets it appear if it is not there; where it is. */
  appear(): Cell {
    return (this.at ??= this.field().start);
  }

  /** Moves it, or lets it appear; whether the key was for that. */
  steer(event: KeyboardEvent): boolean {
    const step = STEPS[event.key];
    if (this.at === null) {
      if (!isPress(event) && (!step || this.#byPointer)) return false;
      this.appear();
      return true;
    }
    if (!step) return false;
    const { grid, flipped } = this.field();
    const turn = flipped ? -1 : 1;
    this.at = stepped(grid, this.at, turn * step[0], turn * step[1]);
    return true;
  }
}

/** One step on; over the border where its edges can be touched, but not around its corners. */
export function stepped(grid: Grid, from: Cell, across: number, down: number): Cell {
  const [first, more] = grid.edge_touch === 'border' ? [-1, 1] : [0, 0];
  const within = (value: number, count: number) => Math.max(first, Math.min(count - 1 + more, value));
  const to = { column: within(from.column + across, grid.columns), row: within(from.row + down, grid.rows) };
  const isOut = (value: number, count: number) => value < 0 || value >= count;
  return isOut(to.column, grid.columns) && isOut(to.row, grid.rows) ? from : to;
}
