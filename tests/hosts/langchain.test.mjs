// `ebbline/langchain` in LangChain.js and LangGraph, with a scripted model that refuses what is larger than its window.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode, createReactAgent, toolsCondition } from '@langchain/langgraph/prebuilt';
import { createAgent, providerStrategy, summarizationMiddleware, toolStrategy } from 'langchain';
import { z } from 'zod';

import { adapter, requiredAdapter } from './adapter.mjs';
import { compacting } from './compacting.mjs';
import { STEPS, ScriptedModel, read, scripted } from './langchain-models.mjs';

const { compactionMiddleware, modelNode, preModelHook } = await adapter('langchain');

const SYSTEM = 'You mend tests.';
const TOO_LARGE = { model: { context: 40_000, output: 1_000 } };
const input = () => ({ messages: [new HumanMessage('Mend the login test.')] });
const inThread = (thread_id) => ({ recursionLimit: 2_000, configurable: { thread_id } });
const agentOf = (model, compaction, more = {}) =>
  createAgent({ model, tools: [read], systemPrompt: SYSTEM, middleware: [compaction], ...more });

function graphOf(callModel, options) {
  return new StateGraph(MessagesAnnotation)
    .addNode('agent', callModel)
    .addNode('tools', new ToolNode([read]))
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', toolsCondition)
    .addEdge('tools', 'agent')
    .compile(options);
}

const withSystem = (model) => (messages, config) => model.invoke([new SystemMessage(SYSTEM), ...messages], config);

/** @type {Record<string, (model: any, make: any) => any>} */
const HOSTS = {
  'createAgent with the middleware': (model, make) => agentOf(model, compactionMiddleware(make)),
  'StateGraph with modelNode': (model, make) => graphOf(modelNode(make, withSystem(model))),
  'createReactAgent with preModelHook': (model, make) =>
    createReactAgent({ llm: model, tools: [read], prompt: SYSTEM, preModelHook: preModelHook(make) }),
};

for (const [host, build] of Object.entries(HOSTS)) {
  test(`${host}: 200 steps in a small window, with few summaries and without a refusal, and the state keeps all messages`, async () => {
    const { model, seen } = scripted();
    const { make, told } = compacting();
    const { messages } = await build(model, () => make()).invoke(input(), inThread('t'));
    assert.equal(messages.length, 2 * STEPS + 2);
    assert.equal(messages.at(-1).content, 'It is found.');
    assert.ok(messages.filter(({ type }) => type === 'tool').every(({ content }) => content.length > 1_000));
    assert.equal(seen.requests, STEPS + 1);
    assert.equal(seen.refused, 0);
    assert.ok(told.compacted >= 5 && told.compacted <= 40, `${told.compacted} compactions`);
    assert.ok(told.asked >= 1 && told.asked <= 10, `${told.asked} summaries`);
    assert.equal(seen.changes, told.compacted);
    assert.deepEqual(Object.keys(told.events).sort(), ['compacted', 'summary_requested']);
  });
}

for (const host of ['createAgent with the middleware', 'StateGraph with modelNode']) {
  test(`${host}: it recovers from each overflow, and no request is refused after a compaction`, async () => {
    const { model, seen } = scripted();
    const { make, told } = compacting(TOO_LARGE);
    const { messages } = await HOSTS[host](model, () => make()).invoke(input(), inThread('t'));
    assert.equal(messages.at(-1).content, 'It is found.');
    assert.ok(seen.refused > 0);
    assert.equal(seen.refused, told.events.overflow);
    // The first refusal teaches the window, and what comes later is compacted before it is refused.
    assert.equal(seen.refused, 1);
    assert.ok(told.compacted >= seen.refused);
  });

  test(`${host}: an error that is no overflow is passed on`, async () => {
    const fault = new Error('The key is wrong.');
    const model = new ScriptedModel(() => {
      throw fault;
    });
    const { make } = compacting();
    const failed = await HOSTS[host](model, () => make())
      .invoke(input(), inThread('t'))
      .catch((error) => error);
    assert.ok(failed === fault || failed.cause === fault);
  });

  test(`${host}: streaming`, async () => {
    const { model, seen } = scripted({ steps: 60 });
    const { make, told } = compacting();
    const built = HOSTS[host](model, () => make());
    let text = '';
    for await (const [message] of await built.stream(input(), { ...inThread('t'), streamMode: 'messages' })) {
      if (message.type === 'ai') text += message.content;
    }
    assert.equal(text.endsWith('It is found.'), true);
    assert.equal(seen.requests, 61);
    assert.equal(seen.refused, 0);
    assert.equal(seen.changes, told.compacted);
    assert.ok(told.compacted >= 2);
  });
}

test('the middleware stands beside the summarizationMiddleware: what that one replaces is an edit', async () => {
  const { model, seen } = scripted();
  const { make, told } = compacting();
  const summarization = summarizationMiddleware({
    model: new ScriptedModel(() => new AIMessage('The agent reads files.')),
    trigger: { tokens: 30_000 },
    keep: { messages: 6 },
  });
  const agent = agentOf(model, undefined, { middleware: [summarization, compactionMiddleware(() => make())] });
  const { messages } = await agent.invoke(input(), inThread('t'));
  assert.ok(messages.length < STEPS);
  assert.equal(messages.at(-1).content, 'It is found.');
  assert.equal(seen.refused, 0);
  assert.ok(told.events.edited >= 1);
});

test('one agent serves many threads at once, each with its compactor', async () => {
  const { model, seen } = scripted({ steps: Number.POSITIVE_INFINITY });
  const inner = model.answer;
  model.answer = (messages) => {
    const answer = inner(messages);
    return messages.filter(({ type }) => type === 'ai').length < 40 && messages.length < 80
      ? answer
      : new AIMessage(`Done: ${messages[1].content}`);
  };
  const made = [];
  const { make, told } = compacting();
  const compaction = compactionMiddleware((thread) => {
    made.push(thread);
    return make();
  });
  const agent = agentOf(model, compaction);
  const threads = Array.from({ length: 8 }, (_, at) => `thread ${at}`);
  const results = await Promise.all(threads.map((thread) => agent.invoke({ messages: [new HumanMessage(thread)] }, inThread(thread))));
  assert.deepEqual(
    results.map(({ messages }) => messages.at(-1).content),
    threads.map((thread) => `Done: ${thread}`),
  );
  assert.deepEqual(made.sort(), threads);
  assert.equal(seen.refused, 0);
  assert.equal(told.events.edited, undefined);
  assert.notEqual(await compaction.compactorOf(threads[0]), await compaction.compactorOf(threads[1]));
});

test('sub-agents that run at once in one thread have a compactor each, and the thread keeps its own', async () => {
  const { make, told } = compacting();
  let made = 0;
  const compaction = compactionMiddleware(() => {
    made += 1;
    return make();
  });
  const worker = createAgent({ model: new ScriptedModel(() => new AIMessage('I did it.')), tools: [], middleware: [compaction] });
  const delegate = tool(async ({ at }) => (await worker.invoke({ messages: [new HumanMessage(`Part ${at}`)] })).messages.at(-1).content, {
    name: 'delegate',
    description: 'Gives a part to a sub-agent.',
    schema: z.object({ at: z.number() }),
  });
  let requests = 0;
  const model = new ScriptedModel(() => {
    requests += 1;
    if (requests > 3) return new AIMessage('All is done.');
    const tool_calls = ['a', 'b', 'c'].map((part) => ({ id: `${part}${requests}`, name: 'delegate', args: { at: requests } }));
    return new AIMessage({ content: 'Go.', tool_calls });
  });
  const agent = createAgent({ model, tools: [delegate], middleware: [compaction] });
  const { messages } = await agent.invoke(input(), inThread('t'));
  assert.equal(messages.length, 2 + 3 * 4);
  assert.equal(made, 1 + 9);
  assert.equal(told.events.edited, undefined);
  const compactor = await compaction.compactorOf('t');
  assert.equal(compactor.contextUsage().history, messages.length - 1);
});

test('without a thread, a caller who keeps the messages has one conversation', async () => {
  const { model, seen } = scripted({ steps: 10 });
  const { make, told } = compacting();
  let made = 0;
  const agent = agentOf(
    model,
    compactionMiddleware(() => {
      made += 1;
      return make();
    }),
  );
  let messages = [];
  for (let turn = 0; turn < 8; turn += 1) {
    ({ messages } = await agent.invoke({ messages: [...messages, new HumanMessage(`Fault ${turn}`)] }));
  }
  assert.equal(made, 1);
  assert.equal(seen.refused, 0);
  assert.equal(seen.changes, told.compacted);
  assert.equal(told.events.edited, undefined);
});

for (const [kind, strategy] of Object.entries({ toolStrategy, providerStrategy })) {
  test(`${kind}: usage is learnt from a structured answer, too`, async () => {
    const schema = z.object({ file: z.string() });
    const usage_metadata = { input_tokens: 5_000, output_tokens: 9, total_tokens: 5_009 };
    const model = new ScriptedModel(() => {
      if (kind === 'providerStrategy') return new AIMessage({ content: '{"file":"a.ts"}', usage_metadata });
      return new AIMessage({
        content: '',
        tool_calls: [{ id: 's', name: format.name ?? format[0].name, args: { file: 'a.ts' } }],
        usage_metadata,
      });
    });
    const format = strategy(schema);
    const compaction = compactionMiddleware(() => compacting().make());
    const { structuredResponse } = await createAgent({ model, tools: [], middleware: [compaction], responseFormat: format }).invoke(
      input(),
      inThread('t'),
    );
    assert.deepEqual(structuredResponse, { file: 'a.ts' });
    assert.ok((await compaction.compactorOf('t')).record.overhead > 4_900);
  });
}

test('cancelling while a summary is written leaves everything as it was', async () => {
  const { model, seen } = scripted();
  const stop = new AbortController();
  const { make } = compacting({ set: { 'prune.enabled': false } });
  const compaction = compactionMiddleware(() =>
    make({
      summarize: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          stop.abort(new Error('The user cancelled it.'));
        }),
    }),
  );
  await assert.rejects(agentOf(model, compaction).invoke(input(), { ...inThread('t'), signal: stop.signal }));
  assert.equal(seen.refused, 0);
  const compactor = await compaction.compactorOf('t');
  assert.deepEqual(compactor.record.changes, []);
});

test('undo through the compactor of a thread gives the whole history back', async () => {
  const { model } = scripted({ steps: 60 });
  const { make } = compacting();
  const compaction = compactionMiddleware(() => make());
  const { messages } = await agentOf(model, compaction).invoke(input(), inThread('t'));
  const compactor = await compaction.compactorOf('t');
  assert.equal(await compaction.compactorOf('another'), undefined);
  assert.ok(compactor.recall('c1').startsWith('line 1 of the file'));
  let undone = 0;
  while (compactor.undo()) undone += 1;
  assert.ok(undone >= 2);
  assert.equal(compactor.contextUsage().sent, compactor.contextUsage().history);
  const view = await compactor.prepare(messages);
  assert.ok(view.every((message, at) => message === messages[at]));
});

test('a thread can be forgotten, and of more conversations than the limit the oldest is dropped', async () => {
  const { make } = compacting();
  const made = [];
  const compaction = compactionMiddleware(
    (thread) => {
      made.push(thread);
      return make();
    },
    { limit: 2 },
  );
  const agent = createAgent({ model: new ScriptedModel(() => new AIMessage('Yes.')), tools: [], middleware: [compaction] });
  const messages = {
    a: new HumanMessage({ id: 'a', content: 'A' }),
    b: new HumanMessage({ id: 'b', content: 'B' }),
    c: new HumanMessage({ id: 'c', content: 'C' }),
  };
  for (const thread of ['a', 'b', 'a', 'c', 'a', 'b']) await agent.invoke({ messages: [messages[thread]] }, inThread(thread));
  assert.deepEqual(made, ['a', 'b', 'c', 'b']);
  const kept = await compaction.compactorOf('a');
  await compaction.forget('a');
  assert.equal(await compaction.compactorOf('a'), undefined);
  assert.throws(() => kept.contextUsage(), { code: 'freed' });
  await agent.invoke({ messages: [messages.a] }, inThread('a'));
  assert.deepEqual(made, ['a', 'b', 'c', 'b', 'a']);
});

test('one compactor may be given for one session, and a second thread is refused with a sentence', async () => {
  const { model } = scripted({ steps: 2 });
  const agent = agentOf(model, compactionMiddleware(compacting().make()), { checkpointer: new MemorySaver() });
  await agent.invoke(input(), inThread('one'));
  await agent.invoke(input(), inThread('one'));
  await assert.rejects(
    agent.invoke(input(), inThread('two')),
    refused(/one compactor serves one thread, and this one serves the thread "one"/),
  );
});

test('a function that gives the same compactor twice is refused with a sentence', async () => {
  const { model } = scripted({ steps: 2 });
  const compactor = compacting().make();
  const agent = agentOf(
    model,
    compactionMiddleware(() => compactor),
  );
  await agent.invoke(input(), inThread('one'));
  await assert.rejects(agent.invoke(input(), inThread('two')), refused(/gave the thread "two" the compactor of another conversation/));
  await assert.rejects(
    agentOf(
      model,
      compactionMiddleware(() => undefined),
    ).invoke(input(), inThread('one')),
    refused(/pass the compactor of the session/),
  );
});

test('two runs of one thread at once are refused with a sentence', async () => {
  const summarize = () => new Promise((resolve) => setTimeout(resolve, 20, 'The agent reads files until it finds the fault.'));
  const { make } = compacting({ set: { 'prune.enabled': false }, summarize });
  const agent = agentOf(
    scripted().model,
    compactionMiddleware(() => make()),
  );
  const messages = [new HumanMessage({ id: 'm', content: 'Mend it.' })];
  const runs = await Promise.allSettled([1, 2].map(() => agent.invoke({ messages }, inThread('t'))));
  const failed = runs.filter(({ status }) => status === 'rejected');
  assert.ok(failed.length > 0);
  for (const { reason } of failed) refused(/one compactor serves one session/)(reason);
});

test('wrong arguments are refused with a sentence', async () => {
  const { make } = compacting();
  const model = new ScriptedModel(() => new AIMessage('Yes.'));
  for (const hook of [compactionMiddleware, modelNode, preModelHook])
    assert.throws(() => hook(), refused(/pass the compactor of the session/));
  assert.throws(() => modelNode(make, model), refused(/asks the model: \(messages, config\) => model.invoke/));
  assert.throws(() => compactionMiddleware(make, { limit: 0 }), refused(/`limit` must be a whole number/));
  assert.throws(() => compactionMiddleware(make, { onMismatch: 1 }), refused(/`onMismatch` must be a function/));
  assert.throws(() => compactionMiddleware(make, { stateSchema: z.object({}) }), refused(/must have one member/));
  assert.throws(
    () => compactionMiddleware(make(), { stateSchema: z.object({ _compaction: z.any() }) }),
    refused(/give compactionMiddleware a function/),
  );
  assert.throws(() => modelNode(make(), withSystem(model), { record: 'compaction' }), refused(/give modelNode a function/));
  await assert.rejects(modelNode(make(), withSystem(model))({ history: [] }), refused(/no array of messages named messages/));
  const compactor = make();
  preModelHook(compactor);
  assert.throws(
    () => compactionMiddleware(compactor),
    refused(/is used with preModelHook, so it cannot be used with compactionMiddleware/),
  );
});

test('the adapter can be required', () => {
  assert.deepEqual(Object.keys(requiredAdapter('langchain')).sort(), [
    'compactionMiddleware',
    'modelNode',
    'preModelHook',
    'resumeCompactor',
  ]);
});

/** Checks an error, also one that LangChain wrapped. */
function refused(message) {
  return (error) => {
    assert.match(error.message, message);
    assert.equal((error.cause ?? error).code, 'invalid_option');
    return true;
  };
}
