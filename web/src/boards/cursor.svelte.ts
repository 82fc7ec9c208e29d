// The keyboard's place on a board. Law: arrows steer it for who came by the keyboard; who uses the pointer keeps them for
// looking back and on, until a press of Enter brings the cursor.

const STEPS: Record<string, [across: number, down: number]> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

export interface Field {
  columns: number;
  rows: number;
  /** Where the cursor appears. */
  start: [column: number, row: number];
  /** Whether rows are counted from below on the screen as it lies. */
  upwards?: boolean;
  flipped?: boolean;
}

export const isPress = (event: KeyboardEvent) => event.key === 'Enter' || event.key === ' ';

export class Cursor {
  at = $state.raw<[column: number, row: number] | null>(null);
  #byPointer = false;

  constructor(readonly field: () => Field) {}

  /** For `onpointerdown` and `onblur` of the board. */
  pointed = () => {
    this.#byPointer = true;
    this.at = null;
  };
  left = () => {
    this.#byPointer = false;
    this.at = null;
  };

  /** Moves it, or lets it appear; whether the key was for that. */
  steer(event: KeyboardEvent): boolean {
    const step = STEPS[event.key];
    if (this.at === null) {
      if (!isPress(event) && (!step || this.#byPointer)) return false;
      this.at = this.field().start;
      return true;
    }
    if (!step) return false;
    const { columns, rows, upwards = false, flipped = false } = this.field();
    const turn = flipped ? -1 : 1;
    const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
    const [across, down] = [turn * step[0], (upwards ? -turn : turn) * step[1]];
    this.at = [within(this.at[0] + across, columns), within(this.at[1] + down, rows)];
    return true;
  }
}
