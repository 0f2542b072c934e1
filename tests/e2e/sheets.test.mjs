// What the worker writes: the comparison of two policies, cost and loss, what the summary has to carry, and the summary itself.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { closer, figures, onPage, planned, setKnob, verdict, withBrowser } from './browser.mjs';

withBrowser();

const opening = { opening: true };
const cells = (page, caption) =>
  page
    .locator('.written .table', { hasText: caption })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
const of = (rows, name) => rows.find(([first]) => first === name)?.slice(1);
const compared = async (page) => {
  await closer(page, '#compare-switch');
  await page.locator('.compare table').first().waitFor();
};

test('two policies: names carry the options, the figures are those of the page, and the line of B appears', () =>
  onPage(async (page) => {
    const afterA = figures(await verdict(page)).at(-1);
    await compared(page);
    await page.locator('.compare', { hasText: 'They are the same' }).waitFor();
    const before = await page.locator('.sawtooth canvas').evaluate((/** @type {any} */ canvas) => canvas.toDataURL());
    await setKnob(page, 'protect', 60_000);
    await page.locator('.compare', { hasText: 'B, on the knobs: ebbline@3 · protect 60k' }).waitFor();
    const once = await cells(page, 'Once, on the context');
    assert.equal(Number(of(once, 'Context after, tokens')[0].replaceAll(',', '')), afterA);
    assert.equal(Number(of(once, 'Context after, tokens')[1].replaceAll(',', '')), figures(await verdict(page)).at(-1));
    await page.waitForFunction((before) => /** @type {any} */ (document.querySelector('.sawtooth canvas')).toDataURL() !== before, before);
    // The walk visits the messages whose outcome differs.
    const walk = page.locator('.compare button', { hasText: 'Walk through' });
    const count = figures(await walk.innerText())[0];
    assert.equal((await cells(page, 'whose outcome differs')).length, Math.min(count, 40));
    await walk.click();
    await page.locator('#found-of', { hasText: 'another outcome' }).waitFor();
    await page.locator('.count', { hasText: `${count} of 115` }).waitFor();
  }, opening));

test('while two policies are compared, the menu of profiles chooses the second', () =>
  onPage(async (page) => {
    await compared(page);
    const life = await page.locator('#whole-life').innerText();
    await page.selectOption('#profile', 'pi@1.5');
    await page.locator('.compare', { hasText: 'until here: ebbline@3 · window 200k. B, on the knobs: pi@1.5 · window 200k.' }).waitFor();
    await planned(page);
    assert.equal(await page.locator('#whole-life').innerText(), life, 'A still writes the history');
    await page.click('.compare >> text=Use B from the start');
    await page.locator('#whole-life', { hasText: 'under pi@1.5:' }).waitFor();
  }, opening));

test('swapping A and B twice changes nothing', () =>
  onPage(async (page) => {
    await compared(page);
    await setKnob(page, 'protect', 60_000);
    const names = () => page.locator('.compare .written > p').first().innerText();
    await page.locator('.compare', { hasText: 'protect 60k' }).waitFor();
    const [first, table] = [await names(), await cells(page, 'Over the whole session')];
    const swap = async () => {
      const before = await names();
      await page.click('.compare >> text=Swap A and B');
      await page.waitForFunction((before) => document.querySelector('.compare .written > p').textContent !== before, before);
      await planned(page);
    };
    await swap();
    assert.match(await names(), /until here: ebbline@3 · protect 60k .*knobs: ebbline@3 · window/);
    const swapped = await cells(page, 'Over the whole session');
    for (const [name, a, b] of swapped) assert.deepEqual([b, a], of(table, name).slice(0, 2), name);
    await swap();
    assert.equal(await names(), first);
    assert.deepEqual(await cells(page, 'Over the whole session'), table);
  }, opening));

test('a rate that is typed changes the cost, a price makes it money, and nonsense is named', () =>
  onPage(async (page) => {
    await compared(page);
    await setKnob(page, 'protect', 60_000);
    await page.locator('.compare', { hasText: 'protect 60k' }).waitFor();
    const cost = async (name) => of(await cells(page, 'Over the whole session'), name);
    const [tokens] = await cost('Cost, in input tokens');
    await page.fill('#field-rate-read', '0.5');
    await page.waitForFunction((tokens) => !document.querySelector('.compare').textContent.includes(tokens), tokens);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'field-rate-read', 'the field keeps the focus');
    await page.fill('#field-price', '3');
    await page.locator('.compare th', { hasText: /^Cost$/ }).waitFor();
    assert.match((await cost('Cost'))[0], /^\d+\.\d\d$/);
    await page.fill('#field-rate-output', 'dear');
    await page.locator('.compare [role=alert]', { hasText: 'Output token' }).waitFor();
  }, opening));

test('the frontier shows every profile, and a click takes the settings of a point', () =>
  onPage(async (page) => {
    await closer(page, '#what-costs');
    await page.locator('#frontier .dot').first().waitFor();
    const profiles = await page.locator('#profile option').evaluateAll((options) => options.map((option) => option.value));
    const rows = await cells(page, 'The policies');
    for (const profile of profiles)
      assert.ok(
        rows.some(([name]) => name.includes(profile)),
        profile,
      );
    assert.ok((await page.locator('#frontier .dot').count()) <= rows.length);
    assert.ok(await page.locator('#frontier img').evaluate((image) => image.complete && image.naturalWidth > 0), 'the picture is drawn');
    await page.locator('#frontier .table button', { hasText: /^pi@1\.5$/ }).click();
    await page.keyboard.press('Escape');
    await planned(page);
    assert.equal(await page.inputValue('#profile'), 'pi@1.5');
  }, opening));

test('what the summary has to carry leads to the messages that contain it', () =>
  onPage(async (page) => {
    await closer(page, '#what-is-carried');
    const first = page.locator('#facts .table button').first();
    const name = await first.innerText();
    await first.click();
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await page.locator('#found-of', { hasText: name.slice(0, 12) }).waitFor();
  }, opening));

test('the summary: the request can be saved, a refusal is refused, a summary is accepted', () =>
  onPage(async (page) => {
    await closer(page, '#what-is-asked');
    const sheet = page.locator('#summary-sheet');
    await sheet.locator('summary', { hasText: 'The message' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      sheet.locator('.text-of', { hasText: 'The message' }).getByText('Save').click(),
    ]);
    assert.equal(file.suggestedFilename(), 'summary-request.txt');
    assert.match(await readFile(await file.path(), 'utf8'), /\[User\]: /);
    await sheet.locator('#field-answer').fill("I'm sorry, but I cannot help with that.");
    await sheet.locator('[role=alert]', { hasText: 'Refused' }).waitFor();
    await sheet.locator('summary', { hasText: 'The summary by rule' }).click();
    const own = await sheet.locator('.text-of', { hasText: 'The summary by rule' }).locator('pre').innerText();
    await sheet.locator('#field-answer').fill(own);
    await sheet.getByText('Accepted: the context goes from').waitFor();
  }, opening));
