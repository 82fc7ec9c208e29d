// A picture of every game: the position that its catalogue entry names, or its start.

import { api } from '../lib/api';
import type { GameInfo, Scene } from '../lib/types';

/** Fetched once for as long as the page is open. */
const known = new Map<string, Promise<Scene>>();

function pictureOf(game: GameInfo): Promise<Scene> {
  const subject = game.picture ?? { game: game.presets[0]?.game ?? game.name };
  const found = known.get(game.name) ?? api.look(subject).then(({ scene }) => ({ ...scene, gestures: [] }));
  known.set(game.name, found);
  return found;
}

export class Pictures {
  scenes = $state.raw<ReadonlyMap<string, Scene>>(new Map());

  load(games: GameInfo[]) {
    for (const game of games) {
      pictureOf(game).then(
        (scene) => (this.scenes = new Map(this.scenes).set(game.name, scene)),
        () => known.delete(game.name),
      );
    }
  }
}
