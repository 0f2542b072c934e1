import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, drop, onPage, press, sample, shown, verdict, withBrowser } from './browser.mjs';
import { chat, prunable } from './fixtures.mjs';

withBrowser();

test('dropped, chosen and pasted, a session is the same', () =>
  onPage(async (page) => {
    const text = prunable();
    await drop(page, 'dropped.json', text);
    await shown(page, 'dropped.json');
    const said = await verdict(page);

    await sample(page, 'A bug hunt');
    await shown(page, 'bug-hunt.json');
    assert.notEqual(await verdict(page), said);
    await choose(page, 'chosen.json', text);
    await shown(page, 'chosen.json');
    assert.equal(await verdict(page), said);

    await sample(page, 'A bug hunt');
    await press(page, 'Paste');
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      document.querySelector('#pasted').dispatchEvent(event);
    }, text);
    assert.equal((await page.inputValue('#pasted')).length, 2048, 'only the beginning stands in the field');
    await page.click('text=Read it');
    await shown(page, 'pasted.json');
    assert.equal(await verdict(page), said);
  }));

test('the chip says what was read', () =>
  onPage(async (page) => {
    const bad = '{"role":"user","content":"one"}\n{"role":"assistant","content":\n{"role":"assistant","content":"two"}\nnonsense\n';
    await choose(page, 'lines.jsonl', bad);
    await shown(page, 'lines.jsonl');
    assert.match(await page.locator('#chip summary').innerText(), /2 problems/);
    await page.click('#chip summary');
    const sheet = await page.locator('#chip .sheet').innerText();
    for (const said of [/OpenAI Chat/, /Messages\s+2/, /line 2 · byte 6\d/, /line 4 · byte/, /by kinds of characters/]) {
      assert.match(sheet, said);
    }
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#chip').getAttribute('open'), null);
  }));

const BAD = /** @type {const} */ ([
  ['empty.json', '', /nothing in it/],
  ['words.json', 'hello there', /not JSON/],
  ['torn.json', '[{"role":"user","content":"x"},', /stops in the middle/],
  ['other.json', '{"name":"shop","version":1}', /no messages in it: an object with name, version/],
  ['archive.json.gz', Buffer.from([0x1f, 0x8b, 8, 0, 0xff]), /gzip archive/],
  ['picture.json', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10]), /not a text file/],
  ['deep.json', '['.repeat(100_000), /nested too deeply/],
]);

test('what cannot be read gets a sentence of its own, and the session stays', () =>
  onPage(async (page) => {
    const said = await verdict(page);
    const sentences = new Set();
    for (const [name, text, sentence] of BAD) {
      await choose(page, name, text);
      await page.locator('#failed h2', { hasText: name }).waitFor();
      const panel = await page.locator('#failed').innerText();
      assert.match(panel, sentence);
      sentences.add(await page.locator('#failed p').first().innerText());
      assert.equal(await verdict(page), said);
      assert.equal(await page.locator('#chip summary .name').innerText(), 'bug-hunt.json');
    }
    assert.equal(sentences.size, BAD.length);
    await choose(page, 'broken.json', '[{"role":"user","content":"hi"},\n{"role":"assistant" "content":"x"}]');
    await page.locator('#failed h2', { hasText: 'broken.json' }).waitFor();
    const panel = await page.locator('#failed').innerText();
    assert.match(panel, /line 2 · byte 53/);
    assert.match(panel, /"assistant" .*here.*"content"/s);
    await choose(page, 'good.json', chat([[400]]));
    await shown(page, 'good.json');
    assert.equal(await page.locator('#failed').count(), 0);
  }));

test('text of a session is never markup', () =>
  onPage(async (page) => {
    const payload = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>';
    await choose(
      page,
      `${payload}.json`.replaceAll('/', ''),
      JSON.stringify([
        { role: 'user', content: payload },
        { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: payload, arguments: payload } }] },
        { role: 'tool', tool_call_id: 'a', content: payload },
      ]),
    );
    await page.locator('#chip .what', { hasText: '3 messages' }).waitFor();
    for (let row = 0; row < 3; row += 1) {
      await page.locator('#list [role=option]').nth(row).click();
      for (const key of ['1', '2', '3']) await page.keyboard.press(key);
    }
    assert.match(await page.locator('#inspector-text').innerText(), /<img src=x/);
    assert.equal(await page.evaluate(() => window.hurt), undefined);
    assert.equal(await page.locator('main img').count(), 0);
  }));

test('a text may be dropped or pasted anywhere, and of several files the first is shown and said', () =>
  onPage(async (page) => {
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, prunable());
    await shown(page, 'pasted.json');
    await sample(page, 'A bug hunt');
    await shown(page, 'bug-hunt.json');
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }, prunable());
    await shown(page, 'pasted.json');
    await page.evaluate((text) => {
      const data = new DataTransfer();
      for (const name of ['one.json', 'two.json']) data.items.add(new File([text], name));
      document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, prunable());
    await shown(page, 'one.json');
    assert.match(await page.locator('#note').innerText(), /2 files came at once; the page shows the first, one.json/);
  }));

test('a number that no knob can have leaves the value as it was', () =>
  onPage(async (page) => {
    await page.fill('#protect-value', '999999999999999999999');
    await page.press('#protect-value', 'Enter');
    assert.equal(await page.inputValue('#protect-value'), '20000');
  }));
