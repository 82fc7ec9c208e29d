// Time controls that people ask for, and what a clock shows.

import type { Control, Seat, Table } from './types';

/** Minutes, and seconds added for a move. */
export const CONTROLS: [minutes: number, increment: number][] = [[1, 0], [3, 2], [5, 0], [10, 5], [30, 20]];

export const control = (minutes: number, increment: number): Control => ({ seconds: 60 * minutes, increment });

export const seatIndex = (seat: Seat) => (seat === 'first' ? 0 : 1);

/** Seconds that a seat has left, or has used where nothing limits it, at a moment. */
export function onClock(table: Table, seat: Seat, now: number): number {
  const running = table.ticking !== null && table.to_move === seat ? Math.max(0, now - table.ticking) / 1000 : 0;
  const index = seatIndex(seat);
  return table.left ? Math.max(0, (table.left[index] ?? 0) - running) : (table.clocks[index] ?? 0) + running;
}
