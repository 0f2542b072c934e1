// Without a network after the first visit; inside another page.
import assert from 'node:assert/strict';
import test from 'node:test';
import { choose, exported, onPage, planned, setKnob, shown, verdict, withBrowser } from './browser.mjs';
import { serve } from './serve.mjs';

withBrowser();

test('after the first visit the whole page works without a network', () =>
  onPage(
    async (page) => {
      await page.evaluate(async () => {
        await navigator.serviceWorker.ready;
        // What is kept is there when the worker is installed.
        if (!navigator.serviceWorker.controller)
          await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
      });
      await page.context().setOffline(true);
      await page.reload();
      await page.waitForSelector('html[data-open]');
      assert.notEqual(await verdict(page), '');
      await choose(
        page,
        'own.json',
        JSON.stringify([
          { role: 'user', content: 'Hello.' },
          { role: 'assistant', content: 'Hi.' },
        ]),
      );
      await shown(page, 'own.json');
      await setKnob(page, 'protect', 1_000);
      await planned(page);
      assert.equal((await exported(page, 'policy')).name, 'ebbline-policy.json');
    },
    { serviceWorkers: 'allow' },
  ));

test('it works in a frame of another page, 600 pixels wide, without scrolling sideways', () =>
  onPage(async (page) => {
    const url = new URL('.', page.url()).href;
    const site = await serve({
      answer: async (name, _file, response) => {
        if (name !== 'index.html') return false;
        response.end(
          `<!doctype html><title>host</title><link rel="icon" href="data:,"><iframe src="${url}#lesson=2" width="600" height="700" title="ebbline"></iframe>`,
        );
        return true;
      },
    });
    try {
      await page.goto(site.url);
      const frame = page.frameLocator('iframe');
      await frame.locator('#lesson-card h3', { hasText: 'Step 2 of 9' }).waitFor();
      await frame.locator('#verdict strong').first().waitFor();
      const sideways = await frame.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
      assert.ok(sideways <= 0, `${sideways} pixels too wide`);
    } finally {
      await site.close();
    }
  }));
