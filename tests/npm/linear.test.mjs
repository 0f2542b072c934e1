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

/** What users paste: repeated, it has no blanks, or nothing but marks. */
const PASTED = [
  'c1.25,3.70,9.01',
  '{"id":1,"v":2.125,"host":"h.example.com"},',
  '0.12345678,',
  'a.a.a.',
  'a.ba.b',
  'function a(b,c){return b.d&&c.e["f"]||g(h.i)}',
  '1.5,2.5\n',
  'The build fails, see the log. ',
  '.',
  '! ',
  ',',
  ':',
  '"',
  "'",
  '`',
  '```\n',
  '“',
  '«',
  '(',
  '[',
  '{',
  '<',
  '<a>',
  '</',
  '<a>\n',
  ' ',
  '\n',
  '\t',
  '汉',
  '汉。',
  'かな。',
  '😀',
  'é',
  'aGVsbG8gd29ybGQ=',
  'a',
  '7',
  '-',
  '- a\n',
  '1. a\n',
  '# a\n',
  '> a\n',
  '/',
  '../',
  '/a/b.rs ',
  'https://example.com/a?b=c',
  'a@b.c',
  '\\',
  'error: ',
  'TypeError: a b c',
  'never ',
  'always use a. ',
  '- no a\n- b\n',
  'Rules:\n- a\n',
  '不要',
  '\n\n<standing-orders>\n',
  '\n\n<pinned>\n[user, 9999 characters]\n',
  '[User]: a\n',
  'i.e. e.g. ',
  '550e8400-e29b-41d4-a716-446655440000',
];

test('a message of the user that was pasted: eight times the length does not take forty times as long', async () => {
  const session = (unit, length) => {
    const pasted = unit.repeat(Math.ceil(length / unit.length));
    const calls = Array.from({ length: 6 }, (_, at) => [
      {
        role: 'assistant',
        content: at === 0 ? pasted : 'ok',
        tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'bash', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: `c${at}`, content: at === 1 ? pasted : 'out' },
    ]);
    return [
      { role: 'user', content: `Here are the data: ${pasted}` },
      ...calls.flat(),
      { role: 'assistant', content: 'done' },
      { role: 'user', content: 'go on' },
    ];
  };
  const time = async (unit, length, enough) => {
    let shortest = Infinity;
    for (let round = 0; round < 5 && shortest > enough; round += 1) {
      const compactor = ebbline.createCompactor({
        model: { context: 3_000 },
        summarize: async () => '## Goal\nread the data',
        accept: false,
      });
      const before = process.cpuUsage();
      await compactor.prepare(session(unit, length)).catch((error) => error);
      const { user, system } = process.cpuUsage(before);
      compactor.free();
      shortest = Math.min(shortest, user + system);
    }
    return shortest;
  };
  const slow = [];
  for (const unit of PASTED) {
    const few = Math.max(await time(unit, 10_000, 0), 5_000);
    const many = await time(unit, 80_000, few * 40);
    if (many > few * 40) slow.push(`${JSON.stringify(unit)}: ${few} µs, then ${many} µs`);
  }
  assert.deepEqual(slow, []);
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
