// What the moves of a game were worth, for a screen that shows the game.

import { api } from '../lib/api';
import type { Review, Text } from '../lib/types';
import { notices } from './notices.svelte';

/** A mark beside a move, and what it means. */
export interface Note {
  sign: string;
  words: Text;
  bad: boolean;
}

const SIGNS: Record<string, { sign: string; bad: boolean }> = {
  blunder: { sign: '??', bad: true },
  mistake: { sign: '?', bad: true },
  inaccuracy: { sign: '?!', bad: true },
  'worse-guess': { sign: '?', bad: true },
  'best-guess': { sign: '!', bad: false },
};

export class Judged {
  review = $state.raw<Review | null>(null);
  asking = $state(false);

  async ask(id: string) {
    this.asking = true;
    try {
      this.review = await api.review(id);
    } catch (error) {
      notices.trouble(error);
    } finally {
      this.asking = false;
    }
  }

  /** By move. */
  get notes(): (Note | null)[] {
    return (this.review?.moves ?? []).map(({ verdict, words }) => {
      const sign = SIGNS[verdict];
      return sign ? { ...sign, words } : null;
    });
  }
}
