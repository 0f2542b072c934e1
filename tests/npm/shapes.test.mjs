// Many odd shapes of messages, live and as text: what is known is read, and what is not is refused with what was seen. Nothing is read as an
// empty chat because what it says is in a member that nobody knows.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { Session, compact, detect, plan, read, validate } = ebbline;

const user = (members) => [{ role: 'user', ...members }];
const answer = (members) => [{ role: 'assistant', ...members }];
const said = { role: 'user', content: 'hi' };

/** What is read, and as what. */
const KNOWN = [
  ['openai_chat', user({ content: 'hi' })],
  ['openai_chat', user({ content: '' })],
  ['openai_chat', user({ content: [] })],
  ['openai_chat', user({ content: 'hi', name: 'Ada', weight: 1 })],
  ['openai_chat', user({ content: [{ type: 'text', text: 'hi' }] })],
  ['openai_chat', [{ role: 'system', content: 'hi' }]],
  ['openai_chat', [{ role: 'developer', content: 'hi' }]],
  ['openai_chat', answer({ content: null })],
  ['openai_chat', answer({ content: '' })],
  ['openai_chat', answer({ content: null, refusal: 'no' })],
  ['openai_chat', answer({ refusal: 'no' })],
  ['openai_chat', answer({ audio: { id: 'a' } })],
  ['openai_chat', answer({ reasoning_content: 'hm' })],
  ['openai_chat', answer({ reasoning: 'hm' })],
  ['openai_chat', answer({ reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] })],
  ['openai_chat', answer({ function_call: { name: 'f', arguments: '{}' } })],
  ['openai_chat', answer({ tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] })],
  ['openai_chat', answer({ content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] })],
  ['openai_chat', answer({ tool_calls: [] })],
  ['openai_chat', [{ role: 'function', name: 'f', content: null }]],
  ['openai_chat', [said, { role: 'tool', tool_call_id: 'c', content: 'done' }]],
  ['anthropic_messages', [said, ...answer({ content: [{ type: 'thinking', thinking: 'hm' }] })]],
  ['bedrock_converse', user({ content: [{ text: 'hi' }] })],
  [
    'bedrock_converse',
    [...user({ content: [{ text: 'hi' }] }), ...answer({ content: [{ toolUse: { toolUseId: 't', name: 'f', input: {} } }] })],
  ],
  ['gemini_contents', user({ parts: [] })],
  ['gemini_contents', user({ parts: ['hi'] })],
  ['gemini_contents', user({ parts: 'hi' })],
  ['gemini_contents', user({ parts: { text: 'hi' } })],
  ['gemini_contents', user({ parts: [{ text: 'hi' }, { of: 'tomorrow' }] })],
  ['gemini_contents', user({ parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBO' } }] })],
  ['gemini_contents', [{ parts: [{ text: 'hi' }] }]],
  ['vercel_ui', user({ parts: [{ type: 'text', text: 'hi' }, { type: 'of tomorrow' }] })],
  ['vercel_ui', user({ parts: [{ type: 'data-weather', data: {} }] })],
  ['vercel_ui', answer({ parts: [{ type: 'tool-search', state: 'input-available', toolCallId: 'c', input: {} }] })],
  ['langchain', [{ type: 'human', content: 'hi' }]],
  ['langchain', [{ type: 'human', content: [{ type: 'text', text: 'hi' }] }]],
];

/** What a sentence about messages ends with. */
const CONVERT = 'convert it to OpenAI Chat as https://github.com/ebbline/ebbline/blob/main/docs/convert.md shows';
const ADVICE = `; an agent's own shape is not read: ${CONVERT}`;

/** What is refused, and what is said of it. @type {[any[], string][]} */
const UNKNOWN = [
  [user({ text: 'hi' }), 'message 0 has no content, but role, text'],
  [user({}), 'message 0 has no content, but role'],
  [user({ message: 'hi' }), 'message 0 has no content, but role, message'],
  [user({ content: undefined, body: 'hi' }), 'message 0 has no content, but role, body'],
  [user({ content: 42 }), 'the content of message 0 is a number'],
  [user({ content: true }), 'the content of message 0 is true or false'],
  [user({ content: null }), 'the content of message 0 is null'],
  [user({ content: {} }), 'the content of message 0 is an object without members'],
  [user({ content: { text: 'hi', lang: 'en' } }), 'the content of message 0 is an object with text, lang'],
  [user({ content: [1, 2] }), 'block 0 of message 0 is a number'],
  [user({ content: ['hi'] }), 'block 0 of message 0 is a text'],
  [user({ content: [null] }), 'block 0 of message 0 is null'],
  [user({ content: [[]] }), 'block 0 of message 0 is an array'],
  [user({ content: [{ body: 'hi' }] }), 'block 0 of message 0 has no type, but body'],
  [user({ content: [{}] }), 'block 0 of message 0 has no type, but no members'],
  [user({ content: [{ type: 'text', text: 'hi' }, { body: 'hi' }] }), 'block 1 of message 0 has no type, but body'],
  [user({ content: [{ type: 7, text: 'hi' }] }), 'the type of block 0 of message 0 is a number'],
  [user({ content: [{ type: 'of tomorrow', body: 'hi' }] }), 'block 0 of message 0 has the type of tomorrow; its members are type, body'],
  [user({ parts: [42] }), 'message 0 has no content, but role, parts; its parts are an array of a number'],
  [user({ parts: [null, null] }), 'message 0 has no content, but role, parts; its parts are an array of 2 values, each null'],
  [user({ parts: [{ body: 'hi' }] }), 'message 0 has no content, but role, parts; its parts are an array of one object with body'],
  [user({ parts: [{ type: 'body' }] }), 'message 0 has no content, but role, parts; its parts are an array of one object with type'],
  [
    user({ parts: [{ type: 7, text: 'hi' }] }),
    'message 0 has no content, but role, parts; its parts are an array of one object with type, text',
  ],
  [user({ parts: 42 }), 'message 0 has no content, but role, parts'],
  [user({ parts: {} }), 'message 0 has no content, but role, parts'],
  [answer({}), 'message 0 has no content, but role'],
  [answer({ text: 'hi' }), 'message 0 has no content, but role, text'],
  [answer({ refusal: null }), 'message 0 has no content, but role, refusal'],
  [[{ role: 'system' }], 'message 0 has no content, but role'],
  [[{ role: 'function', name: 'f' }], 'message 0 has no content, but role, name'],
  [[said, { role: 'assistant', text: 'ho' }], 'message 1 has no content, but role, text'],
  [[said, null], 'message 1 is null'],
  [[said, 'hi'], 'message 1 is a text'],
  [[said, [said]], 'message 1 is an array'],
  [[said, { content: 'hi' }], 'message 1 has no role, but content'],
  [[{ role: 'human', content: 'hi' }], 'message 0 has the unknown role human; its members are role, content'],
  [[{ role: 'User', content: 'hi' }], 'message 0 has the unknown role User; its members are role, content'],
  [[{ role: 'é'.repeat(50), content: 'hi' }], `message 0 has the unknown role ${'é'.repeat(40)}; its members are role, content`],
  [[{ role: 7, content: 'hi' }], 'the role of message 0 is a number; its members are role, content'],
  [[{ role: null, content: 'hi' }], 'the role of message 0 is null; its members are role, content'],
  [[{ type: 'human', text: 'hi' }], 'an array of one object with type, text'],
  [[{ type: 'human', content: 42 }], 'an array of one object with type, content'],
  [[{ type: 'user', content: 'hi' }], 'an array of one object with type, content'],
  [[{ from: 'you' }, { from: 'me' }], 'an array of 2 objects, the first with from'],
  [[{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9 }], 'an array of one object with a, b, c, d, e, f, g, h, …'],
  [[{}], 'an array of one object with no members'],
  [[1, 2], 'an array of 2 values, each a number'],
  [['hi'], 'an array of a text'],
  [[{ a: 1 }, 2, true], 'an array of 3 values: an object, a number, true or false'],
  // Beside what only looks like a format, too.
  [[...user({ text: 'hi' }), ...answer({ content: [{ type: 'thinking', thinking: 'hm' }] })], 'message 0 has no content, but role, text'],
  [[...user({ text: 'hi' }), ...answer({ content: [{ text: 'ho' }] })], 'message 0 has no content, but role, text'],
];

test('what is known is read, live and as text', () => {
  for (const [format, messages] of KNOWN) {
    const text = JSON.stringify(messages);
    assert.equal(detect(messages).format, format, text);
    assert.deepEqual(detect(messages), detect(text));
    assert.equal(plan(messages).tokensBefore, plan(text).tokensBefore, text);
  }
});

test('what is unknown is refused with what was seen, live and as text', () => {
  for (const [messages, seen] of UNKNOWN) {
    const text = JSON.stringify(messages);
    const mayBe = Object.keys(messages[0] ?? {}).length > 0 && typeof messages[0] === 'object';
    const unless = mayBe ? `; if an agent wrote it, ${CONVERT}` : '';
    const said = seen + (seen.startsWith('an array') ? unless : ADVICE);
    for (const call of [plan, compact, detect, read, validate]) {
      assert.throws(() => call(messages), { code: 'no_messages', message: `no session: ${said}` }, text);
      assert.throws(() => call(text), { code: 'no_messages', message: `JSON, but no session: ${said} (line 1, byte 0)` }, text);
    }
  }
});

test('a shape that is read as text says so in a list', () => {
  const messages = [
    { from: 'human', value: 'hi' },
    { from: 'gpt', value: 'ho' },
  ];
  const message = /^this looks like ShareGPT \(2 messages in an array: from and value\), which is read as text only: /;
  assert.throws(() => plan(messages), { code: 'unsupported_format', message });
  assert.equal(plan(JSON.stringify(messages)).messages.length, 2);
});

test('a session refuses what is unknown when it comes, and stays as it was', () => {
  const session = new Session();
  session.push(said);
  assert.throws(() => session.push({ role: 'assistant', text: 'ho' }), {
    code: 'no_messages',
    message: `no session: message 1 has no content, but role, text${ADVICE}`,
  });
  assert.equal(session.length, 1);
  session.push({ role: 'assistant', content: 'ho' });
  assert.equal(session.length, 2);
  session.free();
});

test('in a request and on lines, what is unknown is named with its place', () => {
  const lines = (messages) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  const cases = [
    [
      JSON.stringify({ model: 'm', messages: user({ text: 'hi' }) }),
      'an object with model, messages; message 0 has no content, but role, text',
    ],
    [lines([said, { role: 'assistant', text: 'ho' }]), 'the message of line 2 has no content, but role, text'],
    [lines([{ time: 1 }, said, said, { role: 'user', content: 7 }]), 'the content of the message of line 4 is a number'],
    [lines([{ level: 'info' }, { level: 'warn' }]), 'lines of objects with level'],
  ];
  for (const [text, seen] of cases) {
    const said = seen + (seen.startsWith('lines') ? `; if an agent wrote it, ${CONVERT}` : ADVICE);
    assert.throws(() => plan(text), { message: `JSON, but no session: ${said} (line 1, byte 0)` }, text);
  }
});
