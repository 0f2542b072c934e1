// What is compacted is handed back to the library that it came from: its schemas, its runner and its conversions take it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from '@langchain/core/load';
import { AIMessage, BaseMessage, HumanMessage, RemoveMessage, ToolMessage } from '@langchain/core/messages';
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { MessageList } from '@mastra/core/agent';
import { Agent, OpenAIResponsesModel, Runner, Usage, protocol, setTracingDisabled, tool } from '@openai/agents';
import { modelMessageSchema } from 'ai';
import { z } from 'zod';

import { fixture } from '../npm/package.mjs';
import { ebbline } from './adapter.mjs';

const { compact, detect, plan, read, validate } = ebbline;

const PLACEHOLDER = '[Old tool result content cleared]';
const EAGER = {
  'prune.reference': false,
  'prune.minimum': 1,
  'prune.onlyWhenFull': false,
  'prune.downTo': 0,
  'prune.preview': 0,
  'prune.protectedTurns': 0,
  'prune.shortOutputs': true,
  'prune.errors': true,
};
const PRUNE = { set: { ...EAGER, 'prune.protect': 0, 'retain.enabled': false } };
const FULL = { 'prune.protect': 50, 'retain.keep': 200, 'model.context': 300, 'trigger.reserve': 0 };
const BOTH = { set: { ...EAGER, ...FULL }, summary: 'So far: nothing.' };
const ALL = { force: true, set: { ...EAGER, ...FULL, 'retain.keep': 1, 'retain.forcedKeepsNothing': true }, summary: 'So far: nothing.' };

setTracingDisabled(true);

/** The messages pruned, with a summary, and with nothing but a summary; from live objects and from text. */
function versionsOf(messages) {
  const text = JSON.stringify(messages);
  return [PRUNE, BOTH, ALL].flatMap((how) => [compact(messages, how).messages, JSON.parse(compact(text, how).text)]);
}

/** An OpenAI client that answers with these items, and what it was asked. */
function scriptedClient(outputs) {
  const asked = [];
  const create = (params) => {
    asked.push(params);
    const output = outputs[asked.length - 1] ?? [said('It is done.')];
    const usage = { input_tokens: 5, output_tokens: 5, total_tokens: 10 };
    const response = { id: `resp_${asked.length}`, output, usage };
    return Object.assign(Promise.resolve(response), { withResponse: async () => ({ data: response, request_id: 'r' }) });
  };
  return { client: { responses: { create } }, asked };
}

const said = (text) => ({
  type: 'message',
  id: 'msg_x',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});

test('OpenAI Agents: compacted items pass the package’s schema, and are sent as they were counted', async () => {
  const items = JSON.parse(fixture('openai-agents.json'));
  for (const version of [items, ...versionsOf(items)]) {
    for (const item of version) {
      const { success, error } = protocol.ModelItem.safeParse(item);
      assert.ok(success, `${JSON.stringify(item)}: ${error?.message}`);
    }
    assert.equal(detect(version).format, 'openai_agents');
    const { client, asked } = scriptedClient([]);
    const model = new OpenAIResponsesModel(client, 'gpt-5');
    const agent = new Agent({ name: 'baker', model });
    // The Responses API has no audio in a message, and the last call still waits for its result.
    const withoutAudio = (item) =>
      Array.isArray(item.content) ? { ...item, content: item.content.filter(({ type }) => type !== 'audio') } : item;
    const sendable = version.slice(0, -1).map(withoutAudio);
    const result = await new Runner().run(agent, [...sendable, { role: 'user', content: 'Go on.' }]);
    assert.equal(result.finalOutput, 'It is done.');
    // The runner leaves out what is before a compaction, as it is not counted. Programs are items that the Responses API has, but
    // its reader does not know.
    const active = sendable.slice(
      Math.max(
        0,
        sendable.findLastIndex(({ type }) => type === 'compaction'),
      ),
    );
    const known = active.filter(({ type }) => type !== 'program' && type !== 'program_output');
    const counted = ({ calls, results }) => ({ calls, results });
    assert.deepEqual(counted(read(asked[0].input).counts), counted(read(known).counts));
    assert.deepEqual(validate(asked[0].input, { format: 'openai_responses' }).violations, []);
  }
});

test('OpenAI Agents: a history of a run goes on after a compaction', async () => {
  const outputs = Array.from({ length: 12 }, (_, at) => [
    { type: 'reasoning', id: `rs_${at}`, summary: [], encrypted_content: 'gAAA' },
    { type: 'function_call', id: `fc_${at}`, call_id: `call_${at}`, name: 'read', arguments: `{"at":${at}}`, status: 'completed' },
  ]);
  const { client, asked } = scriptedClient(outputs);
  const reads = tool({
    name: 'read',
    description: 'Reads a file.',
    parameters: z.object({ at: z.number() }),
    execute: async ({ at }) => `line ${at} of the file\n`.repeat(60),
  });
  const agent = new Agent({ name: 'reader', model: new OpenAIResponsesModel(client, 'gpt-5'), tools: [reads] });
  const { history } = await new Runner().run(agent, 'Find the fault.', { maxTurns: 20 });
  assert.equal(detect(history).format, 'openai_agents');
  assert.equal(plan(history).messages.length, history.length);

  const pruned = compact(history, PRUNE);
  assert.equal(pruned.applied.pruned, 12);
  const summarized = compact(history, { ...BOTH, set: { ...FULL, 'prune.enabled': false, 'retain.keep': 400 } });
  assert.ok(summarized.applied.summarized > 10);
  for (const { messages } of [pruned, summarized]) {
    const again = scriptedClient([outputs[0]]);
    const next = new Agent({ name: 'reader', model: new OpenAIResponsesModel(again.client, 'gpt-5'), tools: [reads] });
    const result = await new Runner().run(next, [...messages, { role: 'user', content: 'Go on.' }]);
    assert.equal(result.finalOutput, 'It is done.');
    assert.deepEqual(validate(again.asked[0].input, { format: 'openai_responses' }).violations, []);
    assert.equal(JSON.stringify(again.asked[0].input).includes('providerData'), false);
    const sent = JSON.stringify(again.asked[0].input);
    assert.ok(sent.includes(PLACEHOLDER) || sent.includes('So far: nothing.'));
  }
  assert.ok(asked.length > 12);
});

test('OpenAI Agents: a custom model gets the compacted items', async () => {
  const items = JSON.parse(fixture('openai-agents.json'));
  const { messages } = compact(items, BOTH);
  const seen = [];
  const model = {
    getResponse: async ({ input }) => {
      seen.push(...input);
      return { usage: new Usage(), output: [{ ...said('It is done.'), content: [{ type: 'output_text', text: 'It is done.' }] }] };
    },
  };
  await new Runner().run(new Agent({ name: 'baker', model }), [...messages, { role: 'user', content: 'Go on.' }]);
  assert.ok(seen.some(({ content }) => Array.isArray(content) && content[0].text?.includes('So far: nothing.')));
  assert.equal(plan(seen).messages.length, seen.length);
});

test('OpenAI Agents: a list of messages only is taken for items if they are asked for', () => {
  const items = [{ role: 'user', content: [{ type: 'input_text', text: 'hello' }] }];
  for (const given of [items, JSON.stringify(items)]) {
    assert.equal(detect(given).format, 'openai_responses');
    assert.equal(plan(given, { format: 'openai_agents' }).messages.length, 1);
  }
  const calls = [...items, { type: 'function_call', callId: 'c', name: 'f', arguments: '{}' }];
  for (const given of [calls, JSON.stringify(calls)])
    assert.throws(() => plan(given, { format: 'openai_responses' }), { code: 'wrong_format', message: /this is OpenAI Agents/ });
});

/** What Mastra sends to a model of the AI SDK 5 for messages of its store, and the messages as its list has them. */
async function promptOf(messages) {
  const list = new MessageList({ threadId: 'thread-7', resourceId: 'library' });
  for (const message of structuredClone(messages)) if (message.role !== 'system') list.add(message, 'memory');
  return {
    prompt: await list.get.all.aiV5.llmPrompt(),
    model: list.get.all.aiV5.model(),
    core: list.get.all.aiV4.core(),
    stored: list.get.all.db(),
  };
}

const partsIn = (prompt, type) =>
  prompt.flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter((part) => part.type === type);

/** With the dates that a live list has. */
const dated = (messages) => messages.map((message) => ({ ...message, createdAt: new Date(message.createdAt) }));

test('Mastra: compacted messages go through its message list, and are sent as they were counted', async () => {
  const messages = JSON.parse(fixture('mastra.json')).map((message) =>
    // An image of a web page would be fetched.
    ({
      ...message,
      content: {
        ...message.content,
        parts: message.content.parts.filter(({ data }) => !String(data).startsWith('https:')),
        experimental_attachments: undefined,
      },
    }),
  );
  for (const version of [messages, ...versionsOf(messages), ...versionsOf(dated(messages))]) {
    assert.equal(detect(version).format, 'mastra');
    const { prompt, model, stored } = await promptOf(version);
    for (const message of model) modelMessageSchema.parse(message);
    const { calls, results, callsWithoutResult } = read(version).counts;
    assert.deepEqual([partsIn(prompt, 'tool-call').length, partsIn(prompt, 'tool-result').length], [calls - callsWithoutResult, results]);
    const sent = version.filter(({ role }) => role !== 'system');
    assert.deepEqual(
      stored.map(({ id }) => id),
      sent.map(({ id }) => id),
      'the list keeps the order',
    );
    assert.ok(stored.every(({ threadId, resourceId }) => threadId === 'thread-7' && resourceId === 'library'));
  }
});

test('Mastra: what is cleared is cleared in the prompt, also where a tool said what the model gets', async () => {
  const messages = JSON.parse(fixture('mastra.json'));
  const { messages: pruned } = compact(messages, PRUNE);
  const { prompt } = await promptOf(pruned.filter(({ role }) => role !== 'user'));
  const outputs = Object.fromEntries(partsIn(prompt, 'tool-result').map(({ toolCallId, output }) => [toolCallId, output]));
  for (const id of ['c-1', 'c-2', 'c-9']) assert.deepEqual(outputs[id], { type: 'text', value: PLACEHOLDER }, id);
  assert.equal(outputs['c-3'].value, PLACEHOLDER);
  const { found, notes } = outputs['c-6'].value;
  assert.deepEqual([found.length, notes], [1, PLACEHOLDER], 'an object keeps its shape');
  assert.deepEqual(outputs['c-7'].value, { order: 1, text: PLACEHOLDER });
  assert.equal(outputs['c-4'].value, 'Nobody deletes books.');
  assert.notEqual(outputs['c-5'].value, PLACEHOLDER, 'the provider made it itself');
});

test('Mastra: the summary is the first message of the user, in all of its conversions', async () => {
  const messages = dated(JSON.parse(fixture('mastra.json')));
  const { messages: next, applied } = compact(messages, { ...BOTH, force: true, set: { ...FULL, 'prune.enabled': false } });
  assert.ok(applied.summarized > 3);
  const { prompt, core, stored } = await promptOf(next);
  assert.ok(stored[0].id.startsWith('compaction-'));
  assert.ok(stored[0].createdAt instanceof Date);
  assert.equal(prompt[0].role, 'user');
  assert.ok(prompt[0].content[0].text.includes('So far: nothing.'));
  assert.ok(JSON.stringify(core[0]).includes('So far: nothing.'));
  const again = compact(
    [
      ...next,
      ...dated([
        {
          id: 'm-99',
          role: 'user',
          createdAt: '2026-09-15',
          threadId: 'thread-7',
          resourceId: 'library',
          content: { format: 2, parts: [{ type: 'text', text: 'Go on.' }] },
        },
      ]),
    ],
    ALL,
  );
  assert.equal(again.messages.find(({ id }) => id.startsWith('compaction-')).id, stored[0].id, 'a store overwrites the earlier summary');
});

test('Mastra: what its list serializes is read and written as text', () => {
  const list = new MessageList({ threadId: 'thread-7', resourceId: 'library' });
  for (const message of JSON.parse(fixture('mastra.json'))) if (message.role !== 'system') list.add(message, 'memory');
  const text = JSON.stringify(list.serialize());
  assert.equal(detect(text).format, 'mastra');
  const done = compact(text, PRUNE);
  assert.ok(done.applied.pruned > 3);
  const back = new MessageList({ threadId: 'thread-7', resourceId: 'library' }).deserialize(JSON.parse(done.text));
  assert.ok(JSON.stringify(back.get.all.aiV5.model()).includes(PLACEHOLDER));
});

/** A graph of an agent that calls a tool so many times, and its thread. */
async function ranGraph(steps) {
  const saver = new MemorySaver();
  const seen = [];
  const agent = ({ messages }) => {
    seen.push(messages);
    const calls = messages.filter((message) => ToolMessage.isInstance(message)).length;
    if (calls >= steps) return { messages: [new AIMessage('It is found.')] };
    return { messages: [new AIMessage({ content: '', tool_calls: [{ name: 'read', args: { at: calls }, id: `c${calls}` }] })] };
  };
  const tools = ({ messages }) => {
    const [{ id, name, args }] = messages.at(-1).tool_calls;
    return { messages: [new ToolMessage({ content: `line ${args.at} of the file\n`.repeat(60), tool_call_id: id, name })] };
  };
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', agent)
    .addNode('tools', tools)
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', ({ messages }) => (messages.at(-1).tool_calls?.length ? 'tools' : END))
    .addEdge('tools', 'agent')
    .compile({ checkpointer: saver });
  const config = { configurable: { thread_id: 't' }, recursionLimit: 100 };
  await graph.invoke({ messages: [new HumanMessage('Find the fault.')] }, config);
  return { graph, config, saver, seen };
}

test('LangGraph: a state is read and written as text, and its messages are loaded again', async () => {
  const { graph, config } = await ranGraph(8);
  const state = await graph.getState(config);
  const { messages: live } = state.values;
  assert.throws(() => plan(state), { code: 'no_messages', message: /plan\(state\.values\.messages\)/ });
  assert.throws(() => plan(state.values), { code: 'no_messages', message: /plan\(state\.messages\)/ });
  for (const whole of [state, state.values]) {
    const text = JSON.stringify(whole, null, 1);
    assert.equal(detect(text).format, 'langchain');
    assert.equal(compact(text, { set: { 'prune.enabled': false, 'retain.enabled': false } }).text, text);
    for (const how of [PRUNE, ALL]) {
      const done = compact(text, how);
      assert.deepEqual(
        JSON.parse(done.text),
        JSON.parse(text, (key, value) => (key === 'messages' ? messagesOf(compact(JSON.parse(JSON.stringify(live)), how)) : value)),
      );
      const loaded = await load(JSON.stringify((JSON.parse(done.text).values ?? JSON.parse(done.text)).messages));
      assert.ok(loaded.every((message) => BaseMessage.isInstance(message)));
      assert.equal(
        loaded.some((message) => message.text.includes(how === PRUNE ? PLACEHOLDER : 'So far: nothing.')),
        true,
      );
    }
  }
});

const messagesOf = ({ messages }) => JSON.parse(JSON.stringify(messages));

test('LangGraph: a checkpoint is read and written as its saver serializes it', async () => {
  const { saver, config } = await ranGraph(8);
  const tuple = await saver.getTuple(config);
  for (const [what, inside] of [
    [tuple, ({ checkpoint }) => checkpoint],
    [tuple.checkpoint, (checkpoint) => checkpoint],
  ]) {
    const [type, bytes] = await saver.serde.dumpsTyped(what);
    assert.equal(type, 'json');
    assert.equal(detect(bytes).format, 'langchain');
    const done = compact(bytes, PRUNE);
    assert.equal(done.applied.pruned, 8);
    const back = inside(await saver.serde.loadsTyped(type, done.bytes));
    assert.equal(
      back.channel_values.messages.filter((message) => ToolMessage.isInstance(message) && message.content === PLACEHOLDER).length,
      8,
    );
    const before = inside(what);
    assert.deepEqual({ ...back, channel_values: 0 }, { ...before, channel_values: 0 });
  }
});

test('LangGraph: of the history of a thread, the newest state is compacted', async () => {
  const { graph, config } = await ranGraph(3);
  const history = [];
  for await (const state of graph.getStateHistory(config)) history.push(state);
  assert.throws(() => plan(history), { code: 'no_messages', message: /values\.messages/ });
  const text = JSON.stringify(history);
  assert.equal(detect(text).format, 'langchain');
  const done = compact(text, PRUNE);
  assert.equal(done.applied.pruned, 3);
  const [newest, ...earlier] = JSON.parse(done.text);
  assert.equal(newest.values.messages.filter(({ kwargs }) => kwargs.content === PLACEHOLDER).length, 3);
  assert.deepEqual(earlier, JSON.parse(text).slice(1));
});

test('LangGraph: a graph goes on with the compacted messages of its state', async () => {
  const { graph, config, seen } = await ranGraph(8);
  const { messages } = (await graph.getState(config)).values;
  const done = compact(messages, ALL);
  await graph.updateState(config, { messages: [new RemoveMessage({ id: '__remove_all__' }), ...done.messages] });
  await graph.invoke({ messages: [new HumanMessage('Go on.')] }, config);
  assert.ok(seen.at(-1)[0].text.includes('So far: nothing.'));
});
