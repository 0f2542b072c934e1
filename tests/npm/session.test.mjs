// The session that grows: whatever happens to it, it answers what `plan` and `compact` answer about the same messages.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline, fixture, lists } from './package.mjs';
import { formats, makeSession, randomness } from './random-sessions.mjs';

const { EbblineError, Session, compact, plan } = ebbline;

const EAGER = { 'prune.protect': 50, 'prune.minimum': 1, 'prune.protectedTurns': 0, 'prune.shortOutputs': true };
const TIGHT = { 'retain.keep': 200, 'model.context': 300, 'trigger.reserve': 0 };
const POLICIES = [
  { profile: 'opencode@2026-06', set: { ...EAGER, 'retain.enabled': false } },
  { profile: 'ebbline@1', set: { ...EAGER, ...TIGHT, 'prune.protect': 0, 'prune.errors': true } },
  { profile: 'pi@1.5', set: TIGHT },
  { profile: 'tunacode@0.2' },
];
const NOW = 1_795_300_000_000;

/** A plan without its messages. */
function decisionOf({ messages: _, ...decision }) {
  return decision;
}

function attempt(call) {
  try {
    return call();
  } catch (error) {
    assert.ok(error instanceof EbblineError, error?.stack);
    return error.code;
  }
}

/** Asserts that a session answers what is answered about its messages when they come all at once. */
function assertSame(session, messages, options, what) {
  const given = { ...options, ...(options.format === undefined && session.format && { format: session.format }) };
  const fresh = attempt(() => plan(messages, options.format === undefined ? options : given));
  assert.deepEqual(session.messages, messages, what);
  assert.deepEqual(attempt(() => session.check()), fresh.verdict ? decisionOf(fresh) : fresh, what);
  assert.deepEqual(attempt(() => session.plan()), fresh, what);
}

/** What may happen to a session; each gives the messages that it should have then. */
const STEPS = {
  push(session, messages, { take, upTo }) {
    const added = take(1 + upTo(3));
    session.push(added.length === 1 && upTo(2) === 0 ? added[0] : added);
    return [...messages, ...added];
  },
  append(session, messages, { take, upTo }) {
    const next = [...messages, ...take(upTo(3))];
    session.sync(next);
    return next;
  },
  edit(session, messages, { take, upTo }) {
    const at = upTo(messages.length + 1);
    const next = [...messages.slice(0, at), ...take(1), ...messages.slice(at + 1)];
    session.sync(next);
    return next;
  },
  remove(session, messages, { upTo }) {
    const at = upTo(messages.length + 1);
    const next = messages.toSpliced(at, 1 + upTo(2));
    session.sync(next);
    return next;
  },
  truncate(session, messages, { upTo }) {
    const length = upTo(messages.length + 2);
    session.truncate(length);
    return messages.slice(0, length);
  },
};

for (const format of formats) {
  for (const given of [true, false]) {
    test(`random sessions of ${format}${given ? '' : ', whose format is found out'}, grown and cut`, () => {
      let steps = 0;
      for (let seed = 1; seed <= 150; seed += 1) {
        const random = randomness(seed * 7 + 1);
        const upTo = (limit) => Math.floor(random() * limit);
        let store = [];
        let made = 0;
        const take = (count) => {
          while (store.length < count) store.push(...makeSession(format, seed * 100 + (made += 1)));
          return store.splice(0, count);
        };
        // Sometimes every reference is compared, so that edits anywhere are noticed.
        const options = { ...POLICIES[seed % POLICIES.length], ...(given && { format }) };
        using(new Session({ ...options, verify: 'all' }), (session) => {
          let messages = [];
          for (let step = 0; step < 12; step += 1) {
            const name = ['push', 'push', 'push', 'append', 'edit', 'remove', 'truncate'][upTo(7)];
            const before = session.messages;
            try {
              messages = STEPS[name](session, messages, { take, upTo });
            } catch (error) {
              // What `plan` refuses is not taken in, and what was there before stays.
              assert.ok(error instanceof EbblineError, error.stack);
              assert.deepEqual(session.messages, before);
            }
            assertSame(session, messages, options, `seed ${seed}, step ${step}: ${name}`);
            steps += 1;
          }
        });
      }
      assert.ok(steps > 1000);
    });
  }
}

function using(session, use) {
  try {
    return use(session);
  } finally {
    session.free();
  }
}

test('a fixture of each format is pushed message by message', () => {
  for (const [name, format] of Object.entries(lists)) {
    const messages = JSON.parse(fixture(name));
    for (const policy of POLICIES) {
      const options = { ...policy, format };
      using(new Session(options), (session) => {
        messages.forEach((message, at) => {
          session.push(message);
          assertSame(session, messages.slice(0, at + 1), options, `${name} ${at}`);
        });
      });
    }
  }
});

test('a session without messages is decided on, too', () => {
  using(new Session(), (session) => {
    assert.deepEqual([session.length, session.format, session.messages], [0, undefined, []]);
    assertSame(session, [], {}, 'empty');
    session.push([]);
    session.sync([]);
    session.truncate(0);
    assert.equal(session.length, 0);
  });
});

test('what was decided is the same object until something changes', () => {
  const messages = JSON.parse(fixture('openai-chat.json'));
  using(new Session(), (session) => {
    session.push(messages);
    const decision = session.check();
    assert.ok(Object.isFrozen(decision) && Object.isFrozen(decision.prune) && Object.isFrozen(decision.retain));
    assert.equal(session.check(), decision);
    assert.equal(session.check({}), decision);
    assert.equal(session.check({ force: false, knownTokens: 0 }), decision);
    session.sync(messages);
    session.push([]);
    session.truncate(1000);
    assert.equal(session.check(), decision);
    assert.notEqual(session.check({ force: true }), decision);
    assert.deepEqual(session.check({ force: true }), decisionOf(plan(messages, { force: true })));
    assert.deepEqual(session.check({ knownTokens: 9 }), decisionOf(plan(messages, { knownTokens: 9 })));
    assert.deepEqual(session.check(), decision);
  });
});
