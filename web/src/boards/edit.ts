// How positions are set up by hand, game by game. A new game adds a line where it can be.
// Law: an editor changes the text of a position and judges nothing; whether it can be is the server's to say.

import type { Seat } from '../lib/protocol';
import { editor as chess } from './chess/edit';
import { editor as minesweeper } from './minesweeper/edit';
import { editor as pushover } from './pushover/edit';
import { editor as quoridor } from './quoridor/edit';

/** A number that belongs to a position, beside what stands on the board. */
export interface Field {
  name: string;
  min: number;
  max: number;
  value: number;
}

export interface Editor {
  /** What can be placed, in rows as a palette shows it. */
  tools: string[][];
  /** The position after the tool was used on a place of the board. */
  put: (position: string, tool: string, spot: string, between: string | null) => string;
  /** The same board with nothing on it. */
  clear: (position: string) => string;
  /** Whose turn it is; null in a game for one. */
  turn: (position: string) => Seat | null;
  give: (position: string, seat: Seat) => string;
  fields: (position: string) => Field[];
  set: (position: string, field: string, value: number) => string;
}

const EDITORS: Record<string, Editor> = { chess, minesweeper, pushover, quoridor };

export const editorOf = (game: string): Editor | undefined => EDITORS[game];
