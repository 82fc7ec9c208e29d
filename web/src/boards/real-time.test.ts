import { beforeEach, expect, test } from 'vitest';
import { realTime } from './real-time.svelte';

const all = () => true;
beforeEach(() => realTime.reset(250));

test('time passes from the first key on, and stands still in a new game', () => {
  expect(realTime.started).toBe(false);
  realTime.press('left');
  expect(realTime.started).toBe(true);
  realTime.reset();
  expect([realTime.pace, realTime.started]).toEqual([250, false]);
});

test('a tap is one move, and a key that is down goes on', () => {
  realTime.press('left');
  realTime.release('left');
  expect([realTime.next(all, 'wait'), realTime.next(all, 'wait')]).toEqual(['left', 'wait']);
  realTime.press('right');
  expect([realTime.next(all, 'wait'), realTime.next(all, 'wait')]).toEqual(['right', 'right']);
});

test('of several keys the latest counts, as far as it can be played', () => {
  realTime.press('right');
  realTime.press('up');
  expect(realTime.next((move) => move !== 'up', 'wait')).toBe('right');
  expect(realTime.next(all, 'wait')).toBe('up');
  realTime.releaseAll();
  expect(realTime.next(all, 'wait')).toBe('wait');
});
