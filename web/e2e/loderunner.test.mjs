// Lode Runner as a person plays it: by keys, in real time, by a finger; and watches the planner.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Studio } from './studio.mjs';

const studio = new Studio();
before(() => studio.open());
afterEach(() => studio.leave());
after(() => studio.close());

const look = (id) => studio.ask(`tables/${id}`);
const played = (page, ply) => page.locator(`[data-ply="${ply}"]`).waitFor();
/** A level without guards: the gold is two steps away, the exit behind. */
const LEVEL = ['H.....', 'HM.G..', 'bbbbbb'].join('\n');
const GAME = 'loderunner:guards=none';

test('a key that can play nothing plays nothing, and is no other key of the page', async () => {
  const { id } = await studio.table(GAME, ['human'], { position: LEVEL });
  const page = await studio.page(`#/play/${id}`);
  await page.getByText('gold left').first().waitFor();
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowRight']) await page.keyboard.press(key);
  await played(page, 1);
  assert.deepEqual((await look(id)).moves, ['right']);
  assert.equal(await page.locator('[data-move=up]').getAttribute('aria-disabled'), 'true');
});

test('a level is won turn by turn', async () => {
  const { id } = await studio.table(GAME, ['human'], { position: LEVEL });
  const page = await studio.page(`#/play/${id}`);
  await page.getByText('gold left').first().waitFor();
  const keys = ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowUp'];
  for (const [index, key] of keys.entries()) {
    await page.keyboard.press(key);
    await played(page, index + 1);
  }
  await page.getByText('Out with all the gold').first().waitFor();
  assert.equal((await look(id)).outcome.winner, 'first');
  await page.getByRole('button', { name: 'Same level again' }).click();
  await page.getByText('turn 0 of', { exact: false }).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByText('turn 1 of', { exact: false }).waitFor();
  assert.deepEqual((await look(id)).moves, ['right']);
  assert.deepEqual(page.complaints, []);
});

test('a hint draws the plan and points at its key', async () => {
  const { id } = await studio.table(GAME, ['human'], { position: LEVEL });
  const page = await studio.page(`#/play/${id}`);
  await page.getByText('gold left').first().waitFor();
  await page.keyboard.press('i');
  await page.locator('.way').waitFor({ state: 'attached' });
  await page.getByText('Hint: Right').waitFor();
  assert.equal(await page.locator('.pad .shown').getAttribute('data-move'), 'right');
});

test('in real time turns pass from the first key on, and a key that is down goes on', async () => {
  const { id } = await studio.table(GAME, ['human'], { position: ['H.........', 'HM.......G', 'bbbbbbbbbb'].join('\n') });
  const page = await studio.page(`#/play/${id}`);
  await page.getByRole('radio', { name: /every 250 ms/ }).click();
  await page.getByText('Real time begins with the first key.').waitFor();
  await page.waitForTimeout(600);
  assert.equal((await look(id)).ply, 0);
  await page.keyboard.down('ArrowRight');
  await played(page, 3);
  await page.keyboard.up('ArrowRight');
  await played(page, 6);
  const { moves } = await look(id);
  assert.deepEqual(moves.slice(0, 3), ['right', 'right', 'right']);
  assert.ok(moves.includes('wait'), JSON.stringify(moves));
  await page.getByRole('radio', { name: 'Turn by turn' }).click();
  assert.deepEqual(page.complaints, []);
});

test('a finger plays on a phone, where the whole level is to be seen', async () => {
  const { id } = await studio.table('loderunner:level=all,guards=none', ['human']);
  const page = await studio.page(`#/play/${id}`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.locator('[data-move=right]').tap();
  await played(page, 1);
  const box = await studio.board(page).boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= 390), true);
});

test('the planner is watched with its plan on the board', async () => {
  const { id } = await studio.table('loderunner:level=all', ['planner']);
  const page = await studio.page(`#/play/${id}`);
  await page.locator('.way').waitFor({ state: 'attached' });
  const { ply } = await look(id);
  await page.waitForFunction((before) => document.querySelectorAll('[data-ply]').length > before + 3, ply);
  assert.deepEqual(page.complaints, []);
});

test('a level is set up by hand and played', async () => {
  const page = await studio.page(`#/analyse?${new URLSearchParams({ game: GAME, position: LEVEL })}`);
  await page.getByRole('button', { name: 'Set up a position' }).click();
  await page.getByRole('radio', { name: /^gold$/i }).click();
  await page.mouse.click(...(await studio.cell(page, 5, 1)));
  await page.getByText('This position can be studied.').waitFor();
  await page.getByRole('button', { name: 'Study it' }).click();
  await page.getByRole('button', { name: 'Play on from here' }).click();
  await page.waitForFunction(() => /#\/play\/\w{8}/.test(location.hash));
  assert.equal((await look(page.url().split('/').at(-1))).facts.gold_left, 2);
});
