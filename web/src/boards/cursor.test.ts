import { describe, expect, it } from 'vitest';
import { Cursor, startOf, stepped, type Field } from './cursor.svelte';
import { cell, chess, minesweeper, pushover, quoridor } from './fixtures/scenes';

const field: Field = { grid: quoridor.grid, start: cell(2, 4), flipped: false };
const key = (name: string) => ({ key: name }) as KeyboardEvent;

describe('the cursor of a board', () => {
  it('appears where it starts, walks, and stays on the board', () => {
    const cursor = new Cursor(() => field);
    expect(cursor.steer(key('ArrowUp'))).toBe(true);
    expect(cursor.at).toEqual(cell(2, 4));
    for (const name of ['ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowDown']) cursor.steer(key(name));
    expect(cursor.at).toEqual(cell(4, 4));
    expect(cursor.steer(key('h'))).toBe(false);
    expect(cursor.steer(key('Enter'))).toBe(false);
  });

  it('walks the other way on a board that is turned', () => {
    const cursor = new Cursor(() => ({ ...field, flipped: true }));
    for (const name of ['ArrowDown', 'ArrowDown', 'ArrowLeft']) cursor.steer(key(name));
    expect(cursor.at).toEqual(cell(3, 3));
  });

  it('leaves the arrows to who uses the pointer, until Enter brings it', () => {
    const cursor = new Cursor(() => field);
    cursor.pointed();
    expect(cursor.steer(key('ArrowLeft'))).toBe(false);
    expect(cursor.steer(key('Enter'))).toBe(true);
    expect(cursor.steer(key('ArrowLeft'))).toBe(true);
    expect(cursor.at).toEqual(cell(1, 4));
    cursor.left();
    expect(cursor.at).toBeNull();
  });

  it('reaches the edges of a border that can be touched, but not its corners', () => {
    expect(stepped(pushover.grid, cell(0, 2), -1, 0)).toEqual(cell(-1, 2));
    expect(stepped(pushover.grid, cell(-1, 2), -1, 0)).toEqual(cell(-1, 2));
    expect(stepped(pushover.grid, cell(-1, 0), 0, -1)).toEqual(cell(-1, 0));
    expect(stepped(pushover.grid, cell(3, 3), 0, 1)).toEqual(cell(3, 4));
    expect(stepped(quoridor.grid, cell(0, 2), -1, 0)).toEqual(cell(0, 2));
  });

  it('appears on the only piece, in the second row, or in the corner', () => {
    expect(startOf(quoridor.grid, quoridor.pieces, 'second', true)).toEqual(cell(2, 1));
    expect(startOf(chess.grid, chess.pieces, 'first', false)).toEqual(cell(4, 6));
    expect(startOf(chess.grid, chess.pieces, 'second', true)).toEqual(cell(4, 1));
    expect(startOf(minesweeper.grid, minesweeper.pieces, 'first', false)).toEqual(cell(0, 0));
  });
});
