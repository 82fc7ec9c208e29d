import { describe, expect, it } from 'vitest';
import { readSpec, writeSpec } from './spec';

describe('names with parameters', () => {
  it('reads a name alone', () => expect(readSpec('chess')).toEqual({ name: 'chess', values: {} }));

  it('reads parameters and writes them back', () => {
    for (const text of ['quoridor:size=5,walls=3', 'net:file=a\\,b.npz', 'random', 'mcts:time=1s']) {
      expect(writeSpec(readSpec(text))).toBe(text);
    }
  });

  it('leaves out what is empty', () =>
    expect(writeSpec({ name: 'alphabeta', values: { depth: '', time: '2s' } })).toBe('alphabeta:time=2s'));
});
