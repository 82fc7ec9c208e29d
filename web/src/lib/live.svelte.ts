// The one socket. A subscriber gets the present state at once and every change after it, across breaks.

import type { LiveMessage } from './types';
import { hearTime } from './server-time';

type Listener = (message: LiveMessage) => void;

class Live {
  /** False while the connection is broken, after it once stood. */
  connected = $state(true);
  /** Counts the connections: what an earlier server said is not compared with what the present one says. */
  epoch = 0;
  #socket: WebSocket | null = null;
  #listeners = new Map<string, Set<Listener>>();
  #retry = 0;
  #timer = 0;

  /** Hears of a topic until the answer is called. */
  subscribe(topic: string, listener: Listener): () => void {
    const known = this.#listeners.get(topic);
    const set = known ?? new Set();
    set.add(listener);
    this.#listeners.set(topic, set);
    // A second listener needs the present state too, so it is asked for again.
    if (known) this.#send({ unsubscribe: [topic] });
    this.#send({ subscribe: [topic] });
    this.#open();
    return () => {
      set.delete(listener);
      if (set.size > 0 || this.#listeners.get(topic) !== set) return;
      this.#listeners.delete(topic);
      this.#send({ unsubscribe: [topic] });
    };
  }

  #send(message: unknown) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #open() {
    if (this.#socket || this.#timer) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/live`);
    this.#socket = socket;
    socket.onopen = () => {
      this.connected = true;
      this.epoch++;
      this.#retry = 0;
      const topics = [...this.#listeners.keys()];
      if (topics.length > 0) this.#send({ subscribe: topics });
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      const message = JSON.parse(event.data) as LiveMessage;
      if ('now' in message) hearTime(message.now);
      for (const listener of [...(this.#listeners.get(message.topic) ?? [])]) listener(message);
    };
    socket.onclose = () => {
      this.#socket = null;
      this.connected = false;
      this.#retry = Math.min(this.#retry + 1, 6);
      this.#timer = window.setTimeout(() => {
        this.#timer = 0;
        this.#open();
      }, 250 * 2 ** this.#retry);
    };
  }
}

export const live = new Live();
