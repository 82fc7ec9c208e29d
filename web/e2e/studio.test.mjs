// What a person does in the studio, done in a real browser.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Studio } from './studio.mjs';

const studio = new Studio();
before(() => studio.open());
afterEach(() => studio.leave());
after(() => studio.close());

const table = (...given) => studio.table(...given);
const at = (...given) => studio.at(...given);

test('a game begins with one click and survives a reload', async () => {
  const page = await studio.page('#/play?game=pushover');
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.getByText('Your move', { exact: true }).waitFor();
  await page.locator('svg[role=application]').press('b');
  await page.getByText('Your move', { exact: true }).waitFor();
  await page.locator('[data-ply="2"]').waitFor();
  const moves = await page.locator('[data-ply]').allTextContents();
  await page.reload();
  await page.locator('[data-ply="2"]').waitFor();
  assert.deepEqual(await page.locator('[data-ply]').allTextContents(), moves);
  assert.deepEqual(page.complaints, []);
});

test('a whole game of Push-over against a player', async () => {
  const { id } = await table('pushover', ['human', 'random']);
  const page = await studio.page(`#/play/${id}`);
  for (let turn = 0; turn < 60; turn++) {
    await page.locator('.status.over, .entry.allowed').first().waitFor();
    if (await page.locator('.status.over').count()) break;
    const { scene, ply, outcome } = await studio.ask(`tables/${id}`);
    if (outcome) break;
    await page.locator('svg[role=application]').press(scene.gestures[0].move.toLowerCase());
    await page.locator(`[data-ply="${ply + 1}"]`).waitFor();
  }
  await page.locator('.status.over').waitFor();
  assert.ok((await studio.ask(`tables/${id}`)).outcome);
  assert.deepEqual(page.complaints, []);
});

test('a wall is placed, and one across it is refused with the reason', async () => {
  const { id } = await table('quoridor:size=5,walls=3', ['human', 'human']);
  const page = await studio.page(`#/play/${id}`);
  await page.locator('.step').first().waitFor();
  // The groove above a1 and b1, near its middle.
  const [[x, below], [next, above]] = [await studio.cell(page, 0, 4), await studio.cell(page, 1, 3)];
  const groove = [x + 0.45 * (next - x), (below + above) / 2];
  await page.mouse.move(...groove);
  await page.locator('.preview').waitFor();
  await page.mouse.click(...groove);
  await page.locator('[data-ply="1"]').waitFor();
  const first = await page.locator('[data-ply="1"]').textContent();
  assert.match(first.trim(), /^[a-d][1-4][hv]$/);
  await page.mouse.move(...(await at(page, 0.5, 0.5)));
  await page.mouse.move(...groove);
  await page.getByText(/overlap or cross another wall/).waitFor();
  await page.mouse.click(...groove);
  assert.equal((await studio.ask(`tables/${id}`)).ply, 1);
  assert.deepEqual(page.complaints, []);
});

test('a pawn becomes the piece that is chosen', async () => {
  const { id } = await table('chess', ['human', 'random'], { position: '8/P7/8/8/8/8/1k6/7K w - - 0 1' });
  const page = await studio.page(`#/play/${id}`);
  await page.locator('.piece.mine').first().waitFor();
  await page.mouse.click(...(await at(page, 1 / 16, 3 / 16)));
  await page.mouse.click(...(await at(page, 1 / 16, 1 / 16)));
  await page.getByRole('button', { name: 'a8=N' }).click();
  await page.locator('[data-ply="1"]').waitFor();
  assert.match(await page.locator('[data-ply="1"]').textContent(), /a8=N/);
});

test('a piece is dragged, a move taken back and played again', async () => {
  const { id } = await table('chess', ['human', 'human']);
  const page = await studio.page(`#/play/${id}`);
  await page.locator('.piece.mine').first().waitFor();
  await page.mouse.move(...(await at(page, 9 / 16, 13 / 16)));
  await page.mouse.down();
  await page.mouse.move(...(await at(page, 9 / 16, 10 / 16)), { steps: 4 });
  await page.mouse.move(...(await at(page, 9 / 16, 9 / 16)), { steps: 4 });
  await page.mouse.up();
  await page.locator('[data-ply="1"]').waitFor();
  assert.equal((await page.locator('[data-ply="1"]').textContent()).trim(), 'e4');
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.locator('.undone').waitFor();
  await page.getByRole('button', { name: 'Play again what was taken back' }).click();
  await page.locator('.undone').waitFor({ state: 'detached' });
  assert.equal((await studio.ask(`tables/${id}`)).ply, 1);
});

test('Minesweeper is won by following the hints', async () => {
  const { id } = await table('minesweeper:rows=6,cols=6,mines=6,first=zero,guess=no,flags=yes', ['human']);
  const page = await studio.page(`#/play/${id}`);
  await page.getByText('Your move', { exact: true }).waitFor();
  for (let turn = 0; turn < 36; turn++) {
    const { ply, outcome } = await studio.ask(`tables/${id}`);
    if (outcome) break;
    await page.getByRole('button', { name: 'Hint' }).click();
    const hint = await page.getByText(/^Hint: \w+$/).textContent();
    await page.getByPlaceholder('Type a move').fill(hint.replace('Hint: ', ''));
    await page.keyboard.press('Enter');
    await page.waitForFunction((before) => Number([...document.querySelectorAll('[data-ply]')].at(-1)?.dataset.ply ?? 0) > before, ply);
  }
  await page.getByText('Every empty cell is unmasked').first().waitFor();
  assert.equal((await studio.ask(`tables/${id}`)).outcome.winner, 'first');
});

test('two players think about one position', async () => {
  const page = await studio.page('#/analyse?game=pushover&moves=B%20E&a=mcts:sims=500&b=alphabeta:depth=4');
  await page.getByText(/^(Both play|They differ)/).waitFor();
  await page.getByText('Solve exactly').click();
  await page.locator('.worth').waitFor();
  await page.getByRole('button', { name: 'One move back' }).click();
  await page.waitForFunction(() => location.hash.includes('ply=1'));
  await page.getByText(/^(Both play|They differ)/).waitFor();
  assert.deepEqual(page.complaints, []);
});

test('Minesweeper says why a cell is safe', async () => {
  const position = 'mines 3\n1....\n.....\n.....\n.....\n.....';
  const page = await studio.page(`#/analyse?${new URLSearchParams({ game: 'minesweeper:rows=5,cols=5,mines=3', position })}`);
  await page.getByText('placements of the mines fit').waitFor();
  await page.mouse.move(...(await studio.cell(page, 1, 0)));
  await page.getByText(/b1 is mined with .* Touched by a1\./).waitFor();
});

test('a tournament runs to its standings, and a game of it opens', async () => {
  const job = await studio.ask('jobs', { kind: 'tournament', game: 'pushover', players: ['random', 'expert:depth=1', 'mcts:sims=50'], games: 4, random_plies: 2, seed: 1 });
  const page = await studio.page(`#/arena/${job.id}`);
  await page.getByText('finished').waitFor({ timeout: 60_000 });
  await page.getByRole('heading', { name: 'Standings' }).waitFor();
  assert.equal(await page.locator('.tally').count(), 6);
  await page.locator('.games a').first().click();
  await page.locator('.piece, .entry').first().waitFor();
  await page.getByRole('button', { name: 'To the end' }).click();
  await page.getByText('The game is over here.').waitFor();
});

test('a training is started, paused, resumed and played against', async () => {
  const job = await studio.ask('jobs', { kind: 'training', game: 'quoridor:size=5,walls=1', method: 'td-lambda:games=400000,check=10', seed: 1 });
  const page = await studio.page(`#/train/${job.id}`);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('paused').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.locator('.u-wrap').first().waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Play against it' }).click({ timeout: 60_000 });
  await page.getByText('Your move', { exact: true }).waitFor();
});

test('a game is where it was after the server was killed', async () => {
  const { id } = await table('chess', ['human', 'human'], { moves: ['e4', 'c5'] });
  await studio.stop('SIGKILL');
  await studio.start();
  const page = await studio.page(`#/play/${id}`);
  await page.locator('[data-ply="2"]').waitFor();
  assert.equal((await page.locator('[data-ply="2"]').textContent()).trim(), 'c5');
});

test('everything fits on a phone, light and dark, in French', async () => {
  const { id } = await table('minesweeper:rows=16,cols=30,mines=99,flags=yes', ['human']);
  const contest = { kind: 'tournament', game: 'pushover', players: ['random', 'greedy', 'expert:depth=1', 'mcts:sims=20'], games: 2, random_plies: 2, seed: '1' };
  const job = await studio.ask('jobs', contest);
  for (const colorScheme of ['light', 'dark']) {
    for (const place of ['#/play', `#/play/${id}`, '#/analyse', '#/arena', `#/arena/${job.id}`, '#/train', '#/papers']) {
      const page = await studio.page(place, { viewport: { width: 390, height: 844 }, locale: 'fr-FR', colorScheme });
      await page.getByText('Jouer').first().waitFor();
      await page.waitForLoadState('networkidle');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${place} is ${wide} wide`);
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).slice(0, 3).map(Number));
      assert.equal(ground.every((part) => part > 128), colorScheme === 'light', `${place} is ${ground}`);
      assert.deepEqual(page.complaints, []);
      await page.context().close();
    }
  }
});
