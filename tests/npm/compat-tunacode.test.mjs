// Answers of `compat` for TunaCode, OpenCode's event-based core and BRUTUS that the vectors do not cover: missing
// replies, versions without vectors, errors.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { compat } = ebbline;
const said = (role, text, more) => ({ role, content: [{ type: 'text', text }], ...more });

test('a compaction waits for the summary that its prompt asks for', () => {
  const messages = [said('user', 'hello'), said('assistant', 'world', { stop_reason: 'stop' })];
  const calls = [{ maxTokens: 200_000, force: true }];
  const waiting = compat.tunacode.compact(messages, { calls });
  assert.equal(waiting.waiting, true);
  assert.match(waiting.prompts[0], /\[User\]: hello\n\[Assistant\]: world\n$/);
  const done = compat.tunacode.compact(messages, { calls, replies: ['## Goal'] });
  assert.deepEqual(done.statusCalls, [true, false]);
  assert.equal(done.outcomes[0].record.summary, '## Goal');
  const injected = compat.tunacode.inject(messages, { compaction: done.outcomes[0].record });
  assert.equal(injected.first.content[0].text, '[Compaction summary]\n\n## Goal');
});

test('the last prune of TunaCode reports less than it reclaims', () => {
  const parts = [
    { part_kind: 'user-prompt', content: 'q' },
    { part_kind: 'tool-return', tool_name: 't', content: 'x'.repeat(160_000) },
  ];
  const messages = Array(3).fill({ kind: 'request', parts });
  const [january, february] = ['2026-01', '2026-02'].map((version) => compat.tunacode.prune(messages, { version }));
  assert.deepEqual(january.cleared, [
    [0, 1],
    [1, 1],
  ]);
  assert.deepEqual(february.cleared, january.cleared);
  assert.equal(february.reclaimed + february.unreported, january.reclaimed);
  assert.equal(february.reclaimed, 39_992);
});

test('the later event-based core asks once more for its headings', () => {
  const entries = ['older', 'newer'].map((text) => ({ type: 'user', text }));
  const options = { version: 'later', config: [{ type: 'document', info: { compaction: { keep: { tokens: 1 } } } }] };
  const ask = (...replies) => compat.opencodeV2.compact(entries, { ...options, replies });
  assert.equal(ask().request.history, 1);
  assert.equal(ask('no').request.messages.length, 2);
  assert.equal(ask('no', 'no').failure.type, 'compaction.failed');
  const { checkpoint, events } = ask('no', '## Objective\n- go on');
  assert.equal(checkpoint.recent, '[User]: newer');
  assert.equal(events.at(-1), 'session.compaction.ended');
  assert.equal(compat.opencodeV2.required(entries, { version: 'later', limits: { context: 20_001 } }), true);
});

test('BRUTUS takes any summary for a completed compaction', () => {
  const messages = [
    { info: { id: 'm1', role: 'user' }, parts: [] },
    { info: { id: 'm2', role: 'user' }, parts: [{ type: 'compaction' }] },
    { info: { id: 'm3', role: 'assistant', summary: true, error: {}, parentID: 'm2' }, parts: [] },
  ];
  assert.deepEqual(compat.brutus.filterCompacted(messages), [1, 2]);
});

test('what a system refuses is an error with a code', () => {
  assert.throws(() => compat.tunacode.record({ summary: 1 }), { code: 'invalid_settings' });
  assert.throws(() => compat.tunacode.serialize([{ role: 'note' }]), { code: 'invalid_message' });
  assert.throws(() => compat.opencodeV2.compact([], { version: '2025' }), { code: 'invalid_settings' });
});
