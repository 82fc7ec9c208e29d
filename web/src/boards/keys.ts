// Keys that play moves, and what people call them.

import { say } from '../i18n/index.svelte';
import type { KeyedMove } from '../lib/types';

/** The move that a key plays, legal now or not. Letters count in either case. */
export const keyed = (keys: KeyedMove[], key: string) => keys.find((one) => one.key === (key.length === 1 ? key.toLowerCase() : key))?.move;

export const keyName = (key: string) => ({ ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', ' ': say.t.board.space })[key] ?? key;

/** Whether a key means something else where the focus is: in fields, among choices and moves; on links and buttons, the space bar. */
export const isTaken = (at: Element, key: string) => at.closest(`input, select, textarea, dialog, [role=radiogroup], [data-ply]${key === ' ' ? ', a, button, summary' : ''}`) !== null;
