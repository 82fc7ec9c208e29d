// What is chosen is in the address: a reload and the way back bring it again, and an address that leads nowhere says so.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Studio } from './studio.mjs';

const studio = new Studio();
before(() => studio.open());
afterEach(() => studio.leave());
after(() => studio.close());

const isChosen = (page, name) => page.getByRole('radio', { name, exact: true }).getAttribute('aria-checked');

test('a game that is being set up survives a reload and the way back', async () => {
  const page = await studio.page('#/play?game=chess');
  await page.getByLabel('Opponent').selectOption('random');
  await page.getByRole('radio', { name: 'Black', exact: true }).click();
  await page.getByRole('radio', { name: 'Own', exact: true }).click();
  await page.getByRole('spinbutton', { name: 'Minutes each' }).fill('7');
  await page.getByText('Start from a position or a game').click();
  await page.getByRole('textbox', { name: 'Start from a position or a game' }).fill('4k3/8/8/8/8/8/8/R3K3 w - - 0 1');
  await page.keyboard.press('Control+Enter');
  await page.locator('[data-ply="1"]').waitFor();
  const id = new URL(page.url()).hash.split('/')[2];
  const { seats, control, start } = await studio.ask(`tables/${id}`);
  assert.deepEqual([seats, control.seconds, start], [['random', 'human'], 420, '4k3/8/8/8/8/8/8/R3K3 w - - 0 1']);
  await page.goBack();
  for (const again of [() => {}, () => page.reload()]) {
    await again();
    await page.getByRole('button', { name: 'Start the game' }).waitFor();
    assert.deepEqual([await isChosen(page, 'Black'), await isChosen(page, 'Own')], ['true', 'true']);
    assert.equal(await page.getByLabel('Opponent').inputValue(), 'random');
    assert.equal(await page.getByRole('spinbutton', { name: 'Minutes each' }).inputValue(), '7');
    assert.match(await page.getByRole('textbox', { name: 'Start from a position or a game' }).inputValue(), /^4k3/);
  }
  assert.deepEqual(page.complaints, []);
});

test('a tournament and a training that are being set up survive a reload', async () => {
  const page = await studio.page('#/arena?game=pushover');
  await page.getByRole('button', { name: 'Add a player' }).click();
  await page.getByLabel('Player 3', { exact: true }).selectOption('greedy');
  await page.getByRole('radio', { name: 'Knock-out' }).click();
  await page.getByLabel('Places in the final').selectOption('2');
  await page.reload();
  assert.equal(await page.getByLabel('Player 3', { exact: true }).inputValue(), 'greedy');
  assert.equal(await page.getByLabel('Places in the final').inputValue(), '2');
  await page.goto(`${studio.address}/#/train?game=pushover`);
  await page.getByLabel('Method', { exact: true }).selectOption('td-lambda');
  await page.getByLabel('games', { exact: true }).fill('500');
  await page.getByLabel('games', { exact: true }).blur();
  await page.reload();
  assert.equal(await page.getByLabel('Method', { exact: true }).inputValue(), 'td-lambda');
  assert.equal(await page.getByLabel('games', { exact: true }).inputValue(), '500');
  assert.deepEqual(page.complaints, []);
});

test('an address that leads nowhere says what there is not, and leads back', async () => {
  for (const [place, words, back, there] of [
    ['#/play?game=zzz', 'There is no game called “zzz”.', 'To the start', '#/play'],
    ['#/arena?game=zzz', 'There is no game called “zzz”.', 'To the start', '#/arena'],
    ['#/analyse?game=zzz', 'There is no game called “zzz”.', 'To the start', '#/analyse'],
    ['#/papers/nothing', 'There is no paper called “nothing”.', 'All papers', '#/papers?scale=desk'],
  ]) {
    const page = await studio.page(place);
    await page.getByRole('alert').getByText(words).waitFor();
    await page.getByRole('link', { name: back }).last().click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).hash, there);
  }
  const page = await studio.page('#/analyse?game=pushover&a=zzz');
  await page.getByText('There is no player called “zzz” for this game.').waitFor();
  await page.getByRole('button', { name: /^Take / }).click();
  await page.locator('.answer .move').first().waitFor();
});
