import { describe, expect, it } from 'vitest';
import { Cursor, type Field } from './cursor.svelte';

const field: Field = { columns: 5, rows: 5, start: [2, 0], upwards: true };
const key = (name: string) => ({ key: name }) as KeyboardEvent;

describe('the cursor of a board', () => {
  it('appears where it starts, walks, and stays on the board', () => {
    const cursor = new Cursor(() => field);
    expect(cursor.steer(key('ArrowUp'))).toBe(true);
    expect(cursor.at).toEqual([2, 0]);
    for (const name of ['ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowDown']) cursor.steer(key(name));
    expect(cursor.at).toEqual([4, 0]);
    expect(cursor.steer(key('h'))).toBe(false);
    expect(cursor.steer(key('Enter'))).toBe(false);
  });

  it('walks the other way on a board that is turned', () => {
    const cursor = new Cursor(() => ({ ...field, flipped: true }));
    for (const name of ['ArrowDown', 'ArrowDown', 'ArrowLeft']) cursor.steer(key(name));
    expect(cursor.at).toEqual([3, 1]);
  });

  it('leaves the arrows to who uses the pointer, until Enter brings it', () => {
    const cursor = new Cursor(() => field);
    cursor.pointed();
    expect(cursor.steer(key('ArrowLeft'))).toBe(false);
    expect(cursor.steer(key('Enter'))).toBe(true);
    expect(cursor.steer(key('ArrowLeft'))).toBe(true);
    expect(cursor.at).toEqual([1, 0]);
    cursor.left();
    expect(cursor.at).toBeNull();
  });
});
