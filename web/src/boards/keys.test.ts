import { expect, test } from 'vitest';
import type { KeyedMove } from '../lib/types';
import { keyed } from './keys';

test('a key names its move, letters in either case', () => {
  const keys: KeyedMove[] = [{ key: 'ArrowLeft', move: 'left' }, { key: 'z', move: 'dig-left' }, { key: ' ', move: 'wait' }];
  expect(['ArrowLeft', 'z', 'Z', ' ', 'q'].map((key) => keyed(keys, key))).toEqual(['left', 'dig-left', 'dig-left', 'wait', undefined]);
});
