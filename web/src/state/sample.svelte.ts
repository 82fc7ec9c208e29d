// A game that a network plays against itself, and where in it one looks.

import { api, isAborted } from '../lib/api';
import type { GameRecord, Look } from '../lib/types';
import { notices } from './notices.svelte';

export class Sample {
  record = $state.raw<GameRecord | null>(null);
  /** Who played it. */
  player = $state('');
  /** The position that is looked at. */
  place = $state.raw<Look | null>(null);
  /** What the first seat may expect by ply, as far as it is known. */
  values = $state.raw<(number | null | undefined)[]>([]);
  ply = $state(0);
  busy = $state(false);
  #work: AbortController | null = null;

  constructor(readonly id: string) {}

  get total(): number {
    return this.record?.moves.length ?? 0;
  }

  /** Lets it play another game, then asks it about every position. */
  async play() {
    this.stop();
    const work = (this.#work = new AbortController());
    this.busy = true;
    try {
      const { record, player } = await api.sample(this.id, work.signal);
      [this.record, this.player, this.values, this.place, this.busy] = [record, player, [], null, false];
      this.jump(record.moves.length);
      const found: (number | null | undefined)[] = [];
      await api.graph(at(record), player, (ply, value) => {
        found[ply] = value;
        this.values = [...found];
      }, work.signal);
    } catch (error) {
      if (!isAborted(error)) notices.trouble(error);
    } finally {
      if (this.#work === work) this.busy = false;
    }
  }

  stop() {
    this.#work?.abort();
  }

  jump(to: number) {
    const { record } = this;
    if (!record) return;
    const ply = (this.ply = Math.max(0, Math.min(this.total, to)));
    api.look(at(record, ply)).then(
      (found) => {
        if (ply === this.ply && record === this.record) this.place = found;
      },
      (error: unknown) => notices.trouble(error),
    );
  }
}

const at = (record: GameRecord, ply = record.moves.length) => ({ game: record.game, setup: record.setup, moves: record.moves.slice(0, ply) });
