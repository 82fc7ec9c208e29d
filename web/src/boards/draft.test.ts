import { describe, expect, it } from 'vitest';
import type { Draft, Palette, PaletteItem, Seat, Shape } from '../lib/types';
import { cleared, put, readDraft, toolKey, toolRows, withCounter, writeDraft } from './draft';
import { across, cell, chess, mines, quoridor, upright } from './fixtures/scenes';

const item = (shape: Shape, owner: Seat | null, unique = false): PaletteItem => ({ shape, owner, unique });
const titled = (en: string) => ({ en, fr: en });
const empty: Draft = { pieces: [], walls: [], to_move: 'first', counters: [] };
const at = (column: number, row: number) => ({ cell: cell(column, row) });
const shapes = (draft: Draft) => draft.pieces.map((piece) => [piece.shape, piece.owner, piece.cell.column, piece.cell.row]);

const figures: Palette = {
  pieces: [[item('king', 'first'), item('rook', 'first')], [item('king', 'second')]], walls: false, two_sided: true,
  counters: [{ title: titled('White O-O'), min: 0, max: 1 }], cleared: { ...empty, counters: [0] },
};
const pawns: Palette = {
  pieces: [[item('pawn', 'first', true), item('pawn', 'second', true)]], walls: true, two_sided: true,
  counters: [{ title: titled('Walls of White'), min: 0, max: 10 }, { title: titled('Walls of Black'), min: 0, max: 10 }],
  cleared: { ...empty, pieces: quoridor.pieces, counters: [0, 0] },
};
const covers: Palette = {
  pieces: [[item('cover', null), item('flag', null), item({ digit: 0 }, null)], [item({ digit: 1 }, null)]], walls: false, two_sided: false,
  counters: [{ title: titled('Mines'), min: 1, max: 8 }], cleared: { ...empty, pieces: mines(['...']), counters: [2] },
};

describe('setting up by hand', () => {
  it('a piece is placed, replaced and taken away', () => {
    const rook = put(empty, figures, item('rook', 'first'), at(7, 7));
    expect(shapes(rook)).toEqual([['rook', 'first', 7, 7]]);
    expect(shapes(put(rook, figures, item('king', 'second'), at(7, 7)))).toEqual([['king', 'second', 7, 7]]);
    expect(put(rook, figures, item('rook', 'first'), at(7, 7)).pieces).toEqual([]);
    expect(put(rook, figures, 'erase', at(7, 7)).pieces).toEqual([]);
    expect(put(rook, figures, item('rook', 'first'), { edge: across(0, 1) })).toBe(rook);
  });

  it('of what there is only one, the other place becomes empty', () => {
    const moved = put({ ...empty, pieces: quoridor.pieces }, pawns, item('pawn', 'second', true), at(3, 1));
    expect(shapes(moved)).toEqual([['pawn', 'first', 2, 3], ['pawn', 'second', 3, 1]]);
  });

  it('a wall takes away what it would overlap, and crosses nothing else', () => {
    const walled = put(empty, pawns, 'wall', { edge: across(1, 3) });
    expect(walled.walls).toEqual([across(1, 3)]);
    expect(put(walled, pawns, 'wall', { edge: across(2, 3) }).walls).toEqual([]);
    expect(put(walled, pawns, 'wall', { edge: across(3, 3) }).walls).toHaveLength(2);
    expect(put(walled, pawns, 'wall', { edge: upright(2, 2) }).walls).toHaveLength(2);
    expect(put(walled, pawns, 'wall', at(0, 0))).toBe(walled);
  });

  it('what is taken away from a field of covers leaves a cover', () => {
    const covered = { ...empty, pieces: mines(['...']), counters: [2] };
    const one = put(covered, covers, item({ digit: 1 }, null), at(1, 0));
    expect(one.pieces.find((piece) => piece.cell.column === 1)?.shape).toEqual({ digit: 1 });
    expect(put(one, covers, item({ digit: 1 }, null), at(1, 0)).pieces.find((piece) => piece.cell.column === 1)?.shape).toBe('cover');
  });

  it('an empty board keeps the turn and counts, but no rights', () => {
    expect(cleared({ ...empty, pieces: chess.pieces, to_move: 'second', counters: [1] }, figures)).toEqual({ ...empty, to_move: 'second', counters: [0] });
    const walled: Draft = { pieces: quoridor.pieces, walls: quoridor.walls, to_move: 'first', counters: [3, 2] };
    expect(cleared(walled, pawns)).toEqual({ ...walled, walls: [] });
    expect(withCounter(walled, 1, 7).counters).toEqual([3, 7]);
  });

  it('offers what can be placed', () => {
    expect(toolRows(figures).map((row) => row.map(toolKey))).toEqual([['king/first', 'rook/first'], ['king/second'], ['erase']]);
    expect(toolRows(pawns).map((row) => row.map(toolKey))).toEqual([['wall', 'pawn/first', 'pawn/second']]);
    expect(toolRows(covers).flat().map(toolKey)).not.toContain('erase');
  });

  it('is kept in the address', () => {
    const draft: Draft = { pieces: [...quoridor.pieces, ...mines(['1F'])], walls: quoridor.walls, to_move: 'second', counters: [3, 2] };
    const read = readDraft(writeDraft(draft));
    expect(read).toEqual({ ...draft, pieces: expect.arrayContaining(draft.pieces) });
    expect(read?.pieces).toHaveLength(draft.pieces.length);
    expect(readDraft('8/8/8/3k4/8/3K4/8/8 w - - 0 1')).toBeNull();
    expect(readDraft('{broken')).toBeNull();
  });
});
