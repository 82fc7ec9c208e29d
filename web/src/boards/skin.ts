// How scenes are dressed: colours of the sides, and which set of pieces and squares a scene gets. Looks only.

import type { Scene, Seat, Text } from '../lib/types';
import { shapeName } from './places';

/** A side's colour. */
export type Side = 'white' | 'black' | 'red' | 'yellow';

const COLOURS: Side[] = ['white', 'black', 'red', 'yellow'];

/** The colours of both seats: what they are called in English, if that is a colour; else white and black. */
export function sidesOf(seats: Text[]): [Side, Side] {
  const named = (name: Text | undefined) => COLOURS.find((colour) => colour === name?.en);
  return [named(seats[0]) ?? 'white', named(seats[1]) ?? 'black'];
}

export const sideOf = (owner: Seat | null, seats: Text[]): Side | null => (owner === null ? null : sidesOf(seats)[owner === 'first' ? 0 : 1]);

/** The sign on a side's flat pieces, where its name is a sign. */
export function signOf(owner: Seat | null, seats: Text[]): string {
  const name = owner === null ? '' : (seats[owner === 'first' ? 0 : 1]?.en ?? '');
  return name.length === 1 ? name : '';
}

const MINED = new Set(['cover', 'flag', 'mine']);

/** Whether the board hides something: it is drawn as a field of covers and numbers. */
export const isMined = (scene: Scene) => scene.pieces.some((piece) => MINED.has(shapeName(piece.shape)) || typeof piece.shape !== 'string');

const BUILT = new Set(['runner', 'guard', 'brick', 'stone', 'ladder', 'rope', 'gold', 'phantom', 'hole']);

/** Whether the board is a level that someone runs through: it is drawn as one picture, without squares. */
export const isLevel = (scene: Scene) => scene.pieces.some((piece) => BUILT.has(shapeName(piece.shape)));

/** A chance as it is written on a cell: never rounded to certainty. */
export function chanceText(chance: number): string {
  const rounded = Math.round(100 * chance);
  if (rounded === 0 && chance > 0) return '<1';
  if (rounded === 100 && chance < 1) return '>99';
  return String(rounded);
}
