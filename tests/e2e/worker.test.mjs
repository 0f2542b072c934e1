// If a worker dies or becomes silent at any time, the page shows a sentence, the last valid plan, and a way to
// continue.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { choose, figures, onPage, plan, press, pruneEarly, setKnob, shown, verdict, withBrowser } from './browser.mjs';
import { large, prunable } from './fixtures.mjs';

withBrowser();

/** A trap in the worker, like one of its own program. */
const trap = (page) =>
  page
    .workers()
    .at(-1)
    .evaluate(() => {
      setTimeout(() => {
        throw new WebAssembly.RuntimeError('unreachable');
      });
    });
/** The worker ends without a word. */
const silence = (page) =>
  page
    .workers()
    .at(-1)
    .evaluate(() => void self.close())
    .catch(() => {});
/** The worker lives but answers nothing. */
const deafen = (page) =>
  page
    .workers()
    .at(-1)
    .evaluate(() => void (self.onmessage = null));

const OPTIONS = { expected: /unreachable|RuntimeError/ };
/** A silent worker of a small file is given up after ten seconds, or later on a busy machine. */
const SILENT = { timeout: 25_000 };

async function opened(page) {
  await pruneEarly(page);
  await choose(page, 'session.json', prunable());
  await shown(page, 'session.json');
  await setKnob(page, 'protect', 30_000);
  await page.locator('.grounds', { hasText: '30,000 tokens of tool output' }).waitFor();
}

/** The notice and the last valid plan are shown, and after a retry everything continues with the same knobs. */
async function assertRecovers(page, said, protect) {
  assert.match(await page.locator('#lost').innerText(), /Nothing is lost: the file and the settings are still there/);
  assert.equal(await page.locator('#failed').count(), 0, 'nobody says that the open session was not opened');
  assert.equal(await page.locator('#chip summary .name').innerText(), 'session.json');
  assert.equal(await verdict(page), said, 'the last good state stays');
  await page.click('#lost >> text=Start again');
  await page.locator('#lost').waitFor({ state: 'detached' });
  await page.locator('.grounds', { hasText: `${protect.toLocaleString('en')} tokens of tool output` }).waitFor();
  assert.equal(await page.locator('main.stale').count(), 0);
  assert.equal(Number(await page.inputValue('#protect-value')), protect);
  assert.equal(page.workers().length, 1);
  const { tokensBefore, tokensAfter } = await plan(page);
  assert.deepEqual(figures(await verdict(page)).slice(-2), [tokensBefore, tokensAfter]);
}

// Most of these wait for ten seconds of silence, so they run in parallel.
describe('a worker that dies or falls silent', { concurrency: 4 }, () => {
  test('a worker that traps while idle is told at once, and a retry goes on', () =>
    onPage(async (page) => {
      await opened(page);
      const said = await verdict(page);
      await trap(page);
      await page.locator('#lost', { hasText: 'stopped' }).waitFor();
      assert.match(await page.locator('#lost').innerText(), /belongs to these settings/);
      await assertRecovers(page, said, 30_000);
    }, OPTIONS));

  for (const [what, kill] of /** @type {const} */ ([
    ['closed silently', silence],
    ['deaf', deafen],
  ])) {
    test(`a worker that is ${what}: no picture claims to be of other knobs, and it is told in time`, () =>
      onPage(async (page) => {
        await opened(page);
        const said = await verdict(page);
        await kill(page);
        await setKnob(page, 'protect', 20_000, { isAnswered: false });
        await page.locator('main.stale').waitFor();
        assert.equal(await verdict(page), said);
        await page.locator('#lost', { hasText: 'does not answer' }).waitFor(SILENT);
        assert.match(await page.locator('#lost').innerText(), /belongs to the settings before the last change/);
        await assertRecovers(page, said, 20_000);
      }));
  }

  test('a worker that dies while planning', () =>
    onPage(async (page) => {
      await opened(page);
      const said = await verdict(page);
      // The next request traps.
      await page
        .workers()
        .at(-1)
        .evaluate(() => {
          self.onmessage = () => {
            throw new WebAssembly.RuntimeError('unreachable');
          };
        });
      await setKnob(page, 'protect', 25_000, { isAnswered: false });
      await page.locator('#lost').waitFor();
      await assertRecovers(page, said, 25_000);
    }, OPTIONS));

  for (const [what, kill, wait] of /** @type {const} */ ([
    ['dies', trap, {}],
    ['falls silent', silence, SILENT],
  ])) {
    test(`a worker that ${what} while exporting: the export says so and can be tried again`, () =>
      onPage(async (page) => {
        await opened(page);
        await deafen(page);
        await press(page, 'Export');
        await page.locator('#export', { hasText: 'Writing the file.' }).waitFor();
        await kill(page);
        await page.locator('#export .warning', { hasText: 'Nothing was written' }).waitFor(wait);
        await page.click('#write-again');
        await page.locator('#export pre.file').waitFor();
        await page.keyboard.press('Escape');
        assert.equal(await page.locator('#lost').count(), 0);
        assert.equal(page.workers().length, 1);
      }, OPTIONS));
  }

  test("the sample's worker dies while exporting, and another one writes it", () =>
    onPage(async (page) => {
      await press(page, 'Export');
      await page.locator('#export pre.file').waitFor();
      await deafen(page);
      await page.check('#export-rust', { force: true });
      await trap(page);
      await page.locator('#export .warning', { hasText: 'Nothing was written' }).waitFor();
      await page.click('#write-again');
      await page.locator('#export pre.file', { hasText: 'ebbline::' }).waitFor();
    }, OPTIONS));

  for (const [what, kill, wait] of /** @type {const} */ ([
    ['dies', trap, {}],
    ['falls silent', silence, SILENT],
  ])) {
    test(`a worker that ${what} while loading: the session stays, and the file can be tried again`, () =>
      onPage(async (page) => {
        const said = await verdict(page);
        // Reading stops after the first chunk.
        let isHeld = true;
        await page.route('**/worker.js', async (route) => {
          const response = await route.fetch();
          const hold = 'Blob.prototype.slice = function () { self.isHeld = true; return { arrayBuffer: () => new Promise(() => {}) }; };\n';
          await route.fulfill({ response, body: (isHeld ? hold : '') + (await response.text()) });
        });
        const session = large(6_000_000);
        await choose(page, 'held.jsonl', session.text);
        await page.locator('#loading', { hasText: 'held.jsonl' }).waitFor();
        while (page.workers().length < 2) await page.waitForTimeout(50);
        const worker = page.workers().at(-1);
        while (!(await worker.evaluate(() => self.isHeld === true))) await page.waitForTimeout(50);
        isHeld = false;
        await kill(page);
        await page.locator('#failed', { hasText: 'held.jsonl was not opened' }).waitFor(wait);
        assert.equal(await page.locator('#loading').count(), 0);
        assert.equal(await verdict(page), said);
        await page.click('#failed >> text=Try again');
        await shown(page, 'held.jsonl');
        assert.equal(await page.locator('#failed').count(), 0);
      }, OPTIONS));
  }

  test('a slow worker that makes progress is not taken for dead', () =>
    onPage(async (page) => {
      await page.route('**/ebbline-files_bg.wasm', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 6_000));
        await route.continue().catch(() => {});
      });
      await choose(page, 'session.json', prunable());
      await page.locator('#loading').waitFor();
      await shown(page, 'session.json');
      assert.equal(await page.locator('#failed').count(), 0);
    }));
});
