// The lesson on the screen itself.
import assert from 'node:assert/strict';
import test from 'node:test';
import { choose, onPage, planned, profile, sample, setKnob, verdict, withBrowser } from './browser.mjs';

withBrowser();

const opening = { opening: true };
const step = (page, number) => page.locator('#lesson-card h3', { hasText: `Step ${number} of 8` }).waitFor();
const way = (page, name) => page.locator('#lesson-card').getByRole('button', { name, exact: true }).click();

test('eight steps forwards and back, each prediction has feedback, and what each is about is marked', () =>
  onPage(async (page) => {
    await page.click('#learn');
    for (let number = 1; number <= 8; number += 1) {
      await step(page, number);
      await page.locator('main[data-light]:not([data-light=""])').waitFor();
      const answers = page.locator('#lesson-card .actions-row').first().locator('button');
      const count = await answers.count();
      assert.ok(count >= 2, `${count} answers in step ${number}`);
      const right = [];
      for (let at = 0; at < count; at += 1) {
        const text = await answers.nth(at).innerText();
        await answers.nth(at).click();
        const feedback = page.locator('#lesson-card p', { hasText: `“${text}”` });
        await feedback.waitFor();
        right.push((await feedback.innerText()).startsWith('Right.'));
      }
      assert.equal(right.filter(Boolean).length, 1, `step ${number}`);
      if (number < 8) await way(page, 'Continue');
    }
    for (let number = 7; number >= 1; number -= 1) {
      await way(page, 'Back');
      await step(page, number);
    }
    await way(page, 'Leave');
    await page.locator('#lesson-card').waitFor({ state: 'detached' });
  }, opening));

test('leaving it brings back the own session, its settings and its moment; coming back resumes', () =>
  onPage(async (page) => {
    const messages = [{ role: 'user', content: 'Mend it.' }];
    for (let at = 0; at < 60; at += 1) {
      messages.push({
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'read', arguments: '{}' } }],
      });
      messages.push({ role: 'tool', tool_call_id: `c${at}`, content: `line ${at} of a file\n`.repeat(400) });
    }
    await choose(page, 'own.json', JSON.stringify(messages));
    await page.locator('#chip summary .name', { hasText: 'own.json' }).waitFor();
    await planned(page);
    await setKnob(page, 'protect', 3_000);
    const before = [
      await page.inputValue('#protect-value'),
      await verdict(page),
      await page.locator('#life-title').innerText(),
      await page.inputValue('#context-value'),
    ];
    await page.click('#learn');
    await step(page, 1);
    await way(page, 'Continue');
    await step(page, 2);
    await way(page, 'Continue');
    await step(page, 3);
    assert.match(await page.locator('#chip summary .name').innerText(), /own\.json/);
    await way(page, 'Leave');
    await page.locator('#lesson-card').waitFor({ state: 'detached' });
    await page.waitForFunction((title) => document.querySelector('#life-title').textContent === title, before[2]);
    await planned(page);
    assert.deepEqual(
      [
        await page.inputValue('#protect-value'),
        await verdict(page),
        await page.locator('#life-title').innerText(),
        await page.inputValue('#context-value'),
      ],
      before,
    );
    await page.keyboard.press('l');
    await step(page, 3);
  }, opening));

test('an address opens a step, and a number beyond the last opens the last', () =>
  onPage(async (page) => {
    for (const [hash, number] of [
      ['#lesson=5', 5],
      ['#lesson=99', 8],
    ]) {
      await page.goto('about:blank');
      await page.goto(`${process.env.EBBLINE_URL ?? 'http://127.0.0.1:8080/'}${hash}`);
      await step(page, number);
    }
  }, opening));

test('a session, a profile or a sample that is chosen during the lesson is there afterwards', () =>
  onPage(async (page) => {
    const leave = async () => {
      await way(page, 'Leave');
      await page.locator('#lesson-card').waitFor({ state: 'detached' });
      await planned(page);
    };
    await page.click('#learn');
    await step(page, 1);
    await choose(page, 'mine.json', JSON.stringify([{ role: 'user', content: 'Mend it.' }]));
    await page.locator('#chip summary .name', { hasText: 'mine.json' }).waitFor();
    await step(page, 1);
    await leave();
    assert.match(await page.locator('#chip summary .name').innerText(), /mine\.json/);
    await page.click('#learn');
    await step(page, 1);
    await profile(page, 'pi@1.5');
    await leave();
    assert.match(await page.locator('#profile').inputValue(), /pi@1\.5/);
    await page.click('#learn');
    await step(page, 1);
    await sample(page, 'Research');
    const other = page.locator('#chip summary .name', { hasNotText: 'mine.json' });
    await other.waitFor();
    await step(page, 1);
    await leave();
    await other.waitFor();
    assert.match(await page.locator('#profile').inputValue(), /pi@1\.5/);
  }, opening));
