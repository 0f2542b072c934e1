// Bad input and wrong options always give an EbblineError, with its code and, for texts, its place.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline, fixture } from './package.mjs';

const { EbblineError, compact, detect, plan, read, validate } = ebbline;

const CHAT = '[{"role":"user","content":"hi"}]';

/** Input, code, line, byte. */
const TEXTS = {
  nothing: ['', 'empty', 1, 0],
  'white space': [' \n\t\n', 'empty', 3, 4],
  words: ['hello world', 'not_json', 1, 0],
  'JSON without messages': ['{"a": 1,\n "b": 2}', 'no_messages', 1, 0],
  'a number': ['42', 'no_messages', 1, 0],
  'an empty list': [' []', 'no_messages', 1, 1],
  'a broken list': ['[{"role": "user"},\n{"role" "user"}]', 'not_json', 2, 27],
  'a torn list': ['[{"role":"user","content":"hi', 'torn_line', 1, 29],
  'a torn only line': ['{"type":"session","id":', 'torn_line', 1, 23],
  'a huge number': ['9'.repeat(2_000_000), 'no_messages', 1, 0],
  '100,000 levels': ['['.repeat(100_000), 'too_deep', 1, 1000],
  '100,000 levels of objects': ['{"a":'.repeat(100_000), 'too_deep', 1, 5000],
  'a lone surrogate': ['[{"role":"user",\n"content":"é\ud83d"}]', 'not_utf8', 2, 30],
  'a lone surrogate at the end': [`${CHAT}\udc00`, 'not_utf8', 1, 32],
};

for (const [what, [text, code, line, byte]] of Object.entries(TEXTS)) {
  test(`${what} is refused as ${code}`, () => {
    for (const call of [plan, compact, detect, read, validate]) {
      assert.throws(
        () => call(text),
        (/** @type {Error & { code: string, line: number, byte: number }} */ error) => {
          assert.ok(error instanceof EbblineError && error instanceof Error);
          assert.equal(error.name, 'EbblineError');
          assert.deepEqual([error.code, error.line, error.byte], [code, line, byte], error.message);
          assert.ok(error.message.length > 10 && error.message.length < 500, error.message);
          assert.match(error.stack, /EbblineError: .*\n\s+at /);
          return true;
        },
      );
    }
  });
}

test('bytes that are no UTF-8 are refused with their place', () => {
  const bytes = Buffer.concat([Buffer.from('[{"role":"user",\n"content":"'), Buffer.from([0xff]), Buffer.from('"}]')]);
  assert.throws(() => plan(bytes), { code: 'not_utf8', line: 2, byte: 28 });
});

test('a byte that is no UTF-8 costs its line of a JSON Lines file, and the output has it byte for byte', () => {
  const line = (role, content) => Buffer.from(`{"role":"${role}","content":"${content}"}\n`);
  const bad = Buffer.concat([Buffer.from('{"role":"user","content":"caf'), Buffer.from([0xe9]), Buffer.from('"}\n')]);
  const bytes = Buffer.concat([line('user', 'one'), bad, line('assistant', 'two'), line('user', 'three')]);
  const found = read(bytes);
  assert.equal(found.counts.messages, 3);
  assert.deepEqual(
    found.problems.map(({ code, line }) => [code, line]),
    [['not_utf8', 2]],
  );
  assert.equal(detect(bytes).format, 'openai_chat');
  assert.deepEqual(Buffer.from(compact(bytes).bytes), bytes);
});

test('what is no session is answered with what to pass instead', () => {
  for (const input of [undefined, null, 5, true, {}, () => '', Symbol('x'), 7n, new Map()]) {
    for (const call of [plan, compact, detect, read, validate]) {
      assert.throws(() => call(input), { name: 'EbblineError', code: 'no_messages', message: /pass the text of a session file/ });
    }
  }
  assert.throws(() => plan({ model: 'gpt-5', messages: [] }), { code: 'no_messages', message: /plan\(request\.messages\)/ });
  assert.throws(() => plan([1, 2]), { code: 'no_messages' });
  assert.throws(() => plan([{ color: 'blue' }]), { code: 'no_messages' });
});

test('a content of an unknown shape is refused, not read as nothing', () => {
  for (const content of [{ text: 'go' }, { type: 'text' }, { format: 2 }, { parts: [] }]) {
    const messages = [{ role: 'user', content }];
    for (const call of [plan, compact, detect, read, validate]) {
      assert.throws(() => call(messages), { code: 'no_messages' });
      assert.throws(() => call(JSON.stringify(messages)), { code: 'no_messages' });
    }
    const session = new ebbline.Session();
    assert.throws(() => session.push(messages), { code: 'no_messages' });
    assert.equal(session.length, 0);
  }
});

test('messages of the model beside those of a Mastra store are refused, and a session stays as it was', () => {
  const messages = [
    { role: 'user', content: { format: 2, parts: [{ type: 'text', text: 'go' }] } },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'f', input: {} }] },
  ];
  const refused = { code: 'invalid_message', message: /message 1 has a list as its content/ };
  for (const call of [plan, compact, read, validate]) {
    assert.throws(() => call(messages), refused);
    assert.throws(() => call(JSON.stringify(messages)), refused);
  }
  const session = new ebbline.Session();
  session.push(messages[0]);
  assert.throws(() => session.push(messages[1]), refused);
  assert.equal(session.length, 1);
});

test('the state of a graph is answered with the array to pass instead', () => {
  const messages = [{ type: 'human', content: 'go' }];
  const snapshot = { values: { messages }, next: [], metadata: {} };
  for (const call of [plan, compact, detect, read, validate]) {
    assert.throws(() => call({ messages, step: 1 }), { code: 'no_messages', message: /plan\(state\.messages\)/ });
    assert.throws(() => call(snapshot), { code: 'no_messages', message: /plan\(state\.values\.messages\)/ });
    assert.throws(() => call({ channel_values: { messages } }), {
      code: 'no_messages',
      message: /plan\(checkpoint\.channel_values\.messages\)/,
    });
    assert.throws(() => call([snapshot, snapshot]), { code: 'no_messages', message: /plan\(tasks\[0\]\.values\.messages\)/ });
  }
});

test('a torn last line is a problem, not an error, and comes out as it went in', () => {
  const torn = `${fixture('pi-v3.jsonl').trimEnd()}\n{"type":"message","id":"0`;
  const { problems, counts } = read(torn);
  assert.equal(problems.length, 1);
  assert.deepEqual([problems[0].code, problems[0].line], ['torn_line', torn.split('\n').length]);
  assert.equal(counts.messages, read(fixture('pi-v3.jsonl')).counts.messages);
  assert.equal(compact(torn).text, torn);
});

test('the wrong format asked for is refused, for text and for live messages', () => {
  for (const input of [fixture('anthropic-messages.json'), JSON.parse(fixture('anthropic-messages.json'))]) {
    assert.throws(() => plan(input, { format: 'pi' }), {
      code: 'wrong_format',
      message: /pi was asked for, but this is Anthropic Messages/,
    });
    assert.throws(() => plan(input, { format: 'claude' }), { code: 'unknown_format', message: /anthropic_messages/ });
    assert.equal(plan(input, { format: 'anthropic_messages' }).messages.length, 12);
  }
  // Plain chat is valid in several formats.
  assert.equal(read(JSON.parse(fixture('plain-chat.json')), { format: 'pi' }).format, 'pi');
  assert.throws(() => plan(JSON.parse(CHAT), { format: 'codex' }), { code: 'unsupported_format' });
});

test('strict refuses what the system itself would', () => {
  const text = '[{"role":"tool_result","details":null,"content":[]}]';
  assert.equal(read(text).counts.results, 1);
  assert.throws(() => read(text, { strict: true }), { code: 'invalid_message', line: 1, byte: 1 });
});

/** Options, code, and what the message must name. */
const OPTIONS = [
  [{ profil: 'ebbline@1' }, 'invalid_option', /"profil".*profile/],
  [{ profile: 'opencode' }, 'unknown_profile', /opencode@2026-01/],
  [{ profile: 7 }, 'invalid_option', /profile must be a string/],
  [{ policy: { prune: { protcet: 1 } } }, 'invalid_policy', /prune\.protcet.*prune\.protect/],
  [{ policy: { pruning: {} } }, 'invalid_policy', /"pruning"/],
  [{ policy: { prune: 5 } }, 'invalid_policy', /"prune"/],
  [{ policy: { prune: { protect: -1 } } }, 'invalid_policy', /prune\.protect cannot be -1/],
  [{ policy: { prune: { protect: 1.5 } } }, 'invalid_policy', /prune\.protect cannot be 1\.5/],
  [{ policy: { prune: { protect: NaN } } }, 'invalid_policy', /prune\.protect cannot be null/],
  [{ policy: { trigger: { fires: 'sometimes' } } }, 'invalid_policy', /trigger\.fires/],
  [{ policy: [] }, 'invalid_option', /policy must be an object/],
  [{ policy: { profile: 9n } }, 'invalid_policy', /cannot be written as JSON/],
  [{ model: { context: 2 ** 60 } }, 'invalid_policy', /model\.context/],
  [{ model: { window: 1 } }, 'invalid_policy', /model\.window/],
  [{ model: 200_000 }, 'invalid_option', /model must be an object/],
  [{ set: { 'prune.protect': '30000' } }, 'invalid_policy', /prune\.protect/],
  [{ set: { 'estimator.perToken': 0 } }, 'invalid_policy', /perToken/],
  [{ force: 'yes' }, 'invalid_option', /force must be true or false/],
  [{ knownTokens: -1 }, 'invalid_option', /knownTokens/],
  [{ knownTokens: NaN }, 'invalid_option', /knownTokens/],
  [{ format: 3 }, 'invalid_option', /format must be a string/],
  [{ conversation: '1' }, 'invalid_option', /conversation must be a whole number/],
  [{ conversation: 1.5 }, 'invalid_option', /conversation must be a whole number/],
  [{ conversation: 1 }, 'invalid_option', /there is no conversation 1:.* single/],
  [[], 'invalid_option', /options must be an object/],
  ['ebbline@1', 'invalid_option', /options must be an object/],
];

for (const [options, code, message] of OPTIONS) {
  test(`options ${describe(options)} are refused as ${code}`, () => {
    for (const input of [CHAT, JSON.parse(CHAT)]) assert.throws(() => plan(input, options), { name: 'EbblineError', code, message });
  });
}

function describe(options) {
  return JSON.stringify(options, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

test('undefined options are as good as none', () => {
  assert.deepEqual(plan(CHAT, { profile: undefined, policy: undefined, set: { 'prune.protect': undefined } }), plan(CHAT));
});
