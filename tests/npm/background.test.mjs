// An edit of the history while a model writes a summary: what was asked for stands, or is dropped, and is never put in another's place.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SHAPES, historyOf } from './agent.mjs';
import { ebbline } from './package.mjs';

const { createCompactor, plan, summaryRequest, validate } = ebbline;
const OPTIONS = { model: { context: 16_000, output: 2_000 }, set: { 'prune.enabled': false, 'retain.keep': 2_000 } };
const SMALLER = { ...OPTIONS.set, 'retain.keep': 1 };
const SUMMARY = 'The agent read some files. The fault is not found yet.';
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A compactor in the background whose model answers when it is told to; if it is asked again, at once. */
function waiting(options) {
  const seen = { asked: 0, aborted: 0, write: undefined, events: [] };
  const summarize = (_, { signal }) => {
    seen.asked += 1;
    signal.addEventListener('abort', () => (seen.aborted += 1));
    return seen.asked > 1 ? 'It begins anew.' : new Promise((resolve) => (seen.write = resolve));
  };
  return {
    seen,
    compactor: createCompactor({ ...OPTIONS, accept: false, summarize, onEvent: (event) => seen.events.push(event), ...options }),
  };
}

/** How many of the first messages a summary is asked for. */
function rangeOf(history, format) {
  return plan(history, { ...OPTIONS, format }).messages.findLastIndex(({ fate }) => fate === 'summarized') + 1;
}

const callIn = (message) => JSON.stringify(message).includes('"path"');

for (const [format, shape] of Object.entries(SHAPES)) {
  const full = historyOf(shape, 22);
  const range = rangeOf(full, format);
  const other = shape.person('Mend the logout test instead.');
  /** What becomes of the history, and whether the summary stands where that is wished. @type {Record<string, [any[], boolean]>} */
  const edits = {
    'the last message is another one': [[...full.slice(0, -1), ...shape.step('c98', 'other\n')], false],
    'a message behind the range is another one': [[...full.slice(0, range), other, ...full.slice(range)], true],
    'the agent goes back to the boundary': [[...full.slice(0, range), other], true],
    'the agent goes back to inside the range': [[...full.slice(0, range - 2), other], false],
    'the agent goes back to inside the range and works on': [[...full.slice(0, range - 2), other, ...historyOf(shape, 2, 60)], false],
    'the first message is another one': [full.with(0, other), false],
    'nothing is left behind the range': [full.slice(0, range), false],
  };
  // A message that replaces a result leaves its call without one, so here it is replaced together with its call.
  edits['the last message is another one'] = [[...full.slice(0, callIn(full.at(-1)) ? -1 : -2), ...shape.step('c98', 'other\n')], true];
  for (const [what, [edited, mayStand]] of Object.entries(edits)) {
    for (const [background, isKept] of /** @type {[any, boolean][]} */ ([
      [true, mayStand],
      [{ onEdit: 'rebase' }, mayStand],
      [{ onEdit: 'drop' }, false],
    ])) {
      test(`${format}: ${what}, ${JSON.stringify(background)}: the summary ${isKept ? 'stands' : 'is dropped'}`, async () => {
        const { seen, compactor } = waiting({ background, format });
        assert.equal(await compactor.prepare(full), full);
        assert.equal(seen.asked, 1);
        const { write } = seen;
        const between = await compactor.prepare(edited);
        assert.deepEqual(between, edited);
        assert.equal(seen.aborted, isKept ? 0 : 1);
        write(SUMMARY);
        await turn();
        const more = [...edited, ...shape.step('c99', 'more\n')];
        const view = await compactor.prepare(more);
        assert.equal(JSON.stringify(view).includes(SUMMARY), isKept);
        assert.deepEqual(validate(view, { format }).violations, []);
        if (!isKept) return;
        // The messages that were asked for are replaced, and everything behind them is there as it is.
        assert.deepEqual(view.slice(-(more.length - range)), more.slice(range));
        assert.equal(seen.asked, 1);
        const [{ summarized }] = seen.events.filter(({ type }) => type === 'compacted');
        assert.equal(summarized, range);
        // It is remembered as any other: the same view again, from a record as well, and taken back.
        assert.deepEqual(await compactor.prepare(more), view);
        const again = createCompactor({ ...OPTIONS, format, record: structuredClone(compactor.record) });
        assert.deepEqual(await again.prepare(more), view);
        // It is known as a summary by whoever gets the view.
        const { request } = /** @type {any} */ (
          summaryRequest([...view, ...historyOf(shape, 9, 200)], { ...OPTIONS, format, force: true, set: SMALLER })
        );
        assert.match(request.messages[0].content, /^<previous-summary>[^<]*The agent read some files/);
        assert.ok(compactor.undo());
        assert.deepEqual(await compactor.prepare(more), more);
      });
    }
  }
}

test('a result that comes in later for a call in the range is never parted from it', async () => {
  const shape = SHAPES.openai_chat;
  const full = historyOf(shape, 22);
  const range = rangeOf(full, 'openai_chat');
  const [call, result] = shape.step('late', 'late\n');
  // The call has no result when the summary is asked for, so the boundary may be behind it.
  const open = [...full.slice(0, 4), call, ...full.slice(4)];
  const { seen, compactor } = waiting({ background: true });
  await compactor.prepare(open);
  assert.equal(seen.asked, 1);
  const edited = [...open.slice(0, rangeOf(open, 'openai_chat')), shape.person('Stop.'), result];
  assert.ok(range > 4);
  await compactor.prepare(edited);
  seen.write(SUMMARY);
  await turn();
  const view = await compactor.prepare(edited);
  const calls = new Set(view.flatMap((/** @type {any} */ { tool_calls = [] }) => tool_calls.map(({ id }) => id)));
  for (const { tool_call_id: id } of /** @type {any[]} */ (view)) assert.ok(id === undefined || calls.has(id), id);
  assert.ok(!JSON.stringify(view).includes(SUMMARY));
});

test('an answer is judged by the messages that it was asked for, whatever stands there now', async () => {
  const shape = SHAPES.openai_chat;
  const full = historyOf(shape, 22);
  full.splice(
    1,
    0,
    { role: 'assistant', content: 'The fault is in src/session/token.rs, see E0599.' },
    shape.person('Look at E0599 in src/session/token.rs.'),
  );
  const range = rangeOf(full, 'openai_chat');
  const { seen, compactor } = waiting({ background: true, accept: { facts: 1 } });
  await compactor.prepare(full);
  const edited = [
    ...full.slice(0, range),
    shape.person('Now it is E0382 in src/other/place.rs.'),
    shape.person('E0382, src/other/place.rs.'),
  ];
  await compactor.prepare(edited);
  seen.write(`${SUMMARY} E0599 in src/session/token.rs.`);
  await turn();
  assert.ok(JSON.stringify(await compactor.prepare(edited)).includes('E0599 in src/session/token.rs.'));
  assert.equal(seen.asked, 1);
});

test('the option is checked', () => {
  for (const background of [1, 'rebase', {}, { onEdit: 'keep' }, { onEdit: 'drop', more: 1 }, null]) {
    assert.throws(() => createCompactor(/** @type {any} */ ({ background })), { code: 'invalid_option', message: /onEdit/ });
  }
});
