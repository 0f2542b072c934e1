// Starts the page many times and counts the starts that never end. By hand, after `cargo xtask play` or a build by Trunk:
//   node tests/e2e/starts.mjs --count 5000 [--minutes 15] [--folder dist]
// Half of the starts come from a server that keeps its connections, half from one that closes them.
import { parseArgs } from "node:util";
import { resolve } from "node:path";
import { launch } from "../chromium.mjs";
import { serve } from "./serve.mjs";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000" },
    minutes: { type: "string", default: "15" },
    folder: { type: "string" },
    /** How long a start may take, in seconds, before it counts as hanging. */
    limit: { type: "string", default: "20" },
    /** Each visit in a context of its own, with nothing in the cache; otherwise one after the other in one context. */
    fresh: { type: "boolean", default: false },
  },
});
const [count, minutes, limit] = [values.count, values.minutes, values.limit].map(Number);
const folder = values.folder && `${resolve(values.folder)}/`;
const until = Date.now() + minutes * 60_000;
const browser = await launch();

for (const [at, keepAlive] of [true, false].entries()) {
  const { url, close } = await serve({ folder, keepAlive });
  const ends = at === 0 ? until - (minutes / 2) * 60_000 : until;
  const times = [];
  let [hung, told] = [0, 0];
  let context = await browser.newContext();
  for (let start = 0; start < count / 2 && Date.now() < ends; start += 1) {
    // Now and then a new context, so that cold starts and warm ones are among them.
    if (values.fresh || start % 25 === 24) {
      await context.close();
      context = await browser.newContext();
    }
    const page = await context.newPage();
    const began = performance.now();
    await page.goto(url, { waitUntil: "commit" });
    try {
      await page.waitForSelector("html[data-ready]", { timeout: limit * 1_000 });
      times.push(performance.now() - began);
    } catch {
      hung += 1;
      told += Number(await page.locator("#late").isVisible().catch(() => false));
      const asked = await page
        .evaluate(() => performance.getEntriesByType("resource").map(({ name, initiatorType, responseEnd }) => [name, initiatorType, responseEnd]))
        .catch(() => []);
      console.log(`start ${start + 1} hangs:`, JSON.stringify(asked));
    }
    await page.close();
  }
  await context.close();
  await close();
  times.sort((one, other) => one - other);
  const share = (part) => `${Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0)} ms`;
  const name = keepAlive ? "connections kept" : "connections closed";
  console.log(`${name}: ${times.length + hung} starts, ${hung} hung (${told} of them told), median ${share(0.5)}, 99 % within ${share(0.99)}`);
}
await browser.close();
