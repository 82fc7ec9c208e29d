// What each side has beside the board, as a seat shows it.

import type { Reserve, Scene, Seat } from '../lib/types';

export interface Beside {
  reserves: Reserve[];
  /** By how much it is ahead, where people count. */
  lead: number;
}

export function besideOf(scene: Scene, seat: Seat): Beside {
  const lead = (scene.lead ?? 0) * (seat === 'first' ? 1 : -1);
  return { reserves: scene.reserves[seat === 'first' ? 0 : 1] ?? [], lead: Math.max(0, lead) };
}
