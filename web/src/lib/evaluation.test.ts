import { expect, test } from 'vitest';
import { groupsOf, squaresOf } from './evaluation';

const report = {
  errors: { samples: 100, mae: 0.25, spread: { mean: 0.25, whiskers: [0, 1] }, distribution: [0.5, 0.5] },
  scores: { games: 5, win_rate: 0.2, win_rate_low: 0.1, win_rate_high: 0.4 },
  accuracy: 0.8,
  accuracy_low: 0.7,
  accuracy_high: 0.9,
  confusion: [[3, 1], [0, 4]],
  by_k: [{ k: 1, accuracy: 0.5 }],
  plan: '25-40-1',
};

test('numbers are grouped as the report has them, each with its interval', () => {
  const [alone, errors, scores] = groupsOf(report);
  expect(alone).toEqual({ name: null, numbers: [{ name: 'accuracy', value: 0.8, interval: [0.7, 0.9] }] });
  expect(errors?.numbers.map(({ name }) => name)).toEqual(['samples', 'mae', 'spread.mean']);
  expect(scores?.numbers).toContainEqual({ name: 'win_rate', value: 0.2, interval: [0.1, 0.4] });
});

test('only squares of numbers are squares', () => {
  expect(squaresOf(report)).toEqual([{ name: 'confusion', rows: [[3, 1], [0, 4]] }]);
});
