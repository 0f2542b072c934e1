// A prune where the provider's cache is cold: the compactor measures the pause itself, in one process and across a restart.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { createCompactor, plan } = ebbline;

const MINUTE = 60_000;
/** A window of which the history fills a third: nothing is full. */
const MODEL = { context: 60_000 };
const PROFILE = { profile: 'ebbline@3' };
const CLEARED = /^\[Old tool result content cleared: read src/;

/** A history of `steps` calls with outputs of some 1,000 tokens each. */
function history(steps) {
  const messages = [{ role: 'user', content: 'Mend the login test.' }];
  for (let at = 0; at < steps; at += 1) {
    const call = { id: `call_${at}`, type: 'function', function: { name: 'read', arguments: `{"path":"src/part${at}.ts"}` } };
    messages.push({ role: 'assistant', content: null, tool_calls: [call] });
    messages.push({ role: 'tool', tool_call_id: call.id, content: `line ${at} of the file `.repeat(200) });
  }
  messages.push({ role: 'assistant', content: 'Done.' });
  return messages;
}

const cleared = (view) => view.filter(({ role, content }) => role === 'tool' && CLEARED.test(content)).length;

/** How many outputs are cleared after a first request and a pause of so many milliseconds. */
async function clearedAfter(pause, options = {}, asked = {}) {
  let time = 1_800_000_000_000;
  const compactor = createCompactor({ ...PROFILE, model: MODEL, now: () => time, ...options });
  const first = history(20);
  assert.equal(cleared(await compactor.prepare(first)), 0, 'nothing is full');
  time += pause;
  const second = [...first, { role: 'user', content: 'And the other one.' }];
  return cleared(await compactor.prepare(second, asked));
}

test('a pause that the cache has not outlived clears nothing, a longer one does', async () => {
  assert.equal(await clearedAfter(4 * MINUTE), 0);
  assert.ok((await clearedAfter(5 * MINUTE)) > 3);
  assert.ok((await clearedAfter(MINUTE, {}, { idle: 5 * MINUTE })) > 3, 'what the caller says counts');
  assert.equal(await clearedAfter(60 * MINUTE, {}, { idle: 0 }), 0);
  assert.equal(await clearedAfter(60 * MINUTE, { profile: 'ebbline@2' }), 0, 'whoever pinned it keeps it');
});

test('the model says how long its cache lives', async () => {
  for (const [model, minutes] of /** @type {[object, number][]} */ ([
    [{ ...MODEL, cacheLives: 60 * MINUTE }, 60],
    [{ ...MODEL, name: 'anthropic/claude' }, 5],
    [{ ...MODEL, name: 'openai/gpt' }, 10],
    [{ ...MODEL, name: 'google/gemini' }, 60],
  ])) {
    assert.equal(await clearedAfter(minutes * MINUTE - 1, { model }), 0, JSON.stringify(model));
    assert.ok((await clearedAfter(minutes * MINUTE, { model })) > 3, JSON.stringify(model));
  }
});

test('a restart in the pause is no other pause', async () => {
  let time = 1_800_000_000_000;
  const options = { ...PROFILE, model: MODEL, now: () => time };
  const first = createCompactor(options);
  const messages = history(20);
  await first.prepare(messages.slice(0, -1));
  const { record } = first;
  const next = [...messages, { role: 'user', content: 'And the other one.' }];
  const after = async (pause, given) => {
    time = 1_800_000_000_000 + pause;
    const compactor = createCompactor({ ...options, record: JSON.parse(JSON.stringify(record)) });
    return cleared(await compactor.prepare(given));
  };
  assert.equal(await after(MINUTE, next), 0);
  assert.ok((await after(5 * MINUTE, next)) > 3);
  // Requests were made that the record does not know, so nobody knows when the last one was.
  assert.equal(await after(5 * MINUTE, [...next, ...history(1)]), 0);
  // Records of versions that did not know the moment are taken.
  const old = { ...record, controller: record.controller.slice(0, 9) };
  time += 60 * MINUTE;
  assert.equal(cleared(await createCompactor({ ...options, record: old }).prepare(next)), 0);
});

test('a trigger of your own hears of the pause', async () => {
  const options = { when: { idle: 2 * MINUTE }, set: { 'prune.downTo': 5_000, 'prune.protect': 2_000, 'prune.minimum': 1_000 } };
  assert.equal(await clearedAfter(MINUTE, options), 0);
  assert.ok((await clearedAfter(3 * MINUTE, options)) > 3);
});

test('a plan says what decides where the boundary is', () => {
  const messages = [...history(20), { role: 'user', content: 'And the other one.' }];
  const by = (set, options = {}) =>
    plan(messages, { set: { 'prune.minimum': 0, 'prune.protectedTurns': 0, ...set }, ...options }).prune.boundary?.by;
  assert.equal(by({ 'prune.protect': 3_000 }), 'protect');
  assert.equal(by({ 'prune.protect': 0, 'prune.keepOutputs': 3 }), 'keep_outputs');
  assert.equal(by({ 'prune.protect': 30_000, 'prune.keepOutputs': 3 }), undefined, 'both protect');
  assert.equal(by({ 'prune.protect': 0, 'prune.protectedTurns': 1 }), 'protect');
  assert.equal(by({ 'prune.protect': 19_000, 'prune.downTo': 5_000 }, { force: true }), 'down_to');
  const turns = [...messages, ...history(2).slice(1), { role: 'user', content: 'Go on.' }];
  assert.equal(plan(turns, { set: { 'prune.protect': 0, 'prune.protectedTurns': 2 } }).prune.boundary.by, 'protected_turns');
});
