import { expect, it } from 'vitest';
import { prefs } from '../lib/prefs.svelte';
import { fr } from './fr';
import { localized } from './localized';
import { allBound, bound } from './typeset';

it('binds marks to the words that they belong to', () => {
  expect(bound('Une mine ! Pourquoi ? Voir « a1 » : 95 % ; etc. …')).toBe('Une mine\u202f! Pourquoi\u202f? Voir «\u00a0a1\u00a0»\u00a0: 95\u00a0%\u202f; etc.\u00a0…');
  expect(bound('e2e4 a:b c;d 10:30')).toBe('e2e4 a:b c;d 10:30');
});

it('binds what a dictionary says and what it makes', () => {
  const words = allBound(fr);
  expect(words.app.noGame('go')).toBe('Il n’y a pas de jeu nommé «\u00a0go\u00a0».');
  expect(words.table.exploded).toBe('Une mine\u202f!');
  expect(words.jobs.units).toEqual(fr.jobs.units);
  const loose: string[] = [];
  const look = (value: unknown) => {
    if (typeof value === 'string' && /[ ][;:!?»%…]|«[ ]/.test(value)) loose.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(look);
  };
  look(words);
  expect(loose).toEqual([]);
});

it('binds what the server says, and only where it is read in French', () => {
  const text = { en: 'size=99: expected a ; b', fr: 'size=99 : attendu a ; b' };
  prefs.speak('fr');
  expect(localized(text)).toBe('size=99\u00a0: attendu a\u202f; b');
  prefs.speak('en');
  expect(localized(text)).toBe(text.en);
});
