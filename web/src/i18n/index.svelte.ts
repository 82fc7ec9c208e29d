// The words of the language chosen, and numbers as it writes them.

import { prefs, type Language } from '../lib/prefs.svelte';
import { Refusal } from '../lib/api';
import type { Facts, GameInfo, Job, Model, Outcome, Seat, Text } from '../lib/types';
import { readSpec } from '../lib/spec';
import { en, type Dictionary } from './en';
import { fr } from './fr';
import { shelf } from '../state/catalogue.svelte';
import { localized } from './localized';
import { numerals } from './numerals';
import { allBound } from './typeset';

const DICTIONARIES: Record<Language, Dictionary> = { en, fr: allBound(fr) };

export const say = {
  get t(): Dictionary {
    return DICTIONARIES[prefs.language];
  },
};

/** The name of a game for people; its own where the catalogue has none. */
export function gameTitle(name: string): string {
  const title = shelf.game(name)?.title;
  return title ? localized(title) : name;
}

/** A parameter with its value, a number as the language writes it. */
export const paramWords = (key: string, value: string) => `${key} ${/^-?[\d.]+$/.test(value) ? numerals(value, prefs.language) : value}`;

/** A name with parameters as words that a line can be broken between. */
function specWords(text: string): string {
  const { name, values } = readSpec(text);
  return [name, ...Object.entries(values).map(([key, value]) => paramWords(key, value))].join(', ');
}

/** What a network came from. */
export const modelTitle = ({ method, title }: Model): string => (method === null ? localized(title) : specWords(method));

/** What a job is about. */
export function jobTitle({ request }: Job): string {
  switch (request.kind) {
    case 'training':
      return gameTitle(readSpec(request.game).name) + say.t.app.colon + specWords(request.method);
    case 'tournament':
      return say.t.jobs.players(request.players.length, gameTitle(readSpec(request.game).name));
    case 'paper':
      return `${request.artefact} (${request.scale})`;
    case 'evaluation':
      return gameTitle(readSpec(request.game).name) + say.t.app.colon + say.t.evaluate.title;
    case 'network':
      return gameTitle(readSpec(request.game).name) + say.t.app.colon + request.name;
  }
}

/** What is counted, in the language of the page, where there are so many. */
export function unitTitle(unit: string, count: number): string {
  const units: Record<string, string[]> = say.t.jobs.units;
  const isOne = new Intl.PluralRules(prefs.language).select(count) === 'one';
  return units[unit]?.[isOne ? 0 : 1] ?? unit;
}

/** What a number in the record of a training measures; its own name where the page knows none. */
export function measureTitle(key: string): string {
  const names: Record<string, string> = say.t.train.names;
  // A game that was learnt from is one, whether the record says in which step or not.
  return names[key] ?? names[key.replace(/^last_step\./, '')] ?? key.replaceAll('_', ' ').replaceAll('.', ': ');
}

/** What a number of an evaluation measures, or a group of them. */
export function evaluationTitle(key: string): string {
  const names: Record<string, string> = say.t.evaluate.names;
  const numbered = /^class_(\d+)$/.exec(key)?.[1];
  return numbered === undefined ? (names[key] ?? key.replaceAll('_', ' ').replaceAll('.', ': ')) : say.t.evaluate.classNumber(numbered);
}

/** What the game calls a seat. */
export function seatTitle(name: Text | undefined): string {
  const title = name ? localized(name) : '';
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** How a game ended, in few words. */
export function resultTitle(game: GameInfo | undefined, winner: Seat | null): string {
  if (game?.seats === 1) return winner === 'first' ? say.t.analyse.win : say.t.analyse.loss;
  return winner === null ? say.t.table.draw : say.t.table.wins(seatTitle(game?.seat_names[winner === 'first' ? 0 : 1]));
}

/** How a game for one ended. */
export function endTitle({ winner, reason }: Outcome, mined: boolean, end?: Facts['end']): string {
  if (reason === 'resigned') return say.t.table.givenUp;
  if (end) return say.t.table.ends[end];
  if (!mined) return winner === 'first' ? say.t.table.youWin : say.t.table.youLose;
  return winner === 'first' ? say.t.table.cleared : say.t.table.exploded;
}

/** What a player's values are of, where they are not the points to be expected: a cell that is empty, or a game that is won. */
export function valueTitle(game: GameInfo | undefined, player: string): string {
  const { name } = readSpec(player);
  if (!game?.surveyed || name === 'random') return '';
  return name === 'optimal' ? say.t.analyse.wins : say.t.analyse.safe;
}

/** One sentence for people about what went wrong. */
export function sentence(error: unknown): string {
  if (!(error instanceof Refusal)) return error instanceof Error ? error.message : String(error);
  if (error.code === 'offline') return say.t.app.unreachable;
  return error.text === null ? say.t.app.failed : localized(error.text);
}

export function whole(value: number): string {
  // There is no zero below zero.
  return (Math.round(value) || 0).toLocaleString(prefs.language);
}

export function decimal(value: number, digits = 2): string {
  return value.toLocaleString(prefs.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A number in as few digits as it has. */
export function plain(value: number): string {
  return value.toLocaleString(prefs.language, { maximumSignificantDigits: 6 });
}

/** A share as a percentage; never rounded to certainty. */
export function percent(value: number, digits = 0): string {
  const step = 10 ** -digits / 100;
  const shown = value < 1 && value > 1 - step / 2 ? 1 - step : value > 0 && value < step / 2 ? step : value;
  return shown.toLocaleString(prefs.language, { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A number in few digits: 81,234 is 81 k. */
export function brief(value: number): string {
  return value.toLocaleString(prefs.language, { notation: 'compact', maximumSignificantDigits: 3 });
}

/** A number too large to be written out, by its logarithm: 6.3 × 10²⁴. */
export function power(log10: number): string {
  const exponent = Math.floor(log10);
  const [mantissa, more] = (10 ** (log10 - exponent)).toExponential(1).split('e');
  return numerals(`${mantissa}e${exponent + Number(more)}`, prefs.language);
}

/** A length of time: 4.2 s, 3 min 05, 2 h 10. */
export function span(seconds: number): string {
  if (seconds < 10) return `${decimal(seconds, 1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const pad = (value: number) => String(Math.floor(value)).padStart(2, '0');
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${pad(seconds % 60)}`;
  return `${Math.floor(seconds / 3600)} h ${pad((seconds % 3600) / 60)}`;
}

/** A running clock: 0:07, 12:30. */
export function clock(seconds: number): string {
  const pad = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${pad(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
}

/** A clock that is nearly down: 9.4. */
export function tenths(seconds: number): string {
  return `0:${(Math.floor(10 * seconds) / 10).toLocaleString(prefs.language, { minimumIntegerDigits: 2, minimumFractionDigits: 1 })}`;
}

export function moment(milliseconds: number): string {
  const then = new Date(milliseconds);
  const today = new Date().toDateString() === then.toDateString();
  const form: Intl.DateTimeFormatOptions = today
    ? { hour: '2-digit', minute: '2-digit' }
    : { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' };
  const country = navigator.languages.find((one) => one.split('-')[0] === prefs.language);
  return then.toLocaleString(country ?? prefs.language, form);
}
