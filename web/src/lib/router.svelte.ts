// Where one is: the part of the address after `#`, as a path and parameters. Every screen can be rebuilt from it.

import type { GameRecord } from './types';

export interface Place {
  path: string[];
  query: Record<string, string>;
}

export function readPlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return {
    path: path.split('/').filter((part) => part !== '').map(decodeURIComponent),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** Parameters to be written; what is empty is left out. */
export type Query = Record<string, string | number | null | undefined>;

export function writePlace(path: string[], query: Query = {}): string {
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === null || value === undefined || value === '' ? [] : [[key, String(value)]],
  );
  const tail = given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '';
  return `#/${path.map(encodeURIComponent).join('/')}${tail}`;
}

/** A recorded game under study, at a ply, with a player who is asked about it. */
export const recordPlace = (record: GameRecord, ply: number, player?: string) =>
  writePlace(['analyse'], { game: record.game, setup: record.setup, moves: record.moves.join(' '), ply, a: player });

/** What is left with a place in the browser's history once it was shown. */
const SEEN = 'seen';

class Router {
  place = $state.raw<Place>(readPlace(globalThis.location?.hash ?? ''));

  /** Whether one came here by going on; not so by the browser's way back or forth. */
  isNew = true;

  constructor() {
    globalThis.history?.replaceState(SEEN, '');
    globalThis.addEventListener?.('hashchange', () => {
      this.isNew = history.state === null;
      history.replaceState(SEEN, '');
      this.place = readPlace(location.hash);
    });
  }

  /** Goes somewhere; without a trace in the history if it only refines where one is. */
  go(address: string, replace = false) {
    if (address === location.hash) return;
    if (replace) {
      history.replaceState(history.state, '', address);
      this.place = readPlace(address);
    } else {
      location.hash = address;
    }
  }

  /** Changes some parameters of where one is. */
  refine(change: Query, replace = true) {
    this.go(writePlace(this.place.path, { ...this.place.query, ...change }), replace);
  }
}

export const router = new Router();
