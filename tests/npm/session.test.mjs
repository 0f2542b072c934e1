// A session that grows: after any changes, it gives the same results as `plan` and `compact` for the same messages.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline, fixture, lists, some } from './package.mjs';
import { formats, makeSession, randomness } from './random-sessions.mjs';

const { EbblineError, Session, compact, plan } = ebbline;

const EAGER = {
  'prune.reference': false,
  'prune.placeholder': '-',
  'prune.protect': 50,
  'prune.minimum': 1,
  'prune.protectedTurns': 0,
  'prune.shortOutputs': true,
};
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

/** Asserts that a session gives the same results as calls with all of its messages at once. */
function assertSame(session, messages, options, what) {
  const fresh = attempt(() => plan(messages, options));
  // The message that showed the format may have been pruned.
  if (fresh === 'wrong_format') return assert.equal(session.plan().messages.length, messages.length);
  assert.deepEqual(session.messages, messages, what);
  assert.deepEqual(
    attempt(() => session.check()),
    fresh.verdict ? decisionOf(fresh) : fresh,
    what,
  );
  assert.deepEqual(
    attempt(() => session.plan()),
    fresh,
    what,
  );
}

/**
 * Whether the overhead fills the window. A plan refuses such an overhead if a caller says so or a session remembers it, but not if it
 * only learnt it; so the two do not give the same.
 */
function isHopeless(session) {
  const { overhead, context } = session.check().trigger;
  return context > 0 && overhead !== null && overhead >= context;
}

/** The options with the overhead that a session remembers since its context changed, where it knows one. */
function remembered(session, options) {
  const { overhead } = session.check().trigger;
  return overhead === null ? options : { ...options, overhead };
}

/** The changes of a session; each returns the messages that it should have afterwards. */
const STEPS = {
  push(session, messages, { take, upTo }) {
    const added = take(1 + upTo(3));
    // A list is a list of messages, not a message.
    session.push(added.length === 1 && !Array.isArray(added[0]) && upTo(2) === 0 ? added[0] : added);
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
      for (let seed = 1; seed <= some(150); seed += 1) {
        const random = randomness(seed * 7 + 1);
        const upTo = (limit) => Math.floor(random() * limit);
        const store = [];
        let made = 0;
        const take = (count) => {
          while (store.length < count) store.push(...makeSession(format, seed * 100 + (made += 1)));
          return store.splice(0, count);
        };
        // Sometimes every reference is compared, so that edits anywhere are detected.
        const options = { ...POLICIES[seed % POLICIES.length], ...(given && { format }) };
        using(new Session({ ...options, verify: 'all' }), (session) => {
          let messages = [];
          for (let step = 0; step < 12; step += 1) {
            const name = ['push', 'push', 'push', 'append', 'edit', 'remove', 'truncate'][upTo(7)];
            const before = session.messages;
            try {
              messages = STEPS[name](session, messages, { take, upTo });
            } catch (error) {
              // What `plan` refuses is not added, and the messages before stay.
              assert.ok(error instanceof EbblineError, error.stack);
              assert.deepEqual(session.messages, before);
            }
            assertSame(session, messages, options, `seed ${seed}, step ${step}: ${name}`);
            steps += 1;
          }
        });
      }
      assert.ok(steps > some(1000));
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
    assert.equal(session.check(), decision);
    assert.equal(session.check({}), decision);
    assert.equal(session.check({ force: false, knownTokens: 0 }), decision);
    const planned = session.plan();
    session.sync(messages);
    session.push([]);
    session.truncate(1000);
    assert.equal(session.check(), decision);
    assert.notEqual(session.check({ force: true }), decision);
    assert.deepEqual(session.check({ force: true }), decisionOf(plan(messages, { force: true })));
    assert.deepEqual(session.check({ knownTokens: 9 }), decisionOf(plan(messages, { knownTokens: 9 })));
    assert.deepEqual(session.check(), decision);
    session.truncate(1);
    assert.deepEqual(planned, plan(messages), 'a plan stays what it was when it was made');
  });
});

/** Grows a session of a format in irregular steps and calls `use` with each state. */
function eachState(format, seed, options, use) {
  const messages = [1, 2, 3].flatMap((part) => makeSession(format, seed * 10 + part));
  using(new Session({ ...options, format }), (session) => {
    for (let at = 0; at < messages.length; at += 1 + (seed % 3)) {
      try {
        session.push(messages.slice(at, at + 1 + (seed % 3)));
      } catch (error) {
        assert.ok(error instanceof EbblineError, error.stack);
      }
      use(session, at);
    }
  });
}

for (const format of formats) {
  test(`random sessions of ${format} are restored as they were, and go on`, () => {
    let blind = 0;
    for (let seed = 1; seed <= some(60); seed += 1) {
      const options = POLICIES[seed % POLICIES.length];
      eachState(format, seed, options, (session, step) => {
        const { messages } = session;
        const more = makeSession(format, seed * 1000 + step).slice(0, 2);
        const bytes = session.snapshot();
        assert.deepEqual(session.snapshot(), bytes);
        using(Session.restore(bytes, messages), (restored) => {
          assert.deepEqual([restored.length, restored.format], [session.length, session.format]);
          assertSame(restored, messages, { ...options, format }, `seed ${seed}, step ${step}`);
          assert.deepEqual(restored.snapshot(), bytes);
          attempt(() => restored.push(more));
          assertSame(restored, restored.messages, { ...options, format }, `seed ${seed}, step ${step}: more`);
        });
        using(Session.restore(bytes), (restored) => {
          assert.deepEqual(restored.check(), session.check());
          assert.deepEqual(restored.plan(), session.plan());
          const outcome = attempt(() => restored.push(more));
          if (typeof outcome === 'string') {
            // What cannot be added without earlier messages is refused, and nothing is lost.
            assert.deepEqual(restored.plan(), session.plan());
            return;
          }
          blind += 1;
          assert.deepEqual(restored.plan(), plan([...messages, ...more], { ...options, format }));
          restored.sync([...messages, ...more]);
          assertSame(restored, [...messages, ...more], { ...options, format }, `seed ${seed}, step ${step}: synced`);
        });
      });
    }
    assert.ok(blind > some(50), `only ${blind} sessions went on without their messages`);
  });

  test(`random sessions of ${format} are compacted as their array is, and go on`, () => {
    let pruned = 0;
    let summarized = 0;
    for (let seed = 1; seed <= 60; seed += 1) {
      const options = POLICIES[seed % POLICIES.length];
      const messages = [1, 2].flatMap((part) => makeSession(format, seed * 10 + part));
      const how = { now: NOW, freeBytes: seed % 2 === 0, ...(seed % 3 !== 0 && { summary: 'So far.', force: true }) };
      using(new Session({ ...options, format }), (session) => {
        if (typeof attempt(() => session.push(messages)) === 'string') return;
        const before = structuredCopy(messages);
        const expected = attempt(() => compact(messages, { ...options, format, ...how }));
        const done = attempt(() => session.apply(how));
        assert.deepEqual(done, expected, `seed ${seed}`);
        assert.deepEqual(structuredCopy(messages), before);
        if (typeof done === 'string') return assertSame(session, messages, { ...options, format }, `seed ${seed}`);
        pruned += done.applied.pruned;
        summarized += done.applied.summarized;
        done.messages.forEach((message, at) => assert.ok(messages.includes(message) || message !== messages[at]));
        if (isHopeless(session)) return;
        assertSame(session, done.messages, remembered(session, { ...options, format }), `seed ${seed}: applied`);
        attempt(() => session.push(makeSession(format, seed)));
        if (isHopeless(session)) return;
        assertSame(session, session.messages, remembered(session, { ...options, format }), `seed ${seed}: more`);
      });
    }
    // OpenCode's own placeholder is longer than most of these outputs.
    assert.ok((pruned > 5 || format === 'opencode') && summarized > 20, `${pruned} outputs and ${summarized} messages`);
  });
}

/** Enough of a copy to detect a change: `structuredClone` refuses functions. */
function structuredCopy(messages) {
  return JSON.stringify(messages, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

test('a session goes on with what was applied, in its format', () => {
  const messages = JSON.parse(fixture('pi-messages.json'));
  using(new Session({ set: { ...TIGHT, 'retain.keep': 1 } }), (session) => {
    session.push(messages);
    const { messages: next } = session.apply({ summary: 'All of it.', force: true, now: NOW });
    assert.ok(next.length < messages.length);
    assert.equal(session.format, 'pi');
    assert.deepEqual(session.messages, next);
    session.push({ role: 'user', content: 'And now?' });
    assert.equal(session.format, 'pi');
    session.truncate(1);
    assert.equal(session.format, 'pi');
    using(Session.restore(session.snapshot(), session.messages), ({ format }) => assert.equal(format, 'pi'));
    session.truncate(0);
    session.push({ role: 'user', content: 'And now?' });
    assert.equal(session.format, 'pi');
  });
});

test('an edit is noticed by the last message, or by all', () => {
  const messages = Array.from({ length: 6 }, (_, at) => ({ role: 'user', content: `message ${at}` }));
  const edited = messages.with(2, { role: 'user', content: 'another one, which is longer' });
  for (const verify of ['last', 'all']) {
    using(new Session({ verify }), (session) => {
      session.sync(messages);
      assert.equal(session.sync(edited), 6);
      const noticed = session.check().tokensBefore === plan(edited).tokensBefore;
      assert.equal(noticed, verify === 'all');
      session.sync(edited.with(5, { role: 'user', content: 'the last one' }));
      assertSame(session, edited.with(5, { role: 'user', content: 'the last one' }), {}, verify);
      session.sync(edited.slice(0, 2));
      assertSame(session, edited.slice(0, 2), {}, verify);
    });
  }
});

test('only what is new is read', () => {
  let reads = 0;
  const watched = (content) => ({
    role: 'user',
    get content() {
      reads += 1;
      return content;
    },
  });
  using(new Session(), (session) => {
    const messages = Array.from({ length: 50 }, (_, at) => watched(`message ${at}`));
    session.sync(messages);
    const once = reads / 50;
    reads = 0;
    session.sync([...messages, watched('new')]);
    session.check();
    session.truncate(20);
    session.check();
    assert.equal(reads, once);
  });
});

test('a session that was freed says so', () => {
  const session = new Session();
  session.push({ role: 'user', content: 'x' });
  session.free();
  session.free();
  const uses = [
    (freed) => freed.length,
    (freed) => freed.format,
    (freed) => freed.messages,
    (freed) => freed.push([]),
    (freed) => freed.sync([]),
    (freed) => freed.truncate(0),
    (freed) => freed.check(),
    (freed) => freed.plan(),
    (freed) => freed.apply(),
    (freed) => freed.snapshot(),
  ];
  for (const use of uses) assert.throws(() => use(session), { name: 'EbblineError', code: 'freed' }, String(use));
  if (Symbol.dispose === undefined) return;
  const disposed = new Session();
  disposed[Symbol.dispose]();
  assert.throws(() => disposed.check(), { code: 'freed' });
});

test('what does not fit is refused with what is wrong, and changes nothing', () => {
  const invalid = { name: 'EbblineError', code: 'invalid_option' };
  for (const options of [{ verify: 'some' }, { profil: 'x' }, { conversation: 1 }, { countTokens: 4 }, { force: 1 }, 5]) {
    assert.throws(() => new Session(options), invalid, JSON.stringify(options));
  }
  assert.throws(() => new Session({ format: 'nonsense' }), { code: 'unknown_format' });
  assert.throws(() => new Session({ format: 'tinyagent' }), { code: 'unsupported_format' });
  assert.throws(() => new Session({ profile: 'nonsense' }), { code: 'unknown_profile' });
  using(new Session({ format: 'openai_chat' }), (session) => {
    session.push({ role: 'user', content: 'x' });
    for (const length of [-1, 0.5, NaN, '1', undefined]) assert.throws(() => session.truncate(length), invalid);
    for (const options of [{ profile: 'pi@1.5' }, { force: 'yes' }, { summary: '' }, null]) {
      assert.throws(() => session.check(options), invalid);
    }
    for (const options of [{ now: 1 }, { knownTokens: -1 }]) assert.throws(() => session.plan(options), invalid);
    for (const options of [{ profile: 'pi@1.5' }, { summary: 7 }]) assert.throws(() => session.apply(options), invalid);
    for (const list of [undefined, 'x', {}]) assert.throws(() => session.sync(list), { code: 'no_messages' });
    assert.throws(() => session.push([{ role: 'user', parts: [{ type: 'text' }] }]), { code: 'wrong_format' });
    assert.throws(() => session.push([{ role: 'assistant', tool_calls: [{ function: { arguments: deep() } }] }]), { code: 'too_deep' });
    const failing = {
      role: 'user',
      get content() {
        throw new RangeError('no');
      },
    };
    assert.throws(
      () => session.push(failing),
      (/** @type {any} */ error) => error.code === 'unreadable' && error.cause instanceof RangeError,
    );
    const curious = {
      role: 'user',
      get content() {
        return String(session.push({ role: 'user', content: 'y' }));
      },
    };
    assert.throws(() => session.push(curious), { code: 'busy' });
    assert.equal(session.length, 1);
    assertSame(session, [{ role: 'user', content: 'x' }], { format: 'openai_chat' }, 'unchanged');
  });
});

function deep() {
  let value = {};
  for (let level = 0; level < 2000; level += 1) value = { value };
  return value;
}

test('options that are changed later change nothing', () => {
  const options = { model: { context: 300 }, set: { 'retain.keep': 100 } };
  const messages = JSON.parse(fixture('openai-chat.json'));
  const expected = plan(messages, options);
  using(new Session(options), (session) => {
    options.model.context = 1_000_000;
    options.set['retain.keep'] = 1;
    session.push(messages);
    assert.deepEqual(session.plan(), expected);
    assert.deepEqual(session.apply().plan, expected);
  });
});

test('snapshots that are damaged, foreign or of another session are refused', () => {
  const messages = JSON.parse(fixture('openai-chat.json'));
  const bytes = using(new Session(), (session) => (session.push(messages), session.snapshot()));
  const refused = { name: 'EbblineError', code: 'mismatch' };
  const random = randomness(7);
  for (let round = 0; round < 500; round += 1) {
    const damaged = bytes.slice();
    damaged[Math.floor(random() * damaged.length)] ^= 1 << Math.floor(random() * 8);
    assert.throws(() => Session.restore(damaged, messages), refused);
  }
  for (let length = 0; length < bytes.length; length += 7) assert.throws(() => Session.restore(bytes.slice(0, length)), refused);
  const text = Buffer.from(JSON.stringify(messages));
  for (const other of [undefined, null, 'x', new Uint8Array(), new Uint8Array(64), text, bytes.buffer]) {
    assert.throws(() => Session.restore(other), refused);
  }
  for (const other of [[], messages.slice(1), 'x', {}]) assert.throws(() => Session.restore(bytes, other), refused);
  // At any offset of the bytes.
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  using(Session.restore(shifted.subarray(3), messages), (session) => assertSame(session, messages, {}, 'shifted'));
  using(Session.restore(Buffer.from(bytes), messages), (session) => assertSame(session, messages, {}, 'Buffer'));
});

test('without its messages, a session says what it needs them for', () => {
  const messages = JSON.parse(fixture('plain-chat.json'));
  const bytes = using(new Session(), (session) => (session.push(messages), session.snapshot()));
  using(Session.restore(bytes), (session) => {
    assert.equal(session.length, messages.length);
    assert.throws(() => session.messages, { code: 'mismatch', message: /restore it with them/ });
    assert.throws(() => session.apply(), { code: 'mismatch' });
    session.push({ role: 'user', content: 'And now?' });
    assert.deepEqual(session.plan(), plan([...messages, { role: 'user', content: 'And now?' }]));
    session.truncate(2);
    assert.deepEqual(session.plan(), plan(messages.slice(0, 2)));
    session.sync(messages);
    assertSame(session, messages, {}, 'with its messages');
  });
});

test('tokens are counted by whoever can, once for each text', () => {
  let calls = 0;
  const countTokens = (text) => {
    calls += 1;
    return Math.ceil(text.length / 3);
  };
  const content = 'Twelve chars';
  const call = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: '', arguments: '{"a":1}' } }],
  };
  const messages = [{ role: 'user', content }, call, { role: 'tool', tool_call_id: 'c', content: 'x'.repeat(31) }];
  for (const profile of ['ebbline@1', 'pi@1.5', 'opencode@2026-06', 'tunacode@0.2']) {
    const options = { profile, countTokens };
    const expected = [4, profile === 'tunacode@0.2' ? 0 : 3, 11];
    assert.deepEqual(
      plan(messages, options).messages.map((message) => message.tokensBefore),
      expected,
      profile,
    );
  }
  assert.equal(calls, 3, 'the same function is asked about the same texts once');
  const options = { profile: 'opencode@2026-06', countTokens, set: { ...EAGER, 'prune.protect': 0 } };
  using(new Session(options), (session) => {
    session.push(messages);
    assertSame(session, messages, options, 'counted');
    assert.equal(calls, 3);
    messages[0] = { role: 'user', content };
    session.sync(messages.slice(0, 1));
    assert.equal(calls, 4, 'another object is another message');
    const bytes = session.snapshot();
    assert.throws(() => Session.restore(bytes), { code: 'invalid_option' });
    using(Session.restore(bytes, messages.slice(0, 1), { countTokens }), (restored) => {
      restored.push(messages.slice(1));
      assertSame(restored, messages, options, 'restored');
      assert.deepEqual(restored.apply(), compact(messages, options));
    });
  });
  // A text is looked up by its value, not by its place.
  const changing = { role: 'user', content: 'first' };
  const tokens = () => plan([changing], { countTokens }).tokensBefore;
  assert.equal(tokens(), 2);
  changing.content = 'a second, longer text';
  assert.equal(tokens(), 7);
  assert.equal(plan([changing], { countTokens: () => 5 }).tokensBefore, 5);
});

test('what is no text is counted as its JSON', () => {
  const texts = [];
  const countTokens = (text) => texts.push(text);
  const input = { path: 'a.ts', lines: [1, 2], big: 7n, none: undefined };
  plan([{ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'x', input }] }], { countTokens });
  assert.deepEqual(texts, ['{"path":"a.ts","lines":[1,2],"big":7}']);
  const image = { type: 'image', source: { type: 'base64', data: 'AAAA' } };
  assert.equal(plan([{ role: 'user', content: [image] }], { profile: 'pi@1.5', countTokens }).tokensBefore, 1200);
  assert.equal(texts.length, 1, 'of an image only that it is one counts');
});

test('a counter that fails, or counts nothing sensible, is an option that does not fit', () => {
  const messages = [{ role: 'user', content: 'x' }];
  const cause = new RangeError('no');
  const bad = [
    () => {
      throw cause;
    },
    () => NaN,
    () => -1,
    () => Infinity,
    () => '1',
    () => undefined,
    async () => 1,
  ];
  for (const countTokens of bad) {
    const refused = { name: 'EbblineError', code: 'invalid_option', message: /countTokens/ };
    for (const call of [plan, compact]) assert.throws(() => call(messages, { countTokens }), refused);
    using(new Session({ countTokens }), (session) => {
      assert.throws(() => session.push(messages), refused);
      assert.equal(session.length, 0);
    });
  }
  assert.throws(
    () => plan(messages, { countTokens: bad[0] }),
    (/** @type {any} */ error) => error.cause === cause,
  );
  for (const call of [plan, compact, ebbline.summaryRequest]) {
    assert.throws(() => call(JSON.stringify(messages), { countTokens: () => 1 }), { code: 'invalid_option', message: /pass their array/ });
  }
});

test('a summary is requested of what was counted', () => {
  const messages = JSON.parse(fixture('openai-chat.json'));
  const options = { countTokens: (text) => text.length, force: true, set: { 'retain.keep': 500, 'retain.enabled': true } };
  const requested = ebbline.summaryRequest(messages, options);
  assert.deepEqual(requested.plan, plan(messages, options));
  assert.ok(requested.plan.retain.messages > 0);
});

test('what a class of characters costs is remembered with the message, and never wrong', () => {
  for (const profile of ['ebbline@1', 'pi@1.5']) {
    for (const format of formats) {
      for (let seed = 1; seed <= some(40); seed += 1) {
        const [one, other] = [makeSession(format, seed), makeSession(format, seed + 1000)];
        const of = (messages) => attempt(() => plan(messages, { profile, format }));
        const fresh = () => of(structuredClone(JSON.parse(structuredCopy(one))));
        of(one);
        if (structuredCopy(of(one)) !== structuredCopy(fresh())) continue; // What JSON cannot hold.
        // The messages are replaced in place.
        one.forEach((message, at) => {
          if (typeof message !== 'object' || message === null || typeof other[at] !== 'object') return;
          for (const key of Object.keys(message)) delete message[key];
          Object.assign(message, other[at]);
        });
        const copies = one.map((message) => (message && typeof message === 'object' ? { ...message } : message));
        assert.deepEqual(of(one), of(copies), `${format} ${seed}`);
      }
    }
  }
});
