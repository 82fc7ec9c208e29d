// What the server says is shown in the reader's language. That it has a French for everything is tested in the server.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Studio } from './studio.mjs';

const studio = new Studio();
before(() => studio.open());
afterEach(() => studio.leave());
after(() => studio.close());

test('help is shown in French, with its range and its default', async () => {
  const page = await studio.page('#/train', { locale: 'fr-FR' });
  await page.getByLabel('Jeu', { exact: true }).selectOption('minesweeper');
  await page.getByText('neurones des couches cachées').waitFor();
  await page.getByText(/largeurs de 1 à \d+ jointes par des tirets/).waitFor();
  await page.goto(`${studio.address}/#/papers`);
  await page.getByRole('heading', { name: /^Salamone 2018 : apprentissage/ }).waitFor();
  assert.deepEqual(page.complaints, []);
});

test('what is said already follows when the language is changed', async () => {
  const { id } = await studio.table('quoridor:size=5,walls=3', ['human', 'human'], { moves: ['b2h'] });
  const page = await studio.page(`#/play/${id}`);
  await page.getByPlaceholder('Type a move').fill('b2v');
  await page.keyboard.press('Enter');
  const notice = page.locator('.notice');
  await notice.getByText('it would overlap or cross another wall').waitFor();
  await page.getByTitle('Français').click();
  await notice.getByText('il chevaucherait ou croiserait un autre mur').waitFor();
});
