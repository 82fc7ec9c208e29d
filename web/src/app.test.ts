// Whatever is written can be read: the inks against the grounds that they are written on, light and dark, by the measure of WCAG 2.

import { expect, it } from 'vitest';
import css from './app.css?raw';

const tokens = new Map([...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map(([, name, light, dark]) => [name, [light, dark]]));
const WRITTEN: [ink: string, grounds: string[]][] = [
  ['ink', ['paper', 'surface', 'sunken', 'accent-soft']],
  ['ink-soft', ['paper', 'surface', 'sunken', 'accent-soft']],
  ['ink-faint', ['paper', 'surface', 'sunken']],
  ['accent', ['paper', 'surface', 'accent-soft']],
  ['accent-ink', ['accent']],
  ['second', ['surface']],
  ['good', ['paper', 'surface', 'good-soft']],
  ['bad', ['paper', 'surface', 'bad-soft']],
  ['warn', ['surface', 'warn-soft']],
];

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

it('every ink stands out from its grounds', () => {
  const poor = WRITTEN.flatMap(([ink, grounds]) =>
    grounds.flatMap((ground) =>
      [0, 1].flatMap((light) => {
        const found = contrast(tokens.get(ink)![light]!, tokens.get(ground)![light]!);
        return found < 4.5 ? [`${ink} on ${ground}, ${light === 0 ? 'light' : 'dark'}: ${found.toFixed(2)}`] : [];
      }),
    ),
  );
  expect(poor).toEqual([]);
});
