import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  allKnobs,
  choose,
  figures,
  handleOf,
  onPage,
  plan,
  planned,
  pruneEarly,
  setKnob,
  shown,
  squeeze,
  turn,
  valuesOf,
  verdict,
  withBrowser,
} from './browser.mjs';
import { prunable } from './fixtures.mjs';

withBrowser();

/** Box, handle and tag show the same number, and the slider is at its position. */
async function assertOneValue(page, knob) {
  const { box, handle, tag, slider } = await valuesOf(page, knob);
  assert.equal(handle, box);
  assert.equal(tag, box);
  const most = 200_000;
  assert.ok(Math.abs((slider / 1000) * most - box) <= most / 1000, `slider at ${slider} for ${box}`);
  return box;
}

/** Drags a handle by `by` pixels. */
async function drag(page, knob, by) {
  const stem = await handleOf(page, knob).locator('.stem').boundingBox();
  const [x, y] = [stem.x + stem.width / 2, stem.y + stem.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 6; step += 1) await page.mouse.move(x + (by * step) / 6, y);
  await page.mouse.up();
}

/** Makes a knob decide at its edge. */
const DECIDING = {
  protect: (page) => setKnob(page, 'down-to', 0),
  keep: (page) => turn(page, 'prune-enabled'),
};

for (const [knob, decide] of Object.entries(DECIDING)) {
  test(`${knob}: pointer, keys, slider and number box are one value`, () =>
    onPage(async (page) => {
      await decide(page);
      await allKnobs(page);
      const first = await assertOneValue(page, knob);
      await drag(page, knob, -160);
      const dragged = await assertOneValue(page, knob);
      assert.ok(dragged > first, `${dragged} after ${first}`);

      await handleOf(page, knob).focus();
      await page.keyboard.press('ArrowLeft');
      assert.equal(await assertOneValue(page, knob), dragged + 2_000, '1 % of the window');
      await page.keyboard.press('PageDown');
      assert.equal(await assertOneValue(page, knob), dragged + 2_000 - 10_000, '5 % of the window');
      await page.keyboard.press('ArrowRight');
      assert.equal(await assertOneValue(page, knob), dragged - 10_000);
      await page.keyboard.press('Home');
      assert.equal(await assertOneValue(page, knob), 0);
      await page.keyboard.press('Alt+ArrowLeft');
      const edge = await assertOneValue(page, knob);
      assert.ok(edge > 0, 'at the edge of a message');
      await page.keyboard.press('End');
      assert.equal(await assertOneValue(page, knob), Number(await handleOf(page, knob).getAttribute('aria-valuemax')));
      await page.keyboard.press('Backspace');
      assert.equal(await assertOneValue(page, knob), first, "the profile's value");
      await planned(page);

      await setKnob(page, knob, 31_234);
      assert.equal(await assertOneValue(page, knob), 31_234);
      await page.locator(`#${knob}-slider`).fill('200');
      await planned(page);
      assert.equal(await assertOneValue(page, knob), 40_000);
      await page.fill(`#${knob}-value`, '');
      await page.press(`#${knob}-value`, 'Enter');
      assert.equal(await assertOneValue(page, knob), 40_000, 'no number is no change');
      await handleOf(page, knob).locator('.tag').dblclick();
      assert.equal(await assertOneValue(page, knob), first);
      assert.match(await handleOf(page, knob).getAttribute('aria-valuetext'), /(pruned|kept)$/);
    }));
}

test('a finger moves an edge like a pointer', () =>
  onPage(
    async (page) => {
      const first = (await valuesOf(page, 'protect')).box;
      await page.locator(".nudge button[aria-label='Protect more']").tap();
      assert.equal((await valuesOf(page, 'protect')).box, first + 2_000);
      await page.locator(".nudge button[aria-label='Protect less']").tap();
      assert.equal((await valuesOf(page, 'protect')).box, first);
    },
    { width: 390, height: 844, hasTouch: true },
  ));

test('the handle at an edge turns what decides there, and what decides nothing has no handle', () =>
  onPage(async (page) => {
    const knobs = () =>
      page
        .locator('.picture [role=slider]:not([hidden])')
        .evaluateAll((handles) => handles.map((handle) => /** @type {any} */ (handle).dataset.knob));
    assert.deepEqual(await knobs(), ['protect', 'context'], 'outputs beyond the protected ones are enough');
    assert.match(await page.locator('#instead-keep').innerText(), /pruning was enough\. \S.* decides\./);
    // So much is protected that more has to go.
    await setKnob(page, 'protect', 150_000);
    assert.deepEqual(await knobs(), ['down-to', 'context']);
    const before = await verdict(page);
    await drag(page, 'down-to', -150);
    await planned(page);
    assert.notEqual(await verdict(page), before);
    // The window is full no more: nothing happens, and only the window changes that.
    await drag(page, 'context', 0);
    await setKnob(page, 'context', 400_000);
    assert.match(await verdict(page), /Nothing to do/);
    assert.deepEqual(await knobs(), ['context']);
    assert.match(
      await page.locator('#instead-prune').innerText(),
      /Nothing is pruned: the context is full only above 340,000 tokens\. Context window decides\./,
    );
    await page.click('#instead-prune button');
    await page.locator('#context-value:focus').waitFor();
  }));

test('the window is dragged like an edge, and the history is made anew with it', () =>
  onPage(
    async (page) => {
      const life = await page.locator('#whole-life').innerText();
      await drag(page, 'context', -400);
      const { box, handle } = await valuesOf(page, 'context');
      assert.equal(handle, box);
      assert.ok(box < 160_000, `${box}`);
      await page.locator('#whole-life', { hasNotText: life }).waitFor();
      await planned(page);
      const [before, window] = figures(await verdict(page));
      assert.equal(window, box);
      assert.ok(before <= window, 'a history that can exist');
      assert.equal(await page.locator('#pinned').isVisible(), false);
    },
    { opening: true },
  ));

test('more protection never prunes more, a larger window to keep never summarizes more', () =>
  onPage(async (page) => {
    await pruneEarly(page);
    let last = Infinity;
    for (let protect = 0; protect <= 120_000; protect += 10_000) {
      await setKnob(page, 'protect', protect);
      const { prune, messages } = await plan(page);
      const pruned = messages.filter(({ fate }) => fate === 'pruned').length;
      assert.ok(pruned <= last, `${pruned} at ${protect}`);
      assert.equal(pruned, prune.applied ? prune.outputs : 0);
      last = pruned;
    }
    await setKnob(page, 'context', 30_000);
    last = Infinity;
    for (let keep = 0; keep <= 60_000; keep += 6_000) {
      await setKnob(page, 'keep', keep);
      const { retain } = await plan(page);
      const summarized = retain.applied ? retain.messages : 0;
      assert.ok(summarized <= last, `${summarized} at ${keep}`);
      last = summarized;
    }
  }));

test('the list shows the fates of the plan, in words, with the boundaries between rows', () =>
  onPage(async (page) => {
    await choose(page, 'prunable.json', prunable());
    await shown(page, 'prunable.json');
    await squeeze(page);
    const { messages, prune, retain } = await plan(page);
    await page.focus('#list');
    await page.keyboard.press('Home');
    const rows = await page
      .locator('#list [role=option]')
      .evaluateAll((rows) =>
        rows.map((row) => [Number(row.dataset.message), row.querySelector('.fate').textContent, row.querySelector('.tokens').textContent]),
      );
    assert.ok(rows.length >= 10 && rows.length <= 60);
    for (const [message, fate, tokens] of rows) {
      assert.equal(fate, messages[message].fate);
      assert.equal(figures(tokens)[0], messages[message].tokensBefore);
    }
    for (const [kind, before] of [
      ['prune', prune.boundary.message + 1],
      ['keep', retain.boundary],
    ]) {
      await page.focus('#list');
      await page.keyboard.press('Home');
      for (let at = 0; at < before; at += 1) await page.keyboard.press('ArrowDown');
      await page.locator(`[data-message="${before}"] .boundary.${kind}`).waitFor();
    }
  }));

test('a step that is off or does not fire says so in the place of its handle', () =>
  onPage(async (page) => {
    // So wide that nothing has to be done even without pruning.
    await setKnob(page, 'context', 400_000);
    assert.match(await page.locator('#instead-keep').innerText(), /Nothing is summarized: the context is full only above 340,000 tokens\./);
    await turn(page, 'prune-enabled');
    assert.match(await page.locator('#instead-prune').innerText(), /that step is off/);
    assert.match(await verdict(page), /Nothing to do/);
    await turn(page, 'force');
    assert.match(await handleOf(page, 'keep').innerText(), /kept/);
    assert.match(await verdict(page), /become one summary/);
  }));
