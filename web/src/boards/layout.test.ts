import { describe, expect, it } from 'vitest';
import { across, cell, chess, minesweeper, pushover, quoridor, upright } from './fixtures/scenes';
import { Layout, SIDE } from './layout';
import { cellName, cellNamed, edgeName } from './places';

describe('where things lie', () => {
  const board = new Layout(quoridor.grid, false);
  const groove = SIDE + board.gap / 2;

  it('the middle of a cell is that cell, turned or not', () => {
    for (const { grid } of [chess, quoridor, pushover, minesweeper]) {
      for (const flipped of [false, true]) {
        const layout = new Layout(grid, flipped);
        expect(layout.at(...layout.middle(cell(1, 2)))).toEqual({ cell: cell(1, 2), edge: null });
      }
    }
  });

  it('finds the wall under the pointer, and none on a tile', () => {
    expect(board.at(SIDE / 2, SIDE / 2).edge).toBeNull();
    expect(board.at(groove, board.step - 10).edge).toEqual(upright(1, 0));
    expect(board.at(2 * board.step - 12, groove).edge).toEqual(across(1, 1));
  });

  it('keeps walls on the board', () => {
    expect(board.at(groove, 1).edge).toEqual(upright(1, 0));
    expect(board.at(groove, board.inner.height - 1).edge).toEqual(upright(1, 3));
  });

  it('a point of a wall beside its middle, where two could cross, is that wall, turned or not', () => {
    for (const flipped of [false, true]) {
      const layout = new Layout(quoridor.grid, flipped);
      for (const edge of [across(1, 3), upright(4, 1), across(3, 1)]) {
        const [x, y] = layout.spot({ edge });
        const [dx, dy] = edge.direction === 'right' ? [14, 0] : [0, 14];
        expect(layout.at(x + dx, y + dy).edge).toEqual(edge);
      }
    }
  });

  it('beside the board are the edges of the border, and nothing at its corners', () => {
    for (const flipped of [false, true]) {
      const layout = new Layout(pushover.grid, flipped);
      for (const edge of [upright(0, 1, 1), upright(4, 2, 1), across(3, 0, 1), across(0, 4, 1)]) {
        expect(layout.at(...layout.beside(edge))).toEqual({ cell: null, edge });
      }
      expect(layout.at(-SIDE / 2, -SIDE / 2)).toEqual({ cell: null, edge: null });
    }
  });

  it('a point of the screen is a point of the drawing', () => {
    const frame = { left: 10, top: 20, width: board.width * 2, height: board.height * 2 } as DOMRect;
    expect(board.point({ clientX: 10 + 2 * board.margin.left, clientY: 20 + 2 * board.margin.top }, frame)).toEqual([0, 0]);
  });
});

describe('names', () => {
  it('of cells come from the labels and read back', () => {
    expect(cellName(chess.grid, cell(4, 6))).toBe('e2');
    expect(cellNamed(chess.grid, 'e2')).toEqual(cell(4, 6));
    expect(cellNamed(chess.grid, 'j9')).toBeNull();
    expect(cellName(pushover.grid, cell(0, 2))).toBe('1, 3');
  });

  it('of edges are their labels, else the moves that touch them', () => {
    expect(edgeName(pushover, upright(4, 1, 1))).toBe('F');
    expect(edgeName(quoridor, across(2, 1))).toBe('c4h');
    expect(edgeName(quoridor, across(1, 3))).toBe('');
  });
});
