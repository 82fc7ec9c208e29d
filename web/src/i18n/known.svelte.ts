// Sentences of the server in the reader's language, as far as they are known here. Law: what is not known is shown as it came.

import { prefs } from '../lib/prefs.svelte';
import { FRENCH } from './known.fr';
import { PAPERS } from './papers.fr';
import { carrier } from './sentences';
import { SENTENCES } from './sentences.fr';

const inFrench = carrier(SENTENCES);

/** What the registry says of games, players and parameters, and the titles of documents. */
export const known = (text: string): string => (prefs.language === 'fr' ? (FRENCH[text] ?? PAPERS[text] ?? text) : text);

/** What is said of a move, a position or a request. */
export const told = (text: string): string => (prefs.language === 'fr' ? (inFrench(text) ?? text) : text);
