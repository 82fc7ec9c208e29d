// What a person does at a table, game by game, done in a real browser.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Studio } from './studio.mjs';

const studio = new Studio();
before(() => studio.open());
afterEach(() => studio.leave());
after(() => studio.close());

const look = (id) => studio.ask(`tables/${id}`);
const over = (page) => page.locator('.status.over');

/** The middle of a chess square, white below. */
const square = (page, name) => studio.cell(page, name.charCodeAt(0) - 97, 8 - Number(name[1]));

async function drag(page, from, to) {
  await page.mouse.move(...(await square(page, from)));
  await page.mouse.down();
  const [x, y] = await square(page, to);
  await page.mouse.move(x + 2, y + 2, { steps: 5 });
  await page.mouse.move(x, y);
  await page.mouse.up();
}

/** Waits until it is the person's turn or the game is over; then how things stand. */
async function myTurn(page, id) {
  await page.locator('.status.over, .piece.mine, .step').first().waitFor();
  return look(id);
}

/** Plays a chess move on the board; one that makes another piece is typed. */
async function play(page, move, touches) {
  if (move.includes('=')) {
    await page.getByPlaceholder('Type a move').fill(move);
    await page.keyboard.press('Enter');
    return;
  }
  const [from, to] = touches.map(({ cell }) => [cell.column, cell.row]);
  await page.mouse.click(...(await studio.cell(page, ...from)));
  await page.locator('.dot, .ring').first().waitFor();
  await page.mouse.click(...(await studio.cell(page, ...to)));
}

test('a whole game of chess against a player, up to mate', async () => {
  const { id } = await studio.table('chess', ['human', 'random']);
  const page = await studio.page(`#/play/${id}`);
  for (;;) {
    const { outcome, ply, scene } = await myTurn(page, id);
    if (outcome) break;
    const { best } = await studio.ask(`tables/${id}/hint`, { player: 'engine:nodes=20000' });
    await play(page, best, scene.gestures.find(({ move }) => move === best).touches);
    await page.locator(`[data-ply="${ply + 2}"], .status.over`).first().waitFor();
  }
  await page.getByText('You win', { exact: true }).waitFor();
  const { outcome, moves } = await look(id);
  assert.equal(outcome.winner, 'first');
  assert.match(moves.at(-1), /#$/);
  assert.deepEqual(page.complaints, []);
});

test('two people play a whole game of chess on one board', async () => {
  const { id } = await studio.table('chess', ['human', 'human']);
  const page = await studio.page(`#/play/${id}`);
  await page.locator('.piece.mine').first().waitFor();
  for (const [ply, from, to] of [[1, 'f2', 'f3'], [2, 'e7', 'e5'], [3, 'g2', 'g4'], [4, 'd8', 'h4']]) {
    await drag(page, from, to);
    await page.locator(`[data-ply="${ply}"]`).waitFor();
  }
  await page.getByText('Black wins', { exact: true }).waitFor();
  await page.locator('.check').waitFor();
  assert.deepEqual((await look(id)).moves, ['f3', 'e5', 'g4', 'Qh4#']);
  assert.deepEqual(page.complaints, []);
});

test('two programs are watched to the end of their game', async () => {
  const { id } = await studio.table('chess', ['engine:nodes=5000', 'random'], { position: '4k3/8/8/8/8/8/8/QR2K3 w - - 0 1' });
  const page = await studio.page(`#/play/${id}`);
  await page.getByText('White wins', { exact: true }).waitFor();
  assert.match((await look(id)).moves.at(-1), /#$/);
});

test('a game of chess is won by mate, and the check is shown', async () => {
  const { id } = await studio.table('chess', ['human', 'random'], { moves: ['e4', 'e5', 'Bc4', 'Nc6', 'Qh5', 'a6'] });
  const page = await studio.page(`#/play/${id}`);
  await page.locator('.piece.mine').first().waitFor();
  await drag(page, 'h5', 'f7');
  await page.getByText('You win', { exact: true }).waitFor();
  await page.locator('.check').waitFor();
  await page.locator('.taken svg').waitFor();
  await page.getByRole('button', { name: 'Judge the moves' }).click();
  await page.getByText('blunders 1)').waitFor();
  await page.getByText('??').waitFor();
  await page.getByRole('button', { name: 'Play again', exact: true }).click();
  await page.getByText('Your move', { exact: true }).waitFor();
});

test('a king is dragged to castle, onto its square or its rook', async () => {
  for (const target of ['g1', 'h1']) {
    const { id } = await studio.table('chess', ['human', 'human'], { position: '4k3/8/8/8/8/8/8/4K2R w K - 0 1' });
    const page = await studio.page(`#/play/${id}`);
    await page.locator('.piece.mine').first().waitFor();
    await drag(page, 'e1', target);
    await page.locator('[data-ply="1"]').waitFor();
    assert.equal((await look(id)).moves[0], 'O-O');
  }
});

test('a whole game of Quoridor against a player', async () => {
  const { id } = await studio.table('quoridor:size=5,walls=2', ['human', 'random']);
  const page = await studio.page(`#/play/${id}`);
  for (;;) {
    const { outcome, ply } = await myTurn(page, id);
    if (outcome) break;
    const { best } = await studio.ask(`tables/${id}/hint`, { player: 'alphabeta:depth=2' });
    if (/[hv]$/.test(best)) {
      await page.getByPlaceholder('Type a move').fill(best);
      await page.keyboard.press('Enter');
    } else {
      await page.mouse.click(...(await studio.cell(page, best.charCodeAt(0) - 97, 5 - Number(best[1]))));
    }
    await page.locator(`[data-ply="${ply + 2}"], .status.over`).first().waitFor();
  }
  await over(page).waitFor();
  assert.ok((await look(id)).outcome);
  assert.deepEqual(page.complaints, []);
});

test('Minesweeper: flags, chords and counters by mouse', async () => {
  const { id } = await studio.table('minesweeper:rows=3,cols=3,mines=1,flags=yes', ['human'], { position: 'mines 1\n01.\n01.\n01.' });
  const page = await studio.page(`#/play/${id}`);
  const cell = (column, row) => studio.cell(page, column, row);
  await page.getByText('Your move', { exact: true }).waitFor();
  await page.mouse.click(...(await cell(2, 1)), { button: 'right' });
  await page.locator('.flag').waitFor();
  assert.equal(await page.locator('.counters b').first().textContent(), '0');
  // A number with all its flags opens the rest around it.
  await page.mouse.click(...(await cell(1, 0)));
  await page.locator('[data-ply="2"]').waitFor();
  await page.mouse.click(...(await cell(1, 2)));
  await page.getByText('Every empty cell is unmasked').first().waitFor();
  assert.equal((await look(id)).outcome.winner, 'first');
  assert.deepEqual(page.complaints, []);
});

test('Minesweeper: a long press of a finger places a flag', async () => {
  const { id } = await studio.table('minesweeper:rows=9,cols=9,mines=10,flags=yes', ['human']);
  const page = await studio.page(`#/play/${id}`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.getByText('Your move', { exact: true }).waitFor();
  const [x, y] = await studio.cell(page, 4, 4);
  const touch = await page.context().newCDPSession(page);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  await page.locator('.flag').waitFor();
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  assert.deepEqual((await look(id)).moves, ['Fe5']);
  // A short one unmasks; the first is never a mine.
  await page.touchscreen.tap(...(await studio.cell(page, 0, 0)));
  await page.locator('[data-ply="2"]').waitFor();
  assert.equal((await look(id)).outcome, null);
});

test('a lost game of Minesweeper is judged, at the table and in the analysis', async () => {
  const { id } = await studio.table('minesweeper:rows=3,cols=3,mines=1,flags=yes', ['human'], { position: 'mines 1\n01.\n01.\n01.' });
  const page = await studio.page(`#/play/${id}`);
  await page.getByText('Your move', { exact: true }).waitFor();
  await page.mouse.click(...(await studio.cell(page, 2, 1)));
  await page.getByText('A mine!').first().waitFor();
  await page.getByRole('button', { name: 'Luck or mistake?' }).click();
  await page.getByText('A mistake', { exact: true }).waitFor();
  await page.getByText('??').waitFor();
  await page.getByRole('link', { name: 'Analyse' }).last().click();
  await page.getByRole('button', { name: 'Luck or mistake?' }).click();
  await page.getByText('A mistake', { exact: true }).waitFor();
  assert.deepEqual(page.complaints, []);
});

test('a clock is chosen, runs, and survives a reload', async () => {
  const page = await studio.page('#/play?game=chess');
  await page.getByRole('radio', { name: 'Two people' }).click();
  await page.getByRole('radio', { name: /^3 minutes each/ }).click();
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.locator('.piece.mine').first().waitFor();
  const id = new URL(page.url()).hash.split('/')[2];
  assert.deepEqual((await look(id)).control, { seconds: 180, increment: 2 });
  await drag(page, 'e2', 'e4');
  await page.locator('[data-ply="1"]').waitFor();
  const left = (await look(id)).left[0];
  assert.ok(left <= 182 && left > 60, `${left}`);
  await page.waitForFunction(() => [...document.querySelectorAll('[role=timer]')].some((clock) => clock.textContent.startsWith('2:')));
  await page.reload();
  await page.waitForFunction(() => [...document.querySelectorAll('[role=timer]')].some((clock) => clock.textContent.startsWith('2:')));
  assert.equal((await look(id)).left[0], left);
  assert.deepEqual(page.complaints, []);
});

test('a flag falls, and the game is lost', async () => {
  const { id } = await studio.table('chess', ['human', 'human'], { clock: { seconds: 3 } });
  const page = await studio.page(`#/play/${id}`);
  await page.getByText('Black wins, on time', { exact: true }).waitFor();
  const { outcome, left } = await look(id);
  assert.deepEqual([outcome.winner, outcome.reason, left[0]], ['second', 'time', 0]);
  await page.reload();
  await page.getByText('Black wins, on time', { exact: true }).waitFor();
});

test('a program answers in time, whatever its own budget', async () => {
  const { id } = await studio.table('chess', ['alphabeta:time=60s', 'human'], { clock: { seconds: 12 } });
  const page = await studio.page(`#/play/${id}`);
  await page.locator('[data-ply="1"]').waitFor();
  assert.equal((await look(id)).outcome, null);
});

test('a player that thinks shows how far it is', async () => {
  const { id } = await studio.table('chess', ['alphabeta:time=50s', 'human']);
  const page = await studio.page(`#/play/${id}`);
  await page.getByText(/^depth \d+ · .+ positions$/).waitFor();
  await page.getByRole('button', { name: 'Move now' }).click();
  await page.locator('[data-ply="1"]').waitFor();
});

test('a refusal is said in French', async () => {
  const { id } = await studio.table('quoridor:size=5,walls=3', ['human', 'human'], { moves: ['b2h'] });
  const page = await studio.page(`#/play/${id}`, { locale: 'fr-FR' });
  await page.getByPlaceholder('Écrire un coup').fill('b2v');
  await page.keyboard.press('Enter');
  await page.getByText('il chevaucherait ou croiserait un autre mur').first().waitFor();
  assert.equal((await look(id)).ply, 1);
});

test('a game goes out as a file and comes back', async () => {
  const { id } = await studio.table('chess', ['human', 'human'], { moves: ['e4', 'c5', 'Nf3'] });
  const page = await studio.page(`#/play/${id}`);
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'PGN' }).click();
  const path = await (await saved).path();
  const other = await studio.page('#/analyse?game=chess');
  await other.getByText('Position or game').click();
  await other.locator('input[type=file]').setInputFiles(path);
  await other.getByRole('button', { name: 'Show' }).click();
  await other.locator('[data-ply="3"]').waitFor();
  assert.deepEqual((await other.locator('[data-ply]').allTextContents()).map((text) => text.trim()), ['e4', 'c5', 'Nf3']);
  assert.deepEqual(other.complaints, []);
});

test('whatever is set says what it is for', async () => {
  const page = await studio.page('#/play?game=chess&who=watch');
  for (const seat of ['White', 'Black']) await page.getByLabel(seat, { exact: true }).waitFor();
  const level = page.getByLabel('level', { exact: true }).first();
  assert.notEqual(await level.evaluate((field) => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent ?? ''), '');
  const arena = await studio.page('#/arena?game=minesweeper');
  await arena.getByLabel('Games each').waitFor();
  await arena.getByRole('button', { name: 'Add a player' }).click();
  await arena.getByRole('button', { name: /^Remove this player: 3, / }).waitFor();
  assert.deepEqual([...page.complaints, ...arena.complaints], []);
});

test('how strong the opponent is can be chosen at once', async () => {
  const page = await studio.page('#/play?game=chess');
  await page.getByRole('slider', { name: 'level', exact: true }).fill('2');
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.waitForURL(/#\/play\/\w+$/);
  const { seats } = await studio.ask(`tables/${new URL(page.url()).hash.split('/').at(-1)}`);
  assert.match(JSON.stringify(seats), /engine:[^"]*level=2\b/);
  assert.deepEqual(page.complaints, []);
});
