// What one board offers: `perfect` plays where the game is solved, a network where one fits. Until the server has answered, and where
// there is no such board, it is what the usual board offers.

import { api } from '../lib/api';
import type { GameInfo } from '../lib/types';
import { shelf } from './catalogue.svelte';

export class BoardOffer {
  #found = $state.raw<{ spec: string; game: GameInfo } | null>(null);
  #asked = '';

  /** Asks anew whenever the board is another one. */
  load(spec: string) {
    this.#asked = spec;
    if (spec === '') return;
    api.board(spec).then(
      (game) => {
        if (spec === this.#asked) this.#found = { spec, game };
      },
      () => {},
    );
  }

  game(spec: string): GameInfo | undefined {
    return this.#found?.spec === spec ? this.#found.game : shelf.game(spec);
  }
}
