// What the board is given and gives back. The board draws scenes and knows no game: what may be played is in the scene's gestures.

import type { Cell, Mark, Scene, Seat, Text, Touch } from '../lib/types';

/** Whose opinion an overlay is, or what it says. */
export type Tone = 'first' | 'second' | 'hint' | 'best' | 'win' | 'draw' | 'loss';

/** A move shown on the board; the heavier, the more it counts. */
export interface Overlay {
  move: string;
  touches: Touch[];
  weight: number;
  tone: Tone;
  label?: string;
}

export interface BoardProps {
  scene: Scene;
  /** The names of the seats: what they are called, and their colours where the names are colours. */
  seats: Text[];
  mover?: Seat;
  /** Whether the person at the screen may move. */
  playable?: boolean;
  flipped?: boolean;
  overlays?: Overlay[];
  /** Marks beside those of the scene. */
  marks?: Mark[];
  /** Cells to point out. */
  pointed?: Cell[];
  /** A tap means the second button where that is a move. */
  secondFirst?: boolean;
  label: string;
  onplay?: (move: string) => void;
  /** Something that is no legal move was tried. */
  onrefuse?: (touches: Touch[]) => void;
  onpoint?: (cell: Cell | null) => void;
  /** A move is shown before it is played, legal or not. */
  onpreview?: (touches: Touch[] | null) => void;
  /** Whether keys play the moves of the scene wherever the focus is, in games that are played with keys. */
  takesKeys?: boolean;
  /** A position is being set up: a place was pressed. */
  onpick?: (touch: Touch) => void;
  /** While a position is set up: edges are pressed rather than cells. */
  picksEdges?: boolean;
}
