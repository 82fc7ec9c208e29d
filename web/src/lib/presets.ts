// Boards that people ask for by name. Law: each is a game as the server writes it; the names are in the dictionary.

import type { en } from '../i18n/en';

export interface Preset {
  name: keyof (typeof en)['lobby']['presets'];
  detail: string;
  values: Record<string, string>;
}

export const PRESETS: Record<string, Preset[]> = {
  chess: [{ name: 'standard', detail: '8 × 8', values: {} }],
  quoridor: [
    { name: 'standard', detail: '9 × 9', values: {} },
    { name: 'small', detail: '7 × 7', values: { size: '7' } },
    { name: 'tournament', detail: '5 × 5', values: { size: '5', walls: '3' } },
    { name: 'corridor', detail: '5 × 5', values: { board: 'corridor' } },
  ],
  pushover: [
    { name: 'standard', detail: '4 × 4', values: {} },
    { name: 'large', detail: '5 × 5', values: { size: '5' } },
  ],
  minesweeper: [
    { name: 'beginner', detail: '9 × 9', values: { rows: '9', cols: '9', mines: '10', first: 'zero', flags: 'yes' } },
    { name: 'intermediate', detail: '16 × 16', values: { rows: '16', cols: '16', mines: '40', first: 'zero', flags: 'yes' } },
    { name: 'expert', detail: '16 × 30', values: { rows: '16', cols: '30', mines: '99', first: 'zero', flags: 'yes' } },
    { name: 'noGuess', detail: '16 × 16', values: { rows: '16', cols: '16', mines: '40', first: 'zero', guess: 'no', flags: 'yes' } },
  ],
};

/** Settings that every board of a game gets here unless said otherwise. */
export const CUSTOM: Record<string, Record<string, string>> = { minesweeper: { flags: 'yes' } };

/** Pictures of the games. */
export const PICTURES: Record<string, string> = {
  chess: 'r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5',
  quoridor: '5 c2:2 c4:1 white b2h d3v a3h',
  pushover: 'o+....o.+o....+.-+',
  minesweeper: 'mines 6\n00001\n1221F\n.F.2.\n.....\n.....',
};
