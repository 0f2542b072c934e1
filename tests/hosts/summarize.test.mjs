// `ebbline/summarize` with the real clients, which talk to a local server, and with the AI SDK and scripted models.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';

import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { generateText } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { generateText as generateText7 } from 'ai7';
import { MockLanguageModelV4 } from 'ai7/test';
import OpenAI from 'openai';

import { adapter, ebbline, requiredAdapter } from './adapter.mjs';
import { startProvider } from './provider.mjs';

const { bySize, firstOf, fromAISDK, fromAnthropic, fromGoogle, fromOpenAI } = await adapter('summarize');

const REQUEST = {
  system: 'You write summaries.',
  messages: [
    { role: 'user', content: 'The transcript.' },
    { role: 'assistant', content: 'Too short.' },
    { role: 'user', content: 'Write more.' },
  ],
  maxTokens: 1_234,
};
const SUMMARY = 'The agent looks for the fault.';
const CALL = { id: 'c1', name: 'read', arguments: { at: 1 } };

const openai = ({ url }) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
const anthropic = ({ url }) => new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 });
const google = ({ url }) => new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } });

/** A model of the AI SDK whose answers come from the server's script. */
function modelOf(Model, seen, answer) {
  return new Model({
    doGenerate: async (options) => {
      seen.bodies.push(options);
      const { text, calls = [], stop } = await answer({ body: options, size: 1, number: 1, signal: options.abortSignal });
      options.abortSignal?.throwIfAborted();
      const content = [
        ...(text === undefined ? [] : [{ type: 'text', text }]),
        ...calls.map(({ id, name }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: '{}' })),
      ];
      const unified = stop ?? (calls.length > 0 ? 'tool-calls' : 'stop');
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
      return { content, finishReason: { unified, raw: unified }, usage, warnings: [] };
    },
  });
}

/**
 * Each way to ask: the function, what the request says about its limit and its texts, and the provider's word for an answer that was
 * cut off and for one that was refused.
 *
 * @type {Record<string, { make: (provider: any, answer: any) => any, sent: (body: any) => any, cut: string, refused?: string }>}
 */
const WAYS = {
  'OpenAI, Chat Completions': {
    make: (provider) => fromOpenAI(openai(provider), { model: 'small', temperature: 0 }),
    sent: ({ max_completion_tokens: limit, messages, model }) => [limit, model, ...messages.map(({ content }) => content)],
    cut: 'length',
    refused: 'content_filter',
  },
  'OpenAI, Responses': {
    make: (provider) => fromOpenAI(openai(provider), { model: 'small', api: 'responses' }),
    sent: ({ max_output_tokens: limit, instructions, input, model }) => [
      limit,
      model,
      instructions,
      ...input.map(({ content }) => content),
    ],
    cut: 'max_output_tokens',
    refused: 'content_filter',
  },
  Anthropic: {
    make: (provider) => fromAnthropic(anthropic(provider), { model: 'small' }),
    sent: ({ max_tokens: limit, system, messages, model }) => [limit, model, system, ...messages.map(({ content }) => content)],
    cut: 'max_tokens',
    refused: 'refusal',
  },
  Google: {
    make: (provider) => fromGoogle(google(provider), { model: 'small', config: { temperature: 0 } }),
    sent: ({ generationConfig, systemInstruction, contents }) => [
      generationConfig.maxOutputTokens,
      'small',
      ...[systemInstruction, ...contents].map(({ parts }) => parts[0].text),
    ],
    cut: 'MAX_TOKENS',
    refused: 'SAFETY',
  },
  ...Object.fromEntries(
    [
      ['AI SDK 6, generateText', (model) => fromAISDK(generateText, { model, maxRetries: 0 }), MockLanguageModelV3],
      ['AI SDK 7, generateText', (model) => fromAISDK(generateText7, { model, maxRetries: 0 }), MockLanguageModelV4],
      ['AI SDK 6, model', (model) => fromAISDK(model), MockLanguageModelV3],
      ['AI SDK 7, model', (model) => fromAISDK(model), MockLanguageModelV4],
    ].map(([name, make, Model]) => [
      name,
      {
        make: ({ seen }, answer) => /** @type {any} */ (make)(modelOf(Model, seen, answer)),
        sent: ({ maxOutputTokens, prompt }) => [
          maxOutputTokens,
          'small',
          ...prompt.map(({ content }) => (typeof content === 'string' ? content : content[0].text)),
        ],
        cut: 'length',
        refused: 'content-filter',
      },
    ]),
  ),
};

for (const [name, { make, sent, cut, refused }] of Object.entries(WAYS)) {
  const asked = async (t, said) => {
    const answer = typeof said === 'function' ? said : () => said;
    const provider = await startProvider({ answer });
    t.after(provider.close);
    return { provider, summarize: make(provider, answer) };
  };

  test(`${name}: the request is sent with its limit, and the answer is its text`, async (t) => {
    const { provider, summarize } = await asked(t, { text: SUMMARY });
    const { text, truncated, usage } = await summarize(REQUEST, { signal: undefined });
    assert.deepEqual([text, truncated], [SUMMARY, false]);
    assert.ok(usage.inputTokens > 0 && usage.outputTokens > 0);
    assert.deepEqual(sent(provider.seen.bodies[0]), [
      1_234,
      'small',
      'You write summaries.',
      'The transcript.',
      'Too short.',
      'Write more.',
    ]);
  });

  test(`${name}: an answer that was cut off says so`, async (t) => {
    const { summarize } = await asked(t, { text: 'The agent', stop: cut });
    const { text, truncated } = await summarize(REQUEST);
    assert.deepEqual([text, truncated], ['The agent', true]);
  });

  test(`${name}: a tool call is no summary, and neither is a refusal`, async (t) => {
    const { summarize } = await asked(t, { text: 'I read.', calls: [CALL] });
    await assert.rejects(summarize(REQUEST), { code: 'no_summary', message: /tool call/ });
    const { summarize: refuses } = await asked(t, { text: 'No.', stop: refused });
    await assert.rejects(refuses(REQUEST), { code: 'no_summary', message: /wrote no summary/ });
  });

  test(`${name}: cancelling reaches the model`, async (t) => {
    const stop = new AbortController();
    let cancelled;
    const { summarize } = await asked(t, ({ signal }) => {
      cancelled = once(signal, 'abort');
      stop.abort();
      return cancelled.then(() => ({ text: SUMMARY }));
    });
    await assert.rejects(summarize(REQUEST, { signal: stop.signal }));
    // The connection is closed, or the model hears of it.
    await cancelled;
  });

  test(`${name}: a compactor summarizes with it`, async (t) => {
    const { summarize } = await asked(t, { text: SUMMARY });
    const compactor = ebbline.createCompactor({ model: { context: 16_000, output: 1_000 }, summarize });
    const history = Array.from({ length: 40 }, (_, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: `${at} `.repeat(1_000) }));
    const view = await compactor.prepare(history);
    assert.ok(view.length < history.length);
    assert.ok(JSON.stringify(view).includes(SUMMARY));
    compactor.free();
  });
}

test('settings of the caller count, and those that a summary cannot have are refused', async (t) => {
  const provider = await startProvider({ answer: () => ({ text: SUMMARY }) });
  t.after(provider.close);
  await fromOpenAI(openai(provider), { model: 'small', max_tokens: 99 })(REQUEST);
  const [{ max_tokens: limit, max_completion_tokens: newer }] = provider.seen.bodies;
  assert.deepEqual([limit, newer], [99, undefined]);
  await fromAnthropic(anthropic(provider), { model: 'small', max_tokens: 3_000, thinking: { type: 'enabled', budget_tokens: 1_024 } })(
    REQUEST,
  );
  assert.equal(provider.seen.bodies[1].max_tokens, 3_000);
  for (const refused of [
    () => fromOpenAI(openai(provider), { model: 'small', tools: [] }),
    () => fromAnthropic(anthropic(provider), { model: 'small', stream: true }),
    () => fromGoogle(google(provider), { model: 'small', config: { systemInstruction: 'Hello' } }),
    () => fromAISDK(generateText, /** @type {any} */ ({ model: 'small', prompt: 'Hello' })),
  ]) {
    assert.throws(refused, { code: 'invalid_option', message: /cannot be set for summaries/ });
  }
  for (const [make, message] of /** @type {[() => any, RegExp][]} */ ([
    [() => fromOpenAI(/** @type {any} */ ({}), { model: 'small' }), /a client of the package `openai`/],
    [() => fromOpenAI(openai(provider), /** @type {any} */ (undefined)), /needs the settings/],
    [() => fromOpenAI(openai(provider), /** @type {any} */ ({ model: 'small', api: 'other' })), /`api` must be/],
    [() => fromAnthropic(anthropic(provider), /** @type {any} */ ({})), /needs the `model`/],
    [() => fromAISDK(/** @type {any} */ ('openai/small')), /`generateText`, or the object of a model/],
  ])) {
    assert.throws(make, { code: 'invalid_option', message });
  }
});

/** What a list of models is asked, by name. */
function named(...names) {
  const asked = [];
  const models = Object.fromEntries(
    names.map((name) => [
      name,
      async () => {
        asked.push(name);
        return SUMMARY;
      },
    ]),
  );
  return { asked, ...models };
}

test('bySize asks the cheapest model whose window takes the request and the answer', async () => {
  const { asked, small, large, cheap } = /** @type {any} */ (named('small', 'large', 'cheap'));
  const request = (tokens) => ({ ...REQUEST, messages: [{ role: 'user', content: 'abc'.repeat(tokens) }], maxTokens: 1_000 });
  const bySmallest = bySize([
    { upTo: 100_000, summarize: large },
    { upTo: 8_000, summarize: small },
  ]);
  for (const tokens of [100, 6_900, 7_100, 200_000]) await bySmallest(request(tokens), { signal: undefined });
  await bySmallest({ ...request(0), messages: [{ role: 'user', content: 'あ'.repeat(7_100) }] });
  assert.deepEqual(asked.splice(0), ['small', 'small', 'large', 'large', 'large']);
  const byPrice = bySize([
    { upTo: 8_000, price: 3, summarize: small },
    { upTo: 50_000, price: 1, summarize: cheap },
    { upTo: 100_000, price: 2, summarize: large },
  ]);
  for (const tokens of [100, 60_000]) await byPrice(request(tokens), { signal: undefined });
  assert.deepEqual(asked, ['cheap', 'large']);
  const one = { upTo: 1, summarize: small };
  for (const wrong of [undefined, [], [small], [{ upTo: '1', summarize: small }], [one, { ...one, price: 1 }]]) {
    assert.throws(() => bySize(/** @type {any} */ (wrong)), { code: 'invalid_option' });
  }
});

test('firstOf asks the next model if one fails or says nothing, and not after a cancellation', async () => {
  const { asked, small } = /** @type {any} */ (named('small'));
  const fails = async () => Promise.reject(new Error('The model is down.'));
  const blank = async () => ({ text: ' ', truncated: false });
  assert.equal(await firstOf([fails, blank, small])(REQUEST), SUMMARY);
  assert.deepEqual(await firstOf([fails, blank])(REQUEST), { text: ' ', truncated: false });
  await assert.rejects(firstOf([fails])(REQUEST), /^Error: The model is down.$/);
  await assert.rejects(firstOf([fails, fails])(REQUEST), /no model wrote a summary: The model is down.; The model is down./);
  assert.equal(asked.length, 1);

  const stop = new AbortController();
  const cancelled = async (_, { signal }) => {
    stop.abort();
    signal.throwIfAborted();
  };
  await assert.rejects(firstOf([cancelled, small])(REQUEST, { signal: stop.signal }), { name: 'AbortError' });
  assert.equal(asked.length, 1);
  for (const wrong of [undefined, [], [{}]]) assert.throws(() => firstOf(/** @type {any} */ (wrong)), { code: 'invalid_option' });
});

test('`require` gives the same', () => {
  const required = requiredAdapter('summarize');
  for (const name of ['bySize', 'firstOf', 'fromAISDK', 'fromAnthropic', 'fromGoogle', 'fromOpenAI']) {
    assert.equal(typeof required[name], 'function');
  }
});
