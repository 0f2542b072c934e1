// The package in a browser, without a bundler: the entry file is imported unchanged from the package.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { after, before, test } from 'node:test';

import { launch, noBrowser as skip } from '../chromium.mjs';
import { ebbline, fixture, packageFolder } from './package.mjs';

const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html' };
/** What a strict page allows: its own files, and WebAssembly. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

let server;
let browser;
let origin;

before(async () => {
  if (skip) return;
  server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname);
    const file = join(packageFolder, path);
    response.setHeader('Content-Security-Policy', POLICY);
    if (path === '/') return response.setHeader('Content-Type', TYPES['.html']).end('<!doctype html><title>ebbline</title>');
    if (!existsSync(file)) return response.writeHead(404).end();
    response.setHeader('Content-Type', TYPES[extname(file)] ?? 'text/plain').end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.close();
});

async function open() {
  const page = await browser.newPage();
  const requests = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.goto(origin);
  return { page, requests };
}

test('before init a call says what to do; after it, plans are those of Node', { skip }, async () => {
  const { page, requests } = await open();
  const text = fixture('anthropic-messages.json');
  const answers = await page.evaluate(async (session) => {
    const { EbblineError, compact, detect, init, plan, profiles } = await import('/dist/web.js');
    const early = [];
    for (const call of [
      () => plan(session),
      () => plan([]),
      () => detect(session),
      () => profiles(),
      () => compact([{ role: 'user', content: '' }]),
    ]) {
      try {
        call();
      } catch (error) {
        early.push([error instanceof EbblineError, error.code, error.message]);
      }
    }
    await Promise.all([init(), init()]);
    await init();
    try {
      plan(session);
    } catch (error) {
      early.push([error instanceof EbblineError, error.code, error.message]);
    }
    const alone = plan(JSON.parse(session)).verdict;
    await Promise.all([init({ files: true }), init({ files: true })]);
    const messages = JSON.parse(session);
    const options = {
      set: { 'prune.protect': 100, 'prune.minimum': 1, 'prune.onlyWhenFull': false, 'prune.downTo': 0, 'prune.protectedTurns': 1 },
      now: 1,
    };
    const live = compact(messages, options);
    return {
      early,
      alone,
      text: plan(session, options),
      live: live.plan,
      same: live.messages.filter((message, at) => message === messages[at]).length,
      compacted: compact(session, options).text,
      detected: detect(session),
      profiles: profiles(),
    };
  }, text);
  assert.equal(answers.early.length, 6);
  for (const [at, [ours, code, message]] of answers.early.entries()) {
    assert.deepEqual([ours, code], [true, 'not_initialized']);
    // What reads a text and nothing else names the module for texts at once.
    assert.match(message, [2, 5].includes(at) ? /await init\(\{ files: true \}\)` first/ : /await init\(\)` first/);
  }
  assert.equal(answers.alone, ebbline.plan(JSON.parse(text)).verdict);
  const options = {
    set: { 'prune.protect': 100, 'prune.minimum': 1, 'prune.onlyWhenFull': false, 'prune.downTo': 0, 'prune.protectedTurns': 1 },
    now: 1,
  };
  assert.deepEqual(answers.text, ebbline.plan(text, options));
  assert.deepEqual(answers.live, answers.text);
  assert.ok(answers.same > 0 && answers.same < 12);
  assert.equal(answers.compacted, ebbline.compact(text, options).text);
  assert.deepEqual(answers.detected, ebbline.detect(text));
  assert.deepEqual(answers.profiles, ebbline.profiles());
  const modules = requests.filter((path) => path.endsWith('.wasm'));
  assert.deepEqual(modules, ['/dist/ebbline.wasm', '/dist/files.wasm'], 'each module is loaded once');
  await page.close();
});

test('init tries again after a failure, and takes the engine from wherever it is', { skip }, async () => {
  const { page } = await open();
  const answers = await page.evaluate(async () => {
    const { init, plan } = await import('/dist/web.js');
    const failed = await init({ engine: '/nowhere.wasm' }).then(
      () => 'loaded',
      () => 'failed',
    );
    const module = await WebAssembly.compileStreaming(fetch('/dist/ebbline.wasm'));
    await init({ engine: module });
    const misused = await init('/dist/ebbline.wasm').then(
      () => 'loaded',
      (error) => error.code,
    );
    return { failed, misused, verdict: plan([{ role: 'user', content: 'hi' }]).verdict };
  });
  assert.deepEqual([answers.failed, answers.misused, answers.verdict], ['failed', 'invalid_option', 'noop']);
  await page.close();
});

test('compat is loaded when init is asked for it', { skip }, async () => {
  const { page, requests } = await open();
  const entries = JSON.parse(fixture('pi-messages.json'));
  const answers = await page.evaluate(async (messages) => {
    const { EbblineError, compat, init } = await import('/dist/web.js');
    const early = (ask) => {
      try {
        return ask();
      } catch (error) {
        return [error instanceof EbblineError, error.code, error.message];
      }
    };
    const ask = () => compat.pi.estimate(messages);
    const first = early(ask);
    await init();
    const second = early(ask);
    const failed = await init({ compat: '/nowhere.wasm' }).then(
      () => 'loaded',
      () => 'failed',
    );
    await Promise.all([init({ compat: true }), init({ compat: true })]);
    return { first, second, failed, answer: ask(), refused: early(() => compat.pi.estimate('[')).slice(0, 2) };
  }, entries);
  for (const [ours, code, message] of [answers.first, answers.second]) {
    assert.deepEqual([ours, code], [true, 'not_initialized']);
    assert.match(message, /await init\(\{ compat: true \}\)/);
  }
  assert.equal(answers.failed, 'failed');
  assert.deepEqual(answers.answer, ebbline.compat.pi.estimate(entries));
  assert.equal(answers.refused[0], true);
  const modules = requests.filter((path) => path.endsWith('.wasm'));
  assert.deepEqual(modules, ['/dist/ebbline.wasm', '/nowhere.wasm', '/dist/compat.wasm'], 'each module is loaded once');
  await page.close();
});
