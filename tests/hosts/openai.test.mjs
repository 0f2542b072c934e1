// `ebbline/openai` with the real client, which talks to a local server.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import OpenAI from 'openai';
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';

import { adapter, ebbline, requiredAdapter } from './adapter.mjs';
import { beginner, testAgent, testRequest } from './client-agents.mjs';
import { fileContent, startProvider } from './provider.mjs';
import { PROMPT, SYSTEM, counted, refusal } from './scripted-session.mjs';

const { compacting } = await adapter('openai');

const PARAMETERS = { type: 'object', properties: { at: { type: 'number' }, which: { type: 'number' } } };
const CHAT = /** @type {any} */ ({
  model: 'scripted',
  tools: [{ type: 'function', function: { name: 'read', description: 'Reads a file.', parameters: PARAMETERS } }],
});
const RESPONSES = /** @type {any} */ ({
  model: 'scripted',
  store: false,
  instructions: SYSTEM,
  tools: [{ type: 'function', name: 'read', description: 'Reads a file.', parameters: PARAMETERS, strict: false }],
});

function clientOf({ url }) {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
}

const begin = beginner(compacting, clientOf);

/** An agent over Chat Completions that keeps its whole history. */
async function runChat(ask) {
  const history = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: PROMPT },
  ];
  for (;;) {
    const message = await ask(history);
    history.push(message);
    if (!message.tool_calls?.length) return { text: message.content, history };
    for (const { id, function: called } of message.tool_calls) {
      history.push({ role: 'tool', tool_call_id: id, content: fileContent(JSON.parse(called.arguments)) });
    }
  }
}

/** An agent over Responses that keeps its whole history. */
async function runResponses(ask) {
  const history = [{ role: 'user', content: PROMPT }];
  for (;;) {
    const { output } = await ask(history);
    history.push(...output);
    const calls = output.filter(({ type }) => type === 'function_call');
    if (calls.length === 0) return { text: output.at(-1).content[0].text, history };
    for (const { call_id, arguments: given } of calls) {
      history.push({ type: 'function_call_output', call_id, output: fileContent(JSON.parse(given)) });
    }
  }
}

async function chatStream(stream) {
  const message = { role: 'assistant', content: '', tool_calls: [] };
  for await (const { choices } of stream) {
    const { content = '', tool_calls: calls = [] } = choices[0]?.delta ?? {};
    message.content += content;
    for (const { index, ...call } of calls) message.tool_calls[index] = call;
  }
  if (message.tool_calls.length === 0) delete message.tool_calls;
  return message;
}

async function lastResponse(stream) {
  let last;
  for await (const event of stream) if (event.type === 'response.completed') last = event.response;
  return last;
}

const WITH_USAGE = { stream: true, stream_options: { include_usage: true } };

/** @type {Record<string, (create: any) => Promise<{ text: string, history: any[] }>>} */
const WAYS = {
  'Chat Completions': (create) => runChat(async (messages) => (await create({ ...CHAT, messages })).choices[0].message),
  'Chat Completions, streams': (create) => runChat(async (messages) => chatStream(await create({ ...CHAT, messages, ...WITH_USAGE }))),
  Responses: (create) => runResponses((input) => create({ ...RESPONSES, input })),
  'Responses, streams': (create) => runResponses(async (input) => lastResponse(await create({ ...RESPONSES, input, stream: true }))),
};

for (const [name, way] of Object.entries(WAYS)) testAgent(name, begin, way, name.includes('streams'));

/** One request in each way, until the signal. */
const ASKED = {
  'Chat Completions': (create, signal) => create({ ...CHAT, messages: [{ role: 'user', content: PROMPT }] }, { signal }),
  'Chat Completions, streams': async (create, signal) =>
    chatStream(await create({ ...CHAT, messages: [{ role: 'user', content: PROMPT }], ...WITH_USAGE }, { signal })),
  Responses: (create, signal) => create({ ...RESPONSES, input: [{ role: 'user', content: PROMPT }] }, { signal }),
  'Responses, streams': async (create, signal) =>
    lastResponse(await create({ ...RESPONSES, input: [{ role: 'user', content: PROMPT }], stream: true }, { signal })),
};

for (const [name, ask] of Object.entries(ASKED)) {
  const beside = name.startsWith('Responses') ? 3_000 : 40;
  testRequest(name, begin, ask, [beside * 0.8, beside * 1.5], OpenAI.APIUserAbortError);
}

test('a failure that is no overflow stays the event that it is', async () => {
  const failed = {
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'server_error', message: 'The model is down.' } },
  };
  const events = [{ type: 'response.created', response: {} }, failed];
  const client = {
    responses: {
      create: async () =>
        (async function* () {
          yield* events;
        })(),
    },
  };
  const { compactor } = counted();
  const create = compacting(/** @type {any} */ (client), compactor);
  const heard = [];
  for await (const event of await create({ ...RESPONSES, input: PROMPT, stream: true })) heard.push(event);
  assert.deepEqual(heard, events);
  compactor.free();
});

test('the response of the server is there on request, and a stream is of the class that the client gives', async (t) => {
  const { client, create } = await begin(t);
  const messages = [{ role: 'user', content: PROMPT }];
  const { data, response } = await create({ ...CHAT, messages }).withResponse();
  assert.equal(data.choices[0].message.content, 'Yes.');
  assert.equal(response.status, 200);
  const stream = await create({ ...CHAT, messages, stream: true });
  assert.equal(stream.constructor, (await client.chat.completions.create({ ...CHAT, messages, stream: true })).constructor);
  // The client's own helper reads it.
  assert.equal(await ChatCompletionStream.fromReadableStream(stream.toReadableStream()).finalContent(), 'Yes.');
});

test('a second overflow says that nothing helps, and any other error is thrown as it is', async (t) => {
  const { provider, create } = await begin(t, { window: 100 });
  const input = [
    { role: 'user', content: PROMPT },
    ...Array.from({ length: 5 }, (_, at) => [
      { type: 'function_call', call_id: `c${at}`, name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: `c${at}`, output: fileContent({ at, which: 0 }) },
    ]).flat(),
  ];
  await refusal(create({ ...RESPONSES, input }), 'still_too_large');
  assert.equal(provider.seen.refused, 2);
  const other = compacting(new OpenAI({ baseURL: 'http://127.0.0.1:9', apiKey: 'none', maxRetries: 0 }), counted().compactor);
  await assert.rejects(other({ ...RESPONSES, input }), OpenAI.APIConnectionError);
});

test('usage of an earlier request is not taken for that of the last one', async () => {
  const { compactor } = counted();
  const tokens = [];
  const watched = new Proxy(compactor, {
    get: (target, name) => (name === 'usage' ? (given) => tokens.push(given) : target[name].bind(target)),
  });
  const chunks = (usage) =>
    (async function* () {
      yield { choices: [], usage: { prompt_tokens: usage } };
    })();
  let sent = 0;
  const client = { chat: { completions: { create: async () => chunks((sent += 1_000)) } } };
  const create = compacting(/** @type {any} */ (client), watched);
  const messages = [{ role: 'user', content: PROMPT }];
  const first = await create({ ...CHAT, messages, stream: true });
  const second = await create({ ...CHAT, messages, stream: true });
  await chatStream(first);
  await chatStream(second);
  assert.deepEqual(tokens, [2_000]);
  compactor.free();
});

test('a stream can be read to its end after the compactor was freed', async (t) => {
  const provider = await startProvider({ answer: () => ({ text: 'Yes.' }) });
  t.after(provider.close);
  const { compactor } = counted();
  const stream = await compacting(clientOf(provider), compactor)({ ...CHAT, messages: [{ role: 'user', content: PROMPT }], ...WITH_USAGE });
  compactor.free();
  assert.equal((await chatStream(stream)).content, 'Yes.');
});

test('what is used in a wrong way is refused with a sentence', async (t) => {
  const { compactor, client, create } = await begin(t);
  assert.throws(() => compacting(/** @type {any} */ (compactor), /** @type {any} */ (client)), /pass a client/);
  assert.throws(() => compacting(client, /** @type {any} */ (undefined)), /createCompactor/);
  const refused = (params) => refusal(create(params));
  assert.match(await refused({ model: 'scripted' }), /pass the whole history/);
  assert.match(await refused({ model: 'scripted', messages: 'Hello' }), /`messages` must be the whole history/);
  assert.match(await refused({ ...RESPONSES, input: PROMPT, previous_response_id: 'resp_1' }), /OpenAI keeps the history/);
  assert.match(await refused({ ...RESPONSES, input: PROMPT, conversation: 'conv_1' }), /OpenAI keeps the history/);
  assert.match(await refused(undefined), /pass the parameters/);

  const system = { role: 'system', content: SYSTEM };
  const said = (text) => [
    system,
    { role: 'user', content: text },
    { role: 'assistant', content: `${text}?` },
    { role: 'user', content: `${text}!` },
  ];
  await create({ ...CHAT, messages: said('one') });
  assert.match(await refused({ ...CHAT, messages: said('other') }), /one compactor serves one session/);
});

test('errors of an adapter are instances of the class that the package gives', () => {
  assert.throws(() => compacting(/** @type {any} */ ({}), /** @type {any} */ ({})), ebbline.EbblineError);
});

test('`require` gives the same', () => {
  assert.equal(typeof requiredAdapter('openai').compacting, 'function');
});
