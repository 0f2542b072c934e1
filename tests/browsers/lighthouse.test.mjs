// Lighthouse's audit of the playground. Run by hand, on an idle machine: see docs/playground.md.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import lighthouse from 'lighthouse';
import puppeteer from 'puppeteer-core';
import { executablePath, FLAGS } from '../chromium.mjs';
import { serveDist } from './serve-dist.mjs';

/** The least score of each category, of 100. */
const LEAST = { performance: 95, accessibility: 100, 'best-practices': 95, seo: 90 };

let browser;
let site;

before(async () => {
  site = await serveDist();
  browser = await puppeteer.launch({
    executablePath,
    args: FLAGS,
  });
});
after(async () => {
  await browser?.close();
  await site?.close();
});

for (const formFactor of ['mobile', 'desktop']) {
  test(`Lighthouse, ${formFactor}`, async () => {
    const desktop = {
      screenEmulation: { mobile: false, width: 1350, height: 940, deviceScaleFactor: 1, disabled: false },
      throttling: { rttMs: 40, throughputKbps: 10_240, cpuSlowdownMultiplier: 1 },
    };
    const config = { extends: 'lighthouse:default', settings: { formFactor, ...(formFactor === 'desktop' ? desktop : {}) } };
    const page = await browser.newPage();
    const { lhr } = await lighthouse(site.url, { logLevel: 'error' }, config, page);
    await page.close();
    const scores = Object.fromEntries(Object.entries(lhr.categories).map(([name, { score }]) => [name, Math.round(score * 100)]));
    const figures = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift', 'interactive'];
    console.log(formFactor, scores, Object.fromEntries(figures.map((name) => [name, lhr.audits[name]?.displayValue])));
    const lost = Object.values(lhr.audits).filter(({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score === 0);
    for (const [name, least] of Object.entries(LEAST)) {
      assert.ok(
        scores[name] >= least,
        `${name}: ${scores[name]} of ${least}; ${lost.map(({ id, title }) => `${id}: ${title}`).join('; ')}`,
      );
    }
  });
}
