import { describe, expect, it } from 'vitest';
import { curves } from './curves';

describe('curves', () => {
  it('are the numbers of the records, nested ones by their path', () => {
    const found = curves([{ step: 1, loss: 0.5 }, { step: 2, loss: 0.25, check: { wins: 3 }, note: 'text' }]);
    expect([...found]).toEqual([
      ['loss', [0.5, 0.25]],
      ['check.wins', [null, 3]],
    ]);
  });
});
