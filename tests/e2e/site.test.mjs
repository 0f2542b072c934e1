// The pages beside the playground: the lesson and the documentation, which need no script.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { AxeBuilder } from '@axe-core/playwright';

import { launch } from '../chromium.mjs';

const SITE = process.env.EBBLINE_SITE ?? 'http://127.0.0.1:8080/';
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const STEPS = ['resend', 'window', 'boundary', 'placeholder', 'newest', 'summary', 'cache', 'thresholds', 'agents'];
const LESSON = ['learn/'];
const DOCUMENTS = ['docs/', 'docs/reference.html'];
const THEMES = ['light', 'dark'];
const WIDTHS = [1440, 390];

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/**
 * Runs `body` on a page, and fails if the page reports anything or asks another server. Scripts are switched off, unless `body` needs
 * one of its own.
 */
async function onPages(body, options = {}) {
  const context = await browser.newContext({ javaScriptEnabled: false, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const faults = [];
  page.on('console', (message) => faults.push(`${page.url()}: ${message.text()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(SITE) && !request.url().startsWith('data:')) faults.push(`${page.url()} asks for ${request.url()}`);
  });
  page.on('response', (response) => {
    if (!response.ok()) faults.push(`${response.status()} for ${response.url()}`);
  });
  try {
    await body(page);
    assert.deepEqual(faults, []);
  } finally {
    await context.close();
  }
}

/**
 * What axe could not decide, without what is explained: it does not know the ground of texts inside an SVG (`imgNode`, `bgOverlap`), nor of what is
 * scrolled out of sight inside a table or a list (`elmPartiallyObscured`). Their colors are those of the palette, whose contrasts a test in
 * `web/src/picture/palette.rs` computes.
 */
const EXPLAINED = ['imgNode', 'bgOverlap', 'elmPartiallyObscured'];
const unexplained = ({ id, nodes }) => ({
  id,
  nodes: nodes.filter(({ any }) => id !== 'color-contrast' || !EXPLAINED.includes(any[0]?.data?.messageKey)),
});

/** The addresses of all documents, as the list beside each page has them. */
async function documents(page) {
  await page.goto(`${SITE}docs/`);
  return page.locator('nav.pages a').evaluateAll((links) => links.map((link) => link.href));
}

for (const colorScheme of THEMES) {
  for (const width of WIDTHS) {
    test(`axe finds nothing on lesson and documentation, ${colorScheme}, ${width} pixels`, () =>
      onPages(
        async (page) => {
          for (const path of [...LESSON, ...DOCUMENTS]) {
            await page.goto(SITE + path);
            const { violations, incomplete } = await new AxeBuilder({ page })
              .options({ resultTypes: ['violations', 'incomplete'] })
              .withTags(TAGS)
              .setLegacyMode(true)
              .analyze();
            const found = [...violations, ...incomplete.map(unexplained)].flatMap(({ id, nodes }) =>
              nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`),
            );
            assert.deepEqual(found, [], path);
          }
        },
        { colorScheme, viewport: { width, height: 900 }, javaScriptEnabled: true },
      ));
  }
}

test('no page has to be scrolled sideways at 320 pixels', () =>
  onPages(
    async (page) => {
      const pages = [...LESSON.map((path) => SITE + path), ...(await documents(page))];
      assert.ok(pages.length > 40, `${pages.length} pages`);
      for (const address of pages) {
        await page.goto(address);
        const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(wide <= room, `${address}: ${wide} in ${room}`);
      }
    },
    { viewport: { width: 320, height: 640 } },
  ));

test('the lesson is one page, read and answered without scripts', () =>
  onPages(async (page) => {
    await page.goto(`${SITE}learn/`);
    await page.waitForLoadState('load');
    for (const [index, step] of STEPS.entries()) {
      const section = page.locator(`#${step}`);
      assert.equal(await section.locator('.where').innerText(), `Step ${index + 1} of ${STEPS.length}`);
      // One figure is seen once the style is there, and it has a name and a description.
      const figure = section.locator('figure svg[role=img]:visible');
      assert.equal(await figure.count(), 1, step);
      assert.ok((await figure.locator('desc').textContent()).length > 60, step);
      // Each answer says whether it was right; one is open at a time.
      const answers = section.locator('.predict details');
      for (let answer = 0; answer < (await answers.count()); answer += 1) {
        await answers.nth(answer).locator('summary').click();
        assert.match(await answers.nth(answer).locator('p').innerText(), /^(Right|Not quite)\. \w/);
        assert.equal(await section.locator('.predict details[open]').count(), 1);
      }
      assert.equal(await section.locator('.try a').getAttribute('href'), `../#lesson=${index + 1}`);
    }
    const beside = page.locator('nav.pages a');
    assert.deepEqual(
      await beside.evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
      STEPS.map((step) => `#${step}`),
    );
  }));

test('what a bar shows is as wide as its tokens, on a desk and on a phone', async () => {
  for (const width of WIDTHS) {
    await onPages(
      async (page) => {
        await page.goto(`${SITE}learn/`);
        const svg = page.locator('#resend figure svg[role=img]:visible');
        const rows = await svg.evaluate((svg) => {
          const box = svg.getBoundingClientRect();
          const tokens = [...svg.querySelectorAll('text.figure')].map((text) => Number(text.textContent.replace(/\D/g, '')));
          const bars = Map.groupBy(svg.querySelectorAll('rect'), (rect) => rect.getAttribute('y'));
          const shares = [...bars.values()].map((rects) => {
            const boxes = rects.map((rect) => rect.getBoundingClientRect());
            return (Math.max(...boxes.map((box) => box.right)) - box.left) / box.width;
          });
          return tokens.map((count, row) => ({ share: count / Math.max(...tokens), painted: shares[row], pixel: 1.5 / box.width }));
        });
        assert.equal(rows.length, 5);
        for (const { share, painted, pixel } of rows) assert.ok(Math.abs(share - painted) < pixel, `${width}: ${share}, ${painted}`);
      },
      { viewport: { width, height: 900 } },
    );
  }
});

test('the keyboard finds the text first, and the theme is that of the system', async () => {
  for (const colorScheme of THEMES) {
    await onPages(
      async (page) => {
        await page.goto(`${SITE}docs/reference.html`);
        await page.keyboard.press('Tab');
        assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the text');
        await page.keyboard.press('Enter');
        assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
        const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
        assert.equal(ground, colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(23, 29, 36)');
      },
      { colorScheme },
    );
  }
});

test('the playground beside the pages starts', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${SITE}learn/`);
  await page.click('#placeholder .try a');
  await page.waitForSelector('html[data-ready]', { timeout: 30_000 });
  assert.equal(page.url(), `${SITE}#lesson=4`);
  await context.close();
});
