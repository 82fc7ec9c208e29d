// Starts the studio on a free port with data of its own, and a browser to drive it.
// Needs OUTPLAY (the program) and Chromium (CHROMIUM, else Debian's). With PAGE (a folder that was built) that page is shown in the
// place of the program's own, under the program's policy.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** How long a busy machine may take for anything. */
const PATIENCE = 90_000;

export class Studio {
  async open() {
    this.data = await mkdtemp(join(tmpdir(), 'outplay-e2e-'));
    await this.start();
    this.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  }

  /** Starts the server, on the same port again if it ran before. */
  async start() {
    this.server = spawn(process.env.OUTPLAY, ['studio', '--port', String(this.port ?? 0), '--data', this.data, '--threads', '2']);
    this.address = await new Promise((found, failed) => {
      let said = '';
      const hear = (chunk) => {
        said += chunk;
        const match = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
        if (match) found(match[0]);
      };
      this.server.stdout.on('data', hear);
      this.server.stderr.on('data', hear);
      this.server.on('exit', () => failed(new Error(`the studio ended: ${said}`)));
    });
    this.port = Number(new URL(this.address).port);
  }

  /** Ends the server, at once and without a word of warning if it is killed. */
  async stop(signal = 'SIGINT') {
    const ended = new Promise((done) => this.server.once('exit', done));
    this.server.kill(signal);
    await ended;
  }

  /** A page at a place; what it complains of is collected. */
  async page(place, options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-GB', ...options });
    context.setDefaultTimeout(PATIENCE);
    if (process.env.PAGE) await this.#show(context, process.env.PAGE);
    const page = await context.newPage();
    page.complaints = [];
    page.on('pageerror', (error) => page.complaints.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && page.complaints.push(message.text()));
    await page.goto(`${this.address}/${place}`);
    return page;
  }

  /** Hands the files of a folder to a browser as if the program had them. */
  async #show(context, folder) {
    const policy = (await fetch(this.address)).headers.get('content-security-policy');
    // A page that is handed over comes from nowhere, and would have to ask before it speaks to this machine.
    await context.grantPermissions(['local-network-access'], { origin: this.address });
    const isPage = (url) => url.origin === this.address && !url.pathname.startsWith('/api/');
    await context.route(isPage, (route) => {
      const { pathname } = new URL(route.request().url());
      return route.fulfill({ path: join(folder, pathname === '/' ? 'index.html' : pathname), headers: { 'content-security-policy': policy } });
    });
  }

  /** Closes all pages, and whatever they asked for ends. */
  async leave() {
    await Promise.all(this.browser.contexts().map((context) => context.close()));
  }

  /** The board on a page. */
  board(page) {
    return page.locator('svg[role=application]');
  }

  /** A point of the board, in shares of its width and height. */
  async at(page, x, y) {
    const box = await this.board(page).boundingBox();
    return [box.x + box.width * x, box.y + box.height * y];
  }

  /** The middle of a cell of the board, by its column from the left and its row from the top as the board lies unturned. */
  async cell(page, column, row) {
    const cell = this.board(page).locator(`[data-cell="${column},${row}"]`);
    let box = null;
    while (box === null) {
      await cell.waitFor();
      // The board may just be drawn anew.
      box = await cell.boundingBox();
    }
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  async table(game, seats, more = {}) {
    return this.ask('tables', { game, seats, seed: 1, ...more });
  }

  async ask(path, body) {
    const init = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${this.address}/api/${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  async close() {
    await this.browser?.close();
    await this.stop();
    await rm(this.data, { recursive: true, force: true });
  }
}
