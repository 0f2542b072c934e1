// From the first visit to a configuration: what a stranger has to find without being told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, drop, exported, figures, onPage, planned, press, profile, setKnob, valuesOf, verdict, withBrowser } from './browser.mjs';
import { chat } from './fixtures.mjs';

withBrowser();

const LAPTOP = { width: 1280, height: 800, opening: true };

/** A session that never fills the usual window of 200,000, but a smaller one. */
const small = () => chat(Array.from({ length: 8 }, () => [9_000, 9_000]));

/** Opens a session as a person sees it: with a smaller window. */
async function openSmall(page, text = small(), name = 'mine.json') {
  await choose(page, name, text);
  await page.locator('#chip summary .name', { hasText: name }).waitFor();
  await page.locator('#unfit').waitFor();
  await planned(page);
}

const openExport = (page) => page.getByRole('button', { name: 'Export', exact: true }).click();

test('a window that is only shown is said to be that, and a configuration is for the own window', () =>
  onPage(async (page) => {
    await openSmall(page);
    const opening = await page.locator('#opening').innerText();
    assert.match(
      opening,
      /never fills a window of 200,000.*is only here to show what would happen; configurations are exported for your own/su,
    );
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
    await page.click('#compare-switch');
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
      .locator('#opening', { hasText: /^pi@1\.5 instead of ebbline@2: the window shown is [\d,]+, before 200,000; .*before ■ 1 prune\./u })
      .waitFor();
  }, LAPTOP));

test('where protected outputs give way, the knob says so, and the handle stands at its number and moves', () =>
  onPage(async (page) => {
    // Two turns with so many outputs that the newest one fills the window.
    const outputs = Array.from({ length: 9 }, () => 9_000);
    await openSmall(page, chat([outputs, outputs]));
    const [, window] = figures(await verdict(page));
    await page
      .locator('#protect-about .idle', {
        hasText: `More has no effect here: the context has to shrink to ${(window * 0.4).toLocaleString('en-US')} tokens`,
      })
      .waitFor();
    const before = await verdict(page);
    const left = async () => Number.parseFloat(await page.locator('#handle-protect').evaluate((handle) => handle.style.left));
    const places = [];
    for (const tokens of [0, 3_000, 6_000, 9_000]) {
      await setKnob(page, 'protect', tokens);
      assert.equal(await verdict(page), before, 'more protection changes nothing');
      places.push(await left());
    }
    assert.ok(places.every((place, at) => at === 0 || place <= places[at - 1]) && places[0] > places[3], `${places}`);
    const handle = await page.locator('#handle-protect .stem').boundingBox();
    await page.mouse.move(handle.x + 1, handle.y + 8);
    await page.mouse.down();
    await page.mouse.move(handle.x - 119, handle.y + 8, { steps: 6 });
    await page.mouse.up();
    await planned(page);
    assert.ok((await valuesOf(page, 'protect')).box > 9_000, 'a drag to the left protects more');
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
    await page.click('#compare-switch');
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
    await page.locator('.compare .written > p', { hasText: /history: ebbline@2.*knobs: pi@1\.5/u }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), 'compare-b', 'the menu keeps the focus');
    assert.equal(await page.inputValue('#profile'), 'pi@1.5');
    assert.equal(await page.locator('#verdict ~ .grounds', { hasText: 'reported usage' }).count(), 0, 'the sample reports none');
    await page.selectOption('#compare-a', 'opencode@2026-01');
    await page.locator('.compare .written > p', { hasText: /history: opencode@2026-01.*knobs: pi@1\.5/u }).waitFor();
  }, LAPTOP));

test('the first screen says what one leaves with and what opens', () =>
  onPage(async (page) => {
    const [first, second] = [await page.locator('.lede').first().innerText(), await page.locator('.lede').nth(1).innerText()];
    assert.match(first, /leave with a configuration for your agent/u);
    assert.match(second, /^New to this\? .*Opens sessions of pi, OpenCode, TunaCode, Claude Code, .* other formats\.$/su);
    await press(page, 'Paste');
    assert.match(await page.locator('#paste label').innerText(), /Gemini CLI/u);
    await page.keyboard.press('Escape');
    const labels = await page.locator('#profile option').allInnerTexts();
    assert.ok(labels.some((label) => /^tunacode@0\.2 · June 2026, the newest/u.test(label)));
    await page.click('#learn');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('#lesson-card h3', { hasText: 'Step 2' }).waitFor();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.locator('#learn', { hasText: 'Go on: step 2 of 8' }).waitFor();
  }, LAPTOP));

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
    await page.click('#compare-switch');
    await page.locator('#compare-b').waitFor();
    const before = await page.evaluate(() => location.hash);
    await page.click('#what-fills');
    await page.locator('#fills .fills').first().waitFor();
    await page.waitForFunction((before) => location.hash !== before, before);
    const link = page.url();
    const other = await page.context().newPage();
    await other.goto(link);
    await other.locator('#fills .fills').first().waitFor();
    await other.locator('#compare-b').waitFor({ state: 'attached' });
    await other.keyboard.press('Escape');
    await other.click('.compare .heading button');
    const open = await other.evaluate(() => location.hash);
    await other.click('#learn');
    await other.locator('#lesson-card h3', { hasText: 'Step 1' }).waitFor();
    await other.waitForFunction((open) => location.hash !== open, open);
    const lesson = await page.context().newPage();
    await lesson.goto(other.url());
    await lesson.locator('#lesson-card h3', { hasText: 'Step 1' }).waitFor();
  }));
