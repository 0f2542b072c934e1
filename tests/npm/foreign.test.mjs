// Shapes of other agents are refused with what was seen and what to do, live and as text, in whatever message they stand.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { Session, createCompactor, detect, plan, repair, validate } = ebbline;

const user = { role: 'user', content: 'Fix it.' };
const call = { role: 'assistant', content: '', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] };
const result = { role: 'tool', tool_call_id: 'c', content: 'done' };
const CHAT = [user, call, result];
const anthropic = [user, { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] }];

/** Lists that show the sign of a format, and a message that is not of it. */
/** @type {[string, any[], any][]} */
const FOREIGN = [
  ['a role', CHAT, { role: '_marker', id: 0 }],
  ['a text in another member', CHAT, { role: 'user', text: 'hi' }],
  ['contents', CHAT, { role: 'assistant', contents: [{ type: 'text', text: 'hi' }] }],
  ['items', CHAT, { role: 'user', items: [{ content_type: 'text', text: 'hi' }] }],
  ['a type of block', CHAT, { role: 'assistant', content: [{ type: 'toolRequest', id: 't', toolCall: {} }] }],
  ['a block of thinking', CHAT, { role: 'assistant', content: [{ type: 'think', think: 'hm' }] }],
  ['a text without text', CHAT, { role: 'user', content: [{ type: 'text', value: 'hi' }] }],
  ['a call without a function', CHAT, { role: 'assistant', content: '', tool_calls: [{ id: 'd', name: 'f', arguments: {} }] }],
  ['a result of another id', CHAT, { role: 'tool', content: 'x', call_id: 'd' }],
  ['a result of the system', CHAT, { role: 'system', content: 'x', timestamp: 't', call_id: 'd' }],
  ['a result that names its call elsewhere', anthropic, { role: 'user', content: [{ type: 'tool_result', toolUseID: 'c', run: {} }] }],
  [
    'a call that has its id elsewhere',
    [{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'f', input: {} }] }],
    { role: 'assistant', content: [{ type: 'tool-call', id: 'c', tool_name: 'f', args: '{}' }] },
  ],
  [
    'a part of another store in UI messages',
    [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
    { id: '2', role: 'assistant', parts: [{ type: 'tool_call', data: { id: 'c' } }] },
  ],
  [
    'a text elsewhere in UI messages',
    [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
    { id: '2', role: 'assistant', parts: [{ type: 'text', data: { text: 'hi' } }] },
  ],
  ['a role in Anthropic', anthropic, { role: 'developer', content: 'hi' }],
  ['a block in Anthropic', anthropic, { role: 'user', content: [{ type: 'toolResponse', id: 'c' }] }],
  ['no content in Anthropic', anthropic, { role: 'user', text: 'hi' }],
  [
    'a block in Converse',
    [{ role: 'assistant', content: [{ toolUse: { toolUseId: 't', name: 'f', input: {} } }] }],
    { role: 'user', content: [{ type: 'text', text: 'hi' }] },
  ],
  ['a role in contents', [{ role: 'user', parts: [{ text: 'hi' }] }], { role: 'assistant', parts: [{ text: 'hi' }] }],
  ['content in contents', [{ role: 'user', parts: [{ text: 'hi' }] }], { role: 'user', content: 'hi' }],
  [
    'a part in model messages',
    [{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'f', input: {} }] }],
    { role: 'user', content: [{ type: 'data', data: 'x' }] },
  ],
  ['a role in UI messages', [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'hi' }] }], { id: '2', role: 'bot', parts: [] }],
  ['a role in Responses', [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }], { role: 'human', content: 'hi' }],
  ['no content in pi', [{ role: 'toolResult', toolCallId: 'c', content: [] }], { role: 'user', text: 'hi' }],
];

/** Enough messages that detection has looked away. */
const long = (list) => Array.from({ length: 450 }, (_, at) => list[at % list.length]);

for (const [what, list, foreign] of FOREIGN) {
  test(`refused: ${what}`, async () => {
    for (const messages of [
      [...list, foreign],
      [foreign, ...list],
      [...long(list), foreign],
    ]) {
      const text = JSON.stringify(messages);
      const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
      for (const asked of [() => detect(messages), () => plan(messages), () => validate(text), () => repair(text), () => repair(lines)]) {
        assert.throws(
          asked,
          (/** @type {any} */ error) => /no_messages|unsupported_format/.test(error.code) && error.message.includes('docs/convert.md'),
          text.slice(0, 300),
        );
      }
      await assert.rejects(createCompactor({ model: { context: 200_000 } }).prepare(messages));
    }
    const session = new Session();
    for (const message of list) session.push(message);
    assert.throws(() => session.push(foreign), { code: 'no_messages' });
    assert.equal(session.length, list.length);
    session.free();
  });
}

test('refused: a chat among events that are read as text', () => {
  const event = { author: 'user', invocation_id: 'e', content: { role: 'user', parts: [{ text: 'Fix it.' }] } };
  for (const messages of [[event, user], [user, event], long([event]).concat(user)]) {
    const text = JSON.stringify(messages);
    for (const asked of [() => detect(messages), () => plan(messages), () => plan(text), () => repair(text)]) {
      assert.throws(asked, (/** @type {any} */ error) => error.message.includes('docs/convert.md'), text.slice(0, 300));
    }
  }
  assert.equal(plan(JSON.stringify([event])).messages.length, 1);
});

test('members that nobody knows are no fault', () => {
  const strange = CHAT.map((message) => ({ ...message, at: 1, ours: { of: 'tomorrow' } }));
  assert.equal(plan(strange).messages.length, 3);
  assert.equal(plan(JSON.stringify(strange)).messages.length, 3);
});

test('what is asked for by its name is read, and repair leaves it as it is', () => {
  const text = JSON.stringify([user, { role: '_checkpoint', id: 0 }, { role: 'tool', tool_call_id: 'x', content: 'y' }]);
  assert.equal(repair(text, { format: 'openai_chat' }).text, text);
});

test('what is written is recognized again: one message, on a line or in a list', () => {
  for (const message of [user, { role: 'user', parts: [{ text: 'hi' }] }, { role: 'user', content: [{ text: 'hi' }] }]) {
    assert.equal(plan(`${JSON.stringify(message)}\n`).messages.length, 1);
    assert.equal(plan(JSON.stringify([message])).messages.length, 1);
  }
});

const anthropicCall = (members) => [
  user,
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {}, ...members }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: members.id ?? 'c', content: 'y' }] },
];
const converseCall = (members) => [
  { role: 'user', content: [{ text: 'x' }] },
  { role: 'assistant', content: [{ toolUse: { toolUseId: 'c', name: 'f', input: {}, ...members } }] },
  { role: 'user', content: [{ toolResult: { toolUseId: members.toolUseId ?? 'c', content: [{ text: 'y' }] } }] },
];

const thought = (id) => ({ type: 'reasoning', id, summary: [{ type: 'summary_text', text: 'hm' }] });
const asked = [
  { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
  { type: 'function_call_output', call_id: 'c', output: 'y' },
];

/** What a provider refuses of calls and texts, and the rules. */
const REFUSED = [
  ['anthropic_messages', [{ role: 'user', content: '  ' }], ['empty_text']],
  ['anthropic_messages', [user, { role: 'assistant', content: [{ type: 'text', text: '\n' }] }, user], ['empty_text']],
  ['anthropic_messages', anthropicCall({ input: '{"a":' }), ['call_input']],
  ['anthropic_messages', anthropicCall({ input: null }), ['call_input']],
  ['anthropic_messages', anthropicCall({ id: 'functions.read:0' }), ['call_id']],
  ['anthropic_messages', anthropicCall({ name: 'fs.read' }), ['call_name']],
  ['anthropic_messages', anthropicCall({}), []],
  ['bedrock_converse', [{ role: 'user', content: [{ text: ' ' }] }], ['empty_text']],
  ['bedrock_converse', converseCall({ input: 'x' }), ['call_input']],
  ['bedrock_converse', converseCall({ toolUseId: 'a:0' }), ['call_id']],
  ['bedrock_converse', converseCall({}), []],
  ['openai_responses', [user, thought('rs_1'), ...asked, thought('rs_2')], ['thinking_last']],
  ['openai_responses', [user, thought('rs_1'), user, ...asked], ['thinking_last']],
  ['openai_responses', [user, thought('rs_1'), thought('rs_2'), ...asked], []],
  ['openai_agents', [user, thought('rs_1'), ...asked, thought('rs_2')], ['thinking_last']],
];

test('what a provider refuses of calls and texts is named, live and as text', () => {
  for (const [format, messages, rules] of REFUSED) {
    for (const input of [messages, JSON.stringify(messages)]) {
      const found = validate(input, { format }).violations.map(({ rule }) => rule);
      assert.deepEqual(found, rules, JSON.stringify(messages));
    }
  }
});

test('repair removes reasoning that led to nothing, and names what it cannot mend', () => {
  const whole = [user, thought('rs_1'), ...asked];
  for (const format of ['openai_responses', 'openai_agents']) {
    const { text, left } = repair(JSON.stringify([...whole, thought('rs_2')]), { format });
    assert.deepEqual([JSON.parse(text), left], [whole, []]);
  }
  for (const call of [anthropicCall({ id: 'functions.read:0', input: '{' }), converseCall({ toolUseId: 'a:0', input: 'x' })]) {
    const { text, left } = repair(JSON.stringify(call));
    assert.deepEqual(JSON.parse(text), call);
    assert.deepEqual(
      left.map(({ rule }) => rule),
      ['call_id', 'call_input'],
    );
  }
});

test('repair removes what says nothing', () => {
  const messages = [
    user,
    {
      role: 'assistant',
      content: [
        { type: 'text', text: ' ' },
        { type: 'text', text: 'ok' },
      ],
    },
    { role: 'user', content: '  ' },
  ];
  const { text, left } = repair(JSON.stringify(messages), { format: 'anthropic_messages' });
  assert.deepEqual(JSON.parse(text), [user, { role: 'assistant', content: [{ type: 'text', text: 'ok' }] }]);
  assert.deepEqual(left, []);
});
