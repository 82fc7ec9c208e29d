// Whatever the server refuses by has its French. The sentences are read from the server's own sources, so that a new one is missed here first.

import { expect, it } from 'vitest';
import { numerals } from './numerals';
import { carrier } from './sentences';
import { SENTENCES } from './sentences.fr';

/** The sources whose refusals a page can meet: moves, positions, games, networks, names, requests. */
const SOURCES = import.meta.glob<string>(
  [
    '../../../crates/games/src/chess/{fen,notation}.rs',
    '../../../crates/games/src/chess/pgn/read.rs',
    '../../../crates/games/src/minesweeper/{notation,rules,text}.rs',
    '../../../crates/games/src/minesweeper/optimal/mod.rs',
    '../../../crates/games/src/minesweeper/solver/{contradiction,mod}.rs',
    '../../../crates/games/src/pushover/notation.rs',
    '../../../crates/games/src/quoridor/{notation,rules,text}.rs',
    '../../../crates/lab/src/{counted,error,matches/mod,memory,record,spec,tournament}.rs',
    '../../../crates/core/src/scene/editor.rs',
    '../../../crates/lab/src/chess/pgn.rs',
    '../../../crates/lab/src/chess/learning/network.rs',
    '../../../crates/lab/src/learning/{mod,network,table}.rs',
    '../../../crates/lab/src/minesweeper/optimal.rs',
    '../../../crates/lab/src/minesweeper/subgrids/network.rs',
    '../../../crates/lab/src/minesweeper/vision/sight.rs',
    '../../../crates/lab/src/pushover/network.rs',
    '../../../crates/lab/src/quoridor/exact.rs',
    '../../../crates/lab/src/review/opinion.rs',
    '../../../crates/nn/src/{file,npz}.rs',
    '../../../crates/studio/src/{access,analysis,database,export,papers,refusal,routes,socket,specs}.rs',
    '../../../crates/studio/src/jobs/{export,models,queue,routes,runner}.rs',
    '../../../crates/studio/src/tables/{clocks,collection,open_table,routes}.rs',
  ],
  { query: '?raw', import: 'default', eager: true },
);

/** What stands before a text that nobody refuses by: a promise of the program to itself, a line of help, what is written out. */
const UNSAID = /(expect|assert\w*!|panic!|unreachable!|push_str|push|writeln?!|step)\((?:\w+, )?\s*$|(help|name|summary): $|=\s*$|b$|split_once\($|contains\($|find\($/;

/** Texts of these sources that no page meets, or that it meets only as parts of sentences with a French of their own. */
const ELSEWHERE = [
  /^\s\s/, // what is printed on a terminal
  /^(follows a table|wins as often as)/, // what a player is, which the registry's sentences have
  /^x9 (has arrived|to move|in x9)$/,
  /^mines x9$/,
  /^start x9/,
  /^(self-play|solving|minesweeper planes|a program with)\b/,
  /^(player|method) '/,
  /^(x9, seed x9x9|, after x9 games|x9; then x9)$/,
  /^the network of the program$/,
  /^(unknown x9 'x9'|x9 has no parameter|there is no x9 'x9'|run of$)/, // each kind of thing has a sentence of its own
  /^(, or one after F, U or C| or x9)$/,
  /^x9 lost x9 of the points a move|^x9: x9 of the points, x9 with x9$/,
];

/** The sentences of a source, with its places filled; its tests are left out. */
function said(source: string): string[] {
  const code = source.split('#[cfg(test)]')[0]!.replace(/^\s*\/\/.*$/gm, '');
  const found: string[] = [];
  for (const literal of code.matchAll(/'(?:\\.|[^'\\])'|"((?:\\.|[^"\\])*)"/gs)) {
    const text = literal[1]?.replace(/\\\n\s*/g, '').replace(/\\(.)/g, '$1');
    if (text === undefined || UNSAID.test(code.slice(Math.max(0, literal.index - 80), literal.index))) continue;
    const filled = text.replace(/\{[^}]*\}/g, 'x9');
    if (/[a-z]{2,} [a-z'{`]/.test(text) && !ELSEWHERE.some((pattern) => pattern.test(filled))) found.push(filled);
  }
  return found;
}

it('every sentence of a refusal has its French', () => {
  const french = carrier(SENTENCES, (number) => numerals(number, 'fr'));
  const all = Object.entries(SOURCES).flatMap(([path, source]) => said(source).map((text) => `${path.split('/src/').at(-1)}: ${text}`));
  expect(all.length).toBeGreaterThan(150);
  expect(all.filter((text) => french(text.slice(text.indexOf(': ') + 2)) === null)).toEqual([]);
});
