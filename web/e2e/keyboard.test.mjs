// Everything by the keyboard alone, and the focus is never lost: after a move, a dialog, a navigation.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Studio } from './studio.mjs';

const studio = new Studio();
before(() => studio.open());
afterEach(() => studio.leave());
after(() => studio.close());

const look = (id) => studio.ask(`tables/${id}`);
const hash = (page) => page.evaluate(() => location.hash);

/** What has the focus: its role or name of element, and what it is called. */
const focused = (page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    return at === document.body ? 'lost' : `${at.getAttribute('role') ?? at.localName} ${at.getAttribute('aria-label') ?? at.textContent.trim()}`.trim();
  });
const isOnBoard = async (page) => assert.match(await focused(page), /^application/);

/** Presses one key after the other. */
async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

/** Opens a table and enters its board. */
async function atBoard(id) {
  const page = await studio.page(`#/play/${id}`);
  await studio.board(page).waitFor();
  await page.locator('#content').focus();
  await press(page, 'Tab');
  await isOnBoard(page);
  return page;
}
const played = (page, ply) => page.locator(`[data-ply="${ply}"]`).waitFor();

test('chess is played by keys, and a pawn becomes what is chosen', async () => {
  const { id } = await studio.table('chess', ['human', 'random'], { position: '8/4P3/8/8/8/8/k7/7K w - - 0 1' });
  const page = await atBoard(id);
  // The cursor appears on e2 and walks up to e7.
  await press(page, ...Array(6).fill('ArrowUp'), 'Enter', 'ArrowUp', 'Enter');
  assert.match(await focused(page), /^button e8=/);
  await press(page, 'Escape');
  await isOnBoard(page);
  await press(page, 'ArrowDown', 'Enter', 'ArrowUp', 'Enter');
  await page.getByRole('button', { name: 'e8=R' }).focus();
  await press(page, 'Enter');
  await played(page, 2);
  await isOnBoard(page);
  assert.match((await look(id)).moves[0], /^e8=R/);
  assert.deepEqual(page.complaints, []);
});

test('Quoridor is played by keys: a step, a wall shown and placed, one refused', async () => {
  const { id } = await studio.table('quoridor:size=5,walls=3', ['human', 'human']);
  const page = await atBoard(id);
  await press(page, 'ArrowUp', 'ArrowUp', 'Enter');
  await played(page, 1);
  await isOnBoard(page);
  await press(page, 'h');
  await page.locator('.preview').waitFor();
  assert.match(await focused(page), /c2, White pawn, c2h$/);
  await press(page, 'h');
  await played(page, 2);
  await press(page, 'v', 'v');
  await page.getByText(/overlap or cross another wall/).waitFor();
  await isOnBoard(page);
  assert.deepEqual((await look(id)).moves, ['c2', 'c2h']);
});

test('a letter of Push-over that comes too early is no other key', async () => {
  const { id } = await studio.table('pushover', ['human', 'mcts:time=2s']);
  const page = await atBoard(id);
  await press(page, 'b');
  await page.getByRole('button', { name: 'Move now' }).waitFor();
  await press(page, 'n');
  await played(page, 2);
  assert.equal(await hash(page), `#/play/${id}`);
  await isOnBoard(page);
});

test('Minesweeper is played by keys: a cell, a flag, a game won', async () => {
  const { id } = await studio.table('minesweeper:rows=3,cols=3,mines=1,flags=yes', ['human'], { position: 'mines 1\n01.\n01.\n01.' });
  const page = await atBoard(id);
  await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'f');
  await page.locator('.flag').waitFor();
  await press(page, 'ArrowUp', 'Enter');
  await played(page, 2);
  await press(page, 'ArrowDown', 'ArrowDown', 'Enter');
  await page.getByText('Every empty cell is unmasked').first().waitFor();
  await isOnBoard(page);
  assert.equal((await look(id)).outcome.winner, 'first');
});

test('moves are typed one after the other without leaving the field', async () => {
  const { id } = await studio.table('chess', ['human', 'random']);
  const page = await studio.page(`#/play/${id}`);
  await page.getByPlaceholder('Type a move').focus();
  for (const [move, ply] of [['e4', 2], ['d4', 4]]) {
    await page.keyboard.type(move);
    await press(page, 'Enter');
    await played(page, ply);
    assert.match(await focused(page), /^input Type a move/);
  }
});

test('a dialog gives the focus back, however it is closed', async () => {
  const { id } = await studio.table('chess', ['human', 'human']);
  const page = await atBoard(id);
  for (const key of ['Escape', 'Enter']) {
    await press(page, '?');
    assert.match(await focused(page), /^button Close/);
    await press(page, key);
    await page.locator('dialog').waitFor({ state: 'detached' });
    await isOnBoard(page);
  }
  await page.getByRole('button', { name: 'Change the players' }).focus();
  await press(page, 'Enter');
  await page.getByRole('button', { name: 'Apply' }).focus();
  await press(page, 'Enter');
  await page.locator('dialog').waitFor({ state: 'detached' });
  assert.match(await focused(page), /^button Change the players/);
});

test('what can no longer be pressed keeps the focus, and what goes away hands it on', async () => {
  const { id } = await studio.table('chess', ['human', 'human'], { moves: ['e4'] });
  const page = await studio.page(`#/play/${id}`);
  await page.getByRole('button', { name: 'Take back' }).focus();
  await press(page, 'Enter', 'Enter');
  await page.locator('.undone').waitFor();
  assert.match(await focused(page), /^button Take back/);
  assert.equal((await look(id)).ply, 0);
  await studio.table('pushover', ['human', 'human']);
  const lobby = await studio.page('#/play');
  const remove = lobby.getByRole('button', { name: 'Remove this game' });
  await remove.first().waitFor();
  const count = await remove.count();
  await remove.first().focus();
  await press(lobby, 'Enter');
  await lobby.waitForFunction((before) => document.querySelectorAll('.recent li').length < before, count);
  assert.match(await focused(lobby), /^(a|button) /);
});

test('another screen takes the focus, and Tab enters it', async () => {
  const page = await studio.page('#/play?game=pushover');
  await page.getByRole('button', { name: 'Start the game' }).focus();
  await press(page, 'Enter');
  await page.getByText('Your move', { exact: true }).waitFor();
  assert.match(await focused(page), /^main/);
  await press(page, 'Tab');
  await isOnBoard(page);
  for (const [key, screen] of [['2', 'analyse'], ['3', 'train'], ['4', 'arena'], ['5', 'papers'], ['1', 'play']]) {
    await press(page, key);
    await page.waitForFunction((name) => location.hash === `#/${name}` && document.activeElement.id === 'content', screen);
  }
});

test('one of several is one stop, and arrows choose', async () => {
  const page = await studio.page('#/play?game=chess');
  await page.getByRole('radio', { name: 'Against a program' }).focus();
  await press(page, 'ArrowRight');
  assert.equal(await page.getByRole('radio', { name: 'Two people' }).getAttribute('aria-checked'), 'true');
  assert.match(await focused(page), /^radio Two people/);
  await press(page, 'Tab');
  assert.match(await focused(page), /^radio None/);
});

test('who moves by the pointer looks back with the arrows; who walks through the moves stays among them', async () => {
  const { id } = await studio.table('chess', ['human', 'human'], { moves: ['e4', 'e5'] });
  const page = await studio.page(`#/play/${id}`);
  await page.locator('.piece.mine').first().waitFor();
  await page.mouse.click(...(await studio.at(page, 0.5, 0.5)));
  await press(page, 'ArrowLeft');
  await page.locator('[data-ply="1"][aria-current]').waitFor();
  await page.locator('[data-ply="1"]').focus();
  await press(page, 'ArrowRight');
  await page.locator('[data-ply="2"][aria-current]').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.dataset.ply), '2');
});
