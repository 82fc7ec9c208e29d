import { describe, expect, it } from 'vitest';
import type { Answer, Candidate, Opinion } from '../lib/protocol';
import { exactMarks, opinionMarks } from './marks';

const answer = (value: Answer['value'], moves: Answer['moves']): Answer => ({ value, distance: 3, moves }) as Answer;

describe('exact values as marks', () => {
  it('are heaviest where the value of the position is kept, as fast as it can be', () => {
    const marks = exactMarks(answer('win', [{ move: 'A', value: 'win', distance: 3 }, { move: 'B', value: 'win', distance: 5 }, { move: 'C', value: 'draw', distance: null }]), 3);
    expect(marks).toEqual([
      { move: 'A', weight: 1, tone: 'win', label: '3' },
      { move: 'B', weight: 0.45, tone: 'win', label: '5' },
      { move: 'C', weight: 0.45, tone: 'draw' },
    ]);
  });

  it('are as many as asked for', () => {
    const moves = [0.2, 0.9, 0.9].map((value, index) => ({ move: `a${index + 1}`, value, distance: null }));
    expect(exactMarks(answer(0.9, moves), 2).map((mark) => mark.weight)).toEqual([0.3, 1]);
  });
});

describe('preferences as marks', () => {
  const candidate = (move: string, weight: number) => ({ move, weight }) as Candidate;
  const opinion = (best: string, candidates: Candidate[]) => ({ best, candidates }) as Opinion;

  it('weigh as much as the heaviest says', () => {
    expect(opinionMarks(opinion('e4', [candidate('e4', 40), candidate('d4', 10)]), 'first').map((mark) => mark.weight)).toEqual([1, 0.25]);
  });

  it('always have the move itself', () => {
    expect(opinionMarks(opinion('e4', []), 'second')).toEqual([{ move: 'e4', weight: 1, tone: 'second' }]);
    expect(opinionMarks(opinion('e4', [candidate('d4', 1)]), 'first').map((mark) => mark.move)).toEqual(['e4', 'd4']);
  });
});
