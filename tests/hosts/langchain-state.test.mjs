// `ebbline/langchain` with a checkpointer: what was decided is in the graph's state, and another process goes on with it. Every process is
// a new agent with new compactors; nothing but what the checkpointer wrote as bytes is left of the one before.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Annotation, Command, MemorySaver, MessagesAnnotation, START, StateGraph, StateSchema, interrupt } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { createAgent } from 'langchain';
import { z } from 'zod';

import { adapter } from './adapter.mjs';
import { compacting } from './compacting.mjs';
import { read, scripted } from './langchain-models.mjs';

const { compactionMiddleware, modelNode } = await adapter('langchain');

/** A checkpointer writes the whole state at each step, so the window is smaller here, and the runs are shorter. */
const WINDOW = 8_000;
const SMALL = { model: { context: WINDOW, output: 500 } };

const THREAD = { recursionLimit: 2_000, configurable: { thread_id: 't' } };
const say = (content) => ({ messages: [new HumanMessage(content)] });
const stateSchema = z.object({ _compaction: z.any() });

/** @type {Record<string, { member: string, build: (model: any, compactorFor: any, checkpointer: any, onMismatch?: any) => any }>} */
const HOSTS = {
  'createAgent with a Zod schema': {
    member: '_compaction',
    build: (model, compactorFor, checkpointer, onMismatch) =>
      createAgent({
        model,
        tools: [read],
        systemPrompt: 'You mend tests.',
        middleware: [compactionMiddleware(compactorFor, { stateSchema, onMismatch })],
        checkpointer,
      }),
  },
  'createAgent with a StateSchema': {
    member: '_compaction',
    build: (model, compactorFor, checkpointer, onMismatch) =>
      createAgent({
        model,
        tools: [read],
        middleware: [compactionMiddleware(compactorFor, { stateSchema: new StateSchema({ _compaction: z.any() }), onMismatch })],
        checkpointer,
      }),
  },
  'StateGraph with modelNode': {
    member: 'compaction',
    build(model, compactorFor, checkpointer, onMismatch) {
      const invoke = (messages, config) => model.invoke([new SystemMessage('You mend tests.'), ...messages], config);
      return new StateGraph(Annotation.Root({ ...MessagesAnnotation.spec, compaction: Annotation() }))
        .addNode('agent', modelNode(compactorFor, invoke, { record: 'compaction', onMismatch }))
        .addNode('tools', new ToolNode([read]))
        .addEdge(START, 'agent')
        .addConditionalEdges('agent', toolsCondition)
        .addEdge('tools', 'agent')
        .compile({ checkpointer });
    },
  },
};

const valuesOf = async (agent, config = THREAD) => (await (agent.graph ?? agent).getState(config)).values;

for (const [host, { member, build }] of Object.entries(HOSTS)) {
  test(`${host}: every turn is another process, and nothing is decided twice`, async () => {
    const { model, seen } = scripted({ steps: 9, window: WINDOW });
    const { make, told } = compacting(SMALL);
    const checkpointer = new MemorySaver();
    const mismatches = [];
    let given = 0;
    for (let turn = 0; turn < 8; turn += 1) {
      const compactorFor = (thread, record) => {
        assert.equal(thread, 't');
        given += record === undefined ? 0 : 1;
        return make({ record });
      };
      const agent = build(model, compactorFor, checkpointer, (error) => mismatches.push(error));
      const { messages, ...others } = await agent.invoke(say(`Look for fault ${turn}.`), THREAD);
      assert.equal(messages.length, (turn + 1) * 20);
      assert.equal(member.startsWith('_') && member in others, false);
    }
    assert.equal(given, 7);
    assert.equal(seen.requests, 80);
    assert.equal(seen.refused, 0);
    assert.equal(seen.changes, told.compacted);
    assert.ok(told.compacted >= 5 && told.compacted <= 40, `${told.compacted} compactions`);
    assert.ok(told.asked >= 1 && told.asked <= 10, `${told.asked} summaries`);
    assert.equal(told.events.edited, undefined);
    assert.deepEqual(mismatches, []);
  });

  test(`${host}: two processes that take turns go on with what the other one decided`, async () => {
    const { model, seen } = scripted({ steps: 9, window: WINDOW });
    const { make, told } = compacting(SMALL);
    const checkpointer = new MemorySaver();
    const agents = [0, 1].map(() => build(model, (_, record) => make({ record }), checkpointer));
    for (let turn = 0; turn < 6; turn += 1) await agents[turn % 2].invoke(say(`Look for fault ${turn}.`), THREAD);
    assert.equal(seen.refused, 0);
    assert.equal(seen.changes, told.compacted);
    assert.equal(told.events.edited, undefined);
  });

  test(`${host}: from an earlier checkpoint, the thread goes on with what was decided until then`, async () => {
    const { model, seen } = scripted({ steps: 19, window: WINDOW });
    const { make } = compacting(SMALL);
    const checkpointer = new MemorySaver();
    const agent = build(model, (_, record) => make({ record }), checkpointer);
    await agent.invoke(say('Look for a fault.'), THREAD);
    await agent.invoke(say('Look for another fault.'), THREAD);
    const graph = agent.graph ?? agent;
    let earlier;
    for await (const snapshot of graph.getStateHistory(THREAD)) {
      const { messages = [] } = snapshot.values;
      if (messages.length === 40 && snapshot.next.length === 0) earlier = snapshot;
    }
    const decided = earlier.values[member].changes.length;
    assert.ok(decided >= 2);
    assert.ok((await valuesOf(agent))[member].changes.length > decided);
    const { changes } = seen;
    await agent.invoke(say('Look for a third fault.'), { ...THREAD, configurable: earlier.config.configurable });
    const { messages, [member]: record } = await valuesOf(agent);
    assert.equal(messages.length, 80);
    assert.deepEqual(record.changes.slice(0, decided), earlier.values[member].changes);
    assert.ok(seen.changes > changes);
    assert.equal(seen.refused, 0);
  });

  test(`${host}: if a compacted message in the state was changed, the conversation starts over, and says so`, async () => {
    const { model, seen } = scripted({ steps: 19, window: WINDOW });
    const { make, told } = compacting(SMALL);
    const checkpointer = new MemorySaver();
    const first = build(model, (_, record) => make({ record }), checkpointer);
    await first.invoke(say('Look for a fault.'), THREAD);
    const { messages } = await valuesOf(first);
    const { id, tool_call_id } = messages.find(({ type }) => type === 'tool');
    await (first.graph ?? first).updateState(THREAD, { messages: [new ToolMessage({ id, tool_call_id, content: 'Another output.' })] });
    const mismatches = [];
    const second = build(
      model,
      (_, record) => make({ record }),
      checkpointer,
      (error, thread) => mismatches.push([error.code, thread]),
    );
    await second.invoke(say('Look for another fault.'), THREAD);
    assert.deepEqual(mismatches, [['mismatch', 't']]);
    // The stored answers tell the usage of requests that were compacted, so the first request may be too large. It is recovered.
    assert.equal(seen.refused, told.events.overflow ?? 0);
    assert.ok(seen.refused <= 1);
    assert.equal((await valuesOf(second)).messages.length, 80);
  });
}

test('an agent that waits for an answer goes on in another process', async () => {
  const { make, told } = compacting(SMALL);
  const checkpointer = new MemorySaver();
  const { model, seen } = scripted({
    steps: 30,
    window: WINDOW,
    call: (request) => (request % 10 === 0 ? { name: 'ask', args: { what: `Part ${request}?` } } : { name: 'read', args: { at: request } }),
  });
  const ask = tool(async ({ what }) => `The user said: ${interrupt(what)}`, {
    name: 'ask',
    description: 'Asks the user.',
    schema: z.object({ what: z.string() }),
  });
  const process = () =>
    createAgent({
      model,
      tools: [read, ask],
      middleware: [compactionMiddleware((_, record) => make({ record }), { stateSchema })],
      checkpointer,
    });
  let result = await process().invoke(say('Mend the login test.'), THREAD);
  let asked = 0;
  while (result.__interrupt__ !== undefined) {
    asked += 1;
    result = await process().invoke(new Command({ resume: `Yes, ${result.__interrupt__[0].value}` }), THREAD);
  }
  assert.equal(asked, 3);
  assert.equal(result.messages.at(-1).content, 'It is found.');
  assert.ok(result.messages.some(({ content }) => content === 'The user said: Yes, Part 20?'));
  assert.equal(seen.refused, 0);
  assert.equal(seen.changes, told.compacted);
  assert.ok(told.compacted >= 2);
  assert.equal(told.events.edited, undefined);
});

test('an undone compaction stays undone in another process', async () => {
  const { model } = scripted({ steps: 19, window: WINDOW });
  const { make, told } = compacting(SMALL);
  const checkpointer = new MemorySaver();
  const compaction = compactionMiddleware((_, record) => make({ record }), { stateSchema });
  const agent = createAgent({ model, tools: [read], middleware: [compaction], checkpointer });
  await agent.invoke(say('Look for a fault.'), THREAD);
  const compactor = await compaction.compactorOf('t');
  const before = compactor.record.changes.length;
  while (compactor.undo());
  model.answer = () => new AIMessage({ content: 'Yes.' });
  await agent.invoke(say('Is it there?'), THREAD);
  assert.ok(before >= 2);
  assert.equal(told.compacted, before);
  assert.deepEqual((await valuesOf(agent))._compaction.changes, []);
  const other = compactionMiddleware((_, record) => make({ record }), { stateSchema });
  await createAgent({ model, tools: [read], middleware: [other], checkpointer }).invoke(say('Sure?'), THREAD);
  assert.equal(told.compacted, before);
});
