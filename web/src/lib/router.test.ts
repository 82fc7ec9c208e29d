import { describe, expect, it } from 'vitest';
import { readPlace, writePlace } from './router.svelte';

describe('places', () => {
  it('come back as they were written', () => {
    const query = { game: 'quoridor:size=5,walls=3', position: 'mines 3\n1..\n', moves: 'e4 Nf3+', ply: '3' };
    const place = readPlace(writePlace(['analyse'], query));
    expect(place).toEqual({ path: ['analyse'], query });
  });

  it('leave out what is not given', () => expect(writePlace(['play'], { game: '', ply: undefined })).toBe('#/play'));
});
