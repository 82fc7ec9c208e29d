// Sentences of the server in the reader's language, as far as they are known here. What is not known is shown as it came.

import { prefs } from '../lib/prefs.svelte';
import { FRENCH } from './known.fr';
import { PAPERS } from './papers.fr';
import { numerals } from './numerals';
import { REPORT } from './report.fr';
import { carrier, eachRefusal } from './sentences';
import { SENTENCES } from './sentences.fr';
import { bound } from './typeset';

const french = (text: string) => numerals(text, 'fr');
const inFrench = carrier(SENTENCES, french);
const reportInFrench = carrier(REPORT, french);

/** What the registry says of games, players and parameters, and the titles of documents. */
export const known = (text: string): string => (prefs.language === 'fr' ? bound(FRENCH[text] ?? PAPERS[text] ?? text) : text);

/** What is said of a move, a position or a request. */
export function told(text: string): string {
  const sentences = eachRefusal(text);
  return prefs.language === 'fr' ? bound(sentences.map((one) => inFrench(one) ?? one).join(' ; ')) : sentences.join('; ');
}

/** What frames a report, in the reader's language; null for what stays in the report's own. */
export function framed(text: string): string | null {
  if (prefs.language === 'en') return text;
  if (/^[-−+±\d\s.,–…%()]*$/.test(text)) return french(text);
  const carried = PAPERS[text] ?? reportInFrench(text);
  return carried === null ? null : bound(carried);
}
