import { describe, expect, it } from 'vitest';
import { readJson, writeJson } from './json';

describe('what is sent', () => {
  it('keeps numbers of 64 bits', () => {
    const text = '{"game":"chess","setup":18446744073709551615,"ply":3}';
    expect(readJson(text)).toEqual({ game: 'chess', setup: '18446744073709551615', ply: 3 });
    expect(writeJson(readJson(text))).toBe(text);
  });

  it('leaves small numbers and texts alone', () => {
    const value = { seed: 7, position: 'say "seed":12345678901234567890' };
    expect(readJson(writeJson(value))).toEqual(value);
  });
});
