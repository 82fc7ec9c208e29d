// What there is, fetched once.

import { api } from '../lib/api';
import type { Catalogue, GameInfo } from '../lib/types';
import { readSpec } from '../lib/spec';

const ORDER = ['chess', 'quoridor', 'minesweeper', 'pushover'];

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

  /** All games, those that most people know first. */
  get games(): GameInfo[] {
    const place = (game: GameInfo) => (ORDER.indexOf(game.name) + 1 || ORDER.length + 1);
    return (this.catalogue?.games ?? []).toSorted((a, b) => place(a) - place(b));
  }

  /** The game of a text such as `quoridor:size=5`. */
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
