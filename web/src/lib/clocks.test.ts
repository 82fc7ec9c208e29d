import { describe, expect, it } from 'vitest';
import { control, onClock } from './clocks';
import type { Table } from './types';

const table = (more: Partial<Table>) =>
  ({ to_move: 'first', clocks: [4, 2], left: null, control: null, ticking: null, ...more }) as Table;

describe('clocks', () => {
  it('count up where nothing limits them', () => {
    expect(onClock(table({ ticking: 1000 }), 'first', 3500)).toBe(6.5);
    expect(onClock(table({ ticking: 1000 }), 'second', 3500)).toBe(2);
  });

  it('count down to nothing', () => {
    const timed = table({ control: control(1, 0), left: [3, 60], ticking: 1000 });
    expect([onClock(timed, 'first', 2000), onClock(timed, 'first', 9000), onClock(timed, 'second', 9000)]).toEqual([2, 0, 60]);
  });

  it('stand while none runs', () => expect(onClock(table({ left: [3, 60] }), 'first', 9e9)).toBe(3));
});
