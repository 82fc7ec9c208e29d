import { describe, expect, it } from 'vitest';
import type { Answer, Candidate, Gesture, Opinion } from '../lib/types';
import { exactOverlays, opinionOverlays } from './overlays';

/** A move by a cell of its own. */
const at = (move: string) => ({ move, touches: [{ cell: { column: move.charCodeAt(0), row: 0 } }] });

const answer = (value: Answer['value'], moves: Answer['moves']): Answer => ({ value, distance: 3, moves }) as Answer;

describe('exact values as overlays', () => {
  it('are heaviest where the value of the position is kept, as fast as it can be', () => {
    const marks = exactOverlays(answer('win', [{ ...at('A'), value: 'win', distance: 3 }, { ...at('B'), value: 'win', distance: 5 }, { ...at('C'), value: 'draw', distance: null }]), 3);
    expect(marks).toEqual([
      { ...at('A'), weight: 1, tone: 'win', label: '3' },
      { ...at('B'), weight: 0.45, tone: 'win', label: '5' },
      { ...at('C'), weight: 0.45, tone: 'draw' },
    ]);
  });

  it('are as many as asked for', () => {
    const moves = [0.2, 0.9, 0.9].map((value, index) => ({ ...at(`a${index + 1}`), value, distance: null }));
    expect(exactOverlays(answer(0.9, moves), 2).map((mark) => mark.weight)).toEqual([0.3, 1]);
  });
});

describe('preferences as overlays', () => {
  const candidate = (move: string, weight: number) => ({ ...at(move), weight }) as Candidate;
  const gestures: Gesture[] = [{ ...at('e4'), choice: null }];
  const opinion = (best: string, candidates: Candidate[]) => ({ best, candidates }) as Opinion;

  it('weigh as much as the heaviest says', () => {
    expect(opinionOverlays(opinion('e4', [candidate('e4', 40), candidate('d4', 10)]), 'first', gestures).map((mark) => mark.weight)).toEqual([1, 0.25]);
  });

  it('always have the move itself', () => {
    expect(opinionOverlays(opinion('e4', []), 'second', gestures)).toEqual([{ ...at('e4'), weight: 1, tone: 'second' }]);
    expect(opinionOverlays(opinion('e4', [candidate('d4', 1)]), 'first', gestures).map((mark) => mark.move)).toEqual(['e4', 'd4']);
  });
});
