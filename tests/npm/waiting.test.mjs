// When pruning waits, and for what: a full context, a cold cache, a saving that pays for the cache it breaks.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { Session, compact, plan, replay } = ebbline;

const model = { context: 100_000 };
const MINUTE = 60_000;

/** A session of `steps` calls whose outputs have `words` words. */
function steps(count, words) {
  const messages = [{ role: 'user', content: 'Look at every file.' }];
  for (let at = 0; at < count; at += 1) {
    const call = { id: `c${at}`, type: 'function', function: { name: 'read', arguments: `{"path":"f${at}.ts"}` } };
    messages.push({ role: 'assistant', content: null, tool_calls: [call] });
    messages.push({ role: 'tool', tool_call_id: `c${at}`, content: `file ${at} `.repeat(words) });
  }
  messages.push({ role: 'assistant', content: 'Done so far.' });
  return messages;
}

/** About 60,000 of 100,000 tokens: more than the 40 % to which pruning goes down. */
const half = steps(40, 600);

test('a prune waits for a full context, unless the cache is cold', () => {
  const set = { 'prune.coldAfter': 5 * MINUTE };
  for (const { options, verdict, reason } of [
    { options: {}, verdict: 'noop', reason: 'not_full' },
    { options: { idle: 10 * MINUTE }, verdict: 'prune', reason: 'room_needed' },
    { options: { profile: 'ebbline@2', idle: 10 * MINUTE }, verdict: 'noop', reason: 'not_full' },
    { options: { set }, verdict: 'noop', reason: 'not_full' },
    { options: { set, idle: 5 * MINUTE - 1 }, verdict: 'noop', reason: 'not_full' },
    { options: { set, idle: 5 * MINUTE }, verdict: 'prune', reason: 'room_needed' },
  ]) {
    const decision = plan(half, { model, ...options });
    assert.deepEqual([decision.verdict, decision.prune.reason], [verdict, reason], JSON.stringify(options));
  }
  // It goes no deeper than a prune of a full context.
  const cold = plan(half, { model, set, idle: 5 * MINUTE });
  assert.ok(cold.tokensAfter <= 40_000 && cold.tokensAfter > 35_000, String(cold.tokensAfter));
});

test('a prune waits while it would break more of the cache than it frees', () => {
  // The outputs behind the newest 10,000 tokens are three quarters of the context: it frees three tokens for each that it breaks.
  for (const { most, talk, reason } of [
    { most: 1, talk: 0, reason: 'outputs_beyond_protection' },
    { most: 1, talk: 1_200, reason: 'deferred' },
    { most: 20, talk: 1_200, reason: 'outputs_beyond_protection' },
  ]) {
    const messages = [
      ...half,
      ...Array.from({ length: talk }, (_, at) => ({ role: 'user', content: `${'And so we talked on. '.repeat(20)}${at}` })),
    ];
    const large = { context: 400_000 };
    for (const waits of [true, false]) {
      const decision = plan(messages, {
        model: large,
        set: {
          'prune.breaksAtMost': most,
          'prune.onlyWhenFull': waits,
          'prune.protect': 10_000,
          'prune.minimum': 0,
          'prune.protectedTurns': 0,
          'prune.downTo': 0,
        },
      });
      assert.equal(decision.prune.reason, reason, `${most} ${talk} ${waits}`);
      const kept = decision.messages.filter((message) => message.reason === 'deferred').length;
      assert.equal(kept > 0, reason === 'deferred');
    }
  }
});

test('a session takes the idle time with each question, and refuses it for good', () => {
  const session = new Session({ model, set: { 'prune.coldAfter': MINUTE } });
  session.push(half);
  assert.equal(session.check().verdict, 'noop');
  assert.equal(session.check({ idle: MINUTE }).verdict, 'prune');
  assert.equal(session.plan({ idle: MINUTE }).verdict, 'prune');
  assert.equal(session.check().verdict, 'noop');
  const done = session.apply({ idle: MINUTE });
  assert.ok(done.applied.pruned > 0);
  assert.deepEqual(done.messages, compact(half, { model, set: { 'prune.coldAfter': MINUTE }, idle: MINUTE }).messages);
  assert.throws(() => new Session({ idle: MINUTE }), /another one before each request/);
});

test('a replay knows from the recorded moments when the cache was cold', () => {
  const lines = [];
  const at = (minutes) => new Date(Date.UTC(2026, 0, 1) + minutes * MINUTE).toISOString();
  let parent = null;
  const add = (minutes, message) => {
    const uuid = `u${lines.length}`;
    lines.push({ type: message.role, uuid, parentUuid: parent, sessionId: 's', timestamp: at(minutes), message });
    parent = uuid;
  };
  add(0, { role: 'user', content: 'Look at every file.' });
  for (let step = 0; step < 22; step += 1) {
    // After the eighteenth step, the user has lunch.
    const minutes = step + (step < 18 ? 0 : 60);
    add(minutes, {
      role: 'assistant',
      id: `m${step}`,
      content: [{ type: 'tool_use', id: `t${step}`, name: 'Read', input: { file_path: `f${step}` } }],
    });
    add(minutes, { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${step}`, content: `file ${step} `.repeat(1_050) }] });
  }
  add(100, { role: 'assistant', id: 'last', content: [{ type: 'text', text: 'Done.' }] });
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const compactions = (set) => replay(text, { model, set }).compactions.map(({ request }) => request);
  assert.deepEqual(compactions({ 'prune.coldAfter': 0 }), []);
  assert.deepEqual(compactions({}), [18, 22], 'before lunch ended, and before the last answer');
  assert.equal(compactions({ 'prune.coldAfter': 30 * MINUTE }).length, 1);
  assert.equal(compactions({ 'prune.coldAfter': 90 * MINUTE }).length, 0);
});

test('what is sent beside the messages may leave no room for them', () => {
  for (const profile of ['ebbline@1', 'ebbline@2', 'pi@1.5']) {
    for (const force of [false, true]) {
      const decision = plan(half, { model: { context: 32_000 }, profile, overhead: 40_000, force });
      assert.deepEqual(
        [decision.verdict, decision.reason, decision.fits],
        ['refuse', 'overhead_fills_window', false],
        `${profile} ${force}`,
      );
    }
  }
  const session = new Session({ model: { context: 32_000 }, overhead: 40_000 });
  session.push(half);
  assert.equal(
    session.apply().messages.every((message, index) => message === half[index]),
    true,
  );
});
