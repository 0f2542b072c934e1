// When pi compacts: the answers of `compat.pi.check` about a session while it grows.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { EbblineError, compat } = ebbline;

const model = { provider: 'p', id: 'm', contextWindow: 100_000, maxTokens: 8_000 };
const at = (second) => `2026-01-01T00:00:0${second}.000Z`;

function entry(id, parentId, second, message) {
  return { type: 'message', id, parentId, timestamp: at(second), message: { timestamp: Date.parse(at(second)), ...message } };
}

function session(last) {
  const answer = { role: 'assistant', content: [], provider: 'p', model: 'm', stopReason: 'stop', ...last };
  return [entry('a', null, 1, { role: 'user', content: 'q' }), entry('b', 'a', 2, answer)];
}

const used = (input, more) => ({ usage: { input, output: 0, cacheRead: 0, cacheWrite: 0 }, ...more });

test('a session is compacted above the threshold, and not again for what was said before', () => {
  const entries = session(used(83_617));
  assert.deepEqual(compat.pi.check(entries, { model }), {
    action: 'compact',
    reason: 'threshold',
    willRetry: false,
    dropLastAnswer: false,
    contextTokens: 83_617,
    why: 'over_threshold',
  });
  assert.equal(compat.pi.check(session(used(83_616)), { model }).why, 'below_threshold');
  const compaction = { type: 'compaction', id: 'c', parentId: 'b', timestamp: at(3), summary: 's', firstKeptEntryId: 'b' };
  const { action, why } = compat.pi.check([...entries, compaction], { model });
  assert.deepEqual({ action, why }, { action: 'none', why: 'stale' });
});

test('an overflow is recovered from once', () => {
  const entries = session({ stopReason: 'error', errorMessage: 'prompt is too long' });
  for (const version of ['0.58', '0.84', '1.5']) {
    const { action, reason, willRetry, dropLastAnswer } = compat.pi.check(entries, { version, model });
    assert.deepEqual([action, reason, willRetry, dropLastAnswer], ['compact', 'overflow', true, true], version);
    assert.equal(compat.pi.check(entries, { version, model, recoveryTried: true }).action, 'fail', version);
  }
});

test('versions disagree about answers that filled the window or were cut off', () => {
  const decided = (last) =>
    ['0.58', '0.84', '1.5'].map((version) => {
      const { why, willRetry } = compat.pi.check(session(last), { version, model });
      return willRetry ? `${why}, again` : why;
    });
  assert.deepEqual(decided(used(100_001)), ['silent_overflow, again', 'silent_overflow', 'silent_overflow']);
  assert.deepEqual(decided(used(10, { stopReason: 'length' })), [
    'below_threshold',
    'recoverable_length, again',
    'recoverable_length, again',
  ]);
});

test('only pi 1.5 checks between turns', () => {
  const entries = session(used(90_000, { stopReason: 'toolUse' }));
  assert.equal(compat.pi.check(entries, { model, at: 'betweenTurns' }).why, 'over_threshold');
  assert.throws(() => compat.pi.check(entries, { version: '0.84', model, at: 'betweenTurns' }), EbblineError);
});
