// Types that `openapi.json` does not have yet: scenes and the documents that carry them.
// TO BE DELETED once the server's description has them: `types.ts` then takes them from `api-types.ts` like all others.

import type { components } from './api-types';

type Schemas = components['schemas'];
export type Seat = Schemas['SeatName'];

export interface Cell {
  column: number;
  row: number;
}
export interface Edge {
  cell: Cell;
  direction: 'right' | 'down';
  length: number;
}
export type Shape =
  | 'disc' | 'nought' | 'cross' | 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king' | 'cover' | 'flag' | 'mine' | 'wall'
  | { digit: number };
export interface Piece {
  cell: Cell;
  shape: Shape;
  owner: Seat | null;
}
export interface Grid {
  columns: number;
  rows: number;
  style: 'plain' | 'checkered' | 'grooved' | 'holes';
  column_labels: string[];
  /** Where the names of the columns stand; below, if it is not said. */
  column_labels_at?: 'top' | 'bottom';
  row_labels: string[];
  /** The names of single edges; without them the moves give the names. */
  edge_labels?: EdgeLabel[];
  edge_touch: 'none' | 'border' | 'pairs';
  can_flip: boolean;
}
export type Place = { cell: Cell } | { edge: Edge };
export type Touch = { cell: Cell } | { second: Cell } | { edge: Edge };
export type Meaning =
  | 'last_move' | 'check' | 'winning_line' | 'exploded' | 'wrong_flag'
  | { goal: Seat }
  | { mine_probability: number };
export interface Mark {
  at: Place;
  meaning: Meaning;
}
export interface Reserve {
  shape: Shape;
  owner: Seat | null;
  count: number;
}
export interface Gesture {
  move: string;
  touches: Touch[];
  choice: Shape | null;
}
/** The name of an edge, as it is written beside the board. */
export interface EdgeLabel {
  edge: Edge;
  label: string;
}
export interface Scene {
  grid: Grid;
  pieces: Piece[];
  walls: Edge[];
  marks: Mark[];
  reserves: Reserve[][];
  gestures: Gesture[];
  /** By how much the first seat is ahead, where people count. */
  lead?: number | null;
}

export interface PaletteItem {
  shape: Shape;
  owner: Seat | null;
  unique: boolean;
}
export interface Counter {
  name: string;
  min: number;
  max: number;
}
export interface Palette {
  pieces: PaletteItem[][];
  walls: boolean;
  counters: Counter[];
  two_sided: boolean;
  /** The board from which one starts anew. */
  cleared: Draft;
}
export interface Draft {
  pieces: Piece[];
  walls: Edge[];
  to_move: Seat;
  counters: number[];
}
export interface Preset {
  title: string;
  game: string;
}

type Old = 'legal' | 'legal_squares' | 'squares' | 'facts';
export interface Facts {
  score?: number | null;
  highest_score?: number | null;
  needs_guess?: boolean | null;
}
interface Drawn {
  scene: Scene;
  facts: Facts;
}
export type Candidate = Omit<Schemas['CandidateInfo'], 'squares'> & { touches: Touch[] };
export type Opinion = Omit<Schemas['OpinionInfo'], 'candidates'> & { candidates: Candidate[] };
export type Thinking = Omit<Schemas['ThinkingInfo'], 'so_far'> & { so_far: Opinion | null };
export type Table = Omit<Schemas['TableInfo'], Old | 'opinion' | 'thinking'> & Drawn & { opinion: Opinion | null; thinking: Thinking | null };
export type Ply = Omit<Schemas['PlyInfo'], Old> & Drawn;
export type Look = Omit<Schemas['Look'], Old> & Drawn & {
  draft: Draft | null;
  /** The palette of this very board, which may be another than the usual one of the game. */
  palette?: Palette | null;
};
export type Subject = Schemas['Subject'] & {
  /** With `/api/look`: a last move by its touches; if it is not legal, the refusal says why. */
  touches?: Touch[];
};
export type AnswerMove = Schemas['AnswerMove'] & { touches: Touch[] };
export type Answer = Omit<Schemas['Answer'], 'moves'> & { moves: AnswerMove[] };
export type SurveyFacts = Omit<Schemas['SurveyFacts'], 'probability'> & { marks: Mark[] };
export type GameInfo = Schemas['GameInfo'] & {
  title: string;
  palette: Palette | null;
  presets: Preset[];
  /** A position to show beside the name; the start of the game where there is none. */
  picture?: string | null;
};
export type Catalogue = Omit<Schemas['Catalogue'], 'games'> & { games: GameInfo[] };
export interface DraftAnswer {
  position: string;
  scene: Scene;
}
export type LiveMessage =
  | { topic: string; now: number }
  | { topic: string; table: Table }
  | { topic: string; jobs: Schemas['JobInfo'][] }
  | { topic: string; job: Schemas['JobInfo']; from: number; records?: Record<string, unknown>[] | null }
  | { topic: string; error: Schemas['Refusal'] };
