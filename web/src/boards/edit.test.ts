import { describe, expect, it } from 'vitest';
import { editorOf } from './edit';

const editor = (game: string) => {
  const found = editorOf(game);
  if (!found) throw new Error(game);
  return found;
};

describe('setting up by hand', () => {
  it('places chess pieces, takes them away, and forgets rights that were touched', () => {
    const { put, clear, give, set, fields } = editor('chess');
    const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
    const rookless = put(start, '', 'h1', null);
    expect(rookless).toBe('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1');
    expect(put(rookless, 'R', 'h1', null)).toBe('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Qkq - 0 1');
    expect(put(put(clear(start), 'k', 'd5', null), 'K', 'd3', null)).toBe('8/8/8/3k4/8/3K4/8/8 w - - 0 1');
    expect(put('8/8/8/3k4/8/3K4/8/8 w - - 0 1', 'k', 'd5', null)).toBe('8/8/8/8/8/3K4/8/8 w - - 0 1');
    expect(give(rookless, 'second')).toContain(' b Qkq ');
    expect(set(rookless, 'K', 1)).toBe('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1');
    expect(fields(rookless).map((field) => field.value)).toEqual([0, 1, 1, 1]);
  });

  it('places pawns and walls', () => {
    const { put, clear, give, set } = editor('quoridor');
    const start = '5 c1:3 c5:3 white';
    const walled = put(start, 'wall', 'b2', 'b2h');
    expect(walled).toBe('5 c1:3 c5:3 white b2h');
    expect(put(walled, 'wall', 'c2', 'c2h')).toBe(start);
    expect(put(walled, 'wall', 'b2', 'b2v')).toBe('5 c1:3 c5:3 white b2h b2v');
    expect(put(walled, 'black', 'd4', 'd4h')).toBe('5 c1:3 d4:3 white b2h');
    expect(put(walled, 'wall', 'a1', null)).toBe(walled);
    expect(clear(walled)).toBe(start);
    expect(set(give(start, 'second'), 'black', 1)).toBe('5 c1:3 c5:1 black');
  });

  it('places stones', () => {
    const { put, give, clear } = editor('pushover');
    const position = put('................-+', 'o', '5', null);
    expect(position).toBe('.....o..........-+');
    expect(give(position, 'second')).toBe('.....o..........-o');
    expect(put(position, 'o', '5', null)).toBe('................-+');
    expect(clear('+ooo...+...o....Eo')).toBe('................-+');
  });

  it('writes numbers on cells', () => {
    const { put, set, clear } = editor('minesweeper');
    const board = 'mines 2\n...\n...';
    const marked = put(put(board, '1', 'b1', null), 'F', 'c2', null);
    expect(marked).toBe('mines 2\n.1.\n..F');
    expect(set(marked, 'mines', 3)).toBe('mines 3\n.1.\n..F');
    expect(put(marked, '1', 'b1', null)).toBe('mines 2\n...\n..F');
    expect(clear(marked)).toBe(board);
  });
});
