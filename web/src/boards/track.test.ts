import { describe, expect, it } from 'vitest';
import type { Piece, Scene } from '../lib/types';
import { cell, chess, connectfour, mines, minesweeper, othello, pieces, pushover, upright } from './fixtures/scenes';
import { track, type Tracked } from './track';

function tracker() {
  let counter = 0;
  let known: Tracked[] = [];
  return (scene: Scene) => (known = track(known, scene, () => counter++));
}
const on = (scene: Scene, list: Piece[], marks: Scene['marks'] = []): Scene => ({ ...scene, pieces: list, marks });
const idAt = (list: Tracked[], column: number, row: number) => list.find((piece) => piece.cell.column === column && piece.cell.row === row)?.id;
const pushedFrom = (row: number): Scene['marks'] => [{ at: { edge: upright(0, row, 1) }, meaning: 'last_move' }];

describe('pieces keep their identity', () => {
  it('those that stand still and those that move', () => {
    const see = tracker();
    const before = see(on(chess, pieces(['R------R'])));
    const after = see(on(chess, pieces(['-------R', '--------', 'R-------'])));
    expect(idAt(after, 0, 2)).toBe(idAt(before, 0, 0));
    expect(idAt(after, 7, 0)).toBe(idAt(before, 7, 0));
  });

  it('a piece that takes another stays itself', () => {
    const see = tracker();
    const before = see(on(chess, pieces(['p-------', '-P------'])));
    const after = see(on(chess, pieces(['P-------'])));
    expect(idAt(after, 0, 0)).toBe(idAt(before, 1, 1));
  });

  it('pieces of a row slide before the one that is pushed in', () => {
    const see = tracker();
    const before = see(on(pushover, pieces(['O---'])));
    const after = see(on(pushover, pieces(['oO--']), pushedFrom(0)));
    expect(idAt(after, 1, 0)).toBe(idAt(before, 0, 0));
    expect(after.find((piece) => piece.enters)).toMatchObject({ owner: 'second', cell: cell(0, 0), enters: { dx: -1 } });
  });

  it('the last piece of a full row falls off', () => {
    const see = tracker();
    const before = see(on(pushover, pieces(['OoOo'])));
    const after = see(on(pushover, pieces(['oOoO']), pushedFrom(0)));
    expect([1, 2, 3].map((column) => idAt(after, column, 0))).toEqual([0, 1, 2].map((column) => idAt(before, column, 0)));
    expect(after.map((piece) => piece.id)).not.toContain(idAt(before, 3, 0));
  });

  it('no slide is claimed that the pictures deny', () => {
    const see = tracker();
    see(on(pushover, pieces(['----', 'O---'])));
    expect(see(on(pushover, pieces(['o---']), pushedFrom(0))).some((piece) => piece.enters)).toBe(false);
  });

  it('a disc that changes sides stays where it is', () => {
    const see = tracker();
    const before = see(on(othello, pieces(['Oo--'])));
    const after = see(on(othello, pieces(['OOO-'])));
    expect(idAt(after, 1, 0)).toBe(idAt(before, 1, 0));
    expect(idAt(after, 2, 0)).not.toBe(idAt(before, 1, 0));
  });

  it('discs fall through holes, but not when the board is seen first', () => {
    const see = tracker();
    expect(see(connectfour).some((piece) => piece.enters)).toBe(false);
    const more: Piece = { cell: cell(0, 5), shape: 'disc', owner: 'first' };
    expect(see(on(connectfour, [...connectfour.pieces, more])).filter((piece) => piece.enters)).toMatchObject([{ cell: cell(0, 5), enters: { dx: 0, dy: -6 } }]);
  });

  it('what belongs to nobody does not walk', () => {
    const see = tracker();
    const before = see(on(minesweeper, mines(['1.'])));
    const after = see(on(minesweeper, mines(['.1'])));
    expect(after.map((piece) => piece.id).filter((id) => before.some((piece) => piece.id === id))).toEqual([]);
  });
});
