import { expect, it } from 'vitest';
import { darkMedia } from './prefs.svelte';

it('what is meant for the dark is shown where the reader or the system wants it', () => {
  expect(darkMedia('system')).toBe('(prefers-color-scheme: dark)');
  expect(darkMedia('dark')).toBe('all');
  expect(darkMedia('light')).toBe('not all');
});
