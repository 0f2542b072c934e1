// The record of a compactor: another process goes on with it, at whatever moment the first one died.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';

import { SHAPES, historyOf } from './agent.mjs';
import { ebbline, internal } from './package.mjs';

const { createCompactor } = ebbline;
const MODEL = { context: 16_000, output: 2_000 };
const PRUNES = { model: MODEL };
const SUMMARIZES = { model: MODEL, set: { 'prune.enabled': false } };
const SUMMARY = 'The agent read some files. The fault is not found yet.';
const MOMENT = 1_790_000_000_000;
const summarize = async () => SUMMARY;

const LANGCHAIN = {
  person: (text) => new HumanMessage(text),
  step: (id, output) => [
    new AIMessage({ content: '', tool_calls: [{ id, name: 'read', args: { path: `src/${id}.rs` }, type: 'tool_call' }] }),
    new ToolMessage({ content: output, tool_call_id: id, name: 'read' }),
  ],
};

const isText = (message) => JSON.stringify(message);

for (const [name, shape] of Object.entries({ ...SHAPES, langchain: LANGCHAIN })) {
  for (const options of [PRUNES, SUMMARIZES]) {
    const how = { ...options, format: name, summarize, now: () => MOMENT };
    test(`${name}: a process that dies at every step sends what one that lives sends${options === PRUNES ? '' : ', with summaries'}`, async () => {
      const living = createCompactor(how);
      let dying = createCompactor(how);
      const history = historyOf(shape, 0);
      for (let step = 0; step < 80; step += 1) {
        const expected = await living.prepare(history);
        const view = await dying.prepare(history);
        assert.deepEqual(view.map(isText), expected.map(isText), `step ${step}`);
        view.forEach((message, at) => assert.equal(Object.getPrototypeOf(message), Object.getPrototypeOf(expected[at])));
        const stored = JSON.stringify(dying.record);
        assert.deepEqual(dying.record, living.record);
        dying.free();
        dying = createCompactor({ ...how, record: JSON.parse(stored) });
        assert.deepEqual(JSON.stringify(dying.record), stored);
        history.push(...shape.step(`c${step}`, `line ${step} of the file\n`.repeat(90)));
      }
      const { changes } = living.record;
      assert.ok(changes.length >= 2);
      for (const { at, cause, profile, tokensBefore, tokensAfter } of changes) {
        assert.deepEqual([at, cause, profile.replace('*', '')], [MOMENT, 'full', 'ebbline@3']);
        assert.ok(tokensAfter < tokensBefore);
      }
      // All of it can be taken back in the other process: then the history is sent as it is.
      await dying.prepare(history);
      while (dying.undo());
      const back = await dying.prepare(history);
      assert.equal(back.length, history.length);
      back.forEach((message, at) => assert.equal(message, history[at]));
    });
  }
}

test('a record that does not match the history, or is none, says so and changes nothing', async () => {
  const shape = SHAPES.anthropic_messages;
  const history = historyOf(shape, 40);
  for (const options of [PRUNES, SUMMARIZES]) {
    const how = { ...options, summarize };
    const compactor = createCompactor(how);
    const view = await compactor.prepare(history);
    const { record } = compactor;
    const concerned = record.changes[0].replaced[0]?.message ?? record.changes[0].summary.replaces[0].message;
    for (const other of [history.with(concerned, shape.person('Something else.')), history.slice(0, concerned)]) {
      const restored = createCompactor({ ...how, record });
      await assert.rejects(restored.prepare(other), {
        code: 'mismatch',
        message: /the record does not fit: message \d+ of the history is not the one/,
      });
      assert.deepEqual(await restored.prepare(history), view);
    }
    for (const damaged of [
      {},
      { ...record, version: 1 },
      { ...record, changes: [{}] },
      { ...record, changes: [{ replaced: [{ message: -1, checksum: 1, becomes: {} }] }] },
      { ...record, changes: [{ replaced: [], summary: { until: 1 } }] },
      { ...record, controller: [1, 2] },
      { ...record, controller: undefined },
      { ...record, messages: 'all' },
    ]) {
      assert.throws(() => createCompactor({ ...how, record: damaged }), { code: 'mismatch' });
    }
  }
});

test('a summary that was being written when the process died is asked for again', async () => {
  const history = historyOf(SHAPES.openai_chat, 40);
  const stop = new AbortController();
  const dying = createCompactor({ ...SUMMARIZES, signal: stop.signal, summarize: () => new Promise(() => undefined) });
  dying.prepare(history).catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  const { record } = dying;
  assert.deepEqual(record.changes, []);
  const next = createCompactor({ ...SUMMARIZES, summarize, record });
  assert.ok(JSON.stringify(await next.prepare(history)).includes(SUMMARY));
  stop.abort();
});

test('a history that was rewound into a summary while the process was down ends with what the model is to answer', async () => {
  const shape = SHAPES.openai_chat;
  const history = [...historyOf(shape, 20), shape.person('And the logout test?'), ...historyOf(shape, 30, 100)];
  const first = createCompactor({ ...SUMMARIZES, summarize });
  await first.prepare(history);
  const rewound = history.slice(0, 42);
  assert.equal(rewound.at(-1).content, 'And the logout test?');
  const bound = first.record.changes[0].summary.replaces.map(({ message }) => message);
  assert.ok(bound.includes(41) && Math.max(...bound) === 41 + bound.filter((at) => at > 41).length);
  const { record } = first;
  const { signed } = await internal('compactor-record.js');
  const until = signed({
    ...record,
    changes: record.changes.map((change) => ({
      ...change,
      summary: { ...change.summary, replaces: change.summary.replaces.slice(0, 42) },
    })),
  });
  const view = await createCompactor({ ...SUMMARIZES, auto: false, record: until }).prepare(rewound);
  assert.deepEqual(view.at(-1), rewound.at(-1));
});

test('a session that is edited for ever does not grow', async () => {
  const compactor = createCompactor({ ...PRUNES, now: () => MOMENT, onEvent() {} });
  const lengths = [];
  for (let edit = 0; edit < 6; edit += 1) {
    const history = historyOf(SHAPES.openai_chat, 0).slice(0, 1);
    history.push({ role: 'user', content: `Now number ${edit}.` });
    for (let step = 0; step < 40; step += 1) {
      history.push(...SHAPES.openai_chat.step(`c${edit}-${step}`, `line ${step} of the file\n`.repeat(90)));
      await compactor.prepare(history);
    }
    lengths.push(JSON.stringify(compactor.record).length);
  }
  assert.ok(compactor.record.changes.length > 0);
  assert.ok(Math.max(...lengths) < 1.2 * lengths[0], String(lengths));
});
