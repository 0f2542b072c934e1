import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, figures, onPage, plan, profile, pruneEarly, setKnob, shown, verdict, withBrowser } from './browser.mjs';
import { prunable } from './fixtures.mjs';

withBrowser();

test("the sample is planned at first sight, with the engine's own numbers", () =>
  onPage(async (page) => {
    const said = figures(await verdict(page));
    const { verdict: decided, tokensBefore, tokensAfter, prune, trigger, messages } = await plan(page);
    assert.equal(decided, 'prune');
    assert.deepEqual(said, [tokensBefore, trigger.context, prune.outputs, prune.reclaimed, tokensBefore, tokensAfter]);
    assert.equal(await page.locator('#chip .what').innerText(), `OpenAI Chat · ${messages.length} messages`);
    assert.match(await page.locator('.grounds').innerText(), /All figures are estimates/);
  }));

test('the default prunes when the context is full, and says so beside the sample and beside a session that is not full', () =>
  onPage(async (page) => {
    const { profile, tokensBefore, trigger } = await plan(page);
    assert.equal(profile, 'ebbline@3');
    assert.ok(tokensBefore > trigger.threshold, 'the sample is full');
    assert.match(
      await page.locator('.grounds').innerText(),
      /^Pruning fires above 170,000; the newest 20,000 tokens of tool output are protected\. What is left is below 170,000/,
    );
    assert.match(await page.locator('.legend').innerText(), /compaction fires at 170,000/);
    assert.match(await page.locator('.settings').textContent(), /nothing changes until the window is 85% full/);

    await choose(page, 'prunable.json', prunable());
    await shown(page, 'prunable.json');
    await page.locator('#verdict', { hasText: 'Nothing to do' }).waitFor();
    const { verdict: decided, trigger: other } = await plan(page);
    assert.equal(decided, 'noop');
    const [threshold, left] = figures(await page.locator('.grounds').innerText());
    assert.deepEqual([threshold, left], [other.threshold, other.threshold - other.tokens]);
    assert.match(
      await page.locator('.grounds').innerText(),
      /until the context is full.*Summarizing follows only if pruning does not make enough room/,
    );
    assert.match(await page.locator('#instead-prune').innerText(), /the context is full only above [\d,]+ tokens\./);
  }));

test('a smaller window makes it summarize as well', () =>
  onPage(async (page) => {
    await pruneEarly(page);
    await setKnob(page, 'context', 32_000);
    const { verdict: decided, retain, tokensAfter } = await plan(page);
    assert.equal(decided, 'prune_then_summarize');
    const said = figures(await verdict(page));
    assert.equal(said.at(-1), tokensAfter);
    assert.ok(said.includes(retain.messages));
    const picture = await page.getAttribute('.picture canvas', 'aria-label');
    assert.ok(figures(picture).includes(tokensAfter), picture);
  }));

test('every verdict is announced once it stands still', () =>
  onPage(async (page) => {
    await pruneEarly(page);
    await setKnob(page, 'protect', 70_000);
    await page.waitForFunction(() => document.querySelector('#announced').textContent.includes('newest 70,000 tokens'));
    const visible = `${await verdict(page)}`;
    const announced = await page.locator('#announced').textContent();
    assert.ok(announced.startsWith(visible), announced);
  }));

test('nothing is requested once page and worker have loaded, whatever is opened or taken home', () =>
  onPage(async (page) => {
    await setKnob(page, 'protect', 10_000);
    await page.locator('#list [role=option]').nth(3).click();
    await page.fill('#find', 'voucher');
    await page.waitForFunction(() => document.querySelector('.count').textContent.includes('of'));
    await plan(page);
    await page.keyboard.press('t');
    assert.deepEqual(page.requests, []);
    const kept = await page.evaluate(() => Object.entries(localStorage));
    const expected = [
      ['ebbline.settings', 'ebbline@3 protect=10000'],
      ['ebbline.theme', 'light'],
    ];
    assert.deepEqual(kept.sort(), expected, 'theme and settings are kept, and nothing of the session');
  }));

test('all profiles can be chosen, and a turned knob is marked', () =>
  onPage(async (page) => {
    const names = await page.locator('#profile option').evaluateAll((options) => options.map((option) => option.value));
    assert.ok(names.length >= 5);
    for (const name of names) {
      await profile(page, name);
      assert.equal((await plan(page)).profile, name);
      assert.equal(await page.locator('.profile-name').innerText(), name);
    }
    await profile(page, names[0]);
    await setKnob(page, 'keep', 31_000);
    assert.equal(await page.locator('.profile-name').innerText(), `${names[0]}*`);
    await page.click('#reset');
    assert.equal(await page.inputValue('#keep-value'), '20000');
  }));

test('the theme is kept over visits and set before the page is painted', () =>
  onPage(async (page) => {
    await page.keyboard.press('t');
    await page.keyboard.press('t');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await page.reload({ waitUntil: 'commit' });
    await page.waitForSelector('.headline', { state: 'attached' });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), 'rgb(15, 20, 25)');
  }));
