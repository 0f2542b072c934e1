// From the first visit to a configuration: what a stranger has to find without being told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  choose,
  closer,
  drop,
  exported,
  figures,
  linked,
  onPage,
  planned,
  press,
  profile,
  valuesOf,
  verdict,
  withBrowser,
} from './browser.mjs';
import { chat } from './fixtures.mjs';

withBrowser();

const LAPTOP = { width: 1280, height: 800, opening: true };

/** A session that never fills the usual window of 200,000, but a smaller one. */
const small = () => chat(Array.from({ length: 8 }, () => [9_000, 9_000]));

/** Opens a session as a person sees it: with a smaller window. */
async function openSmall(page, text = small(), name = 'mine.json') {
  await choose(page, name, text);
  await page.locator('#chip summary .name', { hasText: name }).waitFor();
  await page.click('#fit');
  await page.locator('#unfit').waitFor();
  await planned(page);
}

const openExport = (page) => page.getByRole('button', { name: 'Export', exact: true }).click();

test('a window that is only shown is said to be that, and a configuration is for the own window', () =>
  onPage(async (page) => {
    await openSmall(page);
    const opening = await page.locator('#opening').innerText();
    assert.match(opening, /never fills a window of 200,000.*only shows what would happen; configurations are exported for your own/su);
    const [, shown] = figures(await verdict(page));
    assert.ok(shown < 200_000);
    const pi = await exported(page, 'pi');
    // A tenth and 15 % of 200,000, not of the window that is shown.
    assert.deepEqual(JSON.parse(pi.text).compaction, { enabled: true, reserveTokens: 30_000, keepRecentTokens: 20_000 });
    const script = (await exported(page, 'javascript')).text;
    assert.doesNotMatch(script, /context:/u);
    assert.match(script, /^\/\/ npm install ebbline\n/u);
    assert.match(script, /\[\{ role: "user", content: "Hello" \}, …\]/u);

    await openExport(page);
    await page.check('#export-pi', { force: true });
    await page.locator('#export .note', { hasText: 'This is for your window of 200,000.' }).waitFor();
    await page.check('#export-session', { force: true });
    await page.locator('#export .warning', { hasText: 'Yours is 200,000, and this session does not fill it.' }).waitFor();
    await page.keyboard.press('Escape');

    // An exchange of A and B keeps the window that is only shown what it is.
    await closer(page, '#compare-switch');
    await page.selectOption('#compare-a', 'ebbline@1');
    await page.locator('#whole-life', { hasText: 'under ebbline@1:' }).waitFor();
    assert.equal(JSON.parse((await exported(page, 'pi')).text).compaction.keepRecentTokens, 20_000);
    await page.click('#unfit');
    await page.waitForFunction(() => Object(document.getElementById('context-value')).value === '200000');
  }, LAPTOP));

test('the dialog of exports moves nothing behind it, and says when it has saved', () =>
  onPage(async (page) => {
    const seen = async () => [await page.inputValue('#scrubber'), await verdict(page), await page.locator('#life-title').innerText()];
    const before = await seen();
    await openExport(page);
    assert.equal(await page.isChecked('#export-session'), true, 'no agent wrote the session');
    await page.locator('#export .note', { hasText: 'as its file holds it, not the moment on screen' }).waitFor();
    assert.deepEqual(await seen(), before);
    const [, said] = await Promise.all([page.click('#save'), page.locator('#export [role=status]', { hasText: 'Saved.' }).waitFor()]);
    assert.equal(said, undefined);
    await page.check('#export-tunacode', { force: true });
    await page.locator('#export .actions', { hasText: 'tunacode.json' }).waitFor();
    await page.keyboard.press('Escape');
    await openExport(page);
    assert.equal(await page.isChecked('#export-tunacode'), true, 'what was chosen last is chosen again');
  }, LAPTOP));

test('that pi cannot prune comes first, and a click takes the profile of pi', () =>
  onPage(async (page) => {
    await openExport(page);
    await page.check('#export-pi', { force: true });
    await page.click('#take-profile');
    await page.locator('#export .note', { hasText: "These are pi's own defaults" }).waitFor();
    assert.equal(await page.inputValue('#profile'), 'pi@1.5');
    assert.equal(await page.locator('#export .warning').isVisible(), false);
    assert.equal(await page.locator('#take-profile').isVisible(), false);
    await page.keyboard.press('Escape');
    await page
      .locator('#opening', {
        hasText: /^pi@1\.5 instead of ebbline@3: no compaction, before ■ 1 prune\. This session never fills a window of 200,000/u,
      })
      .waitFor();
  }, LAPTOP));

test('where protected outputs give way, the knob says so, and the handle turns what decides', () =>
  onPage(async (page) => {
    // Two turns with so many outputs that the newest one fills the window.
    const outputs = Array.from({ length: 9 }, () => 9_000);
    await choose(page, 'mine.json', chat([outputs, outputs]));
    await page.click('#fit');
    await page.locator('#unfit').waitFor();
    await planned(page);
    const [, window] = figures(await verdict(page));
    await page
      .locator('#protect-about .idle', {
        hasText: `More has no effect here: the context has to shrink to ${(window * 0.4).toLocaleString('en-US')} tokens`,
      })
      .waitFor({ state: 'attached' });
    assert.equal(await page.getAttribute('#handle-prune', 'data-knob'), 'down-to');
    const before = await verdict(page);
    const stem = await page.locator('#handle-prune .stem').boundingBox();
    await page.mouse.move(stem.x + 1, stem.y + 8);
    await page.mouse.down();
    await page.mouse.move(stem.x - 119, stem.y + 8, { steps: 6 });
    await page.mouse.up();
    await planned(page);
    assert.notEqual(await verdict(page), before, 'a drag to the left prunes less');
    assert.ok((await valuesOf(page, 'down-to')).box > window * 0.4);
  }, LAPTOP));

test('a session of an agent opens under its rules, with those on the knobs against them', () =>
  onPage(async (page) => {
    const line = (message) => JSON.stringify({ type: 'message', message });
    const turns = Array.from({ length: 60 }, (_, at) => [
      line({ role: 'user', content: `do ${at}`, timestamp: 1 }),
      line({ role: 'assistant', content: [{ type: 'toolCall', id: `c${at}`, name: 'read', arguments: { path: `a${at}` } }], timestamp: 2 }),
      line({
        role: 'toolResult',
        toolCallId: `c${at}`,
        toolName: 'read',
        content: [{ type: 'text', text: `line ${at} of it\n`.repeat(1_500) }],
        isError: false,
        timestamp: 3,
      }),
      line({ role: 'assistant', content: [{ type: 'text', text: 'done' }], timestamp: 4 }),
    ]).flat();
    const head = '{"type":"session","version":1,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/a"}';
    await choose(page, 'agent.jsonl', [head, ...turns].join('\n'));
    await page.locator('#whole-life', { hasText: /under pi@/ }).waitFor();
    const rows = page.locator('#versus tbody tr');
    await rows.nth(1).waitFor();
    const [today, ours] = await rows.evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
    assert.match(today[0], /^Your agent today: pi@/);
    assert.match(ours[0], /^With ebbline@/);
    const [summaries] = figures(today[3]);
    assert.ok(summaries > 0 && figures(ours[3])[0] <= summaries, `${today} against ${ours}`);
    assert.match(today[1], /^[\d,]+(\.\d)? %$/);
    // The knobs are the default's, and stay a setting of the reader's.
    assert.match(await page.inputValue('#profile'), /^ebbline@/);
    await page.click('#only-these');
    await page.locator('#whole-life', { hasText: /under ebbline@/ }).waitFor();
    await page.locator('#versus').waitFor({ state: 'detached' });
  }, LAPTOP));

test('the wheel scrolls the page wherever the pointer is', () =>
  onPage(async (page) => {
    const scrolls = async (place) => {
      await page.evaluate(() => scrollTo(0, 300));
      const box = await page.locator(place).boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + 160);
      const before = await page.evaluate(() => scrollY);
      await page.mouse.wheel(0, 300);
      await page.waitForFunction((before) => scrollY > before, before);
    };
    await scrolls('.settings');
    // Over the list it scrolls the list, and at its end the page.
    await page.locator('#list').evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await scrolls('.messages');
  }, LAPTOP));

test('a comparison comes into view and has a menu for each policy', () =>
  onPage(async (page) => {
    await closer(page, '#compare-switch');
    await page.locator('#compare-b').waitFor();
    await page.waitForFunction(() => {
      const { top } = document.querySelector('.compare').getBoundingClientRect();
      return top >= 0 && top < innerHeight / 2;
    });
    const heading = await page.locator('#compare-title').boundingBox();
    const strip = await page.locator('.strip').boundingBox();
    assert.ok(heading.y >= strip.y + strip.height, 'the picture does not cover it');
    await page.focus('#compare-b');
    await page.selectOption('#compare-b', 'pi@1.5');
    await page.locator('.compare .written > p', { hasText: /until here: ebbline@3.*knobs: pi@1\.5/u }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), 'compare-b', 'the menu keeps the focus');
    assert.equal(await page.inputValue('#profile'), 'pi@1.5');
    assert.equal(await page.locator('#verdict ~ .grounds', { hasText: 'reported usage' }).count(), 0, 'the sample reports none');
    await page.selectOption('#compare-a', 'opencode@2026-01');
    await page.locator('.compare .written > p', { hasText: /until here: opencode@2026-01.*knobs: pi@1\.5/u }).waitFor();
  }, LAPTOP));

test('the first screen has headline, pictures, four knobs and the list, and says what opens', () =>
  onPage(
    async (page) => {
      await planned(page);
      for (const part of ['#verdict', '.sawtooth canvas', '.picture canvas', '#four .knob >> nth=3', '#list [aria-selected=true]']) {
        const box = await page.locator(part).boundingBox();
        assert.ok(box.y >= 0 && box.y + box.height <= 900, `${part}: ${JSON.stringify(box)}`);
      }
      assert.equal(await page.locator('#four .knob').count(), 4);
      const list = await page.locator('#list').boundingBox();
      assert.ok(list.height >= 150, `the list is ${list.height} high`);
      assert.ok((await page.locator('header').boundingBox()).height < 60, 'the header is one line');
      await press(page, 'Paste');
      assert.match(await page.locator('#paste label').innerText(), /Gemini CLI/u);
      await page.keyboard.press('Escape');
      const labels = await page.locator('#profile option').allInnerTexts();
      assert.ok(labels.some((label) => /^tunacode@0\.2 · June 2026, the newest/u.test(label)));
      await page.click('#learn');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.locator('#lesson-card h3', { hasText: 'Step 2' }).waitFor();
      await page.getByRole('button', { name: 'Leave' }).click();
      await page.locator('#learn[aria-label="Learn: go on with step 2 of 9"]').waitFor();
    },
    { opening: true },
  ));

for (const [width, height] of [
  [1024, 768],
  [820, 1180],
  [390, 844],
])
  test(`the picture and the knobs are seen together at ${width} pixels`, () =>
    onPage(
      async (page) => {
        await planned(page);
        await page.locator('#four .knob').nth(3).scrollIntoViewIfNeeded();
        for (const part of ['.picture canvas', '#four .knob >> nth=0', '#four .knob >> nth=3']) {
          const box = await page.locator(part).boundingBox();
          assert.ok(box.y >= 0 && box.y + Math.min(box.height, 40) <= height, `${part}: ${JSON.stringify(box)}`);
        }
      },
      { width, height, opening: true },
    ));

test('the name of a file is whole, and a picture is not offered as another format', () =>
  onPage(async (page) => {
    await openSmall(page);
    assert.ok(await page.locator('#chip summary .name').evaluate((name) => name.scrollWidth <= name.clientWidth));
    await drop(page, 'picture.png', '\u0089PNG');
    await page.locator('#failed').waitFor();
    await page.setInputFiles('#file', {
      name: 'picture.png',
      mimeType: 'image/png',
      buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0xff]),
    });
    await page.locator('#failed', { hasText: 'This is a picture' }).waitFor();
    assert.equal(await page.locator('#read-failed-as').isVisible(), false);
    await choose(page, 'words.txt', 'no session at all');
    await page.locator('#failed', { hasText: 'This is not JSON' }).waitFor();
    assert.equal(await page.locator('#read-failed-as').isVisible(), true);
  }, LAPTOP));

test('a link holds what is open beside the session and the step of the lesson', () =>
  onPage(async (page) => {
    await profile(page, 'pi@1.5');
    await closer(page, '#compare-switch');
    await page.locator('#compare-b').waitFor();
    await closer(page, '#what-fills');
    await page.locator('#fills .fills').first().waitFor();
    await linked(page, ' compare sheet=fills');
    const link = page.url();
    const other = await page.context().newPage();
    await other.goto(link);
    await other.locator('#fills .fills').first().waitFor();
    await other.locator('#compare-b').waitFor({ state: 'attached' });
    await other.keyboard.press('Escape');
    await other.click('.compare .heading button');
    await other.click('#learn');
    await other.locator('#lesson-card h3', { hasText: 'Step 1' }).waitFor();
    await linked(other, ' lesson=1');
    const lesson = await page.context().newPage();
    await lesson.goto(other.url());
    await lesson.locator('#lesson-card h3', { hasText: 'Step 1' }).waitFor();
  }));
