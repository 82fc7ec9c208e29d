// A position under study: where it comes from, how it looks, what players say of it.
// What is shown belongs to the position shown; whatever was asked about another one is given up.

import { api, isAborted } from '../lib/api';
import type { Answer, Look, Opinion, Seat, Subject, SurveyFacts } from '../lib/types';

/** Something asked, on its way, here or refused. */
export class Asked<T> {
  value = $state.raw<T | null>(null);
  failure = $state.raw<unknown>(null);
  asking = $state(false);
  /** While asking: whether the value belongs to what is asked now. */
  fresh = $state(false);
  #call: AbortController | null = null;

  /** Asks anew; the old answer stays until the new one is here, or the beginning of it, unless it is to be forgotten. */
  async ask(request: (signal: AbortSignal, soFar: (value: T) => void) => Promise<T>, forget = true) {
    this.giveUp();
    const call = new AbortController();
    this.#call = call;
    if (forget) this.value = null;
    this.failure = null;
    this.asking = true;
    this.fresh = false;
    try {
      const answer = await request(call.signal, (value) => {
        if (this.#call !== call) return;
        this.value = value;
        this.fresh = true;
      });
      if (this.#call === call) this.value = answer;
    } catch (error) {
      if (this.#call === call && !isAborted(error)) {
        this.failure = error;
        this.value = null;
      }
    } finally {
      if (this.#call === call) this.asking = false;
    }
  }

  giveUp() {
    this.#call?.abort();
    this.#call = null;
    this.asking = false;
  }

  forget() {
    this.giveUp();
    this.value = null;
    this.failure = null;
  }
}

export class Study {
  look = new Asked<Look>();
  opinions = [new Asked<Opinion>(), new Asked<Opinion>()] as const;
  survey = new Asked<SurveyFacts>();
  exact = new Asked<Answer>();
  /** The first seat's expectations, ply by ply. */
  graph = $state<(number | null | undefined)[]>([]);
  drawing = $state(false);
  #graphCall: AbortController | null = null;

  /** What the first seat expects by this opinion. */
  firstValue(which: 0 | 1): number | null {
    const seat: Seat | undefined = this.look.value?.to_move;
    const outcome = this.look.value?.outcome;
    if (outcome) return outcome.winner === null ? 0.5 : outcome.winner === 'first' ? 1 : 0;
    const value = this.opinions[which].value?.value ?? null;
    return value === null ? null : seat === 'second' ? 1 - value : value;
  }

  async drawGraph(subject: Subject, player: string) {
    this.dropGraph();
    const call = new AbortController();
    this.#graphCall = call;
    this.drawing = true;
    try {
      await api.graph(subject, player, (ply, value) => {
        if (this.#graphCall !== call) return;
        const next = [...this.graph];
        next[ply] = value;
        this.graph = next;
      }, call.signal);
    } finally {
      if (this.#graphCall === call) this.drawing = false;
    }
  }

  dropGraph() {
    this.#graphCall?.abort();
    this.#graphCall = null;
    this.drawing = false;
    this.graph = [];
  }

  close() {
    for (const asked of [this.look, ...this.opinions, this.survey, this.exact]) asked.giveUp();
    this.dropGraph();
  }
}
