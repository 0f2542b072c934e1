// The server refuses what the providers refuse: each rule once, by a request that breaks this rule alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CLIENTS } from './agent-loop.mjs';
import { eventsOf } from './client/events.mjs';
import { PROVIDERS } from './server/provider.mjs';
import { Memory } from './server/memory.mjs';
import { randomOf } from './server/random.mjs';

const TOOLS = [{ name: 'read', description: 'Reads a file.', schema: { type: 'object', properties: {} } }];
const SETTING = { system: 'You are an agent.', tools: TOOLS, output: 2_000, thinks: true };
const ANSWERS = [
  { thinking: 'Both files first.', text: 'I read both.', calls: [call('a'), call('b')] },
  { thinking: 'And the third.', text: undefined, calls: [call('c')] },
];

function call(path) {
  return { name: 'read', args: { path } };
}

/** A request with two answers of the model: one calls two tools, the other a third. */
async function requestOf(format) {
  const [provider, client, memory] = [PROVIDERS[format], CLIENTS[format], new Memory()];
  // Nothing is left to chance.
  const random = { ...randomOf(1), chance: () => false };
  const history = [client.first('Mend the login test.')];
  for (const answer of ANSWERS) {
    const usage = { input: 100, cached: 0, output: 10 };
    const events = [...provider.stream({ ...answer, usage, isCut: false, hasIds: true }, memory, random)];
    const { messages } = await client.read(eventsOf(new Response(events.join(''))));
    history.push(...messages);
    history.push(...client.results(client.open(history).map((open, at) => ({ ...open, at, text: 'one line' }))));
  }
  const violations = (body) => provider.violations(body, memory);
  return { body: JSON.parse(JSON.stringify(client.request(history, SETTING))), violations };
}

/** Without the message or item at this place. */
const without = (list, at) => list.toSpliced(at, 1);
const blocks = (message, change) => ({ ...message, content: change(message.content) });
const parts = (content, change) => ({ ...content, parts: change(content.parts) });
const MARK = { cache_control: { type: 'ephemeral' } };

/** What is done to the messages of a valid request, and what the provider says to it. */
const BROKEN = {
  anthropic_messages: {
    'no message': [() => [], /at least one message/],
    'the first role': [(list) => without(list, 0), /first message must use the "user" role/],
    'the last role': [(list) => list.slice(0, -1), /must end with a user message|without `tool_result` blocks/],
    'a lost result': [
      (list) =>
        list.with(
          2,
          blocks(list[2], (content) => content.slice(1)),
        ),
      /`tool_use` ids were found without `tool_result` blocks immediately after: toolu/,
    ],
    'words before results': [
      (list) =>
        list.with(
          2,
          blocks(list[2], (content) => [{ type: 'text', text: 'Here:' }, ...content]),
        ),
      /without `tool_result` blocks immediately after/,
    ],
    'a lost call': [(list) => list.toSpliced(1, 1), /unexpected `tool_use_id`/],
    'a result twice': [
      (list) =>
        list.with(
          2,
          blocks(list[2], (content) => [...content, content[0]]),
        ),
      /must have a single result/,
    ],
    'an id twice': [(list) => [list[0], list[1], list[2], list[1], list[2], ...list.slice(3)], /ids must be unique/],
    'an empty text': [(list) => list.with(0, { role: 'user', content: ' ' }), /text must be non-empty/],
    'an empty message': [(list) => list.with(0, { role: 'user', content: [] }), /must have non-empty content/],
    'a member of its own': [(list) => list.with(0, { ...list[0], ebbline: 1 }), /Extra inputs are not permitted/],
    'five marks': [
      (list) =>
        list.with(
          2,
          blocks(list[2], (content) => content.map((block) => ({ ...block, ...MARK }))),
        ),
      /maximum of 4 blocks with cache_control may be provided. Found 5/,
    ],
    'changed thinking': [
      (list) =>
        list.with(
          1,
          blocks(list[1], ([thinking, ...rest]) => [{ ...thinking, thinking: 'Else.' }, ...rest]),
        ),
      /Invalid `signature` in `thinking` block/,
    ],
    'lost thinking': [
      (list) =>
        list.with(
          3,
          blocks(list[3], (content) => content.slice(1)),
        ),
      /Expected `thinking`/,
    ],
    'moved thinking': [
      (list) =>
        list.with(
          3,
          blocks(list[3], (content) => [...content].reverse()),
        ),
      /Expected `thinking`/,
    ],
  },
  openai_chat: {
    'no message': [() => [], /is too short/],
    'the first role': [(list) => without(list, 1), /of role 'user'/],
    'the last role': [(list) => [...list, { role: 'assistant', content: 'Done.' }], /Expected last role User or Tool/],
    'a lost result': [(list) => without(list, 3), /must be followed by tool messages responding to each 'tool_call_id'/],
    'words before results': [(list) => list.toSpliced(3, 0, list[1]), /must be followed by tool messages|must be a response/],
    'a lost call': [(list) => without(list, 2), /must be a response to a preceeding message/],
    'a result twice': [(list) => list.toSpliced(3, 0, list[3]), /must be a response to a preceeding message/],
    'an empty text': [(list) => list.with(1, { role: 'user', content: '' }), /text must be non-empty/],
    'no call': [(list) => list.with(2, { ...list[2], tool_calls: [] }), /is too short/],
    'an answer of nothing': [(list) => [...list, { role: 'assistant', content: null }, list[1]], /text must be non-empty/],
    'a second system message': [(list) => [...list, list[0], list[1]], /System message must be at the beginning/],
    'a member of its own': [(list) => list.with(1, { ...list[1], ebbline: 1 }), /Extra inputs are not permitted/],
    'arguments that are no JSON': [
      (list) =>
        list.with(2, { ...list[2], tool_calls: list[2].tool_calls.map((of) => ({ ...of, function: { ...of.function, arguments: '{' } })) }),
      /must be the JSON of an object/,
    ],
    'lost reasoning': [(list) => list.with(5, { ...list[5], reasoning_content: undefined }), /Missing `reasoning_content`/],
  },
  openai_responses: {
    'no item': [() => [], /Missing required parameter/],
    'the last item': [(list) => [...list, { role: 'assistant', content: 'Done.' }], /the last item must be/],
    'a lost result': [
      (list) => list.filter(({ type }, at) => type !== 'function_call_output' || at !== 5),
      /No tool output found for function call/,
    ],
    'a lost call': [(list) => without(list, 4), /No tool call found for function call output/],
    'a result before its call': [(list) => [list[0], list[5], ...list.slice(1, 5), ...list.slice(6)], /No tool call found/],
    'an item twice': [(list) => [...list.slice(0, 3), list[2], ...list.slice(3)], /Duplicate item found with id/],
    'lost reasoning': [(list) => without(list, 1), /without its required 'reasoning' item/],
    'reasoning without its item': [(list) => without(list, 2), /without its required following item/],
    'changed reasoning': [(list) => list.with(1, { ...list[1], encrypted_content: 'else' }), /could not be verified/],
    'an empty text': [(list) => list.with(0, { role: 'user', content: [{ type: 'input_text', text: '' }] }), /text must be non-empty/],
    'a part of another role': [
      (list) => list.with(0, { role: 'user', content: [{ type: 'output_text', text: 'a' }] }),
      /Invalid value: 'output_text'/,
    ],
    'a member of its own': [(list) => list.with(0, { ...list[0], ebbline: 1 }), /Extra inputs are not permitted/],
  },
  gemini_contents: {
    'no content': [() => [], /contents is not specified/],
    'the first role': [(list) => without(list, 0), /start with a user role|immediately after a user turn/],
    'the last role': [(list) => list.slice(0, -1), /end with a user role/],
    'a lost response': [
      (list) =>
        list.with(
          2,
          parts(list[2], (of) => of.slice(1)),
        ),
      /number of function response parts is equal/,
    ],
    'a lost call': [(list) => without(list, 1), /function response turn comes immediately after a function call turn/],
    'a lost answer': [(list) => without(list, 2), /immediately after a user turn|have no function response turn/],
    'a call behind an answer': [
      (list) => list.toSpliced(1, 0, { role: 'model', parts: [{ text: 'I think.' }] }),
      /function call turn comes immediately after a user turn/,
    ],
    'empty parts': [(list) => list.with(0, { role: 'user', parts: [] }), /must not be empty/],
    'an empty text': [(list) => list.with(0, { role: 'user', parts: [{ text: '' }] }), /text must be non-empty/],
    'a member of its own': [(list) => list.with(0, { ...list[0], ebbline: 1 }), /Extra inputs are not permitted/],
    'a lost signature': [
      (list) =>
        list.with(
          1,
          parts(list[1], (of) => of.map(({ thoughtSignature, ...rest }) => rest)),
        ),
      /is missing a `thought_signature`/,
    ],
    'a signature of another call': [
      (list) =>
        list.with(
          3,
          parts(list[3], (of) => of.map((part) => (part.functionCall ? { ...part, thoughtSignature: signatureIn(list[1]) } : part))),
        ),
      /Thought signature is not valid/,
    ],
  },
};

function signatureIn({ parts: of }) {
  return of.find(({ thoughtSignature }) => thoughtSignature !== undefined).thoughtSignature;
}

for (const [format, changes] of Object.entries(BROKEN)) {
  test(`${format}: a valid request is answered, and each of ${Object.keys(changes).length} faults is refused`, async () => {
    const { body, violations } = await requestOf(format);
    assert.deepEqual(violations(body), []);
    const name = ['messages', 'input', 'contents'].find((member) => body[member] !== undefined);
    for (const [fault, [change, says]] of Object.entries(changes)) {
      const found = violations(JSON.parse(JSON.stringify({ ...body, [name]: change(body[name]) })));
      assert.ok(found.length > 0, `${fault}: not refused`);
      assert.match(found[0], says, fault);
    }
  });
}

test('signatures of earlier turns may be gone, where the provider does not ask for them', async () => {
  const { body, violations } = await requestOf('gemini_contents');
  const bare = JSON.parse(JSON.stringify(body.contents, (key, value) => (key === 'thoughtSignature' ? undefined : value)));
  assert.deepEqual(violations({ ...body, contents: [...bare, { role: 'user', parts: [{ text: 'And now?' }] }] }), []);
});
