// Whatever the program says of games, players, parameters and documents has its French, and nothing is kept for what it no longer says.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, test } from 'node:test';
import ts from 'typescript';
import { Studio } from './studio.mjs';

const studio = new Studio();
before(() => studio.open());
afterEach(() => studio.leave());
after(() => studio.close());

/** A file of the page's words, as it is. */
async function words(name) {
  const source = await readFile(new URL(`../src/i18n/${name}.ts`, import.meta.url), 'utf8');
  const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } });
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`);
}

/** Boards that offer what the usual ones do not. */
const SMALL = ['minesweeper:rows=3,cols=3,mines=2', 'quoridor:size=3,walls=1'];

/** Everything in the catalogue that takes parameters. */
async function listings() {
  const { games } = await studio.ask('catalogue');
  const small = await Promise.all(SMALL.map((game) => studio.ask(`board?game=${game}`)));
  return [...games, ...small].flatMap((game) => [game, ...game.players, ...game.evaluators, ...game.methods]);
}

function sameTexts(said, french) {
  assert.deepEqual([...said].filter((text) => !(text in french)), [], 'without French');
  assert.deepEqual(Object.keys(french).filter((text) => !said.has(text)), [], 'no longer said');
}

test('every title and every line of help of every game, player, evaluator and method has its French', async () => {
  const all = await listings();
  const texts = ({ title = [], presets = [], summary, params }) => [title, ...presets.map((preset) => preset.title), summary, ...params.map((param) => param.help)].flat();
  sameTexts(new Set(all.flatMap(texts)), (await words('known.fr')).FRENCH);
});

test('what a parameter expects has its French', async () => {
  const french = (await words('sentences')).carrier((await words('sentences.fr')).SENTENCES, String);
  const expected = (await listings()).flatMap(({ params }) => params.flatMap((param) => param.expected ?? []));
  assert.ok(expected.length > 0);
  assert.deepEqual(expected.filter((text) => french(text) === null), []);
});

test('every document and artefact has its French title', async () => {
  const { papers } = await studio.ask('papers?scale=smoke');
  const said = papers.flatMap(({ title, reference, artefacts }) => [title, reference, ...artefacts.map((artefact) => artefact.title)]);
  sameTexts(new Set(said), (await words('papers.fr')).PAPERS);
});

test('help is shown in French, with its range and its default', async () => {
  const page = await studio.page('#/train', { locale: 'fr-FR' });
  await page.getByLabel('Jeu', { exact: true }).selectOption('minesweeper');
  await page.getByText('neurones des couches cachées').waitFor();
  await page.getByText(/largeurs de 1 à \d+ jointes par des tirets/).waitFor();
  await page.goto(`${studio.address}/#/papers`);
  await page.getByRole('heading', { name: /^Salamone 2018 : apprentissage/ }).waitFor();
  assert.deepEqual(page.complaints, []);
});
