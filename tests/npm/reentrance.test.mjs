// A getter, a counter or a proxy calls the package during another call: each call is answered correctly, or refused with a code.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline, fixture } from './package.mjs';

const { Session, compact, finishSummary, plan, read, summaryRequest, validate } = ebbline;

const MESSAGES = JSON.parse(fixture('openai-chat.json'));
const FULL = {
  set: {
    'prune.protect': 0,
    'prune.minimum': 1,
    'prune.onlyWhenFull': false,
    'prune.downTo': 0,
    'prune.preview': 0,
    'prune.protectedTurns': 0,
    'retain.keep': 200,
    'model.context': 300,
  },
};

/** Messages of which the last one calls a function when it is read. */
function running(run, messages = MESSAGES) {
  const { content, ...last } = messages.at(-1);
  let isRunning = false;
  const message = {
    ...last,
    get content() {
      if (!isRunning) {
        isRunning = true;
        try {
          run();
        } finally {
          isRunning = false;
        }
      }
      return content;
    },
  };
  return [...messages.slice(0, -1), message];
}

/** More policies than are cached. */
function planUnderMany() {
  for (let at = 0; at < 40; at += 1) assert.equal(plan(MESSAGES, { set: { 'retain.keep': 1000 + at } }).messages.length, MESSAGES.length);
}

for (const [name, call] of Object.entries({ plan, compact, read, validate })) {
  test(`${name} is right while its messages plan under more policies than are kept`, () => {
    const inside = call(running(planUnderMany), FULL);
    const expected = call(MESSAGES, FULL);
    assert.deepEqual(JSON.parse(JSON.stringify(inside)), JSON.parse(JSON.stringify(expected)));
    assert.deepEqual(call(MESSAGES, FULL), expected);
  });
}

test('a counter may plan, too', () => {
  const countTokens = (text) => {
    planUnderMany();
    return text.length;
  };
  const plain = { ...FULL, countTokens: (text) => text.length };
  assert.deepEqual(plan(MESSAGES, { ...FULL, countTokens }).messages, plan(MESSAGES, plain).messages);
  const session = new Session({ ...FULL, countTokens });
  session.push(MESSAGES);
  assert.deepEqual(session.plan().messages, plan(MESSAGES, plain).messages);
  const wanted = { ...plain, force: true, budgetTokens: 20_000 };
  assert.deepEqual(summaryRequest(MESSAGES, { ...wanted, countTokens }), summaryRequest(MESSAGES, wanted));
});

test('a plan inside a plan that brings a thousand tools leaves the other one its own', () => {
  const many = Array.from({ length: 2100 }, (_, at) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${at}`, type: 'function', function: { name: `tool${at}`, arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: `c${at}`, content: 'x'.repeat(50) },
  ]).flat();
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'p', type: 'function', function: { name: 'precious', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'p', content: 'y'.repeat(4000) },
    { role: 'assistant', content: null, tool_calls: [{ id: 'q', type: 'function', function: { name: 'other', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'q', content: 'z'.repeat(4000) },
    { role: 'user', content: 'on' },
  ];
  const options = {
    policy: {
      prune: { protectedTools: ['precious'], protect: 0, minimum: 1, protectedTurns: 0, onlyWhenFull: false, downTo: 0, preview: 0 },
    },
    set: { 'retain.enabled': false },
  };
  const expected = compact(messages, options);
  assert.deepEqual(expected.plan.messages.map(({ fate, parts }) => parts[0]?.fate ?? fate).filter((fate) => fate === 'pruned').length, 1);
  const inside = compact(
    running(() => plan(many, options), messages),
    options,
  );
  assert.deepEqual(inside.plan.messages, expected.plan.messages);
  assert.equal(inside.messages[2].content, messages[2].content);
  assert.equal(inside.messages[4].content, expected.messages[4].content);
});

test('a session that is read is busy, and right afterwards', () => {
  const uses = {
    length: (session) => session.length,
    format: (session) => session.format,
    messages: (session) => session.messages,
    push: (session) => session.push({ role: 'user', content: 'y' }),
    sync: (session) => session.sync([]),
    truncate: (session) => session.truncate(0),
    check: (session) => session.check(),
    plan: (session) => session.plan(),
    apply: (session) => session.apply(),
    snapshot: (session) => session.snapshot(),
    free: (session) => session.free(),
  };
  for (const [name, use] of Object.entries(uses)) {
    for (const swallows of [true, false]) {
      const session = new Session(FULL);
      session.push(MESSAGES.slice(0, 2));
      session.check();
      let code;
      const messages = running(() => {
        try {
          use(session);
        } catch (error) {
          ({ code } = error);
          if (!swallows) throw error;
        }
      });
      const outcome = () => session.sync(messages);
      if (swallows) outcome();
      else assert.throws(outcome, { code: 'busy' }, name);
      assert.equal(code, 'busy', name);
      const now = swallows ? MESSAGES : MESSAGES.slice(0, 2);
      assert.deepEqual(session.check(), (({ messages: _, ...decision }) => decision)(plan(now, FULL)), name);
      assert.deepEqual(session.plan(), plan(now, FULL), name);
      session.free();
    }
  }
});

test('an option that uses the session is read before the session answers', () => {
  const session = new Session(FULL);
  session.push(MESSAGES.slice(0, 4));
  const curious = {
    get force() {
      session.push(MESSAGES.slice(4));
      return false;
    },
  };
  assert.equal(session.check(curious).tokensBefore, plan(MESSAGES, FULL).tokensBefore);
  assert.equal(session.length, MESSAGES.length);
  const freeing = {
    get force() {
      session.free();
      return true;
    },
  };
  assert.throws(() => session.plan(freeing), { code: 'freed' });
});

test('an array that changes while it is read is taken as it was', () => {
  const messages = running(() => void messages.splice(1, 3, { role: 'user', content: 'changed' }));
  assert.deepEqual(plan(messages, FULL).messages, plan(MESSAGES, FULL).messages);
  const endless = [];
  const message = {
    role: 'user',
    get content() {
      endless.push(message);
      return 'x';
    },
  };
  endless.push(message);
  assert.equal(plan(endless).messages.length, 1);
});

test('what was refused raw is refused with a code', () => {
  const session = new Session();
  session.push(MESSAGES);
  const bytes = session.snapshot();
  assert.throws(() => Session.restore(bytes, MESSAGES, null), { code: 'invalid_option' });
  const gone = new Uint8Array([91, 93]);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  assert.throws(() => plan(gone), { code: 'no_messages', message: /gone/ });
  assert.throws(() => Session.restore(gone), { code: 'mismatch' });
  const circle = {};
  circle.self = circle;
  assert.throws(() => finishSummary({ context: circle }, 'x'), { code: 'invalid_option', message: /context/ });
  const call = (input) => [{ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'x', input }] }];
  const count = { countTokens: (text) => text.length };
  assert.equal(plan(call({ big: Object(7n) }), count).tokensBefore, plan(call({ big: 7n }), count).tokensBefore);
});
