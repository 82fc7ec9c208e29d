// The address of what is on screen, to be passed on. The address holds the state, so nothing else is needed.

import { say } from '../i18n/index.svelte';
import { notices } from './notices.svelte';

export async function share() {
  try {
    await navigator.clipboard.writeText(location.href);
    notices.tell(() => say.t.app.copied);
  } catch (error) {
    notices.trouble(error);
  }
}
