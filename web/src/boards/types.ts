// What every board is given and gives back. Law: a board knows its game's notation, to draw with, and no rule:
// what may be played is in `legal`, what it means is the server's to say.

/** A legal move: as the game writes it, and from-to where that differs. */
export interface Legal {
  text: string;
  code: string;
}

/** The moves that may be played, as the server lists them. */
export const legalMoves = (of: { legal: string[]; legal_squares?: string[] }): Legal[] =>
  of.legal.map((text, index) => ({ text, code: of.legal_squares?.[index] ?? text }));

/** The move that led to where a game stands. */
export function lastMove(of: { moves: string[]; squares?: string[] }): Legal | null {
  const text = of.moves.at(-1);
  return text === undefined ? null : { text, code: of.squares?.at(-1) ?? text };
}

/** Whose opinion a mark is, or what it says. */
export type Tone = 'first' | 'second' | 'hint' | 'win' | 'draw' | 'loss';

/** A move shown on the board; the heavier, the more it counts. */
export interface Mark {
  move: string;
  weight: number;
  tone: Tone;
  label?: string;
}

/** What is known of a cell that hides something. */
export interface CellInsight {
  /** The chance of a mine, cell by cell, row by row; null where nothing is hidden. */
  probability: (number | null)[];
  safe: string[];
  mined: string[];
  best: string | null;
}

export interface BoardProps {
  position: string;
  /** The move that led here. */
  last: Legal | null;
  legal: Legal[];
  /** Whether the person at the screen may move. */
  playable: boolean;
  flipped: boolean;
  marks: Mark[];
  insight?: CellInsight | null;
  /** Cells to point out, by name. */
  pointed?: string[];
  /** Minesweeper: a click places flags. */
  flagging?: boolean;
  /** Chess: whether the side to move is in check. */
  check?: boolean;
  /** Where the mines were, once the game is over. */
  mines?: string[];
  label: string;
  onplay: (move: string) => void;
  /** A move that is not legal was tried. */
  onrefuse?: (move: string) => void;
  onpoint?: (cell: string | null) => void;
  /** A position is being set up: a place of the board was pressed, and what lies between places beside it. */
  onpick?: (spot: string, between: string | null) => void;
  /** A move is shown before it is played, legal or not. */
  onpreview?: (move: string | null) => void;
}

/** Column letters as the games write them: a to z, then aa, ab, … */
export function columnName(column: number): string {
  const letter = (index: number) => String.fromCharCode(97 + index);
  return column < 26 ? letter(column) : letter(Math.floor(column / 26) - 1) + letter(column % 26);
}

/** The column and row of a cell such as `c7` or `ab12`, counted from 0; null if it is none. */
export function cellPlace(name: string): [column: number, row: number] | null {
  const match = /^([a-z]{1,2})([1-9][0-9]?)$/.exec(name);
  if (!match) return null;
  const [, letters = '', digits = ''] = match;
  const index = (at: number) => letters.charCodeAt(at) - 97;
  const column = letters.length === 1 ? index(0) : 26 * (index(0) + 1) + index(1);
  return [column, Number(digits) - 1];
}
