// The main journeys in Firefox, over WebDriver BiDi. Run by hand: see docs/playground.md.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { executablePath, FLAGS } from '../chromium.mjs';
import { serveDist } from './serve-dist.mjs';

let browser;
let chromium;
let site;

before(async () => {
  site = await serveDist();
  browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr',
    headless: true,
    protocol: 'webDriverBiDi',
  });
  chromium = await puppeteer.launch({ executablePath, args: FLAGS });
});
after(async () => {
  await browser?.close();
  await chromium?.close();
  await site?.close();
});

/** Opens the page, runs `body`, and fails if the page reported an error. */
async function onPage(body, address = '', within = browser) {
  const page = await within.newPage();
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

/** Types a knob's value into its box, which may be among those that do not matter at this moment. */
async function setKnob(page, knob, value) {
  await page.$eval('#all-knobs', (all) => {
    all.open = true;
  });
  await page.$eval(`#${knob}-value`, (box) => box.select());
  await page.type(`#${knob}-value`, String(value));
  await page.keyboard.press('Enter');
  await planned(page);
}

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
    await page.select('#profile', 'ebbline@1');
    await setKnob(page, 'protect', 2_000);
    await setKnob(page, 'context', 64_000);
    assert.match(await text(page, '#verdict'), /become one summary/);
    await page.evaluate(() => document.activeElement.blur());
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
    await says(page, '#lesson-card', 'Step 1 of 9');
  }));

test('an address opens a step of the lesson', () =>
  onPage(async (page) => {
    await says(page, '#lesson-card', 'Step 6 of 9');
  }, '#lesson=6'));

/** What a reader compares: the sentences beside the picture, and the picture's figures message by message. */
async function seen(page) {
  await planned(page);
  const said = {};
  for (const selector of ['#chip summary', '#life-title', '#happening', '#verdict']) said[selector] = await text(page, selector);
  said.policy = await page.$$eval('#profile, #protect-value, #context-value', (boxes) => boxes.map((box) => box.value).sort());
  await page.click('#closer > summary');
  await page.click('#data-table');
  await page.waitForSelector('dialog[open] table');
  said.table = await text(page, 'dialog[open] table');
  return said;
}

for (const [from, to] of [
  ['Firefox', 'Chromium'],
  ['Chromium', 'Firefox'],
]) {
  test(`a link of ${from} opens the same picture in ${to}`, async () => {
    const browsers = { Firefox: browser, Chromium: chromium };
    let address;
    let before;
    await onPage(
      async (page) => {
        await page.select('#profile', 'ebbline@1');
        await planned(page);
        const link = await page.evaluate(() => location.hash);
        await setKnob(page, 'protect', 23_500);
        await page.waitForFunction((link) => location.hash !== link && location.hash !== '', {}, link);
        before = await seen(page);
        address = await page.evaluate(() => location.hash);
      },
      '',
      browsers[from],
    );
    await onPage(async (page) => assert.deepEqual(await seen(page), before), address, browsers[to]);
    assert.ok(before.table.length > 200 && before.policy.includes('23500'), JSON.stringify(before.policy));
  });
}

test('a link of the first version still opens', () =>
  onPage(async (page) => {
    await says(page, '#chip summary', 'bug-hunt');
    await planned(page);
    assert.equal(await page.$eval('#protect-value', (box) => box.value), '30000');
  }, '#1.zolvcGVuY29kZUAyMDI2LTAxIHByb3RlY3Q9MzAwMDAgZm9yY2UgYXQ9NDEgbWVzc2FnZT01OCBmaXQgc2FtcGxlPWJ1Zy1odW50CnBpQDEuNQ'));
