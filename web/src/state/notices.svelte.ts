// Short messages that pass by, and are read out to those who cannot see them.

import { sentence } from '../i18n/index.svelte';
import { isAborted } from '../lib/api';

export interface Notice {
  id: number;
  /** What it says, in the language of the moment. */
  words: () => string;
  bad: boolean;
}

class Notices {
  list = $state<Notice[]>([]);
  #next = 0;

  tell(words: () => string, bad = false) {
    const id = this.#next++;
    this.list = [...this.list.filter((notice) => notice.words() !== words()), { id, words, bad }].slice(-3);
    window.setTimeout(() => this.dismiss(id), bad ? 7000 : 3500);
  }

  /** Tells what went wrong, unless it was given up on purpose. */
  trouble(error: unknown) {
    if (!isAborted(error)) this.tell(() => sentence(error), true);
  }

  dismiss(id: number) {
    this.list = this.list.filter((notice) => notice.id !== id);
  }
}

export const notices = new Notices();
