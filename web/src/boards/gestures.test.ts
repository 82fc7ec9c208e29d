import { describe, expect, it } from 'vitest';
import { cell, chess, connectfour, minesweeper, othello, pushover, quoridor, across, upright } from './fixtures/scenes';
import { canLift, complete, droppedOn, hasSecond, placeless, targets, touched } from './gestures';

const at = (column: number, row: number) => ({ cell: cell(column, row) });

describe('touches become gestures', () => {
  it('a piece is taken, then its target; another piece takes its place, and nothing lets it go', () => {
    const bishop = [at(2, 4)];
    expect(touched(chess, [], at(2, 4))).toEqual({ kind: 'continue', touches: bishop });
    expect(targets(chess.gestures, bishop)).toEqual([cell(4, 6), cell(5, 1)]);
    expect(touched(chess, bishop, at(4, 6))).toMatchObject({ kind: 'play', gesture: { move: 'Be2' } });
    expect(touched(chess, bishop, at(3, 7))).toEqual({ kind: 'continue', touches: [at(3, 7)] });
    expect(touched(chess, bishop, at(0, 4))).toEqual({ kind: 'nothing' });
    expect(touched(chess, bishop, at(2, 4))).toEqual({ kind: 'nothing' });
  });

  it('a piece that is dragged moves, or it is asked why not', () => {
    expect(canLift(chess.gestures, cell(3, 6))).toBe(true);
    expect(canLift(chess.gestures, cell(0, 6))).toBe(false);
    expect(droppedOn(chess, [at(3, 6)], cell(4, 5))).toMatchObject({ kind: 'play', gesture: { move: 'dxe3' } });
    expect(droppedOn(chess, [at(3, 6)], cell(3, 5))).toEqual({ kind: 'refuse', touches: [at(3, 6), at(3, 5)] });
  });

  it('moves with the same touches are to be chosen from', () => {
    const reply = touched(chess, [at(4, 1)], at(3, 0));
    expect(reply.kind === 'choose' && reply.gestures.map((one) => one.choice)).toEqual(['queen', 'rook', 'bishop', 'knight']);
  });

  it('a step and a wall are one touch; what is not legal is refused, a touch of a pawn is not', () => {
    expect(touched(quoridor, [], at(3, 3))).toMatchObject({ kind: 'play', gesture: { move: 'd2' } });
    expect(touched(quoridor, [], { edge: across(2, 1) })).toMatchObject({ kind: 'play', gesture: { move: 'c4h' } });
    expect(touched(quoridor, [], { edge: across(1, 3) })).toEqual({ kind: 'refuse', touches: [{ edge: across(1, 3) }] });
    expect(touched(quoridor, [], at(0, 0))).toEqual({ kind: 'refuse', touches: [at(0, 0)] });
    expect(touched(quoridor, [], at(2, 3))).toEqual({ kind: 'nothing' });
  });

  it('the edges of the border are touched', () => {
    expect(touched(pushover, [], { edge: upright(0, 0, 1) })).toMatchObject({ kind: 'play', gesture: { move: 'A' } });
    expect(touched(pushover, [], { edge: upright(4, 1, 1) })).toMatchObject({ kind: 'refuse' });
    expect(touched(pushover, [], at(1, 1))).toEqual({ kind: 'nothing' });
  });

  it('the second button is another touch', () => {
    expect(hasSecond(minesweeper.gestures)).toBe(true);
    expect(hasSecond(chess.gestures)).toBe(false);
    expect(touched(minesweeper, [], at(4, 4))).toMatchObject({ gesture: { move: 'e5' } });
    expect(touched(minesweeper, [], { second: cell(4, 4) })).toMatchObject({ gesture: { move: 'Fe5' } });
    expect(touched(minesweeper, [], { second: cell(2, 3) })).toMatchObject({ gesture: { move: 'Uc4' } });
    expect(touched(minesweeper, [], at(2, 3))).toMatchObject({ kind: 'refuse' });
    expect(touched(minesweeper, [], at(0, 0))).toEqual({ kind: 'nothing' });
  });

  it('any place in a column of holes means the one where a piece comes to lie', () => {
    expect(touched(connectfour, [], at(2, 0))).toMatchObject({ kind: 'play', gesture: { move: '3' } });
    expect(touched(connectfour, [], at(2, 5))).toMatchObject({ kind: 'play', gesture: { move: '3' } });
  });

  it('a move without a place is none of the board', () => {
    expect(placeless(othello.gestures).map((one) => one.move)).toEqual(['pass']);
    expect(placeless(chess.gestures)).toEqual([]);
    expect(touched(othello, [], at(0, 0))).toEqual({ kind: 'nothing' });
    expect(complete(othello.gestures, [])).toHaveLength(1);
  });
});
