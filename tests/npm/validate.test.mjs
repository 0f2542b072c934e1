// Whether a session is a valid request, for texts and live arrays, with the rules that the types list.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { ebbline, fixture, fixtures, internal, packageFolder } from './package.mjs';
import { makeSession } from './random-sessions.mjs';

const { validate } = ebbline;

const ANTHROPIC = [
  { role: 'user', content: 'Read both files.' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Both.', signature: 'c2lnbmVk' },
      { type: 'tool_use', id: 'c1', name: 'read', input: {} },
      { type: 'tool_use', id: 'c2', name: 'read', input: {} },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'c1', content: 'a' },
      { type: 'tool_result', tool_use_id: 'c2', content: 'b' },
    ],
  },
];

/** Changes of a valid list, and the rules that it then breaks, with places. @type {Record<string, [(list: any[]) => any[], string[]]>} */
const CHANGES = {
  nothing: [(list) => list, []],
  'one result is lost': [([a, b, c]) => [a, b, { ...c, content: c.content.slice(1) }], ['call_without_result 1.1']],
  'all results are lost': [(list) => list.slice(0, 2), ['call_without_result 1.1', 'call_without_result 1.2']],
  'the calls are lost': [([a, , c]) => [a, c], ['result_without_call 1.0', 'result_without_call 1.1']],
  'the signature is lost': [
    ([a, b, c]) => [a, { ...b, content: [{ type: 'thinking', thinking: 'Both.' }, ...b.content.slice(1)] }, c],
    ['unsigned_thinking 1.0'],
  ],
  'the thinking is moved': [
    ([a, b, c]) => [a, { ...b, content: [b.content[1], b.content[0], b.content[2]] }, c],
    ['thinking_after_call 1.1'],
  ],
  'words come first': [
    ([a, b, c]) => [a, b, { ...c, content: [{ type: 'text', text: 'Here:' }, ...c.content] }],
    ['result_not_first 2.1', 'result_not_first 2.2'],
  ],
  'the question is empty': [([, ...rest]) => [{ role: 'user', content: '' }, ...rest], ['empty_text 0.0']],
  'the question is lost': [(list) => list.slice(1), ['first_role 0']],
};

const placesOf = ({ violations }) =>
  violations.map(({ rule, message, part }) => `${rule} ${[message, part].filter((at) => at !== undefined).join('.')}`);

for (const [what, [change, expected]] of Object.entries(CHANGES)) {
  test(`${what}: ${expected.join(', ') || 'valid'}`, () => {
    const messages = change(ANTHROPIC);
    const live = validate(messages, { format: 'anthropic_messages' });
    assert.deepEqual(placesOf(live), expected);
    assert.equal(live.valid, expected.length === 0);
    const text = validate(JSON.stringify(messages, null, 1), { format: 'anthropic_messages' });
    assert.deepEqual(placesOf(text), expected);
    for (const { text: words, line, byte } of text.violations) {
      assert.ok(words.length > 10 && line > 1 && byte > 0);
    }
  });
}

for (const name of fixtures) {
  test(`${name} is valid`, () => assert.deepEqual(validate(fixture(name)).violations, []));
}

for (const format of ['openai_chat', 'anthropic_messages', 'pi']) {
  test(`200 random sessions of ${format}: text and live array break the same rules`, () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const text = JSON.stringify(makeSession(format, seed));
      const read = validate(text, { format });
      const live = validate(JSON.parse(text), { format });
      const without = ({ line, byte, ...violation }) => violation;
      const found = { ...read, violations: read.violations.map(without), pending: read.pending.map(without) };
      assert.deepEqual(found, live, `seed ${seed}: ${text}`);
    }
  });
}

const MARKED = { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } };
const CALL = { id: 'c', type: 'function', function: { name: 'ls', arguments: '{}' } };
const ASKED = { role: 'user', content: 'a' };

/** Lists that a provider refuses, and the rule that each breaks. @type {Record<string, [string, any[], string]>} */
const REFUSED = {
  'no message': ['openai_chat', [], 'empty_list 0'],
  'an empty list of calls': ['openai_chat', [ASKED, { role: 'assistant', content: 'b', tool_calls: [] }], 'empty_calls 1'],
  'a call without an id': [
    'openai_chat',
    [ASKED, { role: 'assistant', content: null, tool_calls: [{ ...CALL, id: undefined }] }, { role: 'tool', content: 'b' }],
    'call_without_id 1.0',
  ],
  'an image of the model': [
    'openai_chat',
    [ASKED, { role: 'assistant', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] }],
    'image_in_answer 1.0',
  ],
  'five marks for the cache': [
    'anthropic_messages',
    [
      { role: 'user', content: [MARKED, MARKED, MARKED, MARKED] },
      { role: 'user', content: [MARKED] },
    ],
    'cache_marks 1',
  ],
  'five places for the cache': [
    'bedrock_converse',
    [{ role: 'user', content: [{ text: 'a' }, ...Array(5).fill({ cachePoint: { type: 'default' } })] }],
    'cache_marks 0',
  ],
  'two messages of the user in a row': [
    'bedrock_converse',
    [
      { role: 'user', content: [{ text: 'a' }] },
      { role: 'user', content: [{ text: 'b' }] },
    ],
    'alternation 1',
  ],
};

for (const [what, [format, messages, expected]] of Object.entries(REFUSED)) {
  test(`${what}: ${expected}, in text and array`, () => {
    const live = validate(messages, { format });
    assert.deepEqual([live.valid, placesOf(live)], [false, [expected]]);
    assert.deepEqual(placesOf(validate(JSON.stringify(messages), { format })), [expected]);
    assert.equal(validate(messages, { format, except: [expected.split(' ')[0]] }).valid, true);
  });
}

test('calls that wait for their results are listed with their ids', () => {
  const messages = [
    ASKED,
    { role: 'assistant', content: null, tool_calls: [CALL, { ...CALL, id: 'd' }] },
    { role: 'tool', tool_call_id: 'c', content: 'b' },
  ];
  const [waiting, ...others] = validate(messages).pending;
  assert.deepEqual(others, []);
  const { text, ...place } = waiting;
  assert.deepEqual(place, { message: 1, part: 1, id: 'd', tool: 'ls' });
  assert.match(text, /a late result would answer none/);
  const read = validate(JSON.stringify(messages, null, 1)).pending;
  assert.deepEqual(
    read.map(({ line, byte, ...call }) => call),
    [waiting],
  );
  assert.ok(read[0].line > 1 && read[0].byte > 0);
  assert.deepEqual(validate([...messages, ASKED]).pending, []);
});

test('rules can be added and left out', () => {
  assert.deepEqual(placesOf(validate(ANTHROPIC.slice(0, 1))), []);
  const chat = [...ANTHROPIC, { role: 'assistant', content: 'Done.' }];
  assert.deepEqual(placesOf(validate(chat, { also: ['last_role'] })), ['last_role 3']);
  assert.equal(validate(chat.slice(1), { except: ['first_role'] }).valid, true);
  assert.throws(() => validate(chat, { also: ['lastRole'] }), {
    code: 'invalid_option',
    message: /no rule "lastRole"; did you mean "last_role"\? There are/,
  });
  assert.throws(() => validate(chat, { except: 'first_role' }), { code: 'invalid_option', message: /a list of names/ });
});

test('the types list every rule there is', async () => {
  const { ruleNames } = await internal('catalog.js');
  const types = readFileSync(join(packageFolder, 'dist/generated/words.d.ts'), 'utf8');
  const [, union] = /export type RuleName =([\s\S]+?");\n/.exec(types);
  assert.deepEqual(
    [...union.matchAll(/^\s*(?:\| )?"(\w+)"$/gm)].map(([, name]) => name),
    ruleNames(),
  );
});
