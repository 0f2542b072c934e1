// What is sent beside the messages counts: given by the caller, or learnt from what the provider reports.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { Session, compact, plan, summaryRequest } = ebbline;

const WINDOW = 16_000;
const TOOLS = 6_000;
const OPTIONS = { profile: 'ebbline@2', model: { context: WINDOW } };

/** An agent of 200 steps. The server counts the messages with the package's own estimate, adds what stands beside them, and reports that. */
function* steps(count) {
  yield { role: 'user', content: 'Look through the project and mend what is wrong with it.' };
  for (let step = 0; step < count; step += 1) {
    const id = `c${step}`;
    yield { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: { path: `src/file${step}.js` } }] };
    const words = 50 + ((step * 7919) % 900);
    yield { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `line of code ${step} `.repeat(words / 5) }] };
  }
}

const sizeOf = (messages) =>
  plan(
    messages.map(({ usage, ...message }) => message),
    { profile: 'ebbline@2' },
  ).tokensBefore;

/** Runs the loop; `before` is called before each request and returns what is sent. */
function run(before) {
  const seen = { requests: 0, refused: 0, unfit: 0 };
  let messages = [];
  for (const message of steps(200)) {
    if (message.role === 'assistant') {
      const { sent, fits } = before(messages);
      messages = sent;
      const size = sizeOf(messages) + TOOLS;
      seen.requests += 1;
      seen.unfit += fits ? 0 : 1;
      if (size > WINDOW) seen.refused += 1;
      const usage = { input_tokens: size, output_tokens: sizeOf([message]) };
      messages = [...messages, { ...message, usage }];
    } else {
      messages = [...messages, message];
    }
  }
  return seen;
}

const SUMMARY = 'The project was read from the beginning; nothing was wrong so far.';

test('a session learns it from usage, and remembers it when its context changes', () => {
  const session = new Session(OPTIONS);
  const overheads = new Set();
  const seen = run((messages) => {
    session.sync(messages);
    const { verdict, fits, trigger } = session.check();
    if (trigger.overhead !== null) overheads.add(Math.round(trigger.overhead / 1_000));
    return { sent: verdict === 'noop' ? messages : session.apply({ summary: SUMMARY }).messages, fits };
  });
  assert.deepEqual(seen, { requests: 200, refused: 0, unfit: 0 });
  assert.deepEqual([...overheads], [TOOLS / 1_000]);
});

test('given, it counts from the first request on, also without any usage', () => {
  const options = { ...OPTIONS, overhead: TOOLS };
  const seen = run((messages) => {
    const bare = messages.map(({ usage, ...message }) => message);
    const { messages: sent, plan } = compact(bare, { ...options, summary: SUMMARY });
    assert.equal(plan.trigger.overhead, TOOLS);
    return { sent, fits: plan.fits };
  });
  assert.deepEqual(seen, { requests: 200, refused: 0, unfit: 0 });
});

test('a session decides, plans, summarizes and applies alike', () => {
  const session = new Session({ ...OPTIONS, overhead: TOOLS });
  const messages = [...steps(60)];
  session.push(messages);
  const decision = session.check();
  const { messages: _, ...planned } = plan(messages, { ...OPTIONS, overhead: TOOLS });
  assert.deepEqual(decision, planned);
  const { messages: __, ...own } = session.plan();
  assert.deepEqual(own, planned);
  assert.equal(
    decision.trigger.tokens - decision.trigger.overhead,
    decision.prune.applied ? sizeOf(messages) - decision.prune.reclaimed : sizeOf(messages),
  );
  const without = session.check({ overhead: 0 });
  assert.equal(without.trigger.overhead, 0);
  assert.notDeepEqual(without.trigger, decision.trigger);
  assert.deepEqual(
    session.apply({ summary: SUMMARY }).messages,
    compact(messages, { ...OPTIONS, overhead: TOOLS, summary: SUMMARY }).messages,
  );
  const text = JSON.stringify(messages);
  assert.deepEqual(
    plan(text, { ...OPTIONS, format: 'anthropic_messages', overhead: TOOLS }).trigger,
    plan(messages, { ...OPTIONS, overhead: TOOLS }).trigger,
  );
  const requested = summaryRequest(messages, { ...OPTIONS, set: { 'prune.enabled': false }, overhead: 13_000 });
  assert.equal(requested?.plan.trigger.overhead, 13_000);
});

test('a snapshot keeps what was learnt', () => {
  const session = new Session(OPTIONS);
  run((messages) => {
    session.sync(messages);
    return { sent: session.check().verdict === 'noop' ? messages : session.apply({ summary: SUMMARY }).messages, fits: true };
  });
  const restored = Session.restore(session.snapshot(), session.messages);
  assert.deepEqual(restored.check(), session.check());
  assert.deepEqual(restored.plan().trigger, session.plan().trigger);
  const done = session.apply({ summary: SUMMARY, force: true });
  assert.deepEqual(restored.apply({ summary: SUMMARY, force: true }).messages, done.messages);
  assert.deepEqual(restored.check(), session.check());
});

test('what is no amount is refused', () => {
  for (const overhead of [-1, Number.NaN, '8000', Number.POSITIVE_INFINITY]) {
    assert.throws(() => plan([], /** @type {any} */ ({ overhead })), { name: 'EbblineError', code: 'invalid_option' });
  }
});
