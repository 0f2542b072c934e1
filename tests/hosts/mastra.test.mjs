// The processor in a real Mastra agent, with a scripted model that refuses what is larger than its window.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { MockMemory } from '@mastra/core/memory';
import { RequestContext } from '@mastra/core/request-context';
import { createTool } from '@mastra/core/tools';
import { MockLanguageModelV3, convertArrayToReadableStream } from 'ai/test';
import { z } from 'zod';

import { adapter, ebbline, requiredAdapter } from './adapter.mjs';

const { createCompactor } = ebbline;
const { ebblineProcessor } = await adapter('mastra');

const WINDOW = 16_000;
/** The tokens of the tools. */
const BESIDE = 3_000;
const STEPS = 200;
const SUMMARY = 'The agent reads files until it finds the fault of the login test.';

/** A model that calls a tool `steps` times in each run, and what it was sent. `fault` may throw instead. */
function scripted({ steps = STEPS, fault = (_size) => {} } = {}) {
  const seen = { requests: 0, refused: 0, changes: 0, prompts: [] };
  let before = [];
  const answer = ({ prompt }) => {
    const size = Math.ceil(JSON.stringify(prompt).length / 4) + BESIDE;
    fault(size);
    if (size > WINDOW) {
      seen.refused += 1;
      const message = `This model's maximum context length is ${WINDOW} tokens. However, your messages resulted in ${size} tokens.`;
      throw Object.assign(new Error(message), { status: 400, statusCode: 400, code: 'context_length_exceeded' });
    }
    seen.requests += 1;
    seen.prompts.push(prompt);
    const now = prompt.filter(({ role }) => role !== 'system').map((message) => JSON.stringify(message));
    if (before.some((message, at) => message !== now[at])) seen.changes += 1;
    before = now;
    const isLast = seen.requests % (steps + 1) === 0;
    const text = isLast ? 'It is found.' : 'The fault may be in the next file, because the last one did not have it. '.repeat(4);
    const input = JSON.stringify({ at: seen.requests });
    const call = { type: /** @type {const} */ ('tool-call'), toolCallId: `c${seen.requests}`, toolName: 'read', input };
    const usage = { inputTokens: { total: size }, outputTokens: { total: 90 } };
    const finishReason = { unified: isLast ? 'stop' : 'tool-calls', raw: undefined };
    return { content: [{ type: 'text', text }, ...(isLast ? [] : [call])], finishReason, usage, warnings: [] };
  };
  const parts = ({ content, finishReason, usage }) => [
    { type: 'stream-start', warnings: [] },
    ...content.flatMap((part) =>
      part.type === 'text'
        ? [
            { type: 'text-start', id: 't' },
            { type: 'text-delta', id: 't', delta: part.text },
            { type: 'text-end', id: 't' },
          ]
        : [part],
    ),
    { type: 'finish', finishReason, usage },
  ];
  const model = new MockLanguageModelV3({
    doGenerate: async (options) => /** @type {any} */ (answer(options)),
    doStream: async (options) => ({ stream: convertArrayToReadableStream(/** @type {any} */ (parts(answer(options)))) }),
  });
  return { model, seen };
}

const read = createTool({
  id: 'read',
  description: 'Reads a file.',
  inputSchema: z.object({ at: z.number() }),
  execute: async ({ at }) => `line ${at} of the file\n`.repeat(60),
});

/** A processor, and what its compactors told. */
function compacting({ context = WINDOW, summarize = async () => SUMMARY, ...options } = {}) {
  const told = { asked: 0, compacted: 0, events: [], threads: [] };
  const processor = ebblineProcessor(({ threadId }) => {
    told.threads.push(threadId);
    return createCompactor({
      model: { context, output: 1_000 },
      summarize: (request, how) => {
        told.asked += 1;
        return summarize(request, how);
      },
      onEvent: ({ type }) => {
        told.events.push(type);
        if (type === 'compacted') told.compacted += 1;
      },
    });
  }, options);
  return { processor, told };
}

/** Every run gets other instructions, as with a date in them. */
function agentWith(model, processors, more = {}) {
  let runs = 0;
  const agent = new Agent({
    id: 'fixer',
    name: 'fixer',
    instructions: () => `Mend what is broken. This is run ${(runs += 1)}.`,
    model,
    tools: { read },
    maxRetries: 0,
    inputProcessors: processors,
    errorProcessors: processors,
    maxProcessorRetries: 3,
    .../** @type {any} */ (more),
  });
  new Mastra({ agents: { fixer: agent }, logger: false });
  return agent;
}

const remembering = () => new MockMemory({ options: { lastMessages: 10_000 } });
const inThread = (thread) => ({ maxSteps: STEPS + 10, memory: { thread, resource: 'mara' } });

const RUNS = {
  generate: async (agent, options) => (await agent.generate('Mend the login test.', options)).steps.at(-1).text,
  stream: async (agent, options) => {
    const answer = await agent.stream('Mend the login test.', options);
    await answer.consumeStream();
    return (await answer.steps).at(-1).text;
  },
};

for (const [name, run] of Object.entries(RUNS)) {
  test(`Mastra, ${name}: 200 steps in a small window, with few summaries and without a refusal`, async () => {
    const { model, seen } = scripted();
    const { processor, told } = compacting();
    const agent = agentWith(model, [processor], { memory: remembering() });
    assert.equal(await run(agent, inThread('t1')), 'It is found.');
    assert.equal(seen.requests, STEPS + 1);
    assert.equal(seen.refused, 0);
    assert.ok(told.compacted >= 5 && told.compacted <= 40, `${told.compacted} compactions`);
    assert.ok(told.asked >= 1 && told.asked <= 10, `${told.asked} summaries`);
    assert.equal(seen.changes, told.compacted);
    assert.deepEqual([...new Set(told.events)].sort(), ['compacted', 'summary_requested']);
    assert.deepEqual(told.threads, ['t1']);
    const { overhead, source } = processor.compactor('t1').contextUsage();
    assert.ok(overhead >= BESIDE && source !== 'none', `${overhead}`);
  });
}

test('what Mastra stores stays whole', async () => {
  const { model } = scripted({ steps: 60 });
  const { processor, told } = compacting();
  const memory = remembering();
  await RUNS.generate(agentWith(model, [processor], { memory }), inThread('t1'));
  assert.ok(told.compacted > 0);
  const { messages } = await memory.recall({ threadId: 't1', resourceId: 'mara', perPage: false });
  const stored = JSON.stringify(messages);
  for (let at = 1; at <= 60; at += 1) assert.ok(stored.includes(`line ${at} of the file\\nline ${at} of`), `${at}`);
  assert.equal(stored.includes('cleared'), false);
});

test('later runs of a thread go on where the last one was, although the instructions change', async () => {
  const { model, seen } = scripted({ steps: 12 });
  const { processor, told } = compacting();
  const agent = agentWith(model, [processor], { memory: remembering() });
  for (let run = 0; run < 15; run += 1) await RUNS.generate(agent, inThread('t1'));
  assert.equal(seen.refused, 0);
  assert.deepEqual([...new Set(told.events)].sort(), ['compacted', 'summary_requested']);
  assert.equal(seen.changes, told.compacted);
  assert.equal(told.threads.length, 1);
  assert.match(JSON.stringify(seen.prompts.at(-1)[0]), /This is run \d+/);
});

test('each thread has its own compactor', async () => {
  const { model, seen } = scripted({ steps: 10 });
  const { processor, told } = compacting();
  const agent = agentWith(model, [processor], { memory: remembering() });
  for (let run = 0; run < 10; run += 1) for (const thread of ['t1', 't2']) await RUNS.generate(agent, inThread(thread));
  assert.deepEqual(told.threads, ['t1', 't2']);
  assert.equal(seen.refused, 0);
  assert.equal(told.events.includes('edited'), false);
  assert.notEqual(processor.compactor('t1'), processor.compactor('t2'));
  assert.equal(processor.compactor('t3'), undefined);
  assert.equal(processor.forget('t1'), true);
  assert.equal(processor.forget('t1'), false);
  assert.equal(processor.compactor('t1'), undefined);
});

test('of more threads than the limit, the one that was not used for the longest time is forgotten', async () => {
  const { model } = scripted({ steps: 1 });
  const { processor, told } = compacting({ limit: 2 });
  const agent = agentWith(model, [processor], { memory: remembering() });
  for (const thread of ['t1', 't2', 't1', 't3', 't2']) await RUNS.generate(agent, inThread(thread));
  assert.deepEqual(told.threads, ['t1', 't2', 't3', 't2']);
  assert.equal(processor.compactor('t1'), undefined);
});

test('runs without memory have a compactor each', async () => {
  const { model, seen } = scripted({ steps: 60 });
  const { processor, told } = compacting();
  const agent = agentWith(model, [processor]);
  for (let run = 0; run < 2; run += 1) await RUNS.generate(agent, { maxSteps: 70 });
  assert.deepEqual(told.threads, [undefined, undefined]);
  assert.ok(told.compacted > 0);
  assert.equal(told.events.includes('edited'), false);
  assert.equal(seen.refused, 0);
});

test('a run without memory goes on with the thread that the request context names', async () => {
  const { model, seen } = scripted({ steps: 12 });
  const { processor, told } = compacting();
  const agent = agentWith(model, [processor]);
  const requestContext = new RequestContext();
  requestContext.set('mastra__threadId', 't1');
  const said = ['Mend the login test.'];
  for (let run = 0; run < 2; run += 1) {
    await agent.generate(said, { maxSteps: 20, requestContext });
    said.push(`And the next one, number ${run}.`);
  }
  assert.deepEqual(told.threads, ['t1']);
  assert.equal(processor.compactor('t1').contextUsage().history, seen.prompts.at(-1).length - 1);
});

test('a thread goes on in another process with its record', async () => {
  const memory = remembering();
  const records = new Map();
  const events = [];
  const process = () => {
    const { model, seen } = scripted({ steps: 60 });
    const processor = ebblineProcessor(({ threadId }) => {
      const compactor = createCompactor({
        model: { context: WINDOW, output: 1_000 },
        record: records.get(threadId),
        onEvent: ({ type }) => {
          events.push(type);
          if (type === 'compacted') records.set(threadId, JSON.parse(JSON.stringify(compactor.record)));
        },
      });
      return compactor;
    });
    return { seen, agent: agentWith(model, [processor], { memory }) };
  };
  await RUNS.generate(process().agent, inThread('t1'));
  assert.ok(events.includes('compacted'));
  events.length = 0;
  const { agent, seen } = process();
  await RUNS.generate(agent, { ...inThread('t1'), maxSteps: 1 });
  assert.equal(seen.refused, 0);
  assert.equal(JSON.stringify(seen.prompts[0]).includes('line 1 of the file\\nline 1 of'), false);
  assert.deepEqual(events, []);
});

for (const [name, run] of Object.entries(RUNS)) {
  test(`Mastra, ${name}: a request that the provider refused as too large is sent again, smaller`, async () => {
    const { model, seen } = scripted({ steps: 60 });
    const { processor, told } = compacting({ context: 24_000 });
    const agent = agentWith(model, [processor], { memory: remembering() });
    assert.equal(await run(agent, inThread('t1')), 'It is found.');
    assert.equal(seen.requests, 61);
    assert.ok(seen.refused >= 1 && seen.refused <= 4, `${seen.refused}`);
    assert.equal(told.events.filter((type) => type === 'overflow').length, seen.refused);
    assert.equal(told.events.includes('edited'), false);
  });
}

test('an error that is no overflow is not sent again', async () => {
  let calls = 0;
  const fault = () => {
    calls += 1;
    throw Object.assign(new Error('Invalid API key'), { status: 401, statusCode: 401 });
  };
  const { model } = scripted({ fault });
  const { processor, told } = compacting();
  const agent = agentWith(model, [processor], { memory: remembering() });
  await assert.rejects(async () => {
    const { error } = await agent.generate('Mend the login test.', inThread('t1'));
    throw error;
  }, /Invalid API key/);
  assert.equal(calls, 1);
  assert.deepEqual(told.events, []);
});

test('a request that is refused again after a compaction is an error', async () => {
  let calls = 0;
  const fault = (size) => {
    calls += 1;
    if (calls < 4) return;
    throw Object.assign(new Error(`prompt is too long: ${size} tokens > 10 maximum`), { status: 400, statusCode: 400 });
  };
  const { model } = scripted({ fault });
  const { processor, told } = compacting();
  const agent = agentWith(model, [processor], { memory: remembering() });
  await assert.rejects(async () => {
    const { error } = await agent.generate('Mend the login test.', inThread('t1'));
    throw error;
  }, /prompt is too long/);
  assert.ok(calls <= 6, `${calls}`);
  assert.equal(told.events.filter((type) => type === 'gave_up').length, 1);
});

test('an abort of the run cancels the summary, and nothing is changed', async () => {
  const stop = new AbortController();
  const { model } = scripted();
  const summarize = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      stop.abort(new Error('the user pressed escape'));
    });
  const { processor, told } = compacting({ summarize });
  const agent = agentWith(model, [processor], { memory: remembering() });
  await agent.generate('Mend the login test.', { ...inThread('t1'), abortSignal: stop.signal }).catch(() => {});
  assert.equal(told.asked, 1);
  assert.equal(told.events.at(-1), 'summary_requested');
  assert.equal(told.events.includes('summary_failed'), false);
});

test('a tripwire of another processor stays a tripwire', async () => {
  for (const isFirst of [true, false]) {
    const { model, seen } = scripted({ steps: 60 });
    const { processor, told } = compacting();
    const guard = {
      id: 'guard',
      processInputStep: ({ stepNumber, abort }) => (stepNumber === 50 ? abort('That is enough.') : undefined),
    };
    const agent = agentWith(model, [], {
      memory: remembering(),
      inputProcessors: isFirst ? [guard, processor] : [processor, guard],
      errorProcessors: [processor],
    });
    const answer = await agent.generate('Mend the login test.', inThread('t1'));
    assert.equal(answer.tripwire?.reason, 'That is enough.');
    assert.equal(seen.requests, 50);
    assert.ok(told.compacted > 0);
  }
});

test('undo sends the whole history again, and recall gives a cleared output', async () => {
  const { model, seen } = scripted({ steps: 20 });
  const { processor, told } = compacting({ context: 8_000, summarize: undefined });
  const agent = agentWith(model, [processor], { memory: remembering() });
  const isWhole = () => JSON.stringify(seen.prompts.at(-1)).includes('line 1 of the file\\nline 1 of');
  await RUNS.generate(agent, inThread('t1'));
  assert.ok(told.compacted > 0);
  assert.equal(isWhole(), false);
  const compactor = processor.compactor('t1');
  assert.match(compactor.recall('c1'), /^line 1 of the file\n/);
  while (compactor.undo());
  await RUNS.generate(agent, { ...inThread('t1'), maxSteps: 1 });
  assert.equal(isWhole(), true);
});

test('wrong use is refused with a sentence', async () => {
  const invalid = (sentence) => ({ name: 'EbblineError', code: 'invalid_option', message: sentence });
  const compactor = createCompactor();
  const each = 'pass a function that makes a compactor for each session, as in ebblineProcessor(() => createCompactor(options))';
  assert.throws(() => ebblineProcessor(/** @type {any} */ (compactor)), invalid(each));
  assert.throws(() => ebblineProcessor(/** @type {any} */ (undefined)), invalid(each));
  assert.throws(() => ebblineProcessor(() => compactor, { limit: 0 }), invalid('`limit` must be a whole number above 0'));
  const failure = async (compactorFor, threads) => {
    const agent = agentWith(scripted({ steps: 1 }).model, [ebblineProcessor(compactorFor)], { memory: remembering() });
    for (const thread of threads) await agent.generate('Mend the login test.', inThread(thread));
  };
  const nothing = invalid('the function must return a compactor, made with `createCompactor`');
  await assert.rejects(
    failure(() => ({}), ['t1']),
    nothing,
  );
  const shared = invalid('the function returned the compactor of another session: make one for each session');
  await assert.rejects(
    failure(() => compactor, ['t1', 't2']),
    shared,
  );
});

test('the adapter can be required', () => {
  assert.equal(requiredAdapter('mastra').ebblineProcessor(() => createCompactor()).id, 'ebbline');
});
