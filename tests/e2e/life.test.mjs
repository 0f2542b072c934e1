// The life of a session: where it opens, and that everything on screen belongs to the same moment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asItStands, choose, closer, figures, onPage, planned, setKnob, verdict, withBrowser } from './browser.mjs';
import { chat, prose } from './fixtures.mjs';

withBrowser();

/** Waits until plan and inspector belong to the moment of the scrubber. */
async function settled(page) {
  await planned(page);
  // The selection follows the plan in the same turn, the inspector's text when the worker answers.
  await page.waitForFunction(() => {
    const selected = document.querySelector('#list [aria-selected=true]')?.getAttribute('data-message');
    const title = document.querySelector('#inspector-title').textContent.replace(/\D/g, '');
    return selected && Number(selected) + 1 === Number(title);
  });
}

/** Goes to a request, counted from 0, as with the scrubber's thumb. */
async function go(page, request) {
  await page.locator('#scrubber').fill(String(request));
  await settled(page);
}

/** Opens a session, and waits until it stands where it opens. */
async function opens(page, name, text, said) {
  await choose(page, name, text);
  await page.locator('#chip summary .name', { hasText: name }).waitFor();
  await page.locator('#opening', { hasText: said }).waitFor();
}

const at = (page) => page.inputValue('#scrubber').then(Number);
const happening = (page) => page.locator('#happening').innerText();

/** A long session: every turn reads a lot, so that a window of 200,000 is filled several times. */
const long = () => chat(Array.from({ length: 14 }, (_, at) => [70_000, 60_000 + at, 300]));

test('the sample opens where its context is first full, with something to see everywhere', () =>
  onPage(
    async (page) => {
      assert.match(await page.locator('#opening').innerText(), /first have been full: request \d+ of \d+/);
      const [request, requests] = figures(await page.locator('#life-title').innerText());
      assert.ok(request < requests);
      assert.equal(await at(page), request - 1);
      const said = await verdict(page);
      assert.match(said, /Pruning clears/);
      const [before] = figures(said);
      assert.equal(figures(await happening(page))[0], before, 'the line above the picture and the verdict say the same size');
      assert.match(await happening(page), /compaction fires, \d+ outputs pruned/);
      assert.match(await page.locator('#whole-life').innerText(), /■ 1 prune/);
      await page.locator('#list .boundary.prune').waitFor();
      assert.match(
        await page.getAttribute('#scrubber', 'aria-valuetext'),
        /^Request \d+ of \d+ · turn \d+ · before the first compaction, [\d,]+ tokens: compaction fires/,
      );
    },
    { opening: true },
  ));

test('a short session opens with a window that it would have filled, says so, and the own window is not lost', () =>
  onPage(
    async (page) => {
      const short = chat([[9_000], [8_000], [7_000], [6_000], [5_000]]);
      await opens(page, 'short.json', short, 'never fills a window of 200,000');
      await page.locator('#unfit').waitFor({ state: 'hidden' });
      await settled(page);
      assert.match(await verdict(page), /of 200,000 tokens\. Nothing to do/);
      await page.click('#fit');
      await page.locator('#unfit').waitFor();
      const [, , window] = figures(await page.locator('#opening').innerText());
      assert.equal(Number(await page.inputValue('#context-value')), window);
      await settled(page);
      assert.match(await verdict(page), /Pruning clears|one summary/);
      assert.ok(!(await page.evaluate(() => localStorage.getItem('ebbline.settings'))).includes('context'), 'it is not a setting');
      await page.click('#unfit');
      await page.locator('#opening', { hasText: 'never fills a window of 200,000' }).waitFor();
      assert.equal(await page.inputValue('#context-value'), '200000');
      await page.locator('#verdict', { hasText: 'of 200,000 tokens' }).waitFor();

      // The next session has the own window again, without asking.
      await opens(page, 'again.json', short, 'never fills a window of 200,000');
      await opens(page, 'long.json', long(), 'first have been full');
      assert.equal(await page.inputValue('#context-value'), '200000');
    },
    { opening: true },
  ));

test('number, strip, list, inspector and verdict agree at any moment', () =>
  onPage(
    async (page) => {
      await opens(page, 'long.json', long(), 'first have been full');
      const requests = Number(await page.getAttribute('#scrubber', 'max'));
      assert.ok(requests > 50);
      for (let step = 0; step < 20; step += 1) {
        const request = (step * 37 + 5) % requests;
        await go(page, request);
        const size = figures(await happening(page))[0];
        assert.equal(figures(await page.locator('#life-title').innerText())[0], request + 1);
        assert.equal(figures(await verdict(page))[0], size, `request ${request}: verdict`);
        assert.equal(figures(await page.locator('.row-name.before b').innerText())[0], size, `request ${request}: strip`);
        assert.ok(figures(await page.getAttribute('.picture canvas', 'aria-label')).includes(size));
        const selected = page.locator('#list [aria-selected=true]');
        const number = figures(await selected.locator('.number').innerText())[0];
        assert.equal(figures(await page.locator('#inspector-title').innerText())[0], number);
        const fate = await selected.locator('.fate').innerText();
        assert.equal(await page.locator('.inspector .heading .fate').innerText(), fate);
        assert.ok(['kept', 'pruned', 'summarized', 'pruned before'].includes(fate.trim()), `request ${request}: ${fate}`);
        const later = await page.locator('#list [data-fate=later]').evaluateAll((rows) => rows.map((row) => Number(row.dataset.message)));
        assert.ok(
          later.every((message) => message + 1 > number),
          'what comes later stands below',
        );
      }
    },
    { opening: true },
  ));

test('[ and ] visit the events in order, Shift and arrows the turns, and playing stops at the first event', () =>
  onPage(
    async (page) => {
      await opens(page, 'long.json', long(), 'first have been full');
      await settled(page);
      const first = await at(page);
      const visited = [first];
      for (let press = 0; press < 40; press += 1) {
        await page.keyboard.press(']');
        if ((await at(page)) === visited.at(-1)) break;
        visited.push(await at(page));
        assert.match(await happening(page), /compaction fires/);
      }
      assert.ok(visited.length >= 2, `${visited}`);
      assert.deepEqual(
        visited,
        visited.toSorted((one, other) => one - other),
      );
      const whole = figures((await page.locator('#whole-life').innerText()).replace(/ebbline@\d/, ''));
      assert.equal(
        whole.slice(1).reduce((sum, count) => sum + count, 0),
        visited.length,
        'as many as the line says',
      );
      for (const event of visited.toReversed().slice(1)) {
        await page.keyboard.press('[');
        assert.equal(await at(page), event);
      }

      await page.focus('#main');
      await page.keyboard.press('ArrowLeft');
      assert.equal(await at(page), first - 1);
      await page.keyboard.press('Shift+ArrowLeft');
      const start = await at(page);
      assert.ok(start < first);
      await page.keyboard.press('Shift+ArrowRight');
      assert.ok((await at(page)) > start);

      await page.focus('#scrubber');
      await page.keyboard.press('Shift+ArrowLeft');
      assert.ok((await at(page)) <= start, 'on the scrubber as well');
      await page.keyboard.press('ArrowRight');
      await go(page, Math.max(first - 6, 0));
      await page.focus('#scrubber');
      await page.keyboard.press('Space');
      await page.locator('#happening', { hasText: 'compaction fires' }).waitFor();
      assert.equal(await at(page), first);
      await page.locator('#play', { hasText: 'Play' }).waitFor();
      await settled(page);
      assert.match(await verdict(page), /Pruning clears|one summary/);
    },
    { opening: true },
  ));

test('the knobs act on the moment, until they are used from the start', () =>
  onPage(
    async (page) => {
      await opens(page, 'long.json', long(), 'first have been full');
      await settled(page);
      const [before] = figures(await verdict(page));
      assert.equal(await page.locator('#pinned').isVisible(), false);
      await setKnob(page, 'protect', 60_000);
      await settled(page);
      assert.equal(figures(await verdict(page))[0], before, 'the history stays');
      assert.match(await page.locator('#pinned').innerText(), /compacted by ebbline@3 with its earlier settings/);
      await setKnob(page, 'context', 100_000);
      await page.click('#from-the-start');
      await page.locator('#pinned').waitFor({ state: 'hidden' });
      await settled(page);
      assert.ok(figures(await verdict(page))[0] < before, 'the smaller window was full earlier');
      // The end of the file is what is exported, whatever was compacted on the way.
      await asItStands(page);
      assert.ok(figures(await verdict(page))[0] > before);
    },
    { opening: true },
  ));

test('a file that holds only a tail says so, and what its agent compacted is marked', () =>
  onPage(
    async (page) => {
      const line = (message) => JSON.stringify({ type: 'message', message });
      const user = (text) => line({ role: 'user', content: text, timestamp: 1 });
      const answer = (text) => line({ role: 'assistant', content: [{ type: 'text', text }], timestamp: 2 });
      const head = '{"type":"session","version":1,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/a"}';
      const compaction = JSON.stringify({ type: 'compaction', summary: prose(900), firstKeptEntryIndex: 5, tokensBefore: 9_000 });
      const turns = (from) => Array.from({ length: 8 }, (_, at) => [user(prose(900, from + at)), answer(prose(1_500, from + at))]).flat();
      await choose(page, 'recorded.jsonl', [head, ...turns(1), compaction, ...turns(20)].join('\n'));
      await page.locator('#whole-life', { hasText: 'Its own agent: ▽ 1 summary' }).waitFor();

      const chatWithSummary = [
        { role: 'user', content: '[Compaction summary]\nwhat was done' },
        ...Array.from({ length: 10 }, (_, at) => ({ role: at % 2 ? 'user' : 'assistant', content: prose(1_000, at) })),
      ];
      await choose(page, 'plain.json', JSON.stringify(chatWithSummary));
      await page.locator('#chip summary .name', { hasText: 'plain.json' }).waitFor();
      assert.equal(await page.locator('#gaps').isVisible(), false, 'a text that only looks like a summary is none');
    },
    { opening: true },
  ));

test('the data table says what the pictures show, for the life and for the messages', () =>
  onPage(
    async (page) => {
      await closer(page, '#data-table');
      await page.locator('#table table caption', { hasText: 'requests, each with the size' }).waitFor();
      const [request] = figures(await page.locator('#life-title').innerText());
      const row = await page
        .locator('#table tbody tr')
        .nth(request - 1)
        .innerText();
      assert.match(row, /outputs pruned, [\d,]+ → [\d,]+/);
      await page.click('#table >> text=By message');
      await page.locator('#table caption', { hasText: '115 messages' }).waitFor();
      assert.equal(await page.locator('#table tbody tr').count(), 115);
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('dialog[open]').count(), 0);
    },
    { opening: true },
  ));

test('what fills the context is ranked by kind, tool, file and message, and a row leads to its messages', () =>
  onPage(
    async (page) => {
      await closer(page, '#what-fills');
      const [context] = figures(await verdict(page));
      const rows = (title) => page.locator('#fills section', { hasText: title }).locator('button');
      await rows('by file').first().waitFor();
      const tokensOf = (of) =>
        of.locator('.tokens').evaluateAll((cells) => cells.map((cell) => Number(cell.textContent.split(', ')[0].replaceAll(',', ''))));
      const kinds = await tokensOf(rows('By kind'));
      assert.equal(
        kinds.reduce((sum, tokens) => sum + tokens, 0),
        context,
      );
      for (const title of ['By kind', 'by tool', 'by file', 'largest messages']) {
        const tokens = await tokensOf(rows(title));
        assert.deepEqual(
          tokens,
          tokens.toSorted((one, other) => other - one),
          title,
        );
      }
      const tool = await rows('by tool').first().locator('.name').innerText();
      await rows('by tool').first().click();
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
      await page.locator('#found-of', { hasText: `of ${tool}` }).waitFor();
      const kindsOfRows = await page.locator('#list [role=option] .kind').allInnerTexts();
      assert.ok(kindsOfRows.length > 0 && kindsOfRows.every((kind) => kind.trim() === tool), `${kindsOfRows}`);
      await page.click('#found-of');
      await page.locator('.count', { hasText: /^115$/ }).waitFor();
    },
    { opening: true },
  ));
