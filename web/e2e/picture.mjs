// Takes the picture of the studio that the README shows: `OUTPLAY=… node e2e/picture.mjs` writes docs/studio.webp.

import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Studio } from './studio.mjs';

const MOVES = 'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O';
const place = `#/analyse?${new URLSearchParams({ game: 'chess', moves: MOVES, ply: '15', a: 'engine:depth=12,candidates=8', b: 'mcts:sims=20000' })}`;

const studio = new Studio();
await studio.open();
try {
  const page = await studio.page(place, { viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  await page.getByText(/^(Both play|They differ)/).waitFor({ timeout: 60_000 });
  await page.waitForTimeout(1000);
  await page.evaluate(() => scrollTo(0, 0));
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 90 });
  await writeFile(fileURLToPath(new URL('../../docs/studio.webp', import.meta.url)), Buffer.from(data, 'base64'));
} finally {
  await studio.close();
}
