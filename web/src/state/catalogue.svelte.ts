// What there is, fetched once.

import { api } from '../lib/api';
import type { Catalogue, GameInfo } from '../lib/protocol';
import { readSpec } from '../lib/spec';

class Shelf {
  catalogue = $state.raw<Catalogue | null>(null);
  failure = $state.raw<unknown>(null);

  async load() {
    this.failure = null;
    try {
      this.catalogue = await api.catalogue();
    } catch (error) {
      this.failure = error;
    }
  }

  get games(): GameInfo[] {
    return this.catalogue?.games ?? [];
  }

  /** The game of a text such as `quoridor:size=5`. */
  game(spec: string): GameInfo | undefined {
    const { name } = readSpec(spec);
    return this.games.find((game) => game.name === name);
  }
}

export const shelf = new Shelf();
