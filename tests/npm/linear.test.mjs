// The cost of a long session is proportional to its length.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline, internal } from './package.mjs';

const { plan } = ebbline;

/** Sessions of calls without ids, all of which are open when the last one is made. */
const OPEN_CALLS = {
  'Gemini contents, one name': (count) => gemini(count, () => 'read'),
  'Gemini contents, many names': (count) => gemini(count, (at) => `tool${at}`),
  'functions of OpenAI Chat, never answered': (count) =>
    Array.from({ length: count }, (_, at) => [
      { role: 'assistant', content: null, function_call: { name: `f${at}`, arguments: '{}' } },
      { role: 'function', name: `g${at}`, content: 'x' },
    ]).flat(),
};

function gemini(count, nameOf) {
  const calls = Array.from({ length: count }, (_, at) => ({ functionCall: { name: nameOf(at), args: {} } }));
  const responses = calls.map(({ functionCall: { name } }) => ({ functionResponse: { name, response: { output: 'x' } } }));
  return [
    { role: 'user', parts: [{ text: 'go' }] },
    { role: 'model', parts: calls },
    { role: 'user', parts: responses.reverse() },
  ];
}

/** The minimum of three, because garbage collection or another program may affect one. */
function processorTime(call) {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    call();
    return process.cpuUsage(before).user;
  });
  return Math.min(...times);
}

for (const [what, make] of Object.entries(OPEN_CALLS)) {
  for (const [kind, prepare] of Object.entries({ live: (messages) => messages, text: JSON.stringify })) {
    test(`${what}, ${kind}: sixteen times the calls do not take a hundred times as long`, () => {
      const [few, many] = [2_500, 40_000].map((count) => prepare(make(count)));
      plan(few);
      const ratio =
        processorTime(() => plan(many)) /
        Math.max(
          processorTime(() => plan(few)),
          2_000,
        );
      assert.ok(ratio < 100, `${ratio}`);
      assert.equal(plan(make(200)).messages.length, make(200).length);
    });
  }
}

test('a system reads one long output: sixteen times the length does not take a hundred times as long', () => {
  const session = (length) => {
    const info = { id: 'msg_1', sessionID: 'ses_1', role: 'assistant', time: { created: 1 } };
    const state = { status: 'completed', input: { command: 'x' }, output: 'x'.repeat(length), time: { start: 1, end: 2 } };
    const part = { id: 'prt_1', sessionID: 'ses_1', messageID: 'msg_1', type: 'tool', callID: 'c', tool: 'bash', state };
    const turn = { info: { ...info, id: 'msg_0', role: 'user' }, parts: [] };
    // Nothing is measured in the newest two turns.
    return JSON.stringify([turn, { info, parts: [part] }, turn, turn]);
  };
  const [few, many] = [50_000, 800_000].map(session);
  const prune = (messages) => ebbline.compat.opencode.prune(messages, { version: '2026-06', config: { compaction: { prune: true } } });
  prune(few);
  const ratio =
    processorTime(() => prune(many)) /
    Math.max(
      processorTime(() => prune(few)),
      2_000,
    );
  assert.ok(ratio < 100, `${ratio}`);
});

test('what texts cost is remembered of so many messages, and what a caller counts of all', async () => {
  const { Recall, classes, countedBy } = await internal('recall.js');
  let looks = 0;
  const costs = { ...classes, known: new WeakMap(), most: 2, costOf: (text) => (looks += 1) && text.length };
  const text = 'x'.repeat(classes.shortest);
  const messages = Array.from({ length: 5 }, () => ({}));
  for (let walk = 0; walk < 2; walk += 1) {
    const recall = new Recall(costs);
    for (const message of messages) {
      recall.enter(message);
      assert.equal(recall.of(text), text.length);
    }
  }
  assert.equal(looks, 5 + 3);
  assert.ok(classes.most < 1_000_000, 'a million messages would keep the garbage collector busy');
  assert.equal(countedBy((counted) => counted.length).most, Infinity);
});
