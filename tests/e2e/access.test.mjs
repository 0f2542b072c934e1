import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { asItStands, closer, onPage, planned, press, pruneEarly, setKnob, squeeze, turn, valuesOf, withBrowser } from './browser.mjs';
import { chat } from './fixtures.mjs';

withBrowser();

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What depends on colors. Nothing else is different in the dark. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];

async function assertAccessible(page, state) {
  // There are no frames, so the mode for a single document needs no second page for the result.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const { violations } = await (isDark ? axe.withRules(OF_COLORS) : axe.withTags(TAGS)).analyze();
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
  assert.deepEqual(found, [], state);
}

for (const colorScheme of ['light', 'dark']) {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ]) {
    test(`axe finds nothing, ${colorScheme}, ${width} pixels`, () =>
      onPage(
        async (page) => {
          await assertAccessible(page, 'the sample');
          await page.keyboard.press('[');
          await page.locator('#happening', { hasText: 'compaction fires' }).waitFor();
          await planned(page);
          await assertAccessible(page, 'a moment of its life');
          await page.fill('#find', 'no message has this');
          await page.locator('#list .none').waitFor();
          await assertAccessible(page, 'an empty list');
          await page.fill('#find', '');
          await page.locator('#list [role=option]').first().waitFor();
          for (const button of ['#data-table', '#what-fills', '#what-costs', '#what-is-carried', '#what-is-asked']) {
            await closer(page, button);
            await page.locator('dialog[open] :is(table, ol, textarea)').first().waitFor();
            await assertAccessible(page, button);
            await page.keyboard.press('Escape');
          }
          await closer(page, '#compare-switch');
          await page.locator('.compare table').first().waitFor();
          await assertAccessible(page, 'two policies');
          await page.keyboard.press('Escape');
          await page.locator('.compare').waitFor({ state: 'detached' });
          await page.click('#learn');
          for (let step = 1; step <= 9; step += 1) {
            await page.locator('#lesson-card h3', { hasText: `Step ${step} of` }).waitFor();
            await planned(page);
            await assertAccessible(page, `step ${step} of the lesson`);
            if (step < 9) await page.click('#lesson-card >> text=Continue');
          }
          await page.click('#lesson-card >> text=Finish');
          await page.locator('#lesson-card').waitFor({ state: 'detached' });
          await asItStands(page);
          await pruneEarly(page);
          await setKnob(page, 'context', 32_000);
          await assertAccessible(page, 'summarized');
          await turn(page, 'prune-enabled');
          await assertAccessible(page, 'a step switched off');
          if (width < 640) {
            await page.click('.tabs >> text=Inspector');
            await assertAccessible(page, 'the inspector');
          }
          await page.setInputFiles(
            '#file',
            ['one.json', 'two.json'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(chat([[400]])) })),
          );
          await page.locator('#chip .name', { hasText: 'one.json' }).first().waitFor();
          await page.click('#chip summary');
          await page.locator('#sessions').waitFor();
          await assertAccessible(page, 'the chip');
          await page.click('#chip summary');
          await page.setInputFiles('#file', { name: 'x.json', mimeType: 'text/plain', buffer: Buffer.from('[1,\n2 3]') });
          await page.waitForSelector('#failed');
          await assertAccessible(page, 'an error');
          for (const dialog of ['Sample', 'Paste', 'Export', 'Share']) {
            await press(page, dialog);
            await page.waitForSelector('dialog[open]');
            await assertAccessible(page, dialog);
            await page.keyboard.press('Escape');
          }
          await page.click("[aria-label='Help and keys']");
          await assertAccessible(page, 'the help');
        },
        { width, height, colorScheme },
      ));
  }
}

test('a whole journey without a pointer', () =>
  onPage(async (page) => {
    // Tab to the protection boundary, then ten steps to the left.
    const reached = async (selector) => {
      for (let press = 0; press < 40; press += 1) {
        if (await page.evaluate((selector) => document.activeElement?.matches(selector), selector)) return true;
        await page.keyboard.press('Tab');
      }
      return false;
    };
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the session');
    assert.ok(await reached('[data-knob=protect]'), 'the boundary is reached by Tab');
    const outline = await page.evaluate(() => getComputedStyle(document.querySelector('[data-knob=protect] .tag')).outlineStyle);
    assert.equal(outline, 'solid', 'the focus is seen');
    const { box } = await valuesOf(page, 'protect');
    for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowLeft');
    assert.equal((await valuesOf(page, 'protect')).box, box + 20_000);

    // To the list, to an output, into the inspector, and to its state after.
    assert.ok(await reached('#list'));
    await page.keyboard.press('Home');
    for (let row = 0; row < 3; row += 1) await page.keyboard.press('ArrowDown');
    // The row is named once it is in the list, one frame after the keys.
    await page.waitForSelector('#list[aria-activedescendant]');
    const active = await page.getAttribute('#list', 'aria-activedescendant');
    assert.equal(await page.getAttribute(`#${active}`, 'aria-selected'), 'true');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'inspector-text');
    await page.keyboard.press('2');
    await page.locator('#inspector-text', { hasText: 'Old tool result content cleared' }).waitFor();

    // Home with the policy.
    await page.keyboard.press('e');
    // Tab passes the button by until the file is written.
    await page.waitForSelector('#export[open] #save:enabled');
    assert.ok(await reached('#save'));
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    assert.equal(download.suggestedFilename(), 'bug-hunt.compacted.json');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('dialog[open]').count(), 0);
  }));

test('no element keeps the focus', () =>
  onPage(async (page) => {
    const seen = new Set();
    for (let press = 0; press < 80; press += 1) {
      await page.keyboard.press('Tab');
      seen.add(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120)));
    }
    assert.ok(seen.size > 25, `${seen.size} places`);
    assert.ok(
      [...seen].some((html) => html.includes('skip')),
      'it comes round to the beginning',
    );
  }));

test('single letters can be switched off', () =>
  onPage(async (page) => {
    await page.keyboard.press('?');
    await page.click('text=Single letters are keys');
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    assert.equal(await page.locator('dialog[open]').count(), 0);
  }));

for (const width of [390, 320]) {
  test(`nothing has to be scrolled sideways at ${width} pixels`, () =>
    onPage(
      async (page) => {
        for (const panel of ['Messages', 'Inspector']) {
          await page.click(`.tabs >> text=${panel}`);
          const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          assert.ok(wide <= room, `${panel}: ${wide} in ${room}`);
        }
        const small = await page.evaluate(() =>
          [...document.querySelectorAll('button, select, input, [role=slider]')]
            .filter((element) => element.checkVisibility() && !element.classList.contains('out-of-sight'))
            .map((element) => /** @type {const} */ ([element.outerHTML.slice(0, 80), element.getBoundingClientRect()]))
            .filter(([, { width, height }]) => width < 16 || height < 16)
            .map(([html]) => html),
        );
        assert.deepEqual(small, []);
      },
      { width, height: 844 },
    ));
}

test('kinds and fates can be told apart without color', () =>
  onPage(async (page) => {
    await squeeze(page);
    // The strip is painted in the frame after the plan.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    // For a column of the strip, how much of its height is painted: summarized is low, kept is full.
    const heights = await page.evaluate(() => {
      const canvas = document.querySelector('.picture').querySelector('canvas');
      const [top, height] = [34 * devicePixelRatio, 56 * devicePixelRatio];
      const row = canvas.getContext('2d').getImageData(0, top, canvas.width, height).data;
      const painted = (share) => {
        const x = Math.round(canvas.width * share);
        let count = 0;
        for (let y = 0; y < height; y += 1) {
          const at = (y * canvas.width + x) * 4;
          count += Math.abs(row[at] - 198) < 6 && Math.abs(row[at + 1] - 123) < 6 ? 1 : 0;
        }
        return count / height;
      };
      return { old: painted(0.2), kept: painted(0.93) };
    });
    assert.ok(heights.old > 0.35 && heights.old < 0.55, JSON.stringify(heights));
    assert.ok(heights.kept > 0.9, JSON.stringify(heights));
  }));

test('with forced colors and without motion the page still says everything', () =>
  onPage(
    async (page) => {
      assert.match(await page.locator('#verdict').innerText(), /Pruning clears/);
      const painted = await page.evaluate(() => {
        const canvas = document.querySelector('.picture').querySelector('canvas');
        const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        return new Set(Array.from({ length: data.length / 4 }, (_, at) => data.slice(at * 4, at * 4 + 4).join())).size;
      });
      assert.ok(painted > 3, "boundaries and bars are painted in the system's colors");
    },
    { forcedColors: 'active', reducedMotion: 'reduce' },
  ));

/** The text of elements that cut off a part of it; a list's line may end in an ellipsis, because the inspector has all of it. */
const clipped = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility() && element.textContent.trim() !== '' && !element.closest('.out-of-sight, svg'))
      .filter((element) => {
        const style = getComputedStyle(element);
        const cuts = (overflow) => overflow === 'hidden' || overflow === 'clip';
        return (
          style.textOverflow !== 'ellipsis' &&
          ((cuts(style.overflowX) && element.scrollWidth > element.clientWidth + 1) ||
            (cuts(style.overflowY) && element.scrollHeight > element.clientHeight + 1))
        );
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );

for (const width of [1440, 820, 390])
  test(`the text follows the browser's text size, ${width} pixels`, () =>
    onPage(
      async (page) => {
        const size = () => page.evaluate(() => Number.parseFloat(getComputedStyle(document.querySelector('.grounds')).fontSize));
        const before = await size();
        // As the setting does: what is counted in `rem` goes by the size of the root.
        await page.evaluate(() => (document.documentElement.style.fontSize = '24px'));
        assert.equal(await size(), before * 1.5);
        // The tags of the handles find their side in the next frame.
        await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
        assert.deepEqual(await clipped(page), []);
      },
      { width, height: 900 },
    ));

/** The distances that a reader may set (WCAG 1.4.12). */
const SPACED =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }';

for (const [width, height] of [
  [1440, 900],
  [390, 844],
])
  test(`with wider text and forced colors no sheet cuts off a word, ${width} pixels`, () =>
    onPage(
      async (page) => {
        // The page's own policy forbids a style element.
        await page.evaluate((rules) => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(rules);
          document.adoptedStyleSheets.push(sheet);
        }, SPACED);
        await page.keyboard.press('[');
        await page.locator('#happening', { hasText: 'compaction fires' }).waitFor();
        await planned(page);
        const found = {};
        for (const button of ['#data-table', '#what-fills', '#what-costs', '#what-is-carried', '#what-is-asked']) {
          await closer(page, button);
          const dialog = page.locator('dialog[open]');
          await dialog.locator(':is(table, ol, textarea)').first().waitFor();
          const { x, width: wide } = await dialog.boundingBox();
          assert.ok(x >= 0 && x + wide <= width, `${button}: from ${x}, ${wide} wide`);
          found[button] = await clipped(page);
          await page.keyboard.press('Escape');
        }
        await page.click('#learn');
        await page.locator('#lesson-card h3').waitFor();
        found['#learn'] = await clipped(page);
        assert.deepEqual(Object.values(found).flat(), []);
      },
      { width, height, forcedColors: 'active' },
    ));
