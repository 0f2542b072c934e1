// OpenCode's compaction as an agent would run it, and the additional texts for people.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { EbblineError, compat } = ebbline;
const { opencode } = compat;

const MODEL = { providerID: 'p', id: 'm', api: { npm: '@ai-sdk/anthropic', id: 'm' }, limit: { context: 100_000, output: 8_000 } };

function user(id, ...parts) {
  return { info: { id, sessionID: 's', role: 'user', agent: 'build', model: { providerID: 'p', modelID: 'm' } }, parts };
}

function answer(id, parentID, ...parts) {
  return { info: { id, sessionID: 's', role: 'assistant', parentID, providerID: 'p', modelID: 'm', finish: 'stop' }, parts };
}

const text = (words) => ({ type: 'text', text: words });

test('what a compaction writes makes the next context', () => {
  const marker = user('m5', { id: 'p5', type: 'compaction', auto: true });
  const messages = [
    user('m1', text('one')),
    answer('m2', 'm1', text('x'.repeat(40_000))),
    user('m3', text('two')),
    answer('m4', 'm3', text('done')),
    marker,
  ];
  const task = { parentID: 'm5', auto: true, model: MODEL, newIDs: { messages: ['m6', 'm7'], parts: ['p7'] } };
  const { tailStartID, head, prompt, created } = opencode.process(messages, task);
  assert.equal(tailStartID, 'm3');
  assert.deepEqual(
    head.messages.map((message) => message.role),
    ['user', 'assistant'],
  );
  assert.match(prompt, /## Goal/);

  marker.parts[0].tail_start_id = tailStartID;
  const summary = { info: { ...created.messages[0], finish: 'stop' }, parts: [text('## Goal\n- two')] };
  const next = user(created.messages[1].id, ...created.parts);
  const { ids } = opencode.filterCompacted([...messages, summary, next]);
  assert.deepEqual(ids, ['m5', summary.info.id, 'm3', 'm4', next.info.id]);
});

test('a request that overflows itself ends the compaction', () => {
  const messages = [user('m1', text('one')), user('m2', { type: 'compaction', auto: true })];
  const { result, created } = opencode.process(messages, { parentID: 'm2', auto: true, model: MODEL, outcome: 'compact' });
  assert.equal(result, 'stop');
  assert.equal(created.messages.at(-1).error.name, 'ContextOverflowError');
  assert.throws(() => opencode.process(messages, { parentID: 'nobody', model: MODEL }), EbblineError);
});

test('titles, bodies and diffs are asked for beside the context', () => {
  const messages = [
    user('m1', text('Fix the build')),
    answer('m2', 'm1', { type: 'step-start', snapshot: 'a' }, text('Fixed.'), { type: 'step-finish', reason: 'stop', snapshot: 'b' }),
  ];
  const { request } = opencode.titleRequest(messages, { model: MODEL });
  assert.match(JSON.stringify(request.messages), /Fix the build/);
  assert.equal(opencode.title('<think>hm</think>\nBroken build\n').title, 'Broken build');
  assert.equal(opencode.titleRequest(messages, { version: '2025-12', messageID: 'm1' }).request.maxTokens, 20);
  assert.deepEqual(opencode.bodyRequest(messages, { version: '2025-12', messageID: 'm1' }), { request: null, body: 'Fixed.' });
  const { snapshots, totals } = opencode.diffs(messages, { messageID: 'm1', fileDiffs: [{ file: 'a', additions: 1, deletions: 2 }] });
  assert.deepEqual({ snapshots, totals }, { snapshots: { from: 'a', to: 'b' }, totals: { additions: 1, deletions: 2, files: 1 } });
});

test('the loop compacts a full context, then carries the compaction out, then goes on', () => {
  const tokens = { input: 95_000, output: 10, cache: { read: 0, write: 0 } };
  const messages = [user('m1', text('one')), answer('m2', 'm1', text('done')), user('m3', text('two'))];
  messages[1].info.tokens = tokens;
  assert.deepEqual(opencode.step(messages, { model: MODEL }), { action: 'create', auto: true, overflow: false });
  messages.push(user('m4', { type: 'compaction', auto: true, overflow: false }));
  const { action, ...task } = opencode.step(messages, { model: MODEL });
  assert.equal(action, 'process');
  assert.equal(opencode.process(messages, { ...task, model: MODEL }).result, 'continue');
  const summary = answer('m5', 'm4', text('## Goal'));
  summary.info.summary = true;
  assert.deepEqual(opencode.step([...messages, summary, user('m6', text('go on'))], { model: MODEL }), { action: 'continue' });
  const refused = { error: { name: 'ContextOverflowError', data: { message: 'too long' } } };
  assert.deepEqual(opencode.step([], { model: MODEL, answer: refused }), { action: 'create', auto: true, overflow: true });
  const off = { model: MODEL, answer: refused, config: { compaction: { auto: false } } };
  assert.deepEqual(opencode.step([], off), { action: 'fail' });
  assert.deepEqual(opencode.step([], { ...off, version: '2026-01' }), { action: 'done' });
});
