// The board alone, in a real browser, over the scenes of src/boards/fixtures: every kind of gesture by mouse, finger and keyboard.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { createServer } from 'vite';

let server, browser, address;
before(async () => {
  server = await createServer({ root: fileURLToPath(new URL('..', import.meta.url)), server: { host: '127.0.0.1', port: 5290, strictPort: false, proxy: {} }, logLevel: 'error' });
  await server.listen();
  address = server.resolvedUrls.local[0];
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
after(async () => {
  await browser?.close();
  await server?.close();
});

const FINGER = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };

/** The page with one board, and its errors. */
async function open(scene, options = {}, query = '') {
  const context = await browser.newContext({ viewport: { width: 700, height: 800 }, locale: 'en-GB', ...options });
  const page = await context.newPage();
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(String(error)));
  await page.goto(`${address}gallery.html?only=${scene}${query}`);
  await page.locator('svg[role=application]').first().waitFor();
  return page;
}

async function middle(locator) {
  const box = await locator.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
const cell = (page, column, row) => middle(page.locator(`[data-cell="${column},${row}"]`));
const edge = (page, key) => middle(page.locator(`[data-edge="${key}"]`));
/** A point of the groove above a cell, to the right of its middle. */
async function grooveAbove(page, column, row) {
  const [[x, below], [, above]] = [await cell(page, column, row), await cell(page, column, row - 1)];
  return [x + 0.3 * (below - above), (above + below) / 2];
}
const says = (page, words) => page.locator('p[role=status]', { hasText: words }).waitFor({ timeout: 10_000 });
const label = (page) => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}
async function atBoard(scene) {
  const page = await open(scene);
  await page.locator('svg[role=application]').focus();
  return page;
}
async function drag(page, from, [x, y]) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(x + 3, y + 3, { steps: 5 });
  await page.mouse.move(x, y);
  await page.mouse.up();
}

test('a piece is clicked or dragged to its target, and a drag that is no move is asked about', async () => {
  const page = await open('chess');
  await page.mouse.click(...(await cell(page, 2, 4)));
  assert.equal(await page.locator('.dot').count(), 2);
  await page.mouse.click(...(await cell(page, 4, 6)));
  await says(page, 'chess plays Be2');
  await drag(page, await cell(page, 3, 6), await cell(page, 4, 5));
  await says(page, 'chess plays dxe3');
  await drag(page, await cell(page, 3, 7), await cell(page, 0, 4));
  await says(page, 'chess refuses [{"cell":{"column":3,"row":7}},{"cell":{"column":0,"row":4}}]');
  assert.deepEqual(page.errors, []);
});

test('one of several moves is chosen, by keys too', async () => {
  const page = await atBoard('chess');
  await press(page, ...Array(6).fill('ArrowUp'));
  assert.equal(await label(page), 'e7, White pawn');
  await press(page, 'Enter', 'ArrowUp', 'ArrowLeft', 'Enter');
  assert.equal(await label(page), 'exd8=Q');
  await press(page, 'Escape');
  assert.equal(await label(page), 'd8, Black queen');
  await press(page, 'ArrowDown', 'ArrowRight', 'Enter', 'ArrowUp', 'ArrowLeft', 'Enter', 'Tab', 'Enter');
  await says(page, 'chess plays exd8=R');
});

test('the board is turned, and plays the same', async () => {
  const page = await open('chess', {}, '&flipped');
  const [[, eighth], [, first]] = [await cell(page, 0, 0), await cell(page, 0, 7)];
  assert.ok(eighth > first);
  await drag(page, await cell(page, 3, 6), await cell(page, 4, 5));
  await says(page, 'chess plays dxe3');
});

test('a wall is shown under the pointer and placed by a click; one that cannot be is shown as such', async () => {
  const page = await open('quoridor');
  await page.mouse.move(...(await grooveAbove(page, 2, 1)));
  await page.locator('.preview:not(.refused)').waitFor();
  await page.mouse.click(...(await grooveAbove(page, 2, 1)));
  await says(page, 'quoridor plays c4h');
  await page.mouse.move(...(await grooveAbove(page, 1, 3)));
  await page.locator('.preview.refused').waitFor();
  await page.mouse.click(...(await cell(page, 3, 3)));
  await says(page, 'quoridor plays d2');
  assert.deepEqual(page.errors, []);
});

test('a finger shows a wall first, and places it by the second tap', async () => {
  const page = await open('quoridor', FINGER);
  const groove = await grooveAbove(page, 2, 1);
  await page.touchscreen.tap(...groove);
  await page.locator('.preview').waitFor();
  assert.equal(await page.locator('p[role=status]').textContent(), '');
  await page.touchscreen.tap(...groove);
  await says(page, 'quoridor plays c4h');
});

test('edges of the border are pressed, by their letters and by the cursor too', async () => {
  const page = await open('pushover');
  await page.mouse.move(...(await edge(page, '0,0 down 1')));
  await page.locator('.ghost').waitFor();
  assert.equal(await page.locator('.lined').count(), 4);
  await page.mouse.click(...(await edge(page, '0,0 down 1')));
  await says(page, 'pushover plays A');
  const keyed = await atBoard('pushover');
  await press(keyed, 'p');
  await says(keyed, 'pushover plays P');
  await press(keyed, 'f');
  await says(keyed, 'pushover refuses');
  await press(keyed, 'ArrowDown', 'ArrowDown', 'ArrowDown');
  assert.equal(await label(keyed), 'O');
  await press(keyed, 'Enter');
  await says(keyed, 'pushover plays O');
});

test('the second button is the right one, a long press, or a key', async () => {
  const page = await open('minesweeper');
  await page.mouse.click(...(await cell(page, 4, 4)));
  await says(page, 'minesweeper plays e5');
  await page.mouse.click(...(await cell(page, 4, 4)), { button: 'right' });
  await says(page, 'minesweeper plays Fe5');
  const keyed = await atBoard('minesweeper');
  await press(keyed, ...Array(4).fill('ArrowRight'), 'f');
  await says(keyed, 'minesweeper plays Fd1');
  await press(keyed, 'Enter');
  await says(keyed, 'minesweeper plays d1');
  const finger = await open('minesweeper', FINGER);
  const [x, y] = await cell(finger, 5, 5);
  const touch = await finger.context().newCDPSession(finger);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  await says(finger, 'minesweeper plays Ff6');
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await finger.touchscreen.tap(x, y);
  await says(finger, 'minesweeper plays f6');
});

test('a disc falls in its column, and a pass is a button', async () => {
  const page = await open('connectfour');
  await page.mouse.click(...(await cell(page, 2, 0)));
  await says(page, 'connectfour plays 3');
  const passing = await open('othello');
  await passing.getByRole('button', { name: 'Pass' }).click();
  await says(passing, 'othello plays pass');
});

test('every board fits on a phone', async () => {
  const page = await open('chess,quoridor,pushover,minesweeper,exploded,tictactoe,connectfour,othello', FINGER, '&overlays');
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  assert.deepEqual(page.errors, []);
});
