// What the first visit downloads, and what is fetched later: the readers and writers of files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { choose, onPage, press, shown, verdict, withBrowser } from './browser.mjs';
import { prunable } from './fixtures.mjs';

withBrowser();

/** The limit of downloads, in bytes as brotli, until the page is idle with the sample. */
const BUDGET = 220_000;
/** How long the page is watched after it is ready; it must fetch nothing more. */
const WATCHED = 2_000;

const compressed = (bytes) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  }).length;

const nameOf = (url) => new URL(url).pathname.split('/').at(-1) || 'index.html';

test(`the first load is at most ${BUDGET / 1_000} KB`, () =>
  onPage(async (page) => {
    const sizes = new Map();
    page.on('response', async (response) => sizes.set(nameOf(response.url()), response.body().then(compressed)));
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    await page.waitForSelector('#list [role=option]');
    await page.waitForTimeout(WATCHED);
    let sum = 0;
    for (const [name, size] of sizes) {
      sum += await size;
      console.log(name.padEnd(24), String(await size).padStart(8));
    }
    console.log('first load'.padEnd(24), String(sum).padStart(8));
    const expected = process.env.EBBLINE_FIRST_LOAD?.split(' ').sort();
    assert.deepEqual([...sizes.keys()].sort(), expected ?? [...sizes.keys()].sort());
    assert.ok(sum <= BUDGET, `${sum} bytes are ${sum - BUDGET} too many`);
  }));

test('what reads files is fetched with the first file, and says so when it cannot be', () =>
  onPage(async (page) => {
    const said = await verdict(page);
    // A response that is not a program, as from an intercepting proxy.
    const program = '**/ebbline-files_bg.wasm';
    await page.route(program, (route) => route.fulfill({ contentType: 'application/wasm', body: '<html>' }));
    await choose(page, 'session.json', prunable());
    await page.locator('#failed', { hasText: 'could not be fetched' }).waitFor();
    assert.equal(await verdict(page), said, 'the session on screen stays');
    assert.equal(page.workers().length, 0);
    await press(page, 'Export');
    await page.locator('#export .warning', { hasText: 'could not be fetched' }).waitFor();
    await page.keyboard.press('Escape');

    await page.unroute(program);
    await choose(page, 'session.json', prunable());
    await shown(page, 'session.json');
    assert.equal(await page.locator('#failed').count(), 0);
  }));
