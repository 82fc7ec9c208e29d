// One table as the page holds it. The newest document wins, whichever way it came; after a new connection, the first one.

import { api, Refusal } from '../lib/api';
import { live } from '../lib/live.svelte';
import type { Opinion, Ply, Seat, Table, Text, Touch } from '../lib/types';
import { notices } from './notices.svelte';

export class TableState {
  doc = $state.raw<Table | null>(null);
  failure = $state.raw<unknown>(null);
  /** A request for a move is under way. */
  sending = $state(false);
  hint = $state.raw<Opinion | null>(null);
  hinting = $state(false);
  /** The ply looked at, or null for the present. */
  looking = $state<number | null>(null);
  plies = $state.raw<Ply[]>([]);
  #hintCall: AbortController | null = null;
  #epoch = 0;

  constructor(readonly id: string) {}

  /** Follows the table until the answer is called. */
  follow(): () => void {
    const stop = live.subscribe(`table:${this.id}`, (message) => {
      if ('table' in message) {
        const fresh = this.#epoch !== live.epoch;
        this.#epoch = live.epoch;
        this.take(message.table, fresh);
      }
      if ('error' in message) this.failure = new Refusal(404, message.error.code, message.error.message);
    });
    void this.#fetch();
    return () => {
      stop();
      this.#hintCall?.abort();
    };
  }

  async #fetch() {
    try {
      this.take(await api.table(this.id));
    } catch (error) {
      if (!this.doc) this.failure = error;
    }
  }

  take(table: Table, fresh = false) {
    if (table.id !== this.id || (!fresh && this.doc && table.rev < this.doc.rev)) return;
    if (this.doc && table.ply !== this.doc.ply) {
      this.looking = null;
      this.dropHint();
    }
    this.doc = table;
    this.failure = null;
  }

  isHuman(seat: Seat): boolean {
    return this.doc?.seats[seat === 'first' ? 0 : 1] === 'human';
  }

  /** Whether the person at the screen may move now. */
  get mine(): boolean {
    const doc = this.doc;
    return !!doc && !doc.outcome && !this.sending && this.looking === null && this.isHuman(doc.to_move);
  }

  /** Plays a move; false if it was refused. */
  async play(move: string): Promise<boolean> {
    const doc = this.doc;
    if (!doc || this.sending) return false;
    this.sending = true;
    try {
      this.take(await api.move(this.id, move, doc.ply));
      return true;
    } catch (error) {
      notices.trouble(error);
      if (error instanceof Refusal && error.code === 'stale') await this.#fetch();
      return false;
    } finally {
      this.sending = false;
    }
  }

  /** Why touches are no move; null if they are one. */
  async why(touches: Touch[]): Promise<Text | null> {
    try {
      return (await api.why(this.id, touches)).reason;
    } catch (error) {
      notices.trouble(error);
      return null;
    }
  }

  /** Tries touches that the scene does not list as a move: they are played if they are one after all, as when a king is put on the rook
   * to castle; otherwise the answer says why they are none. */
  async attempt(touches: Touch[]): Promise<Text | null> {
    const [doc, reason] = [this.doc, await this.why(touches)];
    if (reason === null && doc) await this.ask(() => api.attempt(this.id, touches, doc.ply));
    return reason;
  }

  /** Asks for something that answers with the table. */
  async ask(request: () => Promise<Table>) {
    try {
      this.take(await request());
    } catch (error) {
      notices.trouble(error);
    }
  }

  async askHint() {
    this.dropHint();
    const call = new AbortController();
    this.#hintCall = call;
    this.hinting = true;
    try {
      const opinion = await api.hint(this.id, call.signal);
      if (this.#hintCall === call) this.hint = opinion;
    } catch (error) {
      notices.trouble(error);
    } finally {
      if (this.#hintCall === call) this.hinting = false;
    }
  }

  dropHint() {
    this.#hintCall?.abort();
    this.#hintCall = null;
    this.hinting = false;
    this.hint = null;
  }

  /** Looks at an earlier position without changing the game. */
  async look(ply: number) {
    const doc = this.doc;
    if (!doc || ply < 0) return;
    if (ply >= doc.ply) {
      this.looking = null;
      return;
    }
    try {
      if (this.plies.length !== doc.ply + 1) this.plies = await api.plies(this.id);
      this.looking = ply;
    } catch (error) {
      notices.trouble(error);
    }
  }
}
