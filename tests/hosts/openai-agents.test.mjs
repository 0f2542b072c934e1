// `ebbline/openai-agents` with the real runner, and a model that talks to a local server.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Agent, MemorySession, OpenAIResponsesModel, Runner, Usage, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';

import { adapter, ebbline, requiredAdapter } from './adapter.mjs';
import { fileContent, searching, startProvider } from './provider.mjs';
import { PROMPT, STEPS, SYSTEM, WINDOW, assertCalm, counted } from './scripted-session.mjs';

const { compacting, compactingRun } = await adapter('openai-agents');

setTracingDisabled(true);

const FORMAT = 'openai_agents';
const unread = isRead() ? false : `this build does not read the format ${FORMAT}`;

function isRead() {
  try {
    ebbline.plan([{ role: 'user', content: 'Hello' }], { format: FORMAT });
    return true;
  } catch {
    return false;
  }
}

const read = tool({
  name: 'read',
  description: 'Reads a file.',
  parameters: z.object({ at: z.number(), which: z.number() }),
  execute: async (given) => fileContent(given),
});

function modelOf({ url }) {
  return new OpenAIResponsesModel(new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 }), 'scripted');
}

function agentOf(model) {
  return new Agent({ name: 'Reader', instructions: SYSTEM, model, modelSettings: { store: false }, tools: [read] });
}

/** @type {Record<string, (agent: any, input: any, options?: object) => Promise<any>>} */
const RUNS = {
  run: (agent, input, options) => new Runner().run(agent, input, { maxTurns: STEPS + 10, ...options }),
  'streamed run': async (agent, input, options) => {
    const result = await new Runner().run(agent, input, { maxTurns: STEPS + 10, stream: true, ...options });
    await result.completed;
    return result;
  },
};

for (const [name, run] of Object.entries(RUNS)) {
  test(`${name}: 200 steps in a small window, with few summaries and without a refusal`, { skip: unread }, async (t) => {
    const provider = await startProvider({ window: WINDOW, answer: searching(STEPS) });
    t.after(provider.close);
    const { compactor, told } = counted({ format: FORMAT });
    const session = new MemorySession();
    const { finalOutput, history } = await run(agentOf(compacting(modelOf(provider), compactor)), PROMPT, { session });
    assert.equal(finalOutput, 'It is found.');
    assertCalm(provider.seen, told);
    assert.ok(history.length > 2 * STEPS);
    assert.equal((await session.getItems()).length, history.length);
    compactor.free();
  });

  for (const isLate of name === 'run' ? [false] : [false, true]) {
    test(`${name}: an overflow ${isLate ? 'inside the stream ' : ''}is recovered, and the run goes on`, { skip: unread }, async (t) => {
      const provider = await startProvider({ window: WINDOW, answer: searching(60), isLate });
      t.after(provider.close);
      const { compactor, told } = counted({ format: FORMAT, model: { context: 64_000, output: 1_000 } });
      const { finalOutput } = await run(agentOf(compacting(modelOf(provider), compactor)), PROMPT);
      assert.equal(finalOutput, 'It is found.');
      assert.ok(provider.seen.refused >= 1 && provider.seen.refused <= 10, `${provider.seen.refused} refusals`);
      assert.equal(told.events.filter((type) => type === 'overflow').length, provider.seen.refused);
      assert.deepEqual(provider.seen.violations, []);
      compactor.free();
    });
  }

  test(`${name}: with the options of a run, 200 steps pass and the session keeps the whole history`, { skip: unread }, async (t) => {
    // An input filter sees no usage: the provider's window is larger than the compactor's, because it also counts what is around texts.
    const provider = await startProvider({ window: WINDOW * 1.5, answer: searching(STEPS) });
    t.after(provider.close);
    const { compactor, told } = counted({ format: FORMAT, overhead: 3_300 });
    const session = new MemorySession();
    const options = compactingRun(compactor, { session });
    const { finalOutput } = await run(agentOf(modelOf(provider)), PROMPT, options);
    assert.equal(finalOutput, 'It is found.');
    assertCalm(provider.seen, told);
    const items = await session.getItems();
    assert.equal(items[0].content, PROMPT);
    const outputs = items.filter(({ type }) => type === 'function_call_result').map(({ output }) => output.text ?? output);
    assert.equal(outputs.length, STEPS + STEPS / 5);
    assert.ok(outputs.every((text) => text.startsWith('line ') && text.length > 1_000));
    await run(agentOf(modelOf(provider)), 'Are you sure?', options);
    assert.equal((await session.getItems()).length, items.length + 2);
    compactor.free();
  });
}

/** A compactor that keeps the last item as it is, clears outputs before it, and puts a summary in the place of the first. */
function clearing() {
  const calls = { prepared: [], signals: [], usage: [], recovered: [], learnt: 0 };
  const viewOf = (history) => [
    { role: 'user', content: `So far: ${history.length} items.` },
    ...history.slice(1).map((item, at) => {
      const isOld = item.type === 'function_call_result' && at < history.length - 2;
      return isOld ? { ...item, output: { type: 'text', text: '[cleared]' } } : item;
    }),
  ];
  const compactor = {
    prepare: async (history, options) => {
      calls.prepared.push(history.slice());
      calls.signals.push(options?.signal);
      return history.length < 2 ? history : viewOf(history);
    },
    recover: async (error, history) => {
      if (!/too large/.test(error.message)) throw error;
      calls.recovered.push(error);
      return history.slice(-1);
    },
    usage: (tokens) => calls.usage.push(tokens),
  };
  return { compactor: /** @type {any} */ (compactor), calls };
}

/** A model that is asked without a server. */
function scripted(answers) {
  const seen = [];
  const model = {
    supportsPromptModelSelection: true,
    getResponse: async ({ input }) => {
      seen.push(input);
      const answer = answers[seen.length - 1];
      if (answer instanceof Error) throw answer;
      return { usage: new Usage({ inputTokens: 10 * seen.length, outputTokens: 1, totalTokens: 1 }), output: answer };
    },
    getStreamedResponse: () => assert.fail('not streamed'),
  };
  return { model, seen };
}

const calling = (number) => [
  { type: 'function_call', callId: `c${number}`, name: 'read', arguments: `{"at":${number},"which":0}`, status: 'completed' },
];
const said = (text) => [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }];

test('a model gets what the compactor makes of the items, and its usage is learnt', async () => {
  const { compactor, calls } = clearing();
  const { model, seen } = scripted([calling(1), calling(2), said('Done.')]);
  const wrapped = compacting(model, compactor);
  assert.equal(wrapped.supportsPromptModelSelection, true);
  const { finalOutput, history } = await RUNS.run(agentOf(wrapped), PROMPT);
  assert.equal(finalOutput, 'Done.');
  assert.deepEqual(
    calls.prepared.map(({ length }) => length),
    [1, 3, 5],
  );
  assert.deepEqual(calls.usage, [10, 20, 30]);
  assert.equal(seen[2][0].content, 'So far: 5 items.');
  assert.equal(seen[2][2].output.text, '[cleared]');
  assert.equal(history[0].content, PROMPT);
  assert.ok(!JSON.stringify(history).includes('[cleared]'));
});

test('a refusal is recovered once, and any other error is thrown as it is', async () => {
  const { compactor, calls } = clearing();
  const { model, seen } = scripted([new Error('too large'), said('Done.'), new Error('The model is down.')]);
  const agent = agentOf(compacting(model, compactor));
  assert.equal((await RUNS.run(agent, PROMPT)).finalOutput, 'Done.');
  assert.equal(calls.recovered.length, 1);
  assert.equal(seen.length, 2);
  await assert.rejects(RUNS.run(agent, PROMPT), /The model is down/);
});

test('the signal of the run reaches the compactor and the model', async () => {
  const { compactor, calls } = clearing();
  const stop = new AbortController();
  const { model } = scripted([calling(1), said('Done.')]);
  const asked = [];
  const watched = { ...model, getResponse: (request) => asked.push(request.signal) && model.getResponse(request) };
  await RUNS.run(agentOf(compacting(watched, compactor)), PROMPT, { signal: stop.signal });
  stop.abort();
  assert.ok([...calls.signals, ...asked].every(({ aborted }) => aborted) && asked.length === 2);
});

test('a provider gives wrapped models', async () => {
  const { compactor, calls } = clearing();
  const { model } = scripted([said('Done.')]);
  const runner = new Runner({ modelProvider: compacting({ getModel: async () => model }, compactor) });
  assert.equal((await runner.run(new Agent({ name: 'Reader' }), PROMPT)).finalOutput, 'Done.');
  assert.equal(calls.prepared.length, 1);
});

test('with the options of a run, the session stores what was said and not what was sent', async () => {
  const { compactor, calls } = clearing();
  const { model, seen } = scripted([calling(1), calling(2), said('Done.'), calling(4), said('Sure.')]);
  const session = new MemorySession({ initialItems: [{ role: 'user', content: 'Hello.' }, ...said('Hello!')] });
  const options = compactingRun(compactor, { session });
  await RUNS.run(agentOf(model), PROMPT, options);
  await RUNS.run(agentOf(model), 'Are you sure?', options);
  const items = await session.getItems();
  assert.deepEqual(
    items.filter(({ role }) => role === 'user').map(({ content }) => content),
    ['Hello.', PROMPT, 'Are you sure?'],
  );
  assert.ok(!JSON.stringify(items).includes('[cleared]') && !JSON.stringify(items).includes('So far'));
  assert.ok(JSON.stringify(seen.at(-1)).includes('[cleared]'));
  assert.equal(items.length, 2 + 6 + 4);
  assert.equal(calls.prepared.at(-1).length, 11);
  // Without the session of the options, the runner stores a summary in the place of the user's words.
  const bare = new MemorySession({ initialItems: [] });
  const again = scripted([calling(1), said('Done.')]);
  await RUNS.run(agentOf(again.model), PROMPT, { ...compactingRun(clearing().compactor), session: bare });
  assert.notEqual((await bare.getItems())[0].content, PROMPT);
});

test('a session does what the one inside it does', async () => {
  const inside = new MemorySession({ sessionId: 's1' });
  const { session } = compactingRun(clearing().compactor, { session: inside });
  await session.addItems(said('Hello!'));
  assert.equal(await session.getSessionId(), 's1');
  assert.deepEqual(await session.getItems(1), await inside.getItems());
  assert.deepEqual((await session.popItem()).role, 'assistant');
  await session.addItems(said('Hello!'));
  await session.clearSession();
  assert.deepEqual(await inside.getItems(), []);
});

test('what is used in a wrong way is refused with a sentence', async () => {
  const { compactor } = clearing();
  const { model } = scripted([said('Done.'), said('Done.')]);
  const invalid = (message) => ({ name: 'EbblineError', code: 'invalid_option', message });
  assert.throws(() => compacting('gpt-6', compactor), invalid(/pass a model or a model provider/));
  assert.throws(() => compacting(model, /** @type {any} */ (undefined)), invalid(/createCompactor/));
  assert.throws(() => compactingRun(compactor, { session: {} }), invalid(/`session` must be a session/));
  const wrapped = compacting(model, clearing().compactor);
  const request = { input: [{ role: 'user', content: PROMPT }], modelSettings: {} };
  await assert.rejects(wrapped.getResponse({ ...request, conversationId: 'conv_1' }), invalid(/OpenAI keeps the history/));
  await assert.rejects(wrapped.getResponse({ ...request, previousResponseId: 'resp_1' }), invalid(/OpenAI keeps the history/));
  const both = clearing().compactor;
  compacting(model, both);
  assert.throws(() => compactingRun(both), invalid(/is used with/));
});

test('`require` gives the same', () => {
  const required = requiredAdapter('openai-agents');
  assert.equal(typeof required.compacting, 'function');
  assert.equal(typeof required.compactingRun, 'function');
});
