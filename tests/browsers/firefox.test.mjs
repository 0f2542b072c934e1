// The main journeys in Firefox, over WebDriver BiDi. Run by hand: see docs/playground.md.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { serveDist } from './serve-dist.mjs';

let browser;
let site;

before(async () => {
  site = await serveDist();
  browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr',
    headless: true,
    protocol: 'webDriverBiDi',
  });
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/** Opens the page, runs `body`, and fails if the page reported an error. */
async function onPage(body, address = '') {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  await page.setViewport({ width: 1440, height: 900 });
  const faults = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  try {
    await page.goto(site.url + address);
    await page.waitForSelector('html[data-open]');
    await body(page);
    assert.deepEqual(faults, []);
  } finally {
    await page.close();
  }
}

const text = (page, selector) => page.$eval(selector, (element) => element.textContent.trim());
const planned = (page) => page.waitForFunction(() => !document.querySelector('main.stale'));
const says = (page, selector, words) =>
  page.waitForFunction((selector, words) => document.querySelector(selector)?.textContent.includes(words), {}, selector, words);

test('the sample opens at its first full request, and both pictures are drawn', () =>
  onPage(async (page) => {
    await says(page, '#happening', 'compaction fires');
    for (const picture of ['.sawtooth canvas', '.strip canvas']) {
      const painted = await page.$eval(picture, (canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size;
      });
      assert.ok(painted > 3, `${painted} colors in ${picture}`);
    }
  }));

test('keys move through the life, and a boundary moves by the keyboard', () =>
  onPage(async (page) => {
    const title = await text(page, '#life-title');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction((title) => document.querySelector('#life-title').textContent.trim() !== title, {}, title);
    await page.keyboard.press(']');
    await says(page, '#happening', 'compaction fires');
    const before = await text(page, '#verdict');
    await page.focus('#handle-prune');
    for (let press = 0; press < 10; press += 1) await page.keyboard.press('ArrowLeft');
    await planned(page);
    assert.notEqual(await text(page, '#verdict'), before);
  }));

test('a file is opened, a knob typed, and the session exported', () =>
  onPage(async (page) => {
    const messages = [{ role: 'user', content: 'Mend it.' }];
    for (let at = 0; at < 40; at += 1) {
      messages.push({
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'read', arguments: '{}' } }],
      });
      messages.push({ role: 'tool', tool_call_id: `c${at}`, content: `line ${at}\n`.repeat(400) });
    }
    const file = new Blob([JSON.stringify(messages)]);
    const bytes = [...new Uint8Array(await file.arrayBuffer())];
    await page.$eval(
      '#file',
      (input, bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], 'own.json'));
        input.files = data.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));
      },
      bytes,
    );
    await says(page, '#chip summary', 'own.json');
    await planned(page);
    await page.$eval('#protect-value', (box) => {
      box.value = '2000';
      box.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await planned(page);
    assert.match(await text(page, '#verdict'), /old outputs/);
    await page.keyboard.press('e');
    await page.waitForSelector('#export .file');
    assert.match(await text(page, '#export .file'), /"role":"user"/);
  }));

test('two policies, the summary and the lesson', () =>
  onPage(async (page) => {
    await page.keyboard.press('c');
    await page.waitForSelector('.compare table');
    await page.click('#closer > summary');
    await page.click('#what-is-asked');
    await page.waitForSelector('#field-answer');
    await page.type('#field-answer', 'I am sorry, but I cannot help with that.');
    await says(page, '#summary-sheet', 'Refused');
    await page.keyboard.press('Escape');
    await page.keyboard.press('l');
    await says(page, '#lesson-card', 'Step 1 of 8');
  }));

test('an address opens a step of the lesson', () =>
  onPage(async (page) => {
    await says(page, '#lesson-card', 'Step 6 of 8');
  }, '#lesson=6'));
