// What more of a knob can never do. `boundary.test.mjs` tries protect and
// keep at the end of a file, `tests/tests/settled.rs` and `tests/tests/replay.rs` try random sessions in the engine; here A
// is pinned, and the answers are those of the worker.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, figures, onPage, planned, setKnob, turn, withBrowser } from './browser.mjs';
import { chat } from './fixtures.mjs';

withBrowser();

/** How many messages have a fate, by the worker's answer: the filter counts all of them, not only the mounted rows. */
async function count(page, fate) {
  await page.selectOption('#only-fate', fate);
  const text = await page.locator('.messages .count').innerText();
  await page.selectOption('#only-fate', '');
  return figures(text)[0];
}

/** Opens a session at the moment at which it would have been full, under a policy that stays A. */
async function pinned(page) {
  await choose(page, 'full.json', chat(Array.from({ length: 14 }, (_, at) => [40_000 + 997 * at, 9_000, 1_500])));
  await page.locator('#chip summary .name', { hasText: 'full.json' }).waitFor();
  await page.locator('#opening', { hasText: /\w/ }).waitFor();
  await page.selectOption('#profile', 'ebbline@1');
  await page.locator('#whole-life', { hasText: 'under ebbline@1:' }).waitFor();
  await page.locator('#scrubber').evaluate((/** @type {any} */ scrubber) => {
    scrubber.value = String(Math.floor(scrubber.max * 0.9));
    scrubber.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await planned(page);
}

/** What holds, the knob, the fate that is counted, the knob's values, and the other knobs.
 * @type {[string, string, string, number[], [string, number][]][]} */
const CASES = [
  ['more protection never prunes more', 'protect', 'pruned', [0, 3_000, 8_000, 20_000, 40_000, 61_000, 90_000, 140_000], [['minimum', 0]]],
  [
    'a larger minimum never prunes more',
    'minimum',
    'pruned',
    [0, 2_000, 9_000, 20_000, 35_000, 60_000, 110_000, 200_000],
    [['protect', 10_000]],
  ],
  [
    'a wider window to keep never summarizes more',
    'keep',
    'summarized',
    [0, 1_000, 5_000, 9_000, 15_000, 22_000, 40_000, 80_000],
    [['context', 48_000]],
  ],
];

for (const [name, knob, fate, values, before] of CASES)
  test(`with A pinned, ${name}`, () =>
    onPage(
      async (page) => {
        await pinned(page);
        if (fate === 'summarized') await turn(page, 'prune-enabled');
        for (const [other, value] of before) await setKnob(page, other, value);
        const [title, life] = [await page.locator('#life-title').innerText(), await page.locator('#whole-life').innerText()];
        const counts = [];
        for (const value of values) {
          await setKnob(page, knob, value);
          counts.push(await count(page, fate));
          assert.equal(await page.locator('#life-title').innerText(), title);
          assert.equal(await page.locator('#whole-life').innerText(), life, 'A writes the history');
        }
        assert.deepEqual(
          counts,
          counts.toSorted((one, other) => other - one),
          `${knob}: ${values}`,
        );
        // The minimum decides about all of them at once.
        assert.ok(new Set(counts).size >= 2, `the knob has an effect: ${counts}`);
      },
      { opening: true },
    ));
