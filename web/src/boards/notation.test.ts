import { describe, expect, it } from 'vitest';
import { lead, readPieces, squareName, squarePlace } from './chess/fen';
import { percent, readScene as readMines, cellName } from './minesweeper/notation';
import { readScene as readPushover, slide, type Stone } from './pushover/notation';
import { GROOVE, readScene as readQuoridor, STEP, TILE, wallAt } from './quoridor/notation';
import { track, type Tracked } from './track';
import { cellPlace, columnName } from './types';

describe('cells', () => {
  it('have names that read back', () => {
    for (const column of [0, 25, 26, 51, 52, 63]) {
      expect(cellPlace(columnName(column) + '12')).toEqual([column, 11]);
    }
    expect(columnName(26)).toBe('aa');
    expect(cellPlace('7c')).toBeNull();
  });
});

describe('chess', () => {
  const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
  it('reads every piece to its square', () => {
    const pieces = readPieces(start);
    expect(pieces).toHaveLength(32);
    expect(pieces.find((piece) => piece.kind === 'K')).toEqual({ kind: 'K', column: 4, row: 7 });
  });
  it('names squares both ways', () => expect(squareName(...squarePlace('g3'))).toBe('g3'));
  it('counts who is ahead', () => {
    expect(lead(start)).toBe(0);
    expect(lead(start.replace('q', '1'))).toBe(9);
  });
});

describe('quoridor', () => {
  it('reads a position with everything it has', () => {
    const scene = readQuoridor('5 b2:3 c5:2 black c3h a1v');
    expect(scene).toMatchObject({ size: 5, pawns: [[1, 1], [2, 4]], hands: [3, 2], toMove: 1 });
    expect(scene?.walls.map((wall) => [wall.name, wall.across])).toEqual([['c3h', true], ['a1v', false]]);
  });
  it('finds the wall under the pointer, and none on a tile', () => {
    const groove = TILE + GROOVE / 2;
    expect(wallAt(TILE / 2, TILE / 2, 9)).toBeNull();
    expect(wallAt(groove, STEP - 10, 9)).toBe('a1v');
    expect(wallAt(groove + STEP, STEP + TILE / 2 + 8, 9)).toBe('b2v');
    expect(wallAt(2 * STEP - 12, groove, 9)).toBe('b1h');
  });
  it('keeps walls on the board', () => {
    const groove = TILE + GROOVE / 2;
    expect(wallAt(groove, 1, 9)).toBe('a1v');
    expect(wallAt(groove, 9 * STEP - GROOVE - 1, 9)).toBe('a8v');
  });
});

describe('push-over', () => {
  const stones = (cells: string): Stone[] =>
    [...cells].flatMap((kind, index) => (kind === '.' ? [] : [{ id: index, kind, column: index % 4, row: Math.floor(index / 4) }]));
  it('sees the pieces of a row slide before the one that enters', () => {
    const scene = readPushover('+o..............A+');
    const { stones: after, entered } = slide(stones('o...............'), scene!, () => 99);
    expect(entered?.letter).toBe('A');
    expect(after).toContainEqual({ id: 0, kind: 'o', column: 1, row: 0 });
    expect(after).toContainEqual({ id: 99, kind: '+', column: 0, row: 0 });
  });
  it('lets the last piece of a full row fall off', () => {
    const scene = readPushover('+o+o............A+');
    const { stones: after } = slide(stones('o+o+............'), scene!, () => 99);
    expect(after.map((stone) => stone.id).sort((a, b) => a - b)).toEqual([0, 1, 2, 99]);
  });
  it('does not claim a slide that the pictures deny', () => {
    const { entered } = slide(stones('....o...........'), readPushover('+...............A+')!, () => 99);
    expect(entered).toBeNull();
  });
});

describe('minesweeper', () => {
  it('reads a board', () => {
    const scene = readMines('mines 2\n1.\n.F\n');
    expect(scene).toEqual({ mines: 2, rows: 2, cols: 2, cells: '1..F' });
    expect(cellName(scene!, 3)).toBe('b2');
  });
  it('refuses what is no board', () => expect(readMines('mines 2\n1.\n.\n')).toBeNull());
  it('never rounds a chance to certainty', () => {
    expect([percent(0.001), percent(0.999), percent(0.5), percent(1)]).toEqual(['<1', '>99', '50', '100']);
  });
});

describe('tracking', () => {
  it('keeps the identity of what stands still and of what moves', () => {
    const before: Tracked<string>[] = [
      { id: 1, kind: 'R', column: 0, row: 7 },
      { id: 2, kind: 'R', column: 7, row: 7 },
    ];
    const after = track(before, [{ kind: 'R', column: 7, row: 7 }, { kind: 'R', column: 0, row: 3 }], () => 9);
    expect(after.map((piece) => piece.id)).toEqual([2, 1]);
  });
});
