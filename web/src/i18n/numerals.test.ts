import { expect, it } from 'vitest';
import { numerals } from './numerals';

it('numbers in texts are written as the language writes them', () => {
  expect(numerals('40.0% of 0.4', 'fr')).toBe('40,0\u202f% of 0,4');
  expect(numerals('6.3e24 bytes', 'fr')).toBe('6,3 × 10²⁴ bytes');
  expect(numerals('+0.25 – 1e-3', 'en')).toBe('+0.25 – 1 × 10⁻³');
});
