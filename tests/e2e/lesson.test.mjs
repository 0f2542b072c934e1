// The lesson on the screen itself.
import assert from 'node:assert/strict';
import test from 'node:test';
import { choose, closer, handleOf, onPage, planned, sample, setKnob, verdict, withBrowser } from './browser.mjs';

withBrowser();

const STEPS = 9;
const opening = { opening: true };
const card = (page) => page.locator('#lesson-card');
const step = (page, number) =>
  card(page)
    .locator('h3', { hasText: `Step ${number} of ${STEPS}` })
    .waitFor();
const way = (page, name) => card(page).getByRole('button', { name, exact: true }).click();
const done = (page) => card(page).locator('.done').innerText();
const isDone = (page) => card(page).locator('.done', { hasText: 'Done.' }).waitFor();
const progress = (page) => card(page).locator('progress').getAttribute('value').then(Number);
const leave = async (page) => {
  await way(page, 'Leave');
  await card(page).waitFor({ state: 'detached' });
  await planned(page);
};

/** Waits for a step, and for the moment and the settings that it shows. */
async function begun(page, number) {
  await step(page, number);
  await page.locator('main[data-light]:not([data-light=""])').waitFor();
  await page.waitForFunction(() => Object(document.querySelector('#context-value')).value === '64000');
  await planned(page);
}

/** The figures of a text: what has at least three digits. */
const figures = (text) => [...new Set(text.match(/\d{1,3}(?:,\d{3})+|\d{3,}/gu) ?? [])];

/** Fails if a figure of the card's text stands nowhere else on the screen. */
async function assertOnScreen(page, text, about) {
  const seen = await page.evaluate(() => {
    const values = [...document.querySelectorAll('main input')].map((input) => Number(Object(input).value).toLocaleString('en'));
    const spoken = [...document.querySelectorAll('main [aria-valuetext]')].map((element) => element.getAttribute('aria-valuetext'));
    return [document.querySelector('main').innerText, ...values, ...spoken].join('\n');
  });
  const missing = figures(text).filter((figure) => !new RegExp(`(?<![\\d,])${figure}(?![\\d,])`, 'u').test(seen));
  assert.deepEqual(missing, [], `${about}: ${text}`);
}

/** What each step asks for. */
const TASKS = [
  (page) => page.press('#scrubber', 'ArrowRight'),
  async (page) => {
    for (let times = 0; times < 3; times += 1) await page.press('#scrubber', 'ArrowRight');
  },
  async (page) => {
    await handleOf(page, 'down-to').focus();
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('PageUp');
  },
  async (page) => {
    await page.locator('#list [role=option]', { hasText: 'pruned' }).first().click();
    await page.keyboard.press('2');
  },
  async (page) => {
    await handleOf(page, 'keep').focus();
    for (let times = 0; times < 2; times += 1) await page.keyboard.press('PageUp');
  },
  async (page) => {
    await closer(page, '#what-is-carried');
    await page.locator('dialog[open] table').first().waitFor();
    await page.keyboard.press('Escape');
  },
  (page) => setKnob(page, 'minimum', 20_000),
  (page) => setKnob(page, 'reserve', 4_000),
  (page) => card(page).getByRole('button', { name: 'pi@1.5' }).click(),
];

test('every step can be done, sees that it was, and says figures of the screen', () =>
  onPage(async (page) => {
    await page.click('#learn');
    let words = 0;
    for (let number = 1; number <= STEPS; number += 1) {
      await begun(page, number);
      const text = await card(page).locator('h3 + p').innerText();
      const said = card(page).locator('.written > :is(h3, p:not(.progress), .table):not(:last-child)');
      words += (await said.allInnerTexts()).join(' ').split(/\s+/u).length;
      await assertOnScreen(page, text, `step ${number}`);
      assert.equal(await card(page).locator('.done').count(), 0, `step ${number} is not done yet`);
      assert.equal(await progress(page), number - 1);
      await TASKS[number - 1](page);
      await isDone(page);
      await planned(page);
      await assertOnScreen(page, await done(page), `step ${number}, done`);
      assert.equal(await progress(page), number);
      if (number < STEPS) await way(page, 'Continue');
    }
    assert.ok(words <= 450, `${words} words`);
    assert.ok(await card(page).getByRole('button', { name: 'Now on your own session' }).isVisible());
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), way(page, 'Now on your own session')]);
    await chooser.setFiles({
      name: 'own.json',
      mimeType: 'application/json',
      buffer: Buffer.from('[{"role":"user","content":"Mend it."}]'),
    });
    await card(page).waitFor({ state: 'detached' });
    await page.locator('#chip summary .name', { hasText: 'own.json' }).waitFor();
    await planned(page);
    assert.equal(await page.inputValue('#context-value'), '200000');
    assert.match(await page.inputValue('#profile'), /^ebbline@\d$/u);
  }, opening));

test('three agents stand side by side, and each says what the screen says when it is chosen', () =>
  onPage(async (page) => {
    await page.goto('about:blank');
    await page.goto(`${process.env.EBBLINE_URL ?? 'http://127.0.0.1:8080/'}#lesson=9`);
    await begun(page, 9);
    const rows = card(page).locator('tbody tr');
    assert.equal(await rows.count(), 3);
    const told = new Set();
    for (const at of [1, 2, 0]) {
      const [name, , does, then] = (await rows.nth(at).locator('th, td').allInnerTexts()).map((text) => text.trim());
      told.add(does);
      await rows.nth(at).getByRole('button').click();
      await page.waitForFunction((name) => Object(document.querySelector('#profile')).value === name, name);
      await planned(page);
      assert.ok((await verdict(page)).endsWith(`→ ${then}.`), `${name}: ${then}, ${await verdict(page)}`);
    }
    assert.equal(told.size, 3);
  }, opening));

test('each prediction is answered, and Back begins a step again', () =>
  onPage(async (page) => {
    await page.click('#learn');
    for (let number = 1; number <= STEPS; number += 1) {
      await begun(page, number);
      const answers = card(page).locator('p:text-matches("^Predict:") + .actions-row button');
      const right = [];
      for (let at = 0; at < (await answers.count()); at += 1) {
        const text = await answers.nth(at).innerText();
        await answers.nth(at).click();
        const feedback = card(page).locator('p', { hasText: `“${text}”` });
        await feedback.waitFor();
        right.push((await feedback.innerText()).startsWith('Right.'));
      }
      if (right.length > 0) assert.deepEqual(right.toSorted(), [false, true], `step ${number}`);
      if (number < STEPS) await way(page, 'Continue');
    }
    await way(page, 'Back');
    await begun(page, 8);
    const reserve = await page.inputValue('#reserve-value');
    await setKnob(page, 'reserve', 4_000);
    await isDone(page);
    await way(page, 'Back');
    await begun(page, 7);
    await way(page, 'Continue');
    await begun(page, 8);
    assert.equal(await page.inputValue('#reserve-value'), reserve);
    for (let number = 7; number >= 1; number -= 1) {
      await way(page, 'Back');
      await begun(page, number);
    }
    await leave(page);
  }, opening));

/** What must be as it was: session, settings, moment, verdict and selection. */
const state = async (page) => [
  await page.locator('#chip summary .name').innerText(),
  await page.inputValue('#profile'),
  await page.inputValue('#protect-value'),
  await page.inputValue('#context-value'),
  await page.locator('#life-title').innerText(),
  await verdict(page),
  await page.locator('#list [aria-selected=true]').getAttribute('id'),
];

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
    await page.press('#scrubber', 'ArrowLeft');
    await planned(page);
    await page.locator('#list [role=option]').nth(3).click();
    const before = await state(page);
    await page.click('#learn');
    for (let number = 1; number <= 3; number += 1) {
      await begun(page, number);
      assert.match(await page.locator('#chip summary .name').innerText(), /bug-hunt\.json/u, 'the lesson has a session of its own');
      await TASKS[number - 1](page);
      await isDone(page);
      if (number < 3) await way(page, 'Continue');
    }
    await leave(page);
    await page.locator(`#${before.at(-1)}[aria-selected=true]`).waitFor();
    assert.deepEqual(await state(page), before);
    // Its worker has gone on: it still plans.
    await setKnob(page, 'protect', 9_000);
    await page.keyboard.press('Escape');
    await page.locator('#inspector-title').click();
    await page.keyboard.press('l');
    await step(page, 3);
  }, opening));

test('an address opens a step, and a number beyond the last opens the last', () =>
  onPage(async (page) => {
    for (const [hash, number] of [
      ['#lesson=5', 5],
      ['#lesson=99', 9],
    ]) {
      await page.goto('about:blank');
      await page.goto(`${process.env.EBBLINE_URL ?? 'http://127.0.0.1:8080/'}${hash}`);
      await step(page, number);
    }
  }, opening));

test('a session or a sample that is opened during the lesson ends it, and the settings come back', () =>
  onPage(async (page) => {
    await setKnob(page, 'reserve', 31_000);
    const ends = async (name) => {
      await page.locator('#chip summary .name', { hasText: name }).waitFor();
      await card(page).waitFor({ state: 'detached' });
      await planned(page);
      assert.equal(await page.inputValue('#reserve-value'), '31000');
    };
    await page.click('#learn');
    await begun(page, 1);
    await choose(page, 'mine.json', JSON.stringify([{ role: 'user', content: 'Mend it.' }]));
    await ends('mine.json');
    await page.click('#learn');
    await begun(page, 1);
    await sample(page, 'Research');
    await ends('heavy-rain.json');
    await page.click('#learn');
    await begun(page, 1);
    await sample(page, 'A bug hunt');
    await ends('bug-hunt.json');
  }, opening));
