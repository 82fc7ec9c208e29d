// What there is, fetched once.

import { api } from '../lib/api';
import type { Catalogue, GameInfo } from '../lib/types';
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

  /** All games. */
  get games(): GameInfo[] {
    return this.catalogue?.games ?? [];
  }

  /** The game of a text such as `quoridor:size=5`, with what the usual board offers. */
  game(spec: string): GameInfo | undefined {
    const { name } = readSpec(spec);
    return this.games.find((game) => game.name === name);
  }

  /** A game with the board that is usual for it. */
  usual(name: string): string {
    return this.game(name)?.presets[0]?.game ?? name;
  }

  /** Whether a parameter of this name takes a network. */
  takesModel(param: string): boolean {
    const listings = this.games.flatMap((game) => [...game.players, ...game.evaluators]);
    return listings.some((listing) => listing.params.some((one) => one.kind === 'model' && one.name === param));
  }
}

export const shelf = new Shelf();
