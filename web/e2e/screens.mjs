// Takes pictures of the screens to look at, at two widths, in two lights and two languages:
// `OUTPLAY=… node e2e/screens.mjs FOLDER [NAME …]`, all screens if none is named.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Studio } from './studio.mjs';

const SIZES = { wide: { width: 1280, height: 860 }, narrow: { width: 390, height: 844 } };
const address = (query) => `#/analyse?${new URLSearchParams(query)}`;

async function places(studio) {
  const table = async (...given) => `#/play/${(await studio.table(...given)).id}`;
  const job = async (wish) => `#/${wish.kind === 'training' ? 'train' : 'arena'}/${(await studio.ask('jobs', { seed: '1', ...wish })).id}`;
  return {
    lobby: '#/play',
    chess: await table('chess', ['human', 'random'], { moves: 'e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6'.split(' ') }),
    quoridor: await table('quoridor', ['human', 'human'], { moves: 'e2 e8 e3 e7 d5h c5v'.split(' ') }),
    pushover: await table('pushover', ['human', 'human'], { moves: 'B E C F J M'.split(' ') }),
    minesweeper: await table('minesweeper:rows=16,cols=30,mines=99,flags=yes,first=zero', ['human'], { moves: ['o8'] }),
    loderunner: await table('loderunner:level=all', ['human']),
    planner: await table('loderunner:level=all', ['planner']),
    thinking: await table('chess', ['alphabeta:time=60s', 'human']),
    gone: '#/play/nothing',
    analyse: address({ game: 'chess', moves: 'e4 e5 Nf3', a: 'alphabeta:depth=4', b: 'mcts:sims=500' }),
    probabilities: address({ game: 'minesweeper:rows=9,cols=9,mines=10', position: ['mines 10', '001......', '112......', ...Array(7).fill('.........')].join('\n'), a: 'solver' }),
    refused: address({ game: 'chess', position: '4k3/8/8/8/8/8/8/8 b - - 0 1' }),
    sketch: address({ game: 'quoridor:size=5,walls=3', draft: '5 c1:3 c5:3 white b2h' }),
    train: '#/train',
    training: await job({ kind: 'training', game: 'quoridor:size=3,walls=1', method: 'td-lambda:games=2000,hidden=8,every=100,check=20,exam=40' }),
    evaluation: await evaluation(studio),
    arena: '#/arena',
    tournament: await job({ kind: 'tournament', game: 'pushover', players: ['random', 'greedy', 'mcts:sims=50'], games: 2, random_plies: 0, knockout: 2 }),
    papers: '#/papers?scale=smoke',
  };
}

/** The evaluation of a network that is trained for it. */
async function evaluation(studio) {
  const { id } = await studio.ask('jobs', { kind: 'training', game: 'minesweeper', method: 'subgrids:samples=50000,layers=40-20,flags=yes', seed: '1' });
  while ((await studio.ask(`jobs/${id}`)).state !== 'finished') await new Promise((done) => setTimeout(done, 200));
  const wish = { kind: 'evaluation', game: 'minesweeper', model: id, evaluation: 'evaluate:samples=5000,games=200,heat=20' };
  return `#/train/evaluation/${(await studio.ask('jobs', wish)).id}`;
}

const [folder, ...named] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const studio = new Studio();
await studio.open();
try {
  const all = Object.entries(await places(studio)).filter(([name]) => named.length === 0 || named.includes(name));
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark']) {
      for (const locale of ['en-GB', 'fr-FR']) {
        for (const [name, place] of all) {
          const page = await studio.page(place, { viewport, colorScheme, locale });
          await page.waitForTimeout(1500);
          await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}-${locale.slice(0, 2)}.png`), fullPage: true });
          await page.context().close();
        }
      }
    }
  }
} finally {
  await studio.close();
}
