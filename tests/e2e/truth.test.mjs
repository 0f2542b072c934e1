// What the page shows is true: rows belong to their file, boundaries are the plan's, knobs without effect say so, and
// a session has one size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  choose,
  exported,
  figures,
  handleOf,
  onPage,
  plan,
  profile,
  pruneEarly,
  setKnob,
  shown,
  squeeze,
  turn,
  verdict,
  withBrowser,
} from './browser.mjs';
import { chat, large, prose, prunable } from './fixtures.mjs';

withBrowser();

/** The content of the mounted rows: kind or tool, preview, tokens. */
const rows = (page) =>
  page
    .locator('#list [role=option]')
    .evaluateAll((rows) => rows.map((row) => ['.kind', '.preview', '.tokens'].map((part) => row.querySelector(part).textContent)));

test('the rows of a second file show nothing of the first', () =>
  onPage(async (page) => {
    const talk = (who) => Array.from({ length: 40 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: `${who} ${at}` }));
    await choose(page, 'calls.json', chat(Array(10).fill([400, 400])));
    await shown(page, 'calls.json');
    await page.locator('#list [role=option]', { hasText: 'grep' }).first().waitFor();
    await choose(page, 'talk.json', JSON.stringify(talk('word')));
    await shown(page, 'talk.json');
    await page.locator('#list .preview', { hasText: 'word 5' }).waitFor();
    const kinds = (await rows(page)).map(([kind]) => kind);
    assert.deepEqual(
      kinds,
      kinds.map((_, at) => (at % 2 ? 'assistant' : 'user')),
    );
    // The same file again under another name has rows too.
    await choose(page, 'again.json', chat(Array(10).fill([400, 400])));
    await shown(page, 'again.json');
    await page.locator('#list [role=option]', { hasText: 'grep' }).first().waitFor();
  }));

for (const count of [100_000, 1_000_000]) {
  test(`${count.toLocaleString('en')} parts in one message neither trap nor fill the page`, (test) =>
    onPage(async (page) => {
      // Generated in the page, because transferring so much takes longer than reading it. From now on every frame is
      // timed.
      await page.evaluate((count) => {
        const parts = Array.from({ length: count }, (_, at) => `{"type":"text","text":"part ${at + 1} of them"}`);
        const text = `[{"role":"user","content":[${parts.join(',')}]},{"role":"assistant","content":"done"}]`;
        const data = new DataTransfer();
        data.items.add(new File([text], 'parts.json'));
        requestAnimationFrame((began) => {
          let last = began;
          window.longestFrame = 0;
          const watch = (now) => {
            [window.longestFrame, last] = [Math.max(window.longestFrame, now - last), now];
            requestAnimationFrame(watch);
          };
          requestAnimationFrame(watch);
          dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
        });
      }, count);
      await shown(page, 'parts.json');
      const more = (count - 200).toLocaleString('en');
      await page.locator('.pages', { hasText: `and ${more} more parts` }).waitFor();
      assert.equal(await page.locator('#inspector-text pre').count(), 200);
      await page.click('.pages >> text=Later');
      await page.locator('#inspector-text pre', { hasText: 'part 201 of them' }).waitFor();
      await page.click('.pages >> text=Last');
      await page.locator('#inspector-text pre', { hasText: `part ${count} of them` }).waitFor();
      assert.match(await page.locator('.pages span').innerText(), new RegExp(`to ${count.toLocaleString('en')} of`));
      await page.keyboard.press('2');
      await page.locator('#inspector-text', { hasText: 'a summary replaces it' }).waitFor();
      await page.keyboard.press('3');
      await page.locator('#inspector-text pre', { hasText: '"type":"text"' }).waitFor();
      assert.equal(await page.locator('#panic').isVisible(), false);
      // The page stays responsive because it shows few of them, which is counted above: a frame takes as long as the machine is busy.
      test.diagnostic(`the longest frame took ${Math.round(await page.evaluate(() => window.longestFrame))} ms`);
    }));
}

/** The positions of the handles at the edges in tokens, and the tokens of a pixel, read at one moment. */
const placesOf = (page, scale) =>
  page.evaluate((scale) => {
    const picture = document.querySelector('.picture canvas').getBoundingClientRect();
    const places = ['prune', 'keep'].map((edge) => {
      const handle = /** @type {HTMLElement} */ (document.querySelector(`#handle-${edge}`));
      if (handle.hidden) return null;
      const stem = handle.querySelector('.stem').getBoundingClientRect();
      return ((stem.x + stem.width / 2 - picture.x) / picture.width) * scale;
    });
    return { places, pixel: scale / picture.width };
  }, scale);

/** Where there is a handle, it stands where pruning and keeping really end; returns which there are. */
async function assertOnBoundaries(page, scale) {
  const { messages, prune, retain } = await plan(page);
  const before = (message) => messages.slice(0, message).reduce((sum, { tokensBefore }) => sum + tokensBefore, 0);
  const asked = [prune.boundary ? before(prune.boundary.message + 1) : 0, before(retain.boundary)];
  let found;
  // Handles are moved in a frame, and a busy machine draws it later than the plan is there.
  for (let tries = 0; tries < 50; tries += 1) {
    found = await placesOf(page, scale);
    if (found.places.every((place, which) => place === null || Math.abs(place - asked[which]) <= 2 * found.pixel))
      return found.places.map((place) => place !== null);
    await page.waitForTimeout(100);
  }
  assert.fail(`prune and keep at ${found.places}, not at ${asked}`);
}

test("both handles stand on the plan's own boundaries, also when compaction is asked for", () =>
  onPage(async (page) => {
    assert.deepEqual(await assertOnBoundaries(page, 200_000), [true, false]);
    await pruneEarly(page);
    await assertOnBoundaries(page, 200_000);
    await setKnob(page, 'keep', 20_500);
    await setKnob(page, 'protect', 0);
    await turn(page, 'force');
    await page.locator('.grounds', { hasText: 'Compaction is forced' }).waitFor();
    await assertOnBoundaries(page, 200_000);
    // Both the switch and the details say what a forced compaction does to `keep`.
    const { retain } = await plan(page);
    assert.ok(retain.kept < 20_500);
    assert.match(await page.locator('#force-about').innerText(), /It keeps at most half of the history: [\d,]+ tokens/);
    assert.match(await page.locator('.grounds').innerText(), /it keeps at most half of the history/);
    assert.match(await page.locator('#keep-about').innerText(), /No effect above [\d,]+: a forced compaction/);
    await squeeze(page);
    assert.deepEqual(await assertOnBoundaries(page, (await plan(page)).tokensBefore * 1.02), [true, true]);
  }));

test('a handle is dragged by what it is dragged, and moves its own knob only', () =>
  onPage(async (page) => {
    const drag = async (knob, by) => {
      const tag = await handleOf(page, knob).locator('.tag').boundingBox();
      const [x, y] = [tag.x + tag.width / 2, tag.y + tag.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (let step = 1; step <= 8; step += 1) await page.mouse.move(x + (by * step) / 8, y);
      await page.mouse.up();
    };
    const both = async () => [Number(await page.inputValue('#protect-value')), Number(await page.inputValue('#keep-value'))];
    await turn(page, 'prune-enabled');
    const width = (await page.locator('.picture canvas').boundingBox()).width;
    const tokens = (pixels) => (pixels / width) * 200_000;
    // Nothing is pruned, so a token on the screen is a kept token.
    for (const by of [-160, 40, -200]) {
      const [protect, keep] = await both();
      await drag('keep', by);
      const [protectThen, keepThen] = await both();
      assert.equal(protectThen, protect);
      assert.ok(Math.abs(keepThen - keep + tokens(by)) <= 400, `${keepThen - keep} for ${by} pixels, ${tokens(by)} tokens`);
    }
    await turn(page, 'prune-enabled');
    const [protect, keep] = await both();
    await setKnob(page, 'down-to', 0);
    await drag('protect', -160);
    const [protectThen, keepThen] = await both();
    assert.equal(keepThen, keep);
    assert.ok(protectThen > protect && protectThen - protect <= tokens(160) + 400);
    // A click without movement changes nothing.
    await drag('protect', 0);
    assert.deepEqual(await both(), [protectThen, keepThen]);
  }));

test('a knob without effect says so beside it', () =>
  onPage(async (page) => {
    const says = (knob) => page.locator(`#${knob}-about .idle`).textContent();
    for (const knob of ['protect', 'context', 'reserve']) assert.equal(await says(knob), '', `${knob} of the default`);
    assert.equal(await says('keep'), 'Not used here: pruning was enough.');
    // Without summarizing, the reserve still decides when pruning fires.
    await turn(page, 'retain-enabled');
    await page.locator('#keep-about .idle', { hasText: 'this step is off' }).waitFor();
    assert.equal(await says('reserve'), '');
    await pruneEarly(page);
    await page.locator('#reserve-about .idle', { hasText: 'No effect up to 32,000' }).waitFor();
    await setKnob(page, 'reserve', 45_000);
    await page.locator('#reserve-about .idle', { hasText: /^(Changes nothing at this moment\.)?$/ }).waitFor({ state: 'attached' });
    await setKnob(page, 'reserve', 150_000);
    await page.locator('#reserve-about .idle', { hasText: 'never fires below 100,000' }).waitFor();
    await profile(page, 'opencode@2026-01');
    await page.locator('#keep-about .idle', { hasText: 'reported usage alone' }).waitFor();
    await turn(page, 'force');
    await page.locator('#keep-about .idle', { hasText: 'keeps nothing word for word' }).waitFor();
    await turn(page, 'prune-enabled');
    await page.locator('#protect-about .idle', { hasText: 'this step is off' }).waitFor();
  }));

/** A session of Claude Code whose newest answer reports this usage. */
function reported(turns, usage, extra = {}) {
  const lines = Array.from({ length: turns }, (_, at) => [
    {
      type: 'user',
      uuid: `u${at}`,
      parentUuid: at ? `a${at - 1}` : null,
      sessionId: 's',
      message: { role: 'user', content: prose(800, at) },
    },
    {
      type: 'assistant',
      uuid: `a${at}`,
      parentUuid: `u${at}`,
      sessionId: 's',
      ...extra,
      message: {
        id: `m${at}`,
        role: 'assistant',
        content: [{ type: 'text', text: prose(1_600, at) }],
        usage: { input_tokens: usage, output_tokens: 0 },
      },
    },
  ]).flat();
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

test('one session has one size: headline, strip and verdict agree', () =>
  onPage(async (page) => {
    await choose(page, 'reported.jsonl', reported(8, 62_842));
    await shown(page, 'reported.jsonl');
    await page.locator('#verdict', { hasText: 'Context 62,842 of 200,000' }).waitFor();
    assert.equal(await page.locator('.row-name.before b').innerText(), '62,842');
    const { tokensBefore } = await plan(page);
    const besides = (62_842 - tokensBefore).toLocaleString('en');
    assert.match(await page.locator('#besides').innerText(), new RegExp(`system prompt and tools, about ${besides}`));
    const grounds = await page.locator('.grounds').innerText();
    assert.ok(grounds.includes(`the system prompt and tools about ${besides} by reported usage`), grounds);
    assert.ok(figures(await page.getAttribute('.picture canvas', 'aria-label')).includes(62_842));
    const picture = await page.locator('.picture canvas').boundingBox();
    await page.mouse.move(picture.x + 20, picture.y + 60);
    await page.locator('.pointed.shown', { hasText: 'not in the file' }).waitFor();

    // Another profile may measure a different size; the details then name both.
    // The session stands under its agent's rules, and the profile is the one beside them.
    await page.selectOption('#profile', 'tunacode@2026-01');
    await page.locator('.grounds', { hasText: 'it uses its own estimate' }).waitFor();
    assert.match(await page.locator('.grounds').innerText(), /ebbline@3 measures 62,842/);
    await page.selectOption('#profile', 'pi@1.5');
    await page.locator('#verdict', { hasText: 'Context 62,842 of 200,000' }).waitFor();
  }));

test('with calls whose ids are used again, a result names exactly one call, and links stay inside the panel', () =>
  onPage(async (page) => {
    const turn = [
      { role: 'assistant', content: null, tool_calls: [{ id: 'call', type: 'function', function: { name: 'ls', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'call', content: 'ok' },
    ];
    const parallel = Array.from({ length: 30 }, (_, at) => ({ id: `p${at}`, type: 'function', function: { name: 'ls', arguments: '{}' } }));
    const many = [
      { role: 'assistant', content: null, tool_calls: parallel },
      ...parallel.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ok' })),
    ];
    await choose(page, 'reused.json', JSON.stringify([{ role: 'user', content: 'go' }, ...Array(60).fill(turn).flat(), ...many]));
    await shown(page, 'reused.json');
    await page.focus('#list');
    await page.keyboard.press('Home');
    for (let row = 0; row < 20; row += 1) await page.keyboard.press('ArrowDown');
    await page.locator('#inspector-title', { hasText: '#21' }).waitFor();
    await page.locator('.partners', { hasText: 'called by #20' }).waitFor();
    assert.equal(await page.locator('.partners button').count(), 1);
    // The message with thirty calls.
    await page.keyboard.press('End');
    for (let row = 0; row < 30; row += 1) await page.keyboard.press('ArrowUp');
    await page.locator('.partners', { hasText: 'and 24 more' }).waitFor();
    const panel = await page.locator('.inspector').boundingBox();
    for (const box of await page
      .locator('.partners button')
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().toJSON()))) {
      assert.ok(box.left >= panel.x && box.right <= panel.x + panel.width && box.width > 40, JSON.stringify(box));
    }
  }));

test('settings survive a reload, and nothing of a session is kept', () =>
  onPage(async (page) => {
    await choose(page, 'secret.json', prunable().replaceAll('"grep"', '"secret_tool"'));
    await shown(page, 'secret.json');
    await profile(page, 'pi@1.5');
    await setKnob(page, 'keep', 12_345);
    await turn(page, 'prune-enabled');
    await page.selectOption("[aria-label='Add a tool that is never pruned']", 'secret_tool');
    await turn(page, 'force');
    const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
    assert.ok(!kept.includes('secret'), kept);
    await page.reload();
    await page.waitForSelector('#list [role=option]');
    assert.equal(await page.inputValue('#profile'), 'pi@1.5');
    assert.equal(await page.inputValue('#keep-value'), '12345');
    assert.equal(await page.isChecked('#prune-enabled'), true);
    assert.equal(await page.isChecked('#force'), true);
    assert.match(
      await page.locator('.settings').textContent(),
      /This browser stores the settings for your next visit, but nothing from a session/,
    );
    assert.equal(await page.locator('#chip summary .name').innerText(), 'bug-hunt.json');
    assert.match((await exported(page, 'javascript')).text, /plan\(messages, \{ \.\.\.options, force: true \}\)/);
    assert.match((await exported(page, 'rust')).text, /PlanOptions::new\(\)\.force\(true\)/);
  }));

test('a byte that is no UTF-8 costs its line, and the export has it byte for byte', () =>
  onPage(async (page) => {
    const lines = large(1_500_000).text.trimEnd().split('\n');
    const bad = Buffer.from([...Buffer.from('{"role":"user","content":"caf'), 0xe9, ...Buffer.from('"}')]);
    const file = Buffer.concat([Buffer.from(`${lines.slice(0, 2).join('\n')}\n`), bad, Buffer.from(`\n${lines.slice(2).join('\n')}\n`)]);
    await page.setInputFiles('#file', { name: 'bytes.jsonl', mimeType: 'application/json', buffer: file });
    await shown(page, 'bytes.jsonl');
    assert.match(await page.locator('#chip summary').innerText(), /1 problem/);
    await page.click('#chip summary');
    assert.match(await page.locator('#chip .problems').innerText(), /line 3 · byte [\d,]+: .*not UTF-8/s);
    await page.click('#chip summary');
    await pruneEarly(page);
    await setKnob(page, 'minimum', 0);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.locator('#export pre.file').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
    const { readFile } = await import('node:fs/promises');
    const result = await readFile(await download.path());
    assert.ok(result.length < file.length);
    assert.ok(result.includes(bad), 'the line is there as it was');
    await page.keyboard.press('Escape');
    assert.match(await verdict(page), /Pruning clears/);
  }));

test('a single document with such a byte is refused with its place', () =>
  onPage(async (page) => {
    const file = Buffer.concat([Buffer.from('[{"role":"user",\n"content":"'), Buffer.from([0xff]), Buffer.from('"}]')]);
    await page.setInputFiles('#file', { name: 'bytes.json', mimeType: 'application/json', buffer: file });
    await page.locator('#failed', { hasText: 'line 2 · byte 28' }).waitFor();
    assert.match(await page.locator('#failed').innerText(), /not UTF-8/);
  }));
