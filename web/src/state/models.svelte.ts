// The networks there are: of a game, and by their names. What is listed belongs to the game asked about last.

import { modelTitle, paramWords } from '../i18n/index.svelte';
import { api } from '../lib/api';
import type { Model } from '../lib/types';
import { readSpec } from '../lib/spec';
import { shelf } from './catalogue.svelte';

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

/** Networks by their ids, asked for when one is met that is not known yet. */
class Directory {
  #known = $state.raw(new Map<string, Model>());
  #asked = new Set<string>();

  find(id: string): Model | undefined {
    if (!this.#known.has(id) && !this.#asked.has(id)) {
      this.#asked.add(id);
      api.models().then((found) => (this.#known = new Map(found.map((model) => [model.id, model]))), () => {});
    }
    return this.#known.get(id);
  }
}
const directory = new Directory();

/** A player's name and its parameters, a network by what it came from. */
export function playerWords(player: string): { name: string; detail: string } {
  const { name, values } = readSpec(player);
  const words = Object.entries(values).map(([key, value]) => {
    const model = shelf.takesModel(key) ? directory.find(value) : undefined;
    return model ? `(${modelTitle(model)})` : paramWords(key, value);
  });
  return { name, detail: words.join(', ') };
}

export function playerTitle(player: string): string {
  const { name, detail } = playerWords(player);
  return detail === '' ? name : `${name}, ${detail}`;
}
