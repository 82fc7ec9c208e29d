// The networks there are: for a board, and by their names. What is listed belongs to the board asked about last.

import { modelTitle, paramWords } from '../i18n/index.svelte';
import { api } from '../lib/api';
import type { Model } from '../lib/types';
import { readSpec } from '../lib/spec';
import { shelf } from './catalogue.svelte';

export class Models {
  list = $state.raw<Model[]>([]);
  #board = '';

  /** Asks anew; networks for another board are forgotten at once. A board without an answer has none to choose. */
  load(board: string) {
    if (board !== this.#board) this.list = [];
    this.#board = board;
    api.models(board).then(
      (found) => {
        if (board === this.#board) this.list = found;
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
export const findModel = (id: string) => directory.find(id);

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
