// What the server says to people, in the reader's language. It is sent in every language there is.

import { prefs } from '../lib/prefs.svelte';
import type { Text } from '../lib/types';
import { bound } from './typeset';

/** A text of the server as it is printed. */
export const localized = ({ en, fr }: Text): string => (prefs.language === 'fr' ? bound(fr) : en);
