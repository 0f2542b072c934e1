// `ebbline/anthropic` with the real client, which talks to a local server.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import Anthropic from '@anthropic-ai/sdk';

import { adapter, requiredAdapter } from './adapter.mjs';
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

/** @type {Record<string, (create: any) => (messages: any[]) => Promise<any>>} */
const WAYS = {
  create: (create) => (messages) => create({ ...PARAMS, messages }),
  'create with stream: true': (create) => async (messages) => collected(await create({ ...PARAMS, messages, stream: true })),
  stream: (create) => (messages) => create.stream({ ...PARAMS, messages }).finalMessage(),
};

for (const [name, way] of Object.entries(WAYS)) {
  test(`${name}: 200 steps in a small window, with few summaries and without a refusal`, async (t) => {
    const provider = await startProvider({ window: WINDOW, answer: searching(STEPS) });
    t.after(provider.close);
    const { compactor, told } = counted();
    const { text } = await run(way(compacting(clientOf(provider), compactor)));
    assert.equal(text, 'It is found.');
    assertCalm(provider.seen, told);
    compactor.free();
  });

  test(`${name}: an overflow is recovered, and the agent goes on`, async (t) => {
    const provider = await startProvider({ window: WINDOW, answer: searching(60) });
    t.after(provider.close);
    const { compactor, told } = counted({ model: { context: 64_000, output: 1_000 } });
    const { text } = await run(way(compacting(clientOf(provider), compactor)));
    assert.equal(text, 'It is found.');
    assert.ok(provider.seen.refused >= 1 && provider.seen.refused <= 10, `${provider.seen.refused} refusals`);
    assert.equal(told.events.filter((type) => type === 'overflow').length, provider.seen.refused);
    assert.deepEqual(provider.seen.violations, []);
    compactor.free();
  });
}

test('an overflow that the stream itself reports is recovered', async (t) => {
  const provider = await startProvider({ window: WINDOW, answer: searching(60), isLate: true });
  t.after(provider.close);
  const { compactor } = counted({ model: { context: 64_000, output: 1_000 } });
  const { text } = await run(WAYS['create with stream: true'](compacting(clientOf(provider), compactor)));
  assert.equal(text, 'It is found.');
  assert.ok(provider.seen.refused >= 1);
  compactor.free();
});

for (const [name, way] of Object.entries(WAYS)) {
  test(`${name}: the tokens of the system prompt and the tools are learnt from usage`, async (t) => {
    const provider = await startProvider({ answer: () => ({ text: 'Yes.' }) });
    t.after(provider.close);
    const { compactor } = counted();
    await way(compacting(clientOf(provider), compactor))([{ role: 'user', content: PROMPT }]);
    const { overhead } = compactor.contextUsage();
    assert.ok(overhead > 2_900 && overhead < 3_300, `${overhead} beside the messages`);
    compactor.free();
  });

  test(`${name}: a cancelled request reaches the provider, and nothing is lost`, async (t) => {
    const stop = new AbortController();
    const begun = { is: false };
    const answer = async () => {
      if (begun.is) return { text: 'Yes.' };
      begun.is = true;
      stop.abort();
      await new Promise((done) => setTimeout(done, 50));
      return { text: 'No.' };
    };
    const provider = await startProvider({ answer });
    t.after(provider.close);
    const { compactor } = counted();
    const create = compacting(clientOf(provider), compactor);
    const messages = [{ role: 'user', content: PROMPT }];
    const options = { signal: stop.signal };
    const call =
      name === 'stream'
        ? create.stream({ ...PARAMS, messages }, options).finalMessage()
        : create({ ...PARAMS, messages, stream: name !== 'create' }, options);
    await assert.rejects(call, Anthropic.APIUserAbortError);
    await new Promise((done) => setTimeout(done, 60));
    assert.equal(provider.seen.cancelled, 1);
    assert.equal((await way(create)(messages)).content[0].text, 'Yes.');
    compactor.free();
  });
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
  const provider = await startProvider({ answer: () => ({ text: 'Yes.' }) });
  t.after(provider.close);
  const client = clientOf(provider);
  const { compactor } = counted();
  const create = compacting(client, compactor);
  const messages = [{ role: 'user', content: PROMPT }];
  const { data, response } = await create({ ...PARAMS, messages }).withResponse();
  assert.equal(data.content[0].text, 'Yes.');
  assert.equal(response.status, 200);
  const stream = await create({ ...PARAMS, messages, stream: true });
  assert.equal(stream.constructor, (await client.messages.create({ ...PARAMS, messages, stream: true })).constructor);
  const [one, other] = stream.tee();
  assert.deepEqual(await collected(one), await collected(other));
  compactor.free();
});

test('whoever stops reading a stream stops the request', async (t) => {
  const provider = await startProvider({ answer: () => ({ text: 'Yes.'.repeat(10_000) }) });
  t.after(provider.close);
  const { compactor } = counted();
  const create = compacting(clientOf(provider), compactor);
  const stream = await create({ ...PARAMS, messages: [{ role: 'user', content: PROMPT }], stream: true });
  for await (const event of stream) if (event.type === 'content_block_start') break;
  const second = await create({ ...PARAMS, messages: [{ role: 'user', content: PROMPT }], stream: true });
  const types = [];
  for await (const { type } of second) {
    types.push(type);
    if (type === 'content_block_start') second.controller.abort();
  }
  assert.ok(!types.includes('message_stop'));
  compactor.free();
});

test('the stream helper can be aborted while it streams', async (t) => {
  const provider = await startProvider({ answer: () => ({ text: 'Yes.'.repeat(10_000) }) });
  t.after(provider.close);
  const { compactor } = counted();
  const create = compacting(clientOf(provider), compactor);
  const stop = new AbortController();
  const messages = [{ role: 'user', content: PROMPT }];
  const one = create.stream({ ...PARAMS, messages });
  one.on('text', () => one.abort());
  await assert.rejects(one.finalMessage(), Anthropic.APIUserAbortError);
  const other = create.stream({ ...PARAMS, messages }, { signal: stop.signal });
  other.on('text', () => stop.abort());
  await assert.rejects(other.finalMessage(), Anthropic.APIUserAbortError);
  compactor.free();
});

test('of two requests at the same time, the first is answered and the other refused', async (t) => {
  const provider = await startProvider({ answer: () => ({ text: 'Yes.' }) });
  t.after(provider.close);
  const { compactor } = counted();
  const create = compacting(clientOf(provider), compactor);
  const ask = () => create({ ...PARAMS, messages: [{ role: 'user', content: PROMPT }] });
  const [first, second] = [ask(), ask()];
  assert.match(await refusal(second), /while the compactor prepared another one/);
  assert.equal((await first).content[0].text, 'Yes.');
  assert.equal((await ask()).content[0].text, 'Yes.');
  compactor.free();
});

test('an error that is no overflow is thrown as it is, and a second overflow says that nothing helps', async (t) => {
  const provider = await startProvider({ window: 100, answer: () => ({ text: 'Yes.' }) });
  t.after(provider.close);
  const { compactor } = counted();
  const create = compacting(clientOf(provider), compactor);
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
  compactor.free();
});

test('undo is what the next request sends', async (t) => {
  const provider = await startProvider({ window: WINDOW, answer: searching(30) });
  t.after(provider.close);
  const { compactor, told } = counted();
  const create = compacting(clientOf(provider), compactor);
  const { history } = await run((messages) => create({ ...PARAMS, messages }));
  assert.ok(told.compacted > 0);
  while (compactor.undo());
  history.push({ role: 'user', content: 'Go on.' });
  await create({ ...PARAMS, messages: history }).catch(() => {});
  assert.deepEqual(
    provider.seen.bodies.find(({ messages }) => messages.length === history.length),
    { ...PARAMS, messages: history },
  );
  compactor.free();
});

test('the whole history and the parameters stay as they are', async (t) => {
  const provider = await startProvider({ window: WINDOW, answer: searching(60) });
  t.after(provider.close);
  const { compactor, told } = counted();
  const create = compacting(clientOf(provider), compactor, { cache: true });
  const copies = [];
  const { history } = await run((messages) => {
    copies.push(...structuredClone(messages.slice(copies.length)));
    return create(Object.freeze({ ...PARAMS, messages }));
  });
  assert.ok(told.compacted > 0);
  assert.deepEqual(history.slice(0, copies.length), copies);
  compactor.free();
});

test('what is used in a wrong way is refused with a sentence', async (t) => {
  const provider = await startProvider({ answer: () => ({ text: 'Yes.' }) });
  t.after(provider.close);
  const client = clientOf(provider);
  const { compactor } = counted();
  assert.throws(() => compacting(/** @type {any} */ (compactor), client), /pass a client/);
  assert.throws(() => compacting(client, /** @type {any} */ ({ model: {} })), /createCompactor/);
  assert.throws(() => compacting(client, compactor, { cache: /** @type {any} */ ('1d') }), /`cache` must be/);
  assert.throws(() => compacting(client, compactor, { limits: /** @type {any} */ ({ context: 1 }) }), /`limits` must be a function/);
  const create = compacting(client, compactor);
  assert.match(await refusal(create(/** @type {any} */ ({ ...PARAMS }))), /`messages` must be the whole history/);
  assert.throws(() => create.stream(/** @type {any} */ ({ ...PARAMS })), /`messages` must be the whole history/);

  const said = (text) => [
    { role: 'user', content: text },
    { role: 'assistant', content: `${text}?` },
    { role: 'user', content: `${text}!` },
  ];
  await create({ ...PARAMS, messages: said('one') });
  assert.match(await refusal(create({ ...PARAMS, messages: said('other') })), /one compactor serves one session/);
  compactor.free();
});

test('a model with a smaller window is known by `limits`', async (t) => {
  const provider = await startProvider({ answer: searching(60) });
  t.after(provider.close);
  const { compactor, told } = counted({ model: { context: 200_000, output: 1_000 } });
  const limits = ({ model }) => (model === 'small' ? { context: WINDOW, output: 1_000 } : { context: 200_000, output: 1_000 });
  const create = compacting(clientOf(provider), compactor, { limits });
  const { history } = await run((messages) => create({ ...PARAMS, messages }));
  assert.equal(told.compacted, 0);
  history.push({ role: 'user', content: 'Go on.' });
  await create({ ...PARAMS, messages: history, model: 'small' });
  assert.ok(provider.seen.sizes.at(-1) < WINDOW && provider.seen.sizes.at(-2) > WINDOW);
  compactor.free();
});

/** The share of all input tokens that was read from the cache. */
async function readWith(t, options, about = {}) {
  const provider = await startProvider({ window: WINDOW, answer: searching(STEPS) });
  t.after(provider.close);
  const { compactor, told } = counted();
  const create = compacting(clientOf(provider), compactor, options);
  await run((messages) => create({ ...PARAMS, messages, ...about }));
  assertCalm(provider.seen, told);
  compactor.free();
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
    const provider = await startProvider({ window: WINDOW + 8_000, answer: searching(60) });
    t.after(provider.close);
    const { compactor } = counted({ model: { context: WINDOW + 8_000, output: 1_000 } });
    const create = compacting(clientOf(provider), compactor, { cache });
    await run((messages) => create({ ...PARAMS, messages, ...about }));
    for (const body of provider.seen.bodies) assert.deepEqual(body.system, about.system);
    const share = provider.seen.read / provider.seen.sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(share > least, `${share}`);
    compactor.free();
  }
});

test('with `cache`, neither thinking nor empty text is marked', async (t) => {
  const provider = await startProvider({ answer: () => ({ text: 'Yes.' }) });
  t.after(provider.close);
  const { compactor } = counted();
  const create = compacting(clientOf(provider), compactor, { cache: true });
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
  compactor.free();
});

test('with `cache`, a step of more than twenty blocks is read from the cache as well', async (t) => {
  const answer = ({ number }) =>
    number > 3
      ? { text: 'Done.' }
      : { calls: Array.from({ length: 15 }, (_, at) => ({ id: `c${number}_${at}`, name: 'read', arguments: { at, which: number } })) };
  const provider = await startProvider({ answer });
  t.after(provider.close);
  const { compactor } = counted({ model: { context: 64_000, output: 1_000 } });
  const create = compacting(clientOf(provider), compactor, { cache: true });
  await run((messages) => create({ ...PARAMS, messages }));
  const { sizes, read } = provider.seen;
  const before = sizes.slice(0, -1).reduce((sum, size) => sum + size, 0);
  assert.ok(read > 0.95 * before, `${read} of ${before}`);
  compactor.free();
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
