import { describe, expect, it } from 'vitest';
import { inOrder, measured, numbers, readRun } from './curves';

describe('curves', () => {
  it('finds numbers inside objects', () => {
    expect(numbers({ a: 1, check: { score: 0.5, words: 'no' }, list: [1] })).toEqual([['a', 1], ['check.score', 0.5]]);
  });

  it('keeps the ends of an interval with their number', () => {
    expect(measured({ loss: 2, check: { score: 0.5, score_low: 0.4, score_high: 0.6 } })).toEqual([
      { name: 'loss', value: 2 },
      { name: 'check.score', value: 0.5, interval: [0.4, 0.6] },
    ]);
  });

  it('runs over what was learnt from, with the ends of intervals beside their curve', () => {
    const run = readRun([
      { games: 100, loss: 2, check: { games: 20, score: 0.5, score_low: 0.4, score_high: 0.6 } },
      { games: 200, loss: 1 },
    ]);
    expect(run.axis).toBe('games');
    expect([...run.curves.keys()]).toEqual(['loss', 'check.score']);
    expect(run.curves.get('loss')).toEqual({ name: 'loss', xs: [100, 200], ys: [2, 1] });
    expect(run.curves.get('check.score')).toEqual({ name: 'check.score', xs: [100, 200], ys: [0.5, null], low: [0.4, null], high: [0.6, null] });
  });

  it('counts records where nothing grows', () => {
    expect(readRun([{ epoch: 1, loss: 2 }, { epoch: 1, loss: 1 }])).toMatchObject({ axis: null });
    expect(readRun([{ epoch: 1, loss: 2 }, { epoch: 1, loss: 1 }]).curves.get('loss')?.xs).toEqual([1, 2]);
    expect(readRun([]).curves.size).toBe(0);
  });

  it('shows what tells most first', () => {
    expect(inOrder(['draws', 'loss', 'check.score'])).toEqual(['check.score', 'loss', 'draws']);
  });
});
