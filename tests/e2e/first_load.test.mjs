// What the first visit downloads: what the first picture needs, and after it the worker's program.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { onPage, planned, setKnob, verdict, withBrowser } from './browser.mjs';

withBrowser();

/** The limit of downloads for the first picture, in bytes as brotli. */
const BUDGET = 220_000;
/** As on a first visit: what a test would turn before may stand in the address when the page is loaded again. */
const AS_VISITED = { opening: true };
/** How long the page is watched after its worker has opened the sample; it must fetch nothing more. */
const WATCHED = 2_000;

const compressed = (bytes) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  }).length;

/** Holds the worker's program back until the returned function is called. */
async function holdWorker(page) {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route('**/worker.js', async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

const nameOf = (url) => new URL(url).pathname.split('/').at(-1) || 'index.html';

test(`the first picture takes at most ${BUDGET / 1_000} KB, and the worker follows`, () =>
  onPage(async (page) => {
    const responses = [];
    page.on('response', (response) => responses.push(response));
    // The worker's program is held back, so that what was fetched before is what the first picture needs.
    const release = await holdWorker(page);
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    await page.waitForSelector('#list [role=option]');
    await page.locator('#verdict strong').first().waitFor();
    await page.locator('#inspector-text pre').first().waitFor();
    await page.locator('#list [role=option][aria-selected=true] .preview', { hasText: /\S/ }).waitFor();
    await page.waitForTimeout(WATCHED);
    const sizes = new Map();
    for (const response of responses) sizes.set(nameOf(response.url()), compressed(await response.body()));
    let sum = 0;
    for (const [name, size] of sizes) {
      sum += size;
      console.log(name.padEnd(24), String(size).padStart(8));
    }
    console.log('first load'.padEnd(24), String(sum).padStart(8));
    const expected = (list) => list?.split(' ').sort();
    assert.deepEqual([...sizes.keys()].sort(), expected(process.env.EBBLINE_FIRST_LOAD) ?? [...sizes.keys()].sort());
    assert.ok(sum <= BUDGET, `${sum} bytes are ${sum - BUDGET} too many`);

    const before = responses.length;
    release();
    await page.waitForSelector('html[data-open]');
    await page.waitForTimeout(WATCHED);
    const later = responses.slice(before).map((response) => nameOf(response.url()));
    assert.deepEqual(later.sort(), expected(process.env.EBBLINE_WORKER) ?? later);
  }, AS_VISITED));

test('a knob that is moved before the worker is there waits for it, and the page says that the picture is older', () =>
  onPage(
    async (page) => {
      const said = await verdict(page);
      const release = await holdWorker(page);
      await page.reload();
      await page.waitForSelector('#list [role=option]');
      assert.equal(await verdict(page), said);
      await setKnob(page, 'context', 60_000, { isAnswered: false });
      await page.locator('main.stale').waitFor();
      assert.equal(await verdict(page), said);
      release();
      await page.locator('#verdict', { hasText: 'of 60,000 tokens' }).waitFor();
      await planned(page);
    },
    { opening: true },
  ));

test('if the worker cannot be fetched, the first picture stays, and the page says so and can try again', () =>
  onPage(async (page) => {
    // A response that is not a program, as from an intercepting proxy.
    const program = '**/ebbline-files_bg.wasm';
    await page.route(program, (route) => route.fulfill({ contentType: 'application/wasm', body: '<html>' }));
    await page.reload();
    await page.locator('#lost', { hasText: 'could not be fetched' }).waitFor();
    assert.match(await verdict(page), /^Context [\d,]+ of 200,000 tokens/);
    assert.equal(page.workers().length, 0);

    await page.unroute(program);
    await page.click('#lost >> text=Start again');
    await page.locator('#lost').waitFor({ state: 'detached' });
    await setKnob(page, 'context', 60_000);
    await page.locator('#verdict', { hasText: 'of 60,000 tokens' }).waitFor();
  }));
