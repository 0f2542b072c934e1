// LangChain with a checkpointer, the OpenAI Agents SDK with a session, and Mastra with a memory.

import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { createTool } from '@mastra/core/tools';
import { Agent, MemorySession, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, setTracingDisabled, tool } from '@openai/agents';
import { createAgent } from 'langchain';
import OpenAI from 'openai';
import { z } from 'zod';

import { adapter } from '../adapter.mjs';
import { checkpointerOf, checkpointsOf } from './checkpoints.mjs';
import { SYSTEM, TURN, outputOf } from './world.mjs';

const langchain = await adapter('langchain');
const agents = await adapter('openai-agents');
const mastra = await adapter('mastra');

setTracingDisabled(true);

const given = z.object({ at: z.number(), which: z.number() });
const stateSchema = z.object({ _compaction: z.any() });

const MODELS = {
  '@langchain/openai': (url) =>
    new ChatOpenAI({ model: 'scripted', apiKey: 'none', maxRetries: 0, configuration: { baseURL: `${url}/v1` } }),
  '@langchain/openai, Responses': (url) =>
    new ChatOpenAI({
      model: 'scripted',
      apiKey: 'none',
      maxRetries: 0,
      useResponsesApi: true,
      zdrEnabled: true,
      configuration: { baseURL: `${url}/v1` },
    }),
  '@langchain/anthropic': (url) => new ChatAnthropic({ model: 'scripted', apiKey: 'none', maxRetries: 0, anthropicApiUrl: url }),
};

/** A checkpointer keeps the messages and the record as bytes; another process reads them. @returns {import('./life.mjs').Host} */
const ofLangChain = (provider) => ({
  name: `LangChain, ${provider}, with a checkpointer`,
  namesWindow: !provider.includes('Responses'),
  async open({ url, compactorOf, stored }) {
    const checkpointer = checkpointerOf(stored);
    const agent = createAgent({
      model: MODELS[provider](url),
      tools: [langchainTool(async (args) => outputOf(args), { name: 'read', description: 'Reads a file.', schema: given })],
      systemPrompt: SYSTEM,
      middleware: [langchain.compactionMiddleware((_thread, record) => compactorOf({ record }), { stateSchema })],
      checkpointer,
    });
    return {
      async say(text) {
        const config = { recursionLimit: 10 * TURN, configurable: { thread_id: 't' } };
        const { messages } = await agent.invoke({ messages: [new HumanMessage(text)] }, config);
        const { content } = messages.at(-1);
        return typeof content === 'string' ? content : content.map(({ text: words }) => words ?? '').join('');
      },
      stored: () => checkpointsOf(checkpointer),
    };
  },
});

const AGENTS = { Responses: OpenAIResponsesModel, Chat: OpenAIChatCompletionsModel };

/** @returns {import('./life.mjs').Host} */
const ofAgents = (api) => ({
  name: `OpenAI Agents SDK, ${api}, a run for each turn`,
  namesWindow: api !== 'Responses',
  async open({ url, compactorOf, stored }) {
    const compactor = compactorOf({ record: stored?.record, format: 'openai_agents' });
    const model = new AGENTS[api](new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 }), 'scripted');
    const session = new MemorySession({ initialItems: stored?.items ?? [] });
    const agent = new Agent({
      name: 'Reader',
      instructions: SYSTEM,
      model: agents.compacting(model, compactor),
      modelSettings: { store: false },
      tools: [tool({ name: 'read', description: 'Reads a file.', parameters: given, execute: async (args) => outputOf(args) })],
    });
    return {
      async say(text) {
        const { finalOutput } = await new Runner().run(agent, text, { session, maxTurns: TURN + 5 });
        return finalOutput;
      },
      stored: async () => ({ items: await session.getItems(), record: compactor.record }),
    };
  },
});

const OF_MASTRA = {
  '@ai-sdk/openai chat': (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).chat('scripted'),
  '@ai-sdk/anthropic': (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })('scripted'),
};

/** The memory is a database, so it outlives the process. @returns {import('./life.mjs').Host} */
const ofMastra = (provider) => {
  const memory = new MockMemory({ options: { lastMessages: 10_000 } });
  return {
    name: `Mastra, ${provider}, with a memory`,
    async open({ url, compactorOf, stored }) {
      const processor = mastra.ebblineProcessor(() => compactorOf({ record: stored?.record }));
      const agent = new MastraAgent({
        id: 'fixer',
        name: 'fixer',
        instructions: SYSTEM,
        model: OF_MASTRA[provider](url),
        memory,
        tools: {
          read: createTool({ id: 'read', description: 'Reads a file.', inputSchema: given, execute: async (args) => outputOf(args) }),
        },
        inputProcessors: [processor],
        errorProcessors: [processor],
        maxProcessorRetries: 1,
      });
      return {
        async say(text) {
          const { text: said } = await agent.generate(text, { maxSteps: TURN + 5, memory: { thread: 't', resource: 'mara' } });
          // Mastra joins the texts of all steps.
          return said.slice(said.lastIndexOf('Part '));
        },
        stored: () => ({ record: processor.compactor('t').record }),
      };
    },
  };
};

export const HOSTS = [
  ...Object.keys(MODELS).map(ofLangChain),
  ...Object.keys(AGENTS).map(ofAgents),
  ...Object.keys(OF_MASTRA).map(ofMastra),
];
