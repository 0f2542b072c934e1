// Live arrays: what is compacted, which objects stay the same, and that the input is never changed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import { ebbline, fixture, lists } from './package.mjs';
import { formats, makeSession } from './random-sessions.mjs';

const { EbblineError, compact, detect, plan, validate } = ebbline;

const EAGER = {
  'prune.reference': false,
  'prune.protect': 50,
  'prune.minimum': 1,
  'prune.onlyWhenFull': false,
  'prune.downTo': 0,
  'prune.preview': 0,
  'prune.protectedTurns': 0,
  'prune.shortOutputs': true,
};
const PRUNE = { set: { ...EAGER, 'retain.enabled': false } };
/** Without a reference, nothing can be said of an output. */
const DESCRIBED = { ...PRUNE.set, 'prune.reference': true, 'prune.protect': 0, 'prune.shortOutputs': false };
const BOTH = { set: { ...EAGER, 'retain.keep': 200, 'model.context': 300, 'trigger.reserve': 0 } };
const EVERYTHING = { 'prune.placeholder': '-', 'prune.protect': 0, 'prune.errors': true, 'prune.protectedTools': [] };
const NOW = 1_795_300_000_000;
const PLACEHOLDER = '[Old tool result content cleared]';
/** The possible replacements of an output. */
const CLEARED = [
  PLACEHOLDER,
  { type: 'text', value: PLACEHOLDER },
  { type: 'text', text: PLACEHOLDER },
  [{ type: 'text', text: PLACEHOLDER }],
  [{ text: PLACEHOLDER }],
  { output: PLACEHOLDER },
  [],
];

function frozen(value) {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

/** Asserts that `after` is `before` without some of its outputs, and shares with it every object that contains none
 * of them. */
function assertCleared(after, before) {
  if (after === before || CLEARED.some((output) => isDeepStrictEqual(after, output))) return;
  // OpenCode only records when it was cleared.
  if (before === undefined) return assert.equal(after, NOW);
  // An object that is cleared keeps its shape: a list keeps its first element, and nothing else is gone.
  const isShort = Array.isArray(before) && Array.isArray(after) && after.length === 1;
  assert.deepEqual(
    Object.keys(before).filter((key) => !(key in after) && !isShort),
    [],
  );
  assert.notDeepEqual(after, before);
  for (const key of Object.keys(after)) assertCleared(after[key], before[key]);
}

for (const [name, format] of Object.entries(lists)) {
  const messages = frozen(JSON.parse(fixture(name)));

  test(`${name}: nothing to do gives a new array of the same objects`, () => {
    const done = compact(messages);
    assert.notEqual(done.messages, messages);
    assert.equal(done.messages.length, messages.length);
    done.messages.forEach((message, at) => assert.equal(message, messages[at]));
  });

  test(`${name}: the array is as valid as its text, and stays so`, () => {
    const { valid, violations, pending } = validate(fixture(name));
    const without = ({ line, byte, ...call }) => call;
    assert.deepEqual(validate(messages), { valid, format, violations, pending: pending.map(without) });
    assert.ok(valid, JSON.stringify(violations));
    for (const options of [PRUNE, { ...BOTH, summary: 'So far: nothing.' }, { ...BOTH, force: true, summary: 'x' }]) {
      const { messages: after } = compact(messages, { ...options, now: NOW });
      const { pending: waiting, ...found } = validate(after, { format });
      assert.deepEqual(found, { valid: true, format, violations: [] });
      for (const { id } of waiting)
        assert.ok(
          pending.some((call) => call.id === id),
          `${id} waits for a result that it had`,
        );
    }
  });

  test(`${name}: only what is pruned is another object, and that only along the path`, () => {
    const done = compact(messages, { ...PRUNE, now: NOW });
    done.messages.forEach((message, at) => {
      const { parts } = done.plan.messages[at];
      if (!parts.some((part) => part.fate === 'pruned')) return assert.equal(message, messages[at]);
      assert.notEqual(message, messages[at]);
      assertCleared(message, messages[at]);
    });
    assert.deepEqual(plan(done.messages, PRUNE).prune.applied, false);
  });

  test(`${name}: the array is compacted as its text is, with and without a summary`, () => {
    for (const options of [PRUNE, BOTH, { ...BOTH, summary: 'So far: “nothing”.' }, { ...BOTH, force: true, summary: 'x' }]) {
      const live = compact(messages, { ...options, now: NOW });
      const text = compact(fixture(name), { ...options, now: NOW });
      assert.deepEqual(live.messages, JSON.parse(text.text));
      assert.deepEqual(live.plan, text.plan);
      assert.deepEqual([live.applied, live.summaryNeeded], [text.applied, text.summaryNeeded]);
    }
  });
}

test('a summary takes the place of the summarized messages; system messages stay', () => {
  const messages = JSON.parse(fixture('openai-chat.json'));
  const done = compact(messages, { ...BOTH, summary: 'The checkout was fixed.' });
  assert.equal(done.messages[0], messages[0]);
  assert.equal(done.messages[1].role, 'user');
  assert.match(
    done.messages[1].content,
    /^\[Compaction summary: it stands for \d+ earlier messages; .* \[ref [a-p]{8}\]\n\nThe checkout was fixed\.$/u,
  );
  assert.equal(done.applied.summarized, messages.length - done.messages.length + 1);
  assert.equal(done.messages.at(-1), messages.at(-1));
});

test('OpenCode: a session that was compacted before is compacted again where it stands', () => {
  const messages = frozen(JSON.parse(fixture('opencode-compacted.json')).messages);
  for (const freeBytes of [false, true]) {
    for (const options of [PRUNE, { ...BOTH, summary: 'So far.' }, { ...BOTH, force: true, summary: 'x' }]) {
      const given = { ...options, freeBytes, now: NOW };
      const live = compact(messages, given);
      assert.deepEqual(live.messages, JSON.parse(compact(JSON.stringify(messages), given).text));
      const marked = live.messages.flatMap(({ parts }) => parts).filter(({ state }) => state?.time?.compacted);
      assert.ok(marked.length >= 2);
      assert.equal(
        marked.some(({ state }) => state.output === '[Old tool result content cleared]'),
        freeBytes,
      );
      if ('summary' in options) assert.equal(live.messages.length, messages.length + 2);
    }
  }
});

test('OpenCode: what only quotes the mark of a freed output is freed like any other', () => {
  const messages = JSON.parse(fixture('opencode.json')).messages;
  const outputs = messages.flatMap(({ parts }) => parts).filter(({ state }) => state?.output);
  outputs[0].state.output = 'I read about [Old tool result content cleared] [ref oljnnlka]';
  const given = { ...PRUNE, freeBytes: true, now: NOW };
  const live = compact(frozen(messages), given);
  assert.deepEqual(live.messages, JSON.parse(compact(JSON.stringify(messages), given).text));
  const [first] = live.messages.flatMap(({ parts }) => parts).filter(({ state }) => state?.output);
  assert.equal(first.state.output, '[Old tool result content cleared]');
});

test('what is compacted is recognized again, though no call is left to show its format', () => {
  const telling = {
    'anthropic-messages.json': 'anthropic_messages',
    'bedrock-converse.json': 'bedrock_converse',
    'openai-agents.json': 'openai_agents',
    'vercel-model.json': 'vercel_model',
  };
  for (const [name, format] of Object.entries(telling)) {
    const messages = frozen(JSON.parse(fixture(name)));
    const options = { force: true, set: { 'retain.keep': 1 }, summary: 'So far.', now: NOW };
    const live = compact(messages, options);
    assert.deepEqual(live.messages, JSON.parse(compact(fixture(name), options).text), name);
    assert.equal(detect(live.messages).format, format, name);
    assert.equal(validate(live.messages).format, format, name);
  }
});

test('OpenCode: rows are read as text only', () => {
  const rows = JSON.parse(fixture('opencode-share.json'));
  assert.throws(() => plan(rows), { code: 'unsupported_format' });
  assert.equal(plan(JSON.stringify(rows)).messages.length, 8);
});

/** The same session with words that are so many times as long wherever anything is said or given back. */
function enlarged(value, times, key) {
  if (Array.isArray(value)) return value.map((member) => enlarged(member, times, key));
  if (typeof value === 'string')
    return ['content', 'text', 'output', 'value', 'result', 'stdout'].includes(key) ? value.repeat(times) : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, enlarged(member, times, name)]));
}

for (const format of formats) {
  test(`random sessions of ${format}: outputs are cut alike in array and text`, () => {
    const set = { 'prune.protectedTools': [], 'prune.preview': 150, 'retain.keep': 100, 'trigger.floor': 0, 'trigger.reserve': 0 };
    let cut = 0;
    for (let seed = 1; seed <= 60; seed += 1) {
      const whole = frozen(enlarged(JSON.parse(JSON.stringify(makeSession(format, seed))), 40));
      for (let end = 1; end <= whole.length; end += 1) {
        const messages = whole.slice(0, end);
        const given = { profile: 'ebbline@2', set: { ...set, 'model.context': 200 + seed * 5 }, summary: 'So far.', format, now: NOW };
        const [live, text] = [outcome(messages, given), outcome(JSON.stringify(messages), given)];
        assert.deepEqual(live.messages ?? live.code, text.text ? JSON.parse(text.text) : text.code, `seed ${seed}, ${end} messages`);
        cut += live.plan?.messages.flatMap(({ parts }) => parts).filter(({ preview }) => preview !== undefined).length ?? 0;
      }
    }
    assert.ok(cut > 20, `only ${cut} outputs were cut`);
  });
}

for (const format of formats) {
  test(`random sessions of ${format}: what remains of long outputs is alike in array and text`, () => {
    const set = { ...DESCRIBED, 'prune.protectedTools': [] };
    let described = 0;
    for (let seed = 1; seed <= 60; seed += 1) {
      // Every tenth has outputs of some hundred thousand characters, which are read in part.
      const times = seed % 10 === 0 ? 600 : 150;
      const messages = frozen(enlarged(JSON.parse(JSON.stringify(makeSession(format, seed))), times));
      const given = { set, force: true, format, now: NOW };
      const [live, text] = [outcome(messages, given), outcome(JSON.stringify(messages), given)];
      assert.deepEqual(live.messages ?? live.code, text.text ? JSON.parse(text.text) : text.code, `seed ${seed}`);
      described += JSON.stringify(live.messages ?? '').split('content cleared: ').length - 1;
    }
    // Where the agent has a field for what is pruned, nothing is said of it.
    assert.ok(described > 5 || format === 'opencode', `only ${described} outputs were described`);
  });
}

test('a call with an empty id is described alike in array and text, and known again', () => {
  const call = { id: '', type: 'function', function: { name: 'bash', arguments: '{"command":"cargo test"}' } };
  const step = (at) => [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: '', content: `src/deep/a${at}.rs E${4_000 + at}\n`.repeat(400) },
  ];
  const messages = [{ role: 'user', content: 'Go.' }, ...[1, 2, 3].flatMap(step), { role: 'assistant', content: 'Done.' }];
  const given = { set: DESCRIBED, force: true };
  const { messages: live, plan: once } = compact(messages, given);
  assert.deepEqual(live, JSON.parse(compact(JSON.stringify(messages), given).text));
  assert.ok(once.prune.outputs > 1);
  assert.match(live[2].content, /^\[Old tool result content cleared: bash cargo test, /);
  assert.equal(plan(live, given).prune.applied, false);
});

test('cache_control and is_error of a pruned result stay', () => {
  const messages = JSON.parse(fixture('anthropic-messages.json'));
  const { messages: next } = compact(messages, { set: { ...PRUNE.set, 'prune.errors': true, 'prune.protect': 0 } });
  const [listing, failed, screenshot] = next[2].content;
  assert.equal(listing.content, '[Old tool result content cleared]');
  assert.deepEqual([failed.is_error, failed.content], [true, '[Old tool result content cleared]']);
  assert.deepEqual(screenshot.cache_control, { type: 'ephemeral' });
});

for (const format of formats) {
  test(`200 random sessions of ${format}: array and text are compacted alike`, () => {
    let pruned = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      // A text cannot contain values that JSON cannot represent.
      const messages = frozen(JSON.parse(JSON.stringify(makeSession(format, seed))));
      for (const options of [{ set: { ...PRUNE.set, ...EVERYTHING } }, { set: { ...BOTH.set, ...EVERYTHING }, summary: 'So far.' }]) {
        const given = { ...options, format, now: NOW };
        const [live, text] = [outcome(messages, given), outcome(JSON.stringify(messages), given)];
        assert.deepEqual(live.messages ?? live.code, text.text ? JSON.parse(text.text) : text.code, `seed ${seed}`);
        pruned += live.applied?.pruned ?? 0;
      }
    }
    assert.ok(pruned > 100, `only ${pruned} outputs were pruned`);
  });
}

function outcome(session, options) {
  try {
    return compact(session, options);
  } catch (error) {
    if (error instanceof EbblineError) return error;
    throw error;
  }
}

test('arguments that hold themselves, or are nested absurdly deep, are refused', () => {
  const cyclic = { name: 'x' };
  cyclic.self = [cyclic, cyclic];
  let deep = {};
  for (let level = 0; level < 100_000; level += 1) deep = { deep };
  for (const input of [cyclic, deep]) {
    const call = [{ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'x', input }] }];
    assert.throws(() => plan(call), { name: 'EbblineError', code: 'too_deep' });
  }
  const deepest = [{ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'x', input: nested(990) }] }];
  assert.ok(plan(deepest).tokensBefore > 0);
});

function nested(levels) {
  let value = /** @type {any} */ (1);
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

test('a getter that plans while a plan is made disturbs nothing', () => {
  const messages = JSON.parse(fixture('openai-chat.json'));
  const expected = plan(messages);
  let planned = 0;
  const curious = messages.map((message) => ({
    ...message,
    get content() {
      planned += plan(messages).messages.length;
      return message.content;
    },
  }));
  assert.deepEqual(plan(curious), expected);
  assert.ok(planned > 0);
});

test('formats that are read as text only say so', () => {
  const tiny = [{ role: 'tool_result', tool_call_id: 't', tool_name: 'x', content: [] }];
  assert.throws(() => plan(tiny), { code: 'unsupported_format', message: /JSON\.stringify/ });
  assert.equal(ebbline.detect(tiny).supported, false);
  assert.throws(() => plan([{ source: 'agent', action: 'run' }]), { code: 'unsupported_format', message: /JSON\.stringify/ });
});

test('memory does not grow with the number of calls', () => {
  const text = fixture('openai-chat.json');
  const messages = JSON.parse(text);
  const round = () => {
    for (let call = 0; call < 300; call += 1) {
      compact(text, PRUNE);
      compact(messages, PRUNE);
      plan(messages, { set: { 'prune.protect': call } });
      assert.throws(() => plan('[{"role":'), EbblineError);
    }
  };
  round();
  const before = process.memoryUsage().arrayBuffers;
  for (let again = 0; again < 5; again += 1) round();
  const grown = process.memoryUsage().arrayBuffers - before;
  assert.ok(grown < 8_000_000, `${grown} bytes more`);
});

test('what becomes of each message is made when it is asked for, and is a plain member then', () => {
  const messages = JSON.parse(fixture('openai-chat.json'));
  const whole = plan(JSON.stringify(messages), PRUNE);
  const ways = {
    JSON: (planned) => JSON.parse(JSON.stringify(planned)),
    structuredClone,
    spread: (planned) => ({ ...planned }),
    proxy: (planned) => ({ ...new Proxy(planned, {}) }),
    heir: (planned) => ({ ...whole, messages: Object.create(planned).messages }),
    frozen: (planned) => ({ ...Object.freeze(planned) }),
    itself: (planned) => planned,
  };
  for (const [name, way] of Object.entries(ways)) {
    const planned = plan(messages, PRUNE);
    assert.deepEqual(Object.keys(planned), Object.keys(whole));
    assert.deepEqual(way(planned), whole, name);
    assert.equal(planned.messages, planned.messages);
    assert.equal(JSON.stringify(way(compact(messages, PRUNE).plan)), JSON.stringify(whole), name);
  }
  const planned = plan(messages, PRUNE);
  messages.push({ role: 'user', content: 'later' });
  for (let call = 0; call < 100; call += 1) plan(messages, { set: { 'prune.protect': call } });
  assert.deepEqual(planned.messages, whole.messages, 'as it was planned, whatever came later');
  planned.messages = [];
  assert.deepEqual(Object.getOwnPropertyDescriptor(planned, 'messages'), {
    value: [],
    configurable: true,
    enumerable: true,
    writable: true,
  });
});

test('Bedrock Converse: bytes count as the base64 that they become', () => {
  const messages = (bytes) => [
    { role: 'user', content: [{ text: 'What is this?' }, { image: { format: 'png', source: { bytes } } }] },
    { role: 'assistant', content: [{ reasoningContent: { redactedContent: bytes } }, { text: 'A picture.' }] },
  ];
  const options = { profile: 'pi@1.5', set: { 'estimator.image': null } };
  const [live, text] = [messages(new Uint8Array(3000)), messages('A'.repeat(4000))];
  assert.deepEqual(plan(live, options).messages, plan(text, options).messages);
  assert.deepEqual(plan(live, options).messages, plan(JSON.stringify(text), options).messages);
});
