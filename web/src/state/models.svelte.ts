// The networks of a game, as far as there are any. Law: what is listed belongs to the game asked about last.

import { api } from '../lib/api';
import type { Model } from '../lib/protocol';

export class Models {
  list = $state.raw<Model[]>([]);
  #game = '';

  /** Asks anew; networks of another game are forgotten at once. A game without an answer has none to choose. */
  load(game: string) {
    if (game !== this.#game) this.list = [];
    this.#game = game;
    api.models(game).then(
      (found) => {
        if (game === this.#game) this.list = found;
      },
      () => {},
    );
  }
}
