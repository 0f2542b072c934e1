// `ebbline/anthropic` with the real client, which talks to a local server.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import Anthropic from '@anthropic-ai/sdk';

import { adapter, requiredAdapter } from './adapter.mjs';
import { beginner, testAgent, testRequest } from './client-agents.mjs';
import { fileContent, searching, startProvider } from './provider.mjs';
import { PROMPT, STEPS, SYSTEM, WINDOW, assertCalm, counted, refusal } from './scripted-session.mjs';

const { compacting } = await adapter('anthropic');

const TOOLS = [
  {
    name: 'read',
    description: 'Reads a file.',
    input_schema: { type: 'object', properties: { at: { type: 'number' }, which: { type: 'number' } } },
  },
];
const PARAMS = /** @type {any} */ ({ model: 'scripted', max_tokens: 1_000, system: SYSTEM, tools: TOOLS });

function clientOf({ url }) {
  return new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 });
}

const begin = beginner(compacting, clientOf);

/** An agent that keeps its whole history. */
async function run(ask, history = [{ role: 'user', content: PROMPT }]) {
  for (;;) {
    const { content } = await ask(history);
    history.push({ role: 'assistant', content });
    const results = content
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, input }) => ({ type: 'tool_result', tool_use_id: id, content: fileContent(input) }));
    if (results.length === 0) return { text: content.at(-1).text, history };
    history.push({ role: 'user', content: results });
  }
}

/** The message that raw events are about. */
async function collected(events) {
  const content = [];
  const parts = [];
  for await (const event of events) {
    if (event.type === 'content_block_start') {
      content[event.index] = event.content_block;
      parts[event.index] = '';
    }
    if (event.type !== 'content_block_delta') continue;
    const { text, thinking, signature, partial_json: json } = event.delta;
    const block = content[event.index];
    if (text !== undefined) block.text += text;
    if (thinking !== undefined) block.thinking += thinking;
    if (signature !== undefined) block.signature = signature;
    if (json !== undefined) {
      parts[event.index] += json;
      block.input = safely(parts[event.index]);
    }
  }
  return { content };
}

function safely(json) {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

/** @type {Record<string, (create: any, signal?: AbortSignal) => (messages: any[]) => Promise<any>>} */
const WAYS = {
  create: (create, signal) => (messages) => create({ ...PARAMS, messages }, { signal }),
  'create with stream: true': (create, signal) => async (messages) =>
    collected(await create({ ...PARAMS, messages, stream: true }, { signal })),
  stream: (create, signal) => (messages) => create.stream({ ...PARAMS, messages }, { signal }).finalMessage(),
};

for (const [name, way] of Object.entries(WAYS)) {
  testAgent(name, begin, (create) => run(way(create)), name === 'create with stream: true');
  const ask = (create, signal) => way(create, signal)([{ role: 'user', content: PROMPT }]);
  testRequest(name, begin, ask, [2_900, 3_300], Anthropic.APIUserAbortError);
}

test('a cancelled summary leaves everything as it was', async (t) => {
  const provider = await startProvider({ window: WINDOW, answer: searching(STEPS) });
  t.after(provider.close);
  const stop = new AbortController();
  let isAsked = false;
  const { compactor, told } = counted({
    summarize: (_, { signal }) => {
      isAsked = true;
      stop.abort(new Error('enough'));
      assert.ok(signal.aborted);
      return new Promise(() => {});
    },
  });
  const create = compacting(clientOf(provider), compactor);
  await assert.rejects(
    run((messages) => create({ ...PARAMS, messages }, { signal: stop.signal })),
    /enough|aborted/,
  );
  assert.ok(isAsked);
  assert.ok(!told.events.includes('summary_failed'));
  compactor.free();
});

test('the response of the server is there on request, and the answer is of the class that the client gives', async (t) => {
  const { client, create } = await begin(t);
  const messages = [{ role: 'user', content: PROMPT }];
  const { data, response } = await create({ ...PARAMS, messages }).withResponse();
  assert.equal(data.content[0].text, 'Yes.');
  assert.equal(response.status, 200);
  const stream = await create({ ...PARAMS, messages, stream: true });
  assert.equal(stream.constructor, (await client.messages.create({ ...PARAMS, messages, stream: true })).constructor);
  const [one, other] = stream.tee();
  assert.deepEqual(await collected(one), await collected(other));
});

test('whoever stops reading a stream stops the request', async (t) => {
  const { create } = await begin(t, { answer: () => ({ text: 'Yes.'.repeat(10_000) }) });
  const stream = await create({ ...PARAMS, messages: [{ role: 'user', content: PROMPT }], stream: true });
  for await (const event of stream) if (event.type === 'content_block_start') break;
  const second = await create({ ...PARAMS, messages: [{ role: 'user', content: PROMPT }], stream: true });
  const types = [];
  for await (const { type } of second) {
    types.push(type);
    if (type === 'content_block_start') second.controller.abort();
  }
  assert.ok(!types.includes('message_stop'));
});

test('the stream helper can be aborted while it streams', async (t) => {
  const { create } = await begin(t, { answer: () => ({ text: 'Yes.'.repeat(10_000) }) });
  const stop = new AbortController();
  const messages = [{ role: 'user', content: PROMPT }];
  const one = create.stream({ ...PARAMS, messages });
  one.on('text', () => one.abort());
  await assert.rejects(one.finalMessage(), Anthropic.APIUserAbortError);
  const other = create.stream({ ...PARAMS, messages }, { signal: stop.signal });
  other.on('text', () => stop.abort());
  await assert.rejects(other.finalMessage(), Anthropic.APIUserAbortError);
});

test('of two requests at the same time, the first is answered and the other refused', async (t) => {
  const { create } = await begin(t);
  const ask = () => create({ ...PARAMS, messages: [{ role: 'user', content: PROMPT }] });
  const [first, second] = [ask(), ask()];
  assert.match(await refusal(second), /while the compactor prepared another one/);
  assert.equal((await first).content[0].text, 'Yes.');
  assert.equal((await ask()).content[0].text, 'Yes.');
});

test('an error that is no overflow is thrown as it is, and a second overflow says that nothing helps', async (t) => {
  const { provider, create } = await begin(t, { window: 100 });
  const history = [
    { role: 'user', content: PROMPT },
    ...Array.from({ length: 5 }, (_, at) => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `c${at}`, name: 'read', input: { at, which: 0 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${at}`, content: fileContent({ at, which: 0 }) }] },
    ]).flat(),
  ];
  await refusal(create({ ...PARAMS, messages: history }), 'still_too_large');
  assert.equal(provider.seen.refused, 2);
  const other = compacting(new Anthropic({ baseURL: 'http://127.0.0.1:9', apiKey: 'none', maxRetries: 0 }), counted().compactor);
  await assert.rejects(other({ ...PARAMS, messages: history }), Anthropic.APIConnectionError);
});

test('undo is what the next request sends', async (t) => {
  const { provider, compactor, told, create } = await begin(t, { window: WINDOW, answer: searching(30) });
  const { history } = await run((messages) => create({ ...PARAMS, messages }));
  assert.ok(told.compacted > 0);
  while (compactor.undo());
  history.push({ role: 'user', content: 'Go on.' });
  await create({ ...PARAMS, messages: history }).catch(() => {});
  assert.deepEqual(
    provider.seen.bodies.find(({ messages }) => messages.length === history.length),
    { ...PARAMS, messages: history },
  );
});

test('the whole history and the parameters stay as they are', async (t) => {
  const { told, create } = await begin(t, { window: WINDOW, answer: searching(60) }, {}, { cache: true });
  const copies = [];
  const { history } = await run((messages) => {
    copies.push(...structuredClone(messages.slice(copies.length)));
    return create(Object.freeze({ ...PARAMS, messages }));
  });
  assert.ok(told.compacted > 0);
  assert.deepEqual(history.slice(0, copies.length), copies);
});

test('what is used in a wrong way is refused with a sentence', async (t) => {
  const { compactor, client, create } = await begin(t);
  assert.throws(() => compacting(/** @type {any} */ (compactor), client), /pass a client/);
  assert.throws(() => compacting(client, /** @type {any} */ ({ model: {} })), /createCompactor/);
  assert.throws(() => compacting(client, compactor, { cache: /** @type {any} */ ('1d') }), /`cache` must be/);
  assert.throws(() => compacting(client, compactor, { limits: /** @type {any} */ ({ context: 1 }) }), /`limits` must be a function/);
  assert.match(await refusal(create(/** @type {any} */ ({ ...PARAMS }))), /`messages` must be the whole history/);
  assert.throws(() => create.stream(/** @type {any} */ ({ ...PARAMS })), /`messages` must be the whole history/);

  const said = (text) => [
    { role: 'user', content: text },
    { role: 'assistant', content: `${text}?` },
    { role: 'user', content: `${text}!` },
  ];
  await create({ ...PARAMS, messages: said('one') });
  assert.match(await refusal(create({ ...PARAMS, messages: said('other') })), /one compactor serves one session/);
});

test('a model with a smaller window is known by `limits`', async (t) => {
  const limits = ({ model }) => (model === 'small' ? { context: WINDOW, output: 1_000 } : { context: 200_000, output: 1_000 });
  const { provider, told, create } = await begin(t, { answer: searching(60) }, { model: { context: 200_000, output: 1_000 } }, { limits });
  const { history } = await run((messages) => create({ ...PARAMS, messages }));
  assert.equal(told.compacted, 0);
  history.push({ role: 'user', content: 'Go on.' });
  await create({ ...PARAMS, messages: history, model: 'small' });
  assert.ok(provider.seen.sizes.at(-1) < WINDOW && provider.seen.sizes.at(-2) > WINDOW);
});

/** The share of all input tokens that was read from the cache. */
async function readWith(t, options, about = {}) {
  const { provider, told, create } = await begin(t, { window: WINDOW, answer: searching(STEPS) }, {}, options);
  await run((messages) => create({ ...PARAMS, messages, ...about }));
  assertCalm(provider.seen, told);
  return provider.seen.read / provider.seen.sizes.reduce((sum, size) => sum + size, 0);
}

test('with `cache`, most of each request is read from the cache, and no rule of marks is broken', async (t) => {
  const without = await readWith(t, {});
  const withMarks = await readWith(t, { cache: true });
  assert.equal(without, 0);
  assert.ok(withMarks > 0.8, `${withMarks}`);
});

const MARK = { type: 'ephemeral' };

test('with `cache`, the marks of the caller stay, there are never more than four, and a longer one never comes after a shorter one', async (t) => {
  const marked = (count, ttl) => ({
    system: [...Array(count).keys()].map((at) => ({
      type: 'text',
      text: `${at} ${SYSTEM.slice(0, 8_000)}`,
      cache_control: { ...MARK, ...ttl },
    })),
  });
  for (const [cache, about, least] of /** @type {any[]} */ ([
    ['1h', marked(1), 0.7],
    ['5m', marked(2, { ttl: '1h' }), 0.7],
    [true, { ...marked(2), cache_control: MARK }, 0.7],
    ['1h', marked(3), 0.7],
    ['1h', marked(4), 0.3],
  ])) {
    const { provider, create } = await begin(
      t,
      { window: WINDOW + 8_000, answer: searching(60) },
      { model: { context: WINDOW + 8_000, output: 1_000 } },
      { cache },
    );
    await run((messages) => create({ ...PARAMS, messages, ...about }));
    for (const body of provider.seen.bodies) assert.deepEqual(body.system, about.system);
    const share = provider.seen.read / provider.seen.sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(share > least, `${share}`);
  }
});

test('with `cache`, neither thinking nor empty text is marked', async (t) => {
  const { provider, create } = await begin(t, {}, {}, { cache: true });
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'signed' };
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: PROMPT },
        { type: 'text', text: '' },
      ],
    },
    { role: 'assistant', content: [thinking] },
  ];
  await create({ ...PARAMS, messages });
  await create({ ...PARAMS, messages: [messages[0], { role: 'assistant', content: [{ type: 'text', text: 'Well' }, thinking] }] });
  const marked = provider.seen.bodies.map((body) =>
    body.messages.flatMap(({ content }) => content.filter(({ cache_control: mark }) => mark).map(({ text }) => text)),
  );
  assert.deepEqual(marked, [[PROMPT], [PROMPT, 'Well']]);
});

test('with `cache`, a step of more than twenty blocks is read from the cache as well', async (t) => {
  const answer = ({ number }) =>
    number > 3
      ? { text: 'Done.' }
      : { calls: Array.from({ length: 15 }, (_, at) => ({ id: `c${number}_${at}`, name: 'read', arguments: { at, which: number } })) };
  const { provider, create } = await begin(t, { answer }, { model: { context: 64_000, output: 1_000 } }, { cache: true });
  await run((messages) => create({ ...PARAMS, messages }));
  const { sizes, read } = provider.seen;
  const before = sizes.slice(0, -1).reduce((sum, size) => sum + size, 0);
  assert.ok(read > 0.95 * before, `${read} of ${before}`);
});

test('`require` gives the same', () => {
  assert.equal(typeof requiredAdapter('anthropic').compacting, 'function');
});

/** A client whose answers say what the provider cleared: in a stream, `message_delta` says it. */
function clearingClient(cleared) {
  const usage = { input_tokens: 4_000, cache_read_input_tokens: 1_000, output_tokens: 5 };
  const management = { applied_edits: [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 4, cleared_input_tokens: cleared }] };
  async function* events() {
    yield { type: 'message_start', message: { role: 'assistant', content: [], usage, context_management: null } };
    yield { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 }, context_management: management };
  }
  const whole = { role: 'assistant', content: [], usage, context_management: management };
  return { messages: { create: async ({ stream }) => (stream ? events() : whole) } };
}

test('what the provider cleared is learnt from a whole answer and from the end of a stream', async () => {
  const result = (id) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'one line\n'.repeat(400) }] });
  const call = (id) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: {} }] });
  const messages = [{ role: 'user', content: PROMPT }, ...['a', 'b', 'c', 'd', 'e', 'f'].flatMap((id) => [call(id), result(id)])];
  for (const stream of [false, true]) {
    const { compactor } = counted({ model: { context: 200_000, output: 1_000 } });
    const create = compacting(/** @type {any} */ (clearingClient(3_000)), compactor);
    const answer = await create({ ...PARAMS, messages, stream });
    if (stream) for await (const event of answer) assert.ok(event.type);
    assert.equal(compactor.contextUsage().tokens, 5_000);
    compactor.free();
  }
});
