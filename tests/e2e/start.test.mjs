// The start of the page, and the message if it does not finish.
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { launch } from '../chromium.mjs';
import { serve } from './serve.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Opens the page from a server that answers as `answer` says. */
async function onServer(answer, body, { keepAlive = true } = {}) {
  const server = await serve({ keepAlive, answer });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(server.url, { waitUntil: 'commit' });
    await body(page);
  } finally {
    await context.close();
    await server.close();
  }
}

const isModule = (name) => name === 'ebbline-web_bg.wasm';

// This test is about time, so it runs alone.
test('a module that never ends is told within ten seconds, and a reload is offered', async () => {
  let isHeld = true;
  await onServer(
    async (name, file, response) => {
      if (!isModule(name) || !isHeld) return false;
      const bytes = await readFile(file);
      response.writeHead(200, { 'Content-Length': bytes.length });
      response.write(bytes.subarray(0, 100_000));
      return true;
    },
    async (page) => {
      const began = performance.now();
      await page.locator('#late', { hasText: 'has not started' }).waitFor({ timeout: 10_500 });
      const took = performance.now() - began;
      assert.ok(took < 10_500, `after ${took} ms`);
      assert.match(await page.locator('#late').innerText(), /The download has stopped after 1\d\d KB/);
      isHeld = false;
      await page.click('#late a');
      await page.waitForSelector('html[data-ready]');
      assert.equal(await page.locator('#late').isVisible(), false);
    },
  );
});

// Most of these wait until the page loses patience, so they run in parallel.
describe('the start', { concurrency: 3 }, () => {
  for (const [what, name, says] of /** @type {const} */ ([
    ['a module of which nothing comes', 'ebbline-web_bg.wasm', /The server has sent nothing/],
    [
      'a program of which nothing comes',
      'ebbline-web.js',
      /loaded completely but does not start|The server has sent nothing|The download has stopped/,
    ],
  ])) {
    test(`${what} is told as well`, () =>
      onServer(
        (asked) => asked === name,
        async (page) => {
          await page.locator('#late', { hasText: 'has not started' }).waitFor({ timeout: 12_000 });
          assert.match(await page.locator('#late').innerText(), says);
        },
      ));
  }

  test('a slow download that goes on is told as such, and then the page starts', () =>
    onServer(
      async (name, file, response) => {
        if (!isModule(name)) return false;
        const bytes = await readFile(file);
        response.writeHead(200, { 'Content-Length': bytes.length });
        const step = Math.ceil(bytes.length / 24);
        for (let at = 0; at < bytes.length; at += step) {
          response.write(bytes.subarray(at, at + step));
          await new Promise((resolve) => setTimeout(resolve, 500));
        }
        response.end();
        return true;
      },
      async (page) => {
        await page.locator('#late', { hasText: 'still being loaded' }).waitFor();
        assert.match(await page.locator('#late').innerText(), /slow: \d+ KB are loaded so far/);
        await page.waitForSelector('html[data-ready]');
        await page.locator('#late').waitFor({ state: 'hidden' });
      },
    ));

  test('a page whose second half comes late has no shell beside it', () =>
    onServer(
      async (name, file, response) => {
        if (name !== 'index.html') return false;
        const text = await readFile(file, 'utf8');
        const half = text.indexOf('<main');
        response.writeHead(200, { 'Content-Type': 'text/html' });
        response.write(text.slice(0, half));
        await new Promise((resolve) => setTimeout(resolve, 4_000));
        response.end(text.slice(half));
        return true;
      },
      async (page) => {
        await page.waitForSelector('html[data-open]');
        assert.equal(await page.locator('main').count(), 1);
        assert.equal(await page.locator('.skeleton').count(), 0);
        assert.equal(await page.locator('#panic').count(), 1);
      },
    ));

  test('a module that is none leads to the panel', () =>
    onServer(
      (name, _file, response) => {
        if (!isModule(name)) return false;
        response.end('<html>');
        return true;
      },
      (page) => page.locator('#panic', { hasText: 'has stopped' }).waitFor(),
    ));

  for (const keepAlive of [true, false]) {
    test(`the page starts from a server that ${keepAlive ? 'keeps' : 'closes'} connections, and asks for its module once`, async () => {
      let asked = 0;
      await onServer(
        (name, file, response) => {
          if (!isModule(name)) return false;
          asked += 1;
          createReadStream(file).pipe(response);
          return true;
        },
        async (page) => {
          await page.waitForSelector('html[data-ready]');
          assert.equal(asked, 1);
          assert.equal(await page.locator('link[rel=preload]').count(), 0);
        },
        { keepAlive },
      );
    });
  }

  test("a trap of the page's program leads to the panel, and what is on screen stays", () =>
    onServer(
      () => false,
      async (page) => {
        await page.waitForSelector('html[data-ready]');
        await page.waitForSelector('#list [role=option]');
        // The error that a browser reports when a module traps.
        const trap = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11];
        await page.evaluate(async (bytes) => {
          const { instance } = /** @type {any} */ (await WebAssembly.instantiate(new Uint8Array(bytes)));
          setTimeout(() => instance.exports.f());
        }, trap);
        await page.locator('#panic', { hasText: 'has stopped' }).waitFor();
        assert.match(await page.locator('#panic-report').innerText(), /^ebbline \d+\.\d+\.\d+ RuntimeError: unreachable\b[^]*wasm/);
        assert.ok((await page.locator('#list [role=option]').count()) > 0);
      },
    ));
});
