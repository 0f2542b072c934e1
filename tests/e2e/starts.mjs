// Starts the page many times and counts the starts that never end. By hand, after `cargo xtask play` or a build by Trunk:
//   node tests/e2e/starts.mjs --count 5000 [--minutes 60] [--pages 2] [--folder dist]
// Starts come in turns from a server that keeps its connections and from one that closes them; what was counted is
// printed now and then, and at the end.
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { launch } from '../chromium.mjs';
import { serve } from './serve.mjs';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '15' },
    folder: { type: 'string' },
    /** How many pages start in parallel. */
    pages: { type: 'string', default: '2' },
    /** How long a start may take, in seconds, before it counts as hanging. */
    limit: { type: 'string', default: '20' },
    /** After this many starts a page begins again in a new context with an empty cache. */
    fresh: { type: 'string', default: '25' },
  },
});
const [count, minutes, pages, limit, fresh] = [values.count, values.minutes, values.pages, values.limit, values.fresh].map(Number);
const folder = values.folder && `${resolve(values.folder)}/`;
const until = Date.now() + minutes * 60_000;
const browser = await launch();
const kinds = await Promise.all(
  [true, false].map(async (keepAlive) => ({
    name: keepAlive ? 'connections kept' : 'connections closed',
    server: await serve({ folder, keepAlive }),
    times: [],
    hung: 0,
    told: 0,
  })),
);
let begun = 0;

/** One start; a page that hangs is replaced. */
async function start(page, kind) {
  const began = performance.now();
  await page.goto(kind.server.url, { waitUntil: 'commit' });
  try {
    await page.waitForSelector('html[data-ready]', { state: 'attached', timeout: limit * 1_000 });
    kind.times.push(performance.now() - began);
    return true;
  } catch {
    kind.hung += 1;
    kind.told += Number(
      await page
        .locator('#late')
        .isVisible()
        .catch(() => false),
    );
    const asked = await page
      .evaluate(() =>
        performance.getEntriesByType('resource').map((/** @type {any} */ entry) => [entry.name, entry.initiatorType, entry.responseEnd]),
      )
      .catch(() => []);
    console.log(`a start with ${kind.name} hangs:`, JSON.stringify(asked));
    return false;
  }
}

/** Starts one after the other until there are enough. */
async function visit() {
  let [context, page, left] = [null, null, 0];
  while (begun < count && Date.now() < until) {
    const kind = kinds[begun % kinds.length];
    begun += 1;
    if (left === 0) {
      await context?.close();
      // Small, so that a start is cheap; what is painted does not matter here.
      context = await browser.newContext({ viewport: { width: 320, height: 240 } });
      page = await context.newPage();
      left = fresh;
    }
    left = (await start(page, kind)) ? left - 1 : 0;
    if (begun % 500 === 0) report();
  }
  await context?.close();
}

function report() {
  for (const { name, times, hung, told } of kinds) {
    const sorted = times.toSorted((one, other) => one - other);
    const within = (part) => `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)} ms`;
    console.log(
      `${name}: ${times.length + hung} starts, ${hung} hung (${told} of them told), median ${within(0.5)}, 99 % within ${within(0.99)}`,
    );
  }
}

// The counts are printed however the run ends.
await Promise.all(Array.from({ length: pages }, visit)).finally(report);
await browser.close();
await Promise.all(kinds.map(({ server }) => server.close()));
