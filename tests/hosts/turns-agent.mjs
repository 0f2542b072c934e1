// The agent of turns.test.mjs: a process that goes on with what the one before it stored, and lives through some turns of the user.
// node turns-agent.mjs HOST URL FILE TURNS
import { readFileSync, writeFileSync } from 'node:fs';

import { z } from 'zod';

import { adapter, ebbline } from './adapter.mjs';
import { outputOf } from './lives/world.mjs';

const [name, url, file, turns] = process.argv.slice(2);
const before = JSON.parse(readFileSync(file, 'utf8'));
const { events, anew } = before;
let { turn, stored } = before;

/** A system prompt that holds the time, which is another one in each turn. */
const systemOf = () => `You are a careful agent. It is ${new Date(Date.UTC(2026, 10, 26, 9, 7 * turn)).toISOString()}.`;
const given = z.object({ at: z.number(), which: z.number() });
const SCHEMA = { type: 'object', properties: { at: { type: 'integer' }, which: { type: 'integer' } }, required: ['at', 'which'] };

const compactorOf = (record, more = {}) =>
  ebbline.createCompactor({
    model: { context: 8_000, output: 1_000 },
    summarize: async () => 'Files were read for the invoices, and none has the fault. The next step is to read on.',
    onEvent: ({ type, reason }) => events.push(reason === undefined ? type : `${type}: ${reason}`),
    ...(record && { record }),
    ...more,
  });
/** A compactor that goes on with the record, or says why it does not. */
async function resumed(resumeCompactor, history, more = {}) {
  const compactor = await resumeCompactor((record) => compactorOf(record, more), stored?.record, history);
  if (compactor.begunAnew !== undefined) anew.push(compactor.begunAnew);
  return compactor;
}

const HOSTS = {
  async 'LangChain with a checkpointer'() {
    const [{ createAgent, dynamicSystemPromptMiddleware, tool }, { ChatOpenAI }, { HumanMessage }, { checkpointerOf, checkpointsOf }] =
      await Promise.all([
        import('langchain'),
        import('@langchain/openai'),
        import('@langchain/core/messages'),
        import('./lives/checkpoints.mjs'),
      ]);
    const { compactionMiddleware } = await adapter('langchain');
    const checkpointer = checkpointerOf(stored);
    const agent = createAgent({
      model: new ChatOpenAI({ model: 'scripted', apiKey: 'none', maxRetries: 0, configuration: { baseURL: `${url}/v1` } }),
      tools: [tool(async (args) => outputOf(args), { name: 'read', description: 'Reads a file.', schema: given })],
      middleware: [
        dynamicSystemPromptMiddleware(systemOf),
        compactionMiddleware((_thread, record) => compactorOf(record), { stateSchema: z.object({ _compaction: z.any() }) }),
      ],
      checkpointer,
    });
    const config = { recursionLimit: 100, configurable: { thread_id: 't' } };
    return {
      say: (text) => agent.invoke({ messages: [new HumanMessage(text)] }, config),
      stored: () => checkpointsOf(checkpointer),
    };
  },
  'Agents SDK, Responses': () => ofAgents('OpenAIResponsesModel'),
  'Agents SDK, Chat': () => ofAgents('OpenAIChatCompletionsModel'),
  'AI SDK, UI messages': () => ofChat('openai', true),
  'AI SDK, model messages': () => ofChat('openai', false),
  'AI SDK, model messages, Anthropic': () => ofChat('anthropic', false),
  async 'Anthropic client with moving cache marks'() {
    const messages = stored?.messages ?? [];
    const { default: Anthropic } = await import('@anthropic-ai/sdk');
    const { compacting, resumeCompactor } = await adapter('anthropic');
    const compactor = await resumed(resumeCompactor, messages);
    const create = compacting(new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 }), compactor);
    const ask = async () => {
      const { content } = await create({
        model: 'scripted',
        max_tokens: 1_000,
        system: [{ type: 'text', text: systemOf(), cache_control: { type: 'ephemeral' } }],
        tools: [{ name: 'read', input_schema: SCHEMA }],
        messages: marked(messages),
      });
      const calls = content.filter(({ type }) => type === 'tool_use');
      const results = calls.map(({ id, input }) => ({ type: 'tool_result', tool_use_id: id, content: outputOf(input) }));
      return { added: [{ role: 'assistant', content }], results: results.length > 0 ? [{ role: 'user', content: results }] : [] };
    };
    const say = (text) => loop(messages, { role: 'user', content: [{ type: 'text', text }] }, ask);
    return { say, stored: () => ({ messages, record: compactor.record }) };
  },
  async 'OpenAI client'() {
    const messages = stored?.messages ?? [];
    const whole = () => [{ role: 'system', content: systemOf() }, ...messages];
    const { default: OpenAI } = await import('openai');
    const { compacting, resumeCompactor } = await adapter('openai');
    const compactor = await resumed(resumeCompactor, whole());
    const create = compacting(new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 }), compactor);
    const tools = [{ type: 'function', function: { name: 'read', parameters: SCHEMA } }];
    const ask = async () => {
      const { message } = (await create({ model: 'scripted', tools, messages: whole() })).choices[0];
      const results = (message.tool_calls ?? []).map(({ id, function: { arguments: args } }) => ({
        role: 'tool',
        tool_call_id: id,
        content: outputOf(JSON.parse(args)),
      }));
      return { added: [message], results };
    };
    const say = (content) => loop(messages, { role: 'user', content }, ask);
    return { say, stored: () => ({ messages, record: compactor.record }) };
  },
};

/** The steps of a turn. */
async function loop(messages, person, ask) {
  messages.push(person);
  for (let isDone = false; !isDone; ) {
    const { added, results } = await ask();
    messages.push(...added, ...results);
    isDone = results.length === 0;
  }
}

/** The messages with marks on the last blocks of the newest two, so that each request has them elsewhere. */
function marked(messages) {
  const mark = (block, at, { length }) => (at === length - 1 ? { ...block, cache_control: { type: 'ephemeral' } } : block);
  return messages.map((message, at) => (at < messages.length - 2 ? message : { ...message, content: message.content.map(mark) }));
}

/** A `run` for each turn. */
async function ofAgents(Model) {
  const items = stored?.items ?? [];
  const [sdk, { default: OpenAI }] = await Promise.all([import('@openai/agents'), import('openai')]);
  const { Agent, MemorySession, Runner, setTracingDisabled, tool } = sdk;
  const { compacting, resumeCompactor } = await adapter('openai-agents');
  setTracingDisabled(true);
  const compactor = await resumed(resumeCompactor, items, { format: 'openai_agents' });
  const model = new sdk[Model](new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 }), 'scripted');
  const session = new MemorySession({ initialItems: items });
  const agent = new Agent({
    name: 'Reader',
    instructions: systemOf,
    model: compacting(model, compactor),
    modelSettings: { store: false },
    tools: [tool({ name: 'read', description: 'Reads a file.', parameters: given, execute: async (args) => outputOf(args) })],
  });
  return {
    say: (text) => new Runner().run(agent, text, { session, maxTurns: 30 }),
    stored: async () => ({ items: await session.getItems(), record: compactor.record }),
  };
}

/** A chat that is stored as JSON with an empty text part in each answer: either it is compacted itself, or what becomes of it for the model. */
async function ofChat(provider, isOfChat) {
  let messages = stored?.messages ?? [];
  const ai = await import('ai7');
  const { compactionMiddleware, onStepFinish, prepareUIMessages, resumeCompactor } = await adapter('ai-sdk');
  const to = { baseURL: `${url}/v1`, apiKey: 'none' };
  const model =
    provider === 'openai'
      ? (await import('@ai-sdk/openai')).createOpenAI(to).chat('scripted')
      : (await import('@ai-sdk/anthropic')).createAnthropic(to)('scripted');
  const tools = { read: ai.tool({ description: 'Reads a file.', inputSchema: given, execute: async (args) => outputOf(args) }) };
  const compactor = isOfChat ? await resumed(resumeCompactor, messages) : compactorOf(stored?.record);
  const wrap = () => ai.wrapLanguageModel({ model, middleware: compactionMiddleware(compactor, { specificationVersion: 'v4' }) });
  const wrapped = isOfChat ? model : wrap();
  return {
    async say(text) {
      messages.push({ id: `u${turn}`, role: 'user', parts: [{ type: 'text', text }] });
      const view = isOfChat ? await prepareUIMessages(compactor, messages) : messages;
      const result = ai.streamText({
        model: wrapped,
        instructions: systemOf(),
        messages: await ai.convertToModelMessages(view, { tools }),
        tools,
        maxRetries: 0,
        stopWhen: ai.stepCountIs(30),
        ...(isOfChat && { onStepFinish: onStepFinish(compactor) }),
      });
      const answered = await new Promise((resolve, reject) => {
        const onError = (error) => void reject(error);
        const onFinish = (finished) => resolve(finished.messages);
        result.toUIMessageStreamResponse({ originalMessages: messages, onFinish, onError }).text().catch(reject);
      });
      answered.at(-1).parts.splice(1, 0, { type: 'text', text: '', state: 'done' });
      messages = JSON.parse(JSON.stringify(answered));
    },
    stored: () => ({ messages, record: compactor.record }),
  };
}

const host = await HOSTS[name]();
for (let more = Number(turns); more > 0; more -= 1) {
  await host.say(`Go on with part ${turn} of the invoices.`);
  turn += 1;
}
stored = await host.stored();
writeFileSync(file, JSON.stringify({ turn, stored, events, anew }));
