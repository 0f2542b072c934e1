// Bringing sessions in: the samples, several files at once, and sessions that another window hands over.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { asItStands, choose, figures, onPage, press, sample, shown, withBrowser } from './browser.mjs';
import { chat, prose } from './fixtures.mjs';
import { serve } from './serve.mjs';

withBrowser();

const chip = (page) => page.locator('#chip summary .name');
const named = (page, name) => page.locator('#chip summary .name', { hasText: name }).waitFor();
const session = (turns) => chat(Array.from({ length: turns }, () => [400]));

/** Nothing but the page's own files has been asked for since it was there, and nothing of a session was sent. */
function assertPrivate(page) {
  const foreign = page.requests.filter((url) => new URL(url).origin !== new URL(page.url()).origin);
  assert.deepEqual(foreign, []);
  const own = page.requests.map((url) => new URL(url).pathname.split('/').at(-1));
  assert.deepEqual(
    own.filter((name) => !['worker.js', 'ebbline-files.js', 'ebbline-files_bg.wasm'].includes(name)),
    [],
  );
}

/** Drops files onto the page, with their names and texts. */
const dropAll = (page, files) =>
  page.evaluate((files) => {
    const data = new DataTransfer();
    for (const [name, text] of files) data.items.add(new File([text], name));
    document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, files);

const SAMPLES = [
  { title: 'A bug hunt', name: 'bug-hunt.json', format: 'OpenAI Chat', window: '200000' },
  { title: 'A long bug hunt', name: 'charged-twice.jsonl', format: 'Codex', window: '200000' },
  { title: 'Research with huge outputs', name: 'heavy-rain.json', format: 'Anthropic Messages', window: '200000' },
  { title: 'Japanese and Chinese', name: 'catalog-search.json', format: 'OpenAI Chat', window: '200000' },
  { title: 'A session that thrashes', name: 'rollout.json', format: 'OpenAI Responses', window: '32000' },
  { title: 'Recorded compactions', name: 'queue.jsonl', format: 'Claude Code', window: '200000' },
];

test('every sample opens and has something to see', () =>
  onPage(
    async (page) => {
      await press(page, 'Sample');
      const titles = await page.locator('#samples .name').allInnerTexts();
      assert.deepEqual(
        titles,
        SAMPLES.map(({ title }) => title),
      );
      await page.keyboard.press('Escape');
      for (const { title, name, format, window } of SAMPLES) {
        await sample(page, title);
        await named(page, name);
        await page.locator('#chip .what', { hasText: format }).waitFor();
        await page.locator('#opening', { hasText: /Opened where/ }).waitFor();
        await page.locator('#life-title', { hasText: /Request \d/i }).waitFor();
        await page.locator('#happening', { hasText: /compaction fires|prune|summar/ }).waitFor();
        assert.equal(await page.inputValue('#context-value'), window, title);
      }
      assertPrivate(page);
    },
    { opening: true },
  ));

test('a sample that needs a small window says so, and the own window comes back', () =>
  onPage(
    async (page) => {
      await sample(page, 'A session that thrashes');
      await page.locator('#opening', { hasText: 'A window of 32,000 shows best what this sample is about.' }).waitFor();
      const events = figures(await page.locator('#whole-life').innerText());
      assert.ok(
        events.some((count) => count >= 20),
        'it is compacted again and again',
      );
      await page.click('#unfit');
      await page.locator('#unfit').waitFor({ state: 'hidden' });
      assert.equal(await page.inputValue('#context-value'), '200000');
      await sample(page, 'A session that thrashes');
      await page.locator('#unfit').waitFor();
      await sample(page, 'Recorded compactions');
      await named(page, 'queue.jsonl');
      assert.equal(await page.inputValue('#context-value'), '200000');
    },
    { opening: true },
  ));

test('samples and sessions are chosen without a pointer', () =>
  onPage(async (page) => {
    const reach = async (selector) => {
      for (let count = 0; count < 60; count += 1) {
        if (await page.evaluate((selector) => document.activeElement?.matches(selector), selector)) return;
        await page.keyboard.press('Tab');
      }
      assert.fail(`${selector} is not reached by Tab`);
    };
    await page.keyboard.press('Tab');
    await reach('.bring button:last-of-type');
    await page.keyboard.press('Enter');
    await reach('#samples li:nth-child(4) button');
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.equal(outline, 'solid', 'the focus is seen');
    await page.keyboard.press('Enter');
    await shown(page, 'catalog-search.json');
    assert.equal(await page.locator('dialog[open]').count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Sample', 'the focus is back');

    await page.focus('#chip summary');
    await page.keyboard.press('Enter');
    await reach('#sessions li:nth-child(1) button');
    await page.keyboard.press('Enter');
    await shown(page, 'bug-hunt.json');
    assert.equal(await page.getAttribute('#chip', 'open'), null, 'the menu is closed');
    assert.ok(await page.evaluate(() => document.activeElement.matches('#chip summary')), 'the focus is on the chip');
  }));

test('of three dropped files the first opens, and the others wait in a menu', () =>
  onPage(async (page) => {
    await dropAll(page, [
      ['one.json', session(1)],
      ['two.json', session(2)],
      ['three.json', session(3)],
    ]);
    await shown(page, 'one.json');
    assert.match(await page.locator('#note').innerText(), /3 files came at once; the page shows the first, one.json/);
    assert.equal(await page.locator('#chip summary .place').innerText(), '2 of 4');
    await page.click('#chip summary');
    assert.deepEqual(await page.locator('#sessions .name').allInnerTexts(), ['bug-hunt.json', 'one.json', 'two.json', 'three.json']);
    assert.deepEqual(await page.locator('#sessions [aria-current] .name').allInnerTexts(), ['one.json']);
    await page.locator('#sessions').getByRole('button', { name: 'two.json' }).click();
    await shown(page, 'two.json');
    await page.locator('#chip .what', { hasText: '8 messages' }).waitFor();
    assert.equal(await page.locator('#note').count(), 0);
    // The one that was opened first is still there, and so is the sample.
    for (const name of ['one.json', 'bug-hunt.json']) {
      await page.click('#chip summary');
      await page.locator('#sessions').getByRole('button', { name }).click();
      await shown(page, name);
    }
    assertPrivate(page);
  }));

test('several files are chosen at once, and at most twenty stay', () =>
  onPage(async (page) => {
    const files = Array.from({ length: 25 }, (_, at) => ({
      name: `chosen-${at + 1}.json`,
      mimeType: 'application/json',
      buffer: Buffer.from(session(1 + (at % 3))),
    }));
    await page.setInputFiles('#file', files);
    await shown(page, 'chosen-1.json');
    assert.match(await page.locator('#note').innerText(), /25 files came at once.*keeps 20 of them/);
    assert.equal(await page.locator('#sessions li').count(), 20);
    assert.equal(await page.locator('#sessions .name', { hasText: /^chosen-1\.json$/ }).count(), 1);
  }));

test('what is no session does not stay in the menu, and a later session does', () =>
  onPage(async (page) => {
    await choose(page, 'picture.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]));
    await page.locator('#failed', { hasText: 'This is a picture' }).waitFor();
    await choose(page, 'good.json', session(2));
    await shown(page, 'good.json');
    assert.equal(await page.locator('#failed').count(), 0);
    await page.click('#chip summary');
    assert.deepEqual(await page.locator('#sessions .name').allInnerTexts(), ['bug-hunt.json', 'good.json']);
  }));

test('files and a folder dropped from the desktop: the files open, and a folder alone gets a sentence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sessions-'));
  try {
    const files = ['first.json', 'second.json'].map((name) => join(folder, name));
    for (const file of files) await writeFile(file, session(2));
    await onPage(async (page) => {
      const devtools = await page.context().newCDPSession(page);
      const dropPaths = async (files) => {
        const data = { items: [], files, dragOperationsMask: 1 };
        for (const type of ['dragEnter', 'dragOver', 'drop']) {
          await devtools.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
        }
      };
      await dropPaths([folder]);
      await page.locator('#failed', { hasText: 'This is a folder' }).waitFor();
      await dropPaths([files[0], folder, files[1]]);
      await shown(page, 'first.json');
      assert.match(await page.locator('#note').innerText(), /2 files came at once.*1 folder was left out/);
      assert.equal(await page.locator('#failed').count(), 0);
      assert.deepEqual(await page.locator('#sessions li').count(), 3);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** A page of another origin that opens or embeds the playground, gives it messages, and keeps those that it gets. */
const HOST = `<!doctype html><title>A tool</title><script>
  const got = [];
  let playground;
  addEventListener('message', (event) => got.push({ ...event.data, origin: event.origin }));
  addEventListener('launch', (event) => { playground = open(event.detail); });
  addEventListener('embed', (event) => {
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.style = 'width: 1200px; height: 800px';
    frame.src = event.detail;
    playground = frame.contentWindow;
  });
  addEventListener('give', (event) => playground.postMessage(event.detail, '*'));
</script><body>`;

async function onHost(playground, body) {
  /** @type {any} */
  const answer = (_name, _file, response) => {
    response.end(HOST);
    return true;
  };
  const server = await serve({ answer });
  const host = await playground.context().newPage();
  try {
    await host.goto(server.url);
    await body(host);
  } finally {
    await host.close();
    await server.close();
  }
}

/** Lets the host launch or embed the playground, or give it a message. */
const tell = (host, what, detail) => host.evaluate(([what, detail]) => dispatchEvent(new CustomEvent(what, { detail })), [what, detail]);

/** Waits until the host has got this many messages, and returns them. */
async function heard(host, count) {
  await host.waitForFunction(`got.length >= ${count}`);
  return host.evaluate('got');
}

test('a window that opened the page hands a session over, as text, blob and buffer', () =>
  onPage(async (page) => {
    await onHost(page, async (host) => {
      const [play] = await Promise.all([page.context().waitForEvent('page'), tell(host, 'launch', page.url())]);
      const origin = new URL(page.url()).origin;
      assert.deepEqual(await heard(host, 1), [{ ebbline: 'ready', origin }]);
      await play.waitForSelector('html[data-open]');
      const requests = [];
      play.on('request', (request) => requests.push(request.url()));
      const text = session(2);
      for (const [at, kind] of ['text', 'blob', 'buffer'].entries()) {
        await host.evaluate(
          ([text, kind]) => {
            const content = { text, blob: new Blob([text]), buffer: new TextEncoder().encode(text).buffer }[kind];
            const detail = { ebbline: 'open', name: `given.${kind}.json`, [kind]: content };
            dispatchEvent(new CustomEvent('give', { detail }));
          },
          [text, kind],
        );
        const answers = await heard(host, at + 2);
        assert.deepEqual(answers[at + 1], { ebbline: 'opened', name: `given.${kind}.json`, messages: 8, origin });
        await named(play, `given.${kind}.json`);
        assert.match(await play.locator('#note').innerText(), /was handed over by http:\/\/127\.0\.0\.1:\d+/);
      }
      await asItStands(play);
      await play.click('#chip summary');
      assert.match(await play.locator('#chip .sheet').innerText(), /This session was handed over by http:\/\/127\.0\.0\.1:\d+/);
      assert.ok(!JSON.stringify(await heard(host, 4)).includes(prose(20)), 'nothing of the session comes back');
      // Only the worker's own files, for each session again.
      const own = requests.map((url) => (url.startsWith('blob:') ? url : new URL(url).pathname.slice(1)));
      assert.deepEqual(
        own.filter((name) => !['worker.js', 'ebbline-files.js', 'ebbline-files_bg.wasm'].includes(name) && !name.startsWith('blob:')),
        [],
      );
    });
  }));

test('a page that embeds the playground hands a session over, and every wrong message gets a sentence', () =>
  onPage(async (page) => {
    await onHost(page, async (host) => {
      await tell(host, 'embed', page.url());
      const origin = new URL(page.url()).origin;
      assert.deepEqual(await heard(host, 1), [{ ebbline: 'ready', origin }]);
      const play = host.frameLocator('iframe');
      await play.locator('html[data-open]').waitFor({ state: 'attached' });

      const good = { ebbline: 'open', name: 'a.json', text: session(1) };
      const wrong = [
        { message: { ebbline: 'close' }, sentence: /only message that is taken/ },
        { message: { ...good, name: '' }, sentence: /`name` has to be/ },
        { message: { ...good, text: 7 }, sentence: /`text` has to be a text/ },
        { message: { ebbline: 'open', name: 'a.json' }, sentence: /one of `text`, `blob` and `buffer`/ },
        { message: { ...good, readAs: 'nothing' }, sentence: /`readAs` has to be the name of a format/ },
        { message: { ...good, more: 1 }, sentence: /a member `more`/ },
        { message: { ...good, text: 'no session' }, sentence: /not JSON/ },
      ];
      // These are for somebody else.
      for (const other of ['text', null, 7, { hello: 1 }, { ebbline: 'opened' }, [good]]) {
        await tell(host, 'give', other);
      }
      for (const [at, { message, sentence }] of wrong.entries()) {
        await tell(host, 'give', message);
        const answer = (await heard(host, at + 2))[at + 1];
        assert.equal(answer.ebbline, 'failed');
        assert.match(answer.sentence, sentence);
        assert.ok(answer.code.length > 0);
        assert.equal(await play.locator('#chip summary .name').innerText(), 'bug-hunt.json');
      }
      const before = wrong.length + 1;
      // Of two at once the second wins, and the first is told.
      await host.evaluate((good) => {
        const second = { ...good, name: 'b.json', readAs: 'openai_chat' };
        for (const detail of [good, second]) dispatchEvent(new CustomEvent('give', { detail }));
      }, good);
      const last = (await heard(host, before + 2)).slice(before);
      assert.deepEqual([last[0].ebbline, last[0].name, last[0].code], ['failed', 'a.json', 'replaced']);
      assert.deepEqual(last[1], { ebbline: 'opened', name: 'b.json', messages: 4, origin });
      await play.locator('#chip summary .name', { hasText: 'b.json' }).waitFor();
      assert.match(await play.locator('#note').innerText(), /b\.json was handed over by http/);
    });
  }));

test('a message from anywhere else is ignored', () =>
  onPage(async (page) => {
    await page.evaluate(
      (text) =>
        new Promise((resolve) => {
          addEventListener('message', (event) => event.data === 'after' && resolve(undefined));
          postMessage({ ebbline: 'open', name: 'own.json', text }, '*');
          postMessage({ ebbline: 'wrong' }, '*');
          postMessage('after', '*');
        }),
      session(1),
    );
    assert.equal(await page.locator('#failed, #loading, #note').count(), 0);
    assert.equal(await chip(page).innerText(), 'bug-hunt.json');
    assert.equal(await page.locator('#sessions').count(), 0);
    assert.deepEqual(page.requests, []);
  }));
