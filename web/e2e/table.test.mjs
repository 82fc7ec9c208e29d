// What a person does at a table besides moving, done in a real browser.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Studio } from './studio.mjs';

const studio = new Studio();
before(() => studio.open());
afterEach(() => studio.leave());
after(() => studio.close());

const look = (id) => studio.ask(`tables/${id}`);
const tool = (page, name) => page.getByRole('toolbar').getByRole('button', { name, exact: true });

/** The letter of the file at the left edge of a chess board. */
const leftmost = (page) => page.locator('svg[role=application] text.name').first().textContent();

test('a game is given up, once that was said twice', async () => {
  const { id } = await studio.table('chess', ['human', 'random'], { moves: ['e4', 'e5'] });
  const page = await studio.page(`#/play/${id}`);
  await page.locator('.piece.mine').first().waitFor();
  await tool(page, 'Resign').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await look(id)).outcome, null);
  await tool(page, 'Resign').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.getByText('You lose, by resignation', { exact: true }).waitFor();
  const { outcome } = await look(id);
  assert.deepEqual([outcome.winner, outcome.reason], ['second', 'resigned']);
  assert.deepEqual(page.complaints, []);
});

test('a game of Minesweeper that was given up is not listed as a mine', async () => {
  const { id } = await studio.table('minesweeper:rows=9,cols=9,mines=10', ['human']);
  const page = await studio.page(`#/play/${id}`);
  await tool(page, 'Resign').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.locator('.status.over').getByText('Given up').waitFor();
  const lobby = await studio.page('#/play');
  assert.match(await lobby.locator(`.recent a[href$="${id}"]`).textContent(), /Given up/);
});

test('sides are swapped, and the board turns with its player', async () => {
  const { id } = await studio.table('chess', ['human', 'random']);
  const page = await studio.page(`#/play/${id}`);
  await page.locator('.piece.mine').first().waitFor();
  assert.equal(await leftmost(page), 'a');
  await tool(page, 'Swap sides').click();
  await page.locator('[data-ply="1"]').waitFor();
  await page.getByText('Your move', { exact: true }).waitFor();
  assert.deepEqual((await look(id)).seats, ['random', 'human']);
  assert.equal(await leftmost(page), 'h');
  assert.deepEqual(page.complaints, []);
});

test('the board is turned, by its button and by its key', async () => {
  const { id } = await studio.table('chess', ['human', 'human']);
  const page = await studio.page(`#/play/${id}`);
  await page.locator('.piece.mine').first().waitFor();
  await tool(page, 'Turn the board').click();
  assert.equal(await leftmost(page), 'h');
  // White's king's pawn is where black's queen's pawn was.
  await page.mouse.click(...(await studio.at(page, 7 / 16, 3 / 16)));
  await page.mouse.click(...(await studio.at(page, 7 / 16, 7 / 16)));
  await page.locator('[data-ply="1"]').waitFor();
  assert.deepEqual((await look(id)).moves, ['e4']);
  await page.keyboard.press('x');
  await page.locator('svg[role=application] text.name', { hasText: 'a' }).first().waitFor();
  assert.equal(await leftmost(page), 'a');
});

test('the link is copied, and leads to the same game', async () => {
  const { id } = await studio.table('pushover', ['human', 'human'], { moves: ['B', 'E'] });
  const page = await studio.page(`#/play/${id}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: studio.address });
  await tool(page, 'Copy the link').click();
  await page.getByText('Copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, `${studio.address}/#/play/${id}`);
  const other = await studio.page(new URL(copied).hash);
  await other.locator('[data-ply="2"]').waitFor();
});

/** What moves on a board of Push-over within the next moment: pieces that enter, pieces that are pushed. */
const moving = (page) =>
  page.evaluate(
    () =>
      new Promise((seen) => {
        const found = new Set();
        const until = performance.now() + 3000;
        (function watch() {
          for (const one of document.getAnimations()) {
            const { target } = one.effect;
            if (one.effect.getComputedTiming().duration < 50) continue;
            if (target.matches?.('.enters')) found.add('enters');
            if (target.matches?.('.piece') && one instanceof CSSTransition) found.add('is pushed');
          }
          if (found.size === 2 || performance.now() > until) seen([...found].sort());
          else requestAnimationFrame(watch);
        })();
      }),
  );

test('a piece of Push-over is seen to enter and to push, unless motion is unwanted', async () => {
  for (const [reducedMotion, expected] of [['no-preference', ['enters', 'is pushed']], ['reduce', []]]) {
    const { id } = await studio.table('pushover', ['human', 'human'], { moves: ['A'] });
    const page = await studio.page(`#/play/${id}`, { reducedMotion });
    await page.locator('.entry.allowed').first().waitFor();
    const seen = moving(page);
    await studio.board(page).press('a');
    await page.locator('[data-ply="2"]').waitFor();
    assert.deepEqual(await seen, expected, reducedMotion);
    assert.equal(await page.locator('.piece').count(), 2);
  }
});

test('a refused move stays in its field, to be typed over', async () => {
  const { id } = await studio.table('chess', ['human', 'human']);
  const page = await studio.page(`#/play/${id}`);
  const field = page.getByPlaceholder('Type a move');
  await field.fill('O-O');
  await field.press('Enter');
  await page.locator('.notice').waitFor();
  assert.equal(await field.inputValue(), 'O-O');
  await page.keyboard.type('e4');
  await page.keyboard.press('Enter');
  await page.locator('[data-ply="1"]').waitFor();
  assert.deepEqual((await look(id)).moves, ['e4']);
  await page.locator('.notice').getByRole('button', { name: 'Close' }).click();
  await page.locator('.notice').waitFor({ state: 'detached' });
});
