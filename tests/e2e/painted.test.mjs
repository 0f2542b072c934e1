// The strip is read back as it is painted: each kind and fate is as wide as its share of the tokens, at every width, and the
// two rows are as long as the verdict says. `web/src/strip/bands.rs` and `web/src/picture/bars.rs` prove it for random
// segments before they are painted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, figures, onPage, planned, setKnob, turn, verdict, withBrowser } from './browser.mjs';
import { prose } from './fixtures.mjs';

withBrowser();

const WINDOW = 200_000;

/** Few and long messages, so that every one is wider than a pixel even on a phone; runs of outputs that differ in size. */
function session() {
  const said = (role, tokens, seed) => ({ role, content: prose(tokens * 4, seed) });
  const called = (seed, sizes) => [
    {
      role: 'assistant',
      content: prose(12_000, seed),
      tool_calls: sizes.map((_, at) => ({ id: `${seed}-${at}`, type: 'function', function: { name: 'read', arguments: '{}' } })),
    },
    ...sizes.map((size, at) => ({ role: 'tool', tool_call_id: `${seed}-${at}`, content: prose(size * 4, seed + at) })),
  ];
  return JSON.stringify([
    said('system', 4_100, 1),
    said('user', 5_300, 2),
    ...called(10, [9_700, 6_100]),
    said('user', 3_900, 3),
    ...called(20, [12_300, 7_700]),
    said('user', 4_700, 4),
    ...called(30, [8_900]),
    said('assistant', 3_600, 5),
    said('user', 3_300, 6),
    said('assistant', 3_000, 7),
    said('user', 3_100, 8),
    said('assistant', 200, 9),
  ]);
}

/** What is painted in a row of the strip: runs of columns of one kind and fate, with their widths in pixels. */
const runs = (page, top, height) =>
  page.evaluate(
    ([top, height]) => {
      const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('.picture canvas'));
      const { data, width } = canvas.getContext('2d').getImageData(0, top, canvas.width, height);
      const style = getComputedStyle(document.documentElement);
      const kinds = ['system', 'user', 'assistant', 'tool', 'summary'].map((kind) => {
        const hue = style.getPropertyValue(`--kind-${kind}`).trim();
        const [red, green, blue] = hue.startsWith('#')
          ? [1, 3, 5].map((at) => Number.parseInt(hue.slice(at, at + 2), 16))
          : hue.match(/\d+/gu).map(Number);
        return { kind, is: (at) => data[at] === red && data[at + 1] === green && data[at + 2] === blue };
      });
      const columns = Array.from({ length: width }, (_, x) => {
        const found = kinds.map(({ kind, is }) => {
          const rows = Array.from({ length: height }, (_, y) => is((y * width + x) * 4));
          const share = (from, to) => rows.slice(from, to).filter(Boolean).length / (to - from);
          return { kind, whole: share(0, height), upper: share(0, Math.floor(height / 2)), edge: rows[0] && rows[height - 1] };
        });
        const { kind, whole, upper, edge } = found.toSorted((one, other) => other.whole - one.whole)[0];
        if (upper > 0.4 && whole > 0.4 && (upper > 0.9 || !edge)) return `${kind} kept`;
        if (edge) return `${kind} pruned`;
        return upper === 0 && whole > 0.35 ? `${kind} summarized` : '';
      });
      // The line between two messages, and a line over a bar, belong to what is on their left; the outline of what is pruned,
      // a column wide, to it.
      const named = columns.map((name, x) => {
        const pruned = name.replace('kept', 'pruned');
        const isOutline = name.endsWith('kept') && [columns[x - 1], columns[x + 1]].includes(pruned);
        return isOutline ? pruned : name;
      });
      const last = named.findLastIndex(Boolean);
      const runs = [];
      for (let x = 0; x <= last; x += 1) {
        const name = named[x] || runs.at(-1)?.name || '';
        if (runs.at(-1)?.name === name) runs.at(-1).width += 1;
        else runs.push({ name, width: 1 });
      }
      return { runs, width };
    },
    [top, height],
  );

const sum = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

for (const width of [1440, 390, 320])
  for (const colorScheme of ['light', 'dark'])
    test(`at ${width} pixels, ${colorScheme}, the strip paints each kind and fate as wide as its tokens`, () =>
      onPage(
        async (page) => {
          await choose(page, 'wide.json', session());
          await page.locator('#chip summary .name', { hasText: 'wide.json' }).waitFor();
          await page.locator('#opening', { hasText: /\w/ }).waitFor();
          // The rules of pi have no floor: a large reserve makes any context full, without another history.
          await page.selectOption('#profile', 'pi@1.5');
          await page.locator('#whole-life', { hasText: 'under pi@1.5:' }).waitFor();
          await planned(page);
          await page.locator('#scrubber').evaluate((/** @type {any} */ scrubber) => {
            scrubber.value = String(scrubber.max - 2);
            scrubber.dispatchEvent(new Event('input', { bubbles: true }));
          });
          await planned(page);
          await turn(page, 'prune-enabled');
          for (const [knob, value] of [
            ['protect', 0],
            ['minimum', 0],
            ['keep', 17_000],
            ['reserve', 178_000],
          ])
            await setKnob(page, knob, value);
          if (width < 640) await page.click('.tabs >> text=Messages');
          await page.focus('#list');
          await page.keyboard.press('Home');
          await page.locator('#row-0[aria-selected=true]').waitFor();
          const rows = await page.locator('#list [role=option]').evaluateAll((rows) =>
            rows
              .map((row) => ({
                kind: /kind-(\w+)/u.exec(row.className)[1],
                fate: row.dataset.fate,
                tokens: Number(row.querySelector('.tokens').textContent.replaceAll(',', '')),
              }))
              .filter(({ tokens }) => tokens > 0),
          );
          // What comes later has no place in the strip, so that no outline of the selected message covers it.
          await page.keyboard.press('End');
          await page.locator('#list [data-fate=later][aria-selected=true]').waitFor();
          await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

          assert.ok(new Set(rows.map(({ fate }) => fate)).size === 3, `kept, pruned, summarized: ${rows.map(({ fate }) => fate)}`);
          const said = figures(await verdict(page));
          const [before, after] = [said[0], said.at(-1)];
          assert.equal(sum(rows.map(({ tokens }) => tokens)), before);
          for (const [row, total] of [
            ['before', before],
            ['after', after],
          ])
            assert.deepEqual(figures(await page.locator(`.row-name.${row} b`).innerText()), [total], String(row));

          const scale = before > WINDOW ? before + Math.floor(before / 50) : WINDOW;
          const painted = await runs(page, 34, 56);
          const pixels = (tokens) => (tokens / scale) * painted.width;
          // Run by run, in the order of the messages: each may lose or win half a pixel at either end.
          const wanted = [];
          for (const { kind, fate, tokens } of rows) {
            const name = `${kind} ${fate}`;
            if (wanted.at(-1)?.name === name) wanted.at(-1).tokens += tokens;
            else wanted.push({ name, tokens });
          }
          const told = JSON.stringify([painted.runs, wanted.map(({ name, tokens }) => ({ name, width: pixels(tokens) }))]);
          assert.deepEqual(
            painted.runs.map(({ name }) => name),
            wanted.map(({ name }) => name),
            told,
          );
          painted.runs.forEach(({ width }, at) => assert.ok(Math.abs(width - pixels(wanted[at].tokens)) <= 1, told));
          assert.ok(Math.abs(sum(painted.runs.map(({ width }) => width)) - pixels(before)) <= 1, 'the row is as long as the verdict says');
          const then = await runs(page, 130, 34);
          assert.ok(
            Math.abs(sum(then.runs.map(({ width }) => width)) - pixels(after)) <= 1,
            `after: ${JSON.stringify(then)}, ${pixels(after)}`,
          );
        },
        { width, height: 900, colorScheme, opening: true, expected: /willReadFrequently/u },
      ));
