import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, onPage, plan, pruneEarly, setKnob, shown, withBrowser } from './browser.mjs';
import { chat, prunable, prose } from './fixtures.mjs';

withBrowser();

const PLACEHOLDER = /^\[Old tool result content cleared\] \[ref [a-p]{8}\]$/u;

test('a pruned output is shown before, after and raw, with the reason in numbers', () =>
  onPage(async (page) => {
    const source = JSON.parse(prunable());
    await pruneEarly(page);
    await choose(page, 'prunable.json', prunable());
    await shown(page, 'prunable.json');
    const { messages, prune } = await plan(page);
    // The output that crosses the boundary is selected initially.
    const at = prune.boundary.message;
    await page.locator('#inspector-title', { hasText: `#${at + 1}` }).waitFor();
    // The sentence about a message comes from the worker, a moment after its number.
    await page.locator('#why', { hasText: /cross the limit of 40,000, so it is cleared whole/ }).waitFor();
    assert.equal(await page.locator('#inspector-text pre').innerText(), source[at].content);
    await page.click('#tab-after');
    assert.match(await page.locator('#inspector-text pre').innerText(), PLACEHOLDER);
    await page.click('#tab-raw');
    assert.deepEqual(JSON.parse(await page.locator('#inspector-text pre').innerText()), source[at]);
    assert.equal(messages[at].fate, 'pruned');

    await page.click('#tab-before');
    await page.click('text=called by');
    await page.locator('#inspector-title', { hasText: `#${at}` }).waitFor();
    await page.locator('#why', { hasText: /Pruning clears only tool outputs/ }).waitFor();
    await page.click('text=answered by');
    await page.locator('#inspector-title', { hasText: `#${at + 1}` }).waitFor();
  }));

test('what is summarized after being pruned is said to be', () =>
  onPage(async (page) => {
    await pruneEarly(page);
    await setKnob(page, 'context', 32_000);
    await page.focus('#list');
    await page.keyboard.press('Home');
    for (let row = 0; row < 3; row += 1) await page.keyboard.press('ArrowDown');
    // The words of the row before are there until the worker answers.
    const why = page.locator('#why', { hasText: 'It goes into the summary' });
    await why.filter({ hasText: 'pruned first: the summarizer sees the placeholder' }).waitFor();
    await page.keyboard.press('2');
    await page.locator('#inspector-text', { hasText: 'a summary replaces it' }).waitFor();
  }));

test('long texts are cut and shown whole when asked for', () =>
  onPage(async (page) => {
    await choose(page, 'long.json', chat([[200_000], [10], [10]]));
    await shown(page, 'long.json');
    await page.focus('#list');
    await page.keyboard.press('Home');
    for (let row = 0; row < 2; row += 1) await page.keyboard.press('ArrowDown');
    await page.locator('.more', { hasText: '134,464 more characters not shown' }).waitFor();
    await page.click('text=Show all');
    await page.locator('.more').waitFor({ state: 'hidden' });
    assert.equal((await page.locator('#inspector-text pre').textContent()).length, 200_000);
  }));

test('text is found wherever it stands, and filters narrow the list', () =>
  onPage(async (page) => {
    const needle = 'a needle in the haystack';
    const text = chat([[4_000], [4_000], [4_000]]).replace(prose(40, 200).slice(5, 40), `${needle} "quoted"`.replaceAll('"', '\\"'));
    await choose(page, 'found.json', text);
    await shown(page, 'found.json');
    await page.keyboard.press('/');
    await page.keyboard.type('NEEDLE in the haystack "quoted"');
    await page.locator('.count', { hasText: '1 of 12' }).waitFor();
    assert.equal(await page.locator('#list [role=option]').count(), 1);
    assert.equal(await page.locator('#status').innerText(), '1 message with this text.');
    await page.fill('#find', '');
    await page.locator('.count', { hasText: /^12$/ }).waitFor();
    await page.selectOption('#only-kind', 'tool');
    await page.locator('.count', { hasText: '3 of 12' }).waitFor();
    await page.selectOption('#only-fate', 'pruned');
    await page.locator('.none', { hasText: 'No message passes' }).waitFor();
  }));

test('clicking the picture selects the message under the pointer', () =>
  onPage(async (page) => {
    const picture = await page.locator('.picture canvas').boundingBox();
    await page.mouse.move(picture.x + picture.width * 0.3, picture.y + 60);
    const pointed = await page.locator('.pointed.shown').innerText();
    await page.mouse.click(picture.x + picture.width * 0.3, picture.y + 60);
    const number = pointed.match(/#(\d+)/)[1];
    await page.locator('#inspector-title', { hasText: `#${number}` }).waitFor();
    await page.locator(`[data-message="${number - 1}"][aria-selected=true]`).waitFor();
  }));
