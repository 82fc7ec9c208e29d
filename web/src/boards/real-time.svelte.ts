// Turns that pass by the clock: which keys are down, and which move is played when a turn is over.

class RealTime {
  /** Milliseconds a turn; 0: turn by turn. It stays from game to game. */
  pace = $state(0);
  /** Whether time passes: from the first key on. */
  started = $state(false);
  /** The moves whose keys are down, the latest last. */
  #held: string[] = [];
  /** The move of a key that was pressed since the last turn. */
  #tapped: string | null = null;

  /** A new game, or another pace: time stands still until a key is pressed. */
  reset(pace = this.pace) {
    this.pace = pace;
    this.started = false;
    this.#held = [];
    this.#tapped = null;
  }

  press(move: string) {
    this.started = true;
    this.#tapped = move;
    this.#held = [...this.#held.filter((other) => other !== move), move];
  }

  release(move: string) {
    this.#held = this.#held.filter((other) => other !== move);
  }

  /** Nothing is held any more: the page has lost the keyboard. */
  releaseAll() {
    this.#held = [];
  }

  /** The move of the turn that is over: what was pressed last if it can be played, else the key that is down, else the idle move. */
  next(isLegal: (move: string) => boolean, idle: string): string {
    const wishes = [this.#tapped, ...this.#held.toReversed()];
    this.#tapped = null;
    return wishes.find((move) => move !== null && isLegal(move)) ?? idle;
  }
}

export const realTime = new RealTime();
