import { expect, it } from 'vitest';
import { onClock } from './clocks';
import type { Table } from './types';
import { hearTime, serverNow } from './server-time';

it('counts down by the clock of the server, whatever this machine believes', () => {
  const there = Date.now() - 3_600_000;
  const table = { to_move: 'first', clocks: [0, 0], left: [60, 60], control: null, ticking: there - 2000 } as unknown as Table;
  hearTime(there, 500);
  expect(onClock(table, 'first', serverNow(500))).toBe(58);
  expect(onClock(table, 'first', serverNow(3500))).toBe(55);
  hearTime(there + 4000, 4000);
  expect(serverNow(4000)).toBe(there + 4000);
});
