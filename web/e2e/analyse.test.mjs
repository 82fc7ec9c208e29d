// What a person does with a position, done in a real browser.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Studio } from './studio.mjs';

const studio = new Studio();
before(() => studio.open());
afterEach(() => studio.leave());
after(() => studio.close());

const address = (query) => `#/analyse?${new URLSearchParams(query)}`;
const position = (page) => page.evaluate(() => new URLSearchParams(location.hash.split('?')[1]).get('position'));

test('thoughts are seen to grow', async () => {
  const page = await studio.page(address({ game: 'chess', a: 'alphabeta:time=40s' }));
  const depth = () => page.locator('.answer[aria-busy=true] .facts').textContent().then((text) => Number(/depth (\d+)/.exec(text)?.[1]));
  await page.locator('.answer[aria-busy=true] .facts').waitFor();
  const first = await depth();
  await page.waitForFunction((before) => {
    const found = /depth (\d+)/.exec(document.querySelector('.answer[aria-busy=true] .facts')?.textContent ?? '');
    return found && Number(found[1]) > before;
  }, first);
  assert.deepEqual(page.complaints, []);
});

test('a chess position is set up by hand', async () => {
  const page = await studio.page(address({ game: 'chess', a: 'random' }));
  await page.getByRole('button', { name: 'Set up a position' }).click();
  await page.getByText('This position can be studied.').waitFor();
  await page.getByRole('button', { name: 'Empty board' }).click();
  await page.getByText('white has 0 kings, expected one').waitFor();
  const put = async (piece, column, row) => {
    await page.getByRole('radio', { name: piece, exact: true }).click();
    await page.mouse.click(...(await studio.cell(page, column, row)));
  };
  await put('White king', 4, 7);
  await put('Black king', 4, 0);
  await put('White rook', 0, 7);
  await page.getByRole('radio', { name: 'Black', exact: true }).click();
  await page.getByText('This position can be studied.').waitFor();
  // The draft is in the address, so a reload keeps it.
  await page.reload();
  await page.getByText('This position can be studied.').waitFor();
  await page.getByRole('button', { name: 'Study it' }).click();
  await page.getByText('Black to move').waitFor();
  assert.equal(await position(page), '4k3/8/8/8/8/8/8/R3K3 b - - 0 1');
  assert.deepEqual(page.complaints.filter((text) => !text.includes('422')), []);
});

test('a Quoridor position is set up by hand', async () => {
  const page = await studio.page(address({ game: 'quoridor:size=5,walls=3', a: 'random' }));
  await page.getByRole('button', { name: 'Set up a position' }).click();
  await page.getByText('This position can be studied.').waitFor();
  // Where the grooves between b2, c2, b3 and c3 cross, then white's pawn to d3.
  const [[left, top], [right, bottom]] = [await studio.cell(page, 1, 2), await studio.cell(page, 2, 3)];
  await page.mouse.click((left + right) / 2, (top + bottom) / 2);
  await page.getByRole('radio', { name: 'White pawn' }).click();
  await page.mouse.click(...(await studio.cell(page, 3, 2)));
  await page.getByLabel('Walls of Black').fill('1');
  await page.getByLabel('Walls of Black').blur();
  await page.getByText('This position can be studied.').waitFor();
  await page.getByRole('button', { name: 'Study it' }).click();
  await page.getByText('White to move').waitFor();
  assert.match(await position(page), /^5 d3:3 c5:1 white b2[hv]$/);
});

test('Push-over is set up, refused, mended and solved', async () => {
  const page = await studio.page(address({ game: 'pushover', a: 'random' }));
  await page.getByRole('button', { name: 'Set up a position' }).click();
  await page.mouse.click(...(await studio.cell(page, 0, 0)));
  await page.getByText(/expected as many of each after a move of \+/).waitFor();
  await page.getByRole('radio', { name: '+ disc' }).click();
  await page.mouse.click(...(await studio.cell(page, 1, 1)));
  await page.getByText('This position can be studied.').waitFor();
  await page.getByRole('button', { name: 'Study it' }).click();
  await page.getByText('Solve exactly').click();
  await page.locator('.worth').waitFor();
  assert.equal(await page.locator('.moves .move').count(), 16);
  assert.equal(await position(page), 'o....+..........-+');
});

test('a Minesweeper board is set up, and a contradiction is told', async () => {
  const page = await studio.page(address({ game: 'minesweeper:rows=3,cols=3,mines=2,first=any', a: 'solver' }));
  await page.getByRole('button', { name: 'Set up a position' }).click();
  const put = async (tool, column, row) => {
    await page.getByRole('radio', { name: tool, exact: true }).click();
    await page.mouse.click(...(await studio.cell(page, column, row)));
  };
  await put('Number 8', 0, 0);
  await page.getByText(/^the board is impossible/).waitFor();
  await put('Number 1', 0, 0);
  await page.getByText('This position can be studied.').waitFor();
  await page.getByRole('button', { name: 'Study it' }).click();
  await page.getByText('placements of the mines fit').waitFor();
});

test('the value of a game is drawn, and a click jumps', async () => {
  const page = await studio.page(address({ game: 'pushover', moves: 'B E C F', a: 'alphabeta:depth=2' }));
  await page.getByRole('button', { name: 'Draw the value graph' }).click();
  const graph = page.locator('figure svg');
  await graph.waitFor();
  const box = await graph.boundingBox();
  await page.mouse.click(box.x + 2, box.y + box.height / 2);
  await page.waitForFunction(() => location.hash.includes('ply=0'));
});

test('small Quoridor has the exact value of every move', async () => {
  const page = await studio.page(address({ game: 'quoridor:size=3,walls=1', a: 'random' }));
  await page.getByText('Solve exactly').click();
  await page.locator('.worth').waitFor();
  assert.ok((await page.locator('.moves .move').count()) > 5);
});
