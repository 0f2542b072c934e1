import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, exported, figures, onPage, plan, pruneEarly, setKnob, shown, valuesOf, verdict, withBrowser } from './browser.mjs';
import { chat, large } from './fixtures.mjs';

withBrowser();

const session = large(5_000_000);

test('a session of 5 MB is read and planned in a worker, and every control stays at hand', () =>
  onPage(async (page) => {
    await choose(page, 'large.jsonl', session.text);
    await shown(page, 'large.jsonl');
    assert.equal(page.workers().length, 1);
    assert.deepEqual(figures(await page.locator('#chip .what').innerText()), [session.messages]);
    await page.waitForSelector('#list [role=option]');
    assert.ok((await page.locator('#list [role=option]').count()) <= 60, 'few rows are mounted');
    await page.locator('#list .preview', { hasText: /\w/ }).first().waitFor();

    await pruneEarly(page);
    // While the slider moves, the newest value wins, and the boundary follows at once.
    for (let place = 100; place <= 400; place += 10) {
      await page.locator('#protect-slider').fill(String(place));
      const { box, handle } = await valuesOf(page, 'protect');
      assert.equal(handle, box);
    }
    const { box } = await valuesOf(page, 'protect');
    await page.locator('.grounds', { hasText: `${box.toLocaleString('en')} tokens of tool output` }).waitFor();
    const { tokensBefore, tokensAfter, prune } = await plan(page);
    assert.deepEqual(figures(await verdict(page)).slice(-2), [tokensBefore, tokensAfter]);
    assert.ok(prune.counted > box);

    // To the end of the list and into the text.
    await page.focus('#list');
    await page.keyboard.press('End');
    await page.locator(`[data-message="${session.messages - 1}"][aria-selected=true]`).waitFor();
    await page.locator('#inspector-text', { hasText: 'answer' }).waitFor();
    assert.ok((await page.locator('#list [role=option]').count()) <= 60);
    await page.fill('#find', `request ${Math.floor(session.messages / 8)}:`);
    await page.locator('.count', { hasText: '1 of' }).waitFor();

    const foreign = page.requests.filter((url) => new URL(url).origin !== new URL(page.url()).origin);
    assert.deepEqual(foreign, []);
    const own = page.requests.map((url) => new URL(url).pathname.split('/').at(-1));
    const files = ['worker.js', 'ebbline-files.js', 'ebbline-files_bg.wasm'];
    assert.ok(
      own.every((name) => files.includes(name)),
      `only what reads files: ${own}`,
    );
  }));

test('from a worker the export is the same as from the page', () =>
  onPage(async (page) => {
    await choose(page, 'large.jsonl', session.text);
    await shown(page, 'large.jsonl');
    await pruneEarly(page);
    await setKnob(page, 'minimum', 0);
    const file = await exported(page, 'session');
    assert.equal(file.name, 'large.compacted.jsonl');
    await choose(page, file.name, file.text);
    await shown(page, file.name);
    const { prune } = await plan(page);
    assert.equal(prune.applied, false);
  }));

test('the newest request wins, and reading can be cancelled', () =>
  onPage(async (page) => {
    await choose(page, 'first.jsonl', session.text);
    await choose(page, 'second.json', chat([[400], [400]]));
    await shown(page, 'second.json');
    await page.waitForTimeout(1_500);
    assert.equal(await page.locator('#chip summary .name').innerText(), 'second.json');
    assert.equal(await page.locator('#loading').count(), 0);
    assert.equal(page.workers().length, 1, 'the worker of the first has ended');

    // Reading never ends, because the worker waits for its program.
    let release = () => {};
    const held = new Promise((resolve) => {
      release = () => resolve(undefined);
    });
    await page.route('**/worker.js', async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
    await choose(page, 'third.jsonl', session.text);
    await page.locator('#loading', { hasText: 'third.jsonl' }).waitFor();
    await setKnob(page, 'protect', 12_345, { isAnswered: false });
    assert.equal(Number((await page.inputValue('#protect-value')).replaceAll(',', '')), 12_345, 'the page is not held up');
    await page.click('#loading >> text=Cancel');
    assert.equal(await page.locator('#loading').count(), 0);
    assert.equal(await page.locator('#chip summary .name').innerText(), 'second.json');
    release();
  }));

test('a large file that cannot be read leaves the session where it is', () =>
  onPage(async (page) => {
    const said = await verdict(page);
    await choose(page, 'torn.json', `[${session.text.trimEnd().split('\n').join(',')}`);
    await page.locator('#failed', { hasText: 'stops in the middle' }).waitFor();
    assert.equal(await verdict(page), said);
    assert.equal(page.workers().length, 1, "only the sample's worker lives");
  }));
