// Sentences of the server in the reader's language, as far as they are known here. Law: what is not known is shown as it came.

import { prefs } from '../lib/prefs.svelte';
import { FRENCH } from './known.fr';

export const known = (text: string): string => (prefs.language === 'fr' ? (FRENCH[text] ?? text) : text);
