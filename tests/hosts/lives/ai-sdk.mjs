// AI SDK 7 with its own provider packages: what wraps the model, and what prepares each step.

import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import * as ai from 'ai7';
import { z } from 'zod';

import { adapter } from '../adapter.mjs';
import { SYSTEM, TURN, outputOf } from './world.mjs';

const { compactionMiddleware, onStepFinish, prepareStep } = await adapter('ai-sdk');

export const tools = {
  read: ai.tool({
    description: 'Reads a file.',
    inputSchema: z.object({ at: z.number(), which: z.number() }),
    execute: async (given) => outputOf(given),
  }),
};

export const MODELS = {
  '@ai-sdk/openai chat': (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).chat('scripted'),
  '@ai-sdk/openai responses': (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).responses('scripted'),
  '@ai-sdk/anthropic': (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })('scripted'),
  '@ai-sdk/google': (url) => createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: 'none' })('scripted'),
};
/** Nothing is stored on the server, so that the items themselves are sent. */
const providerOptions = { openai: { store: false } };

/** How a turn is run: each takes the model and what is beside it, and gives the words and the new messages. */
const WAYS = {
  generateText: async (settings) => {
    const { text, responseMessages } = await ai.generateText(settings);
    return { text, messages: responseMessages };
  },
  streamText: async (settings) => {
    const errors = [];
    const result = ai.streamText({ ...settings, onError: ({ error }) => void errors.push(error) });
    await result.consumeStream();
    if (errors.length > 0) throw errors[0];
    return { text: await result.text, messages: await result.responseMessages };
  },
  ToolLoopAgent: async ({ messages, ...settings }) => {
    const { text, responseMessages } = await new ai.ToolLoopAgent(settings).generate({ messages });
    return { text, messages: responseMessages };
  },
};

/** What stands between the agent and its model. */
const HOOKS = {
  middleware: (model, compactor) => ({
    model: ai.wrapLanguageModel({ model, middleware: compactionMiddleware(compactor, { specificationVersion: 'v4' }) }),
  }),
  prepareStep: (model, compactor) => ({ model, prepareStep: prepareStep(compactor), onStepEnd: onStepFinish(compactor) }),
};

/** @returns {import('./life.mjs').Host} */
function host(provider, way, hook) {
  return {
    name: `AI SDK 7, ${provider}, ${way} with ${hook}`,
    recovers: hook === 'middleware',
    namesWindow: !provider.includes('responses'),
    isLate: way === 'streamText',
    async open({ url, compactorOf, stored }) {
      const messages = stored?.messages ?? [];
      const compactor = compactorOf({ record: stored?.record });
      const settings = {
        ...HOOKS[hook](MODELS[provider](url), compactor),
        instructions: SYSTEM,
        tools,
        providerOptions,
        maxRetries: 0,
        stopWhen: ai.stepCountIs(TURN + 5),
      };
      return {
        async say(content) {
          messages.push({ role: 'user', content });
          const { text, messages: added } = await WAYS[way]({ ...settings, messages });
          messages.push(...added);
          return text;
        },
        stored: () => ({ messages, record: compactor.record }),
      };
    },
  };
}

const providers = Object.keys(MODELS);
export const HOSTS = [
  ...providers.map((provider) => host(provider, 'generateText', 'middleware')),
  ...providers.map((provider) => host(provider, 'streamText', 'middleware')),
  host('@ai-sdk/openai chat', 'ToolLoopAgent', 'middleware'),
  host('@ai-sdk/anthropic', 'ToolLoopAgent', 'middleware'),
  host('@ai-sdk/openai responses', 'generateText', 'prepareStep'),
  host('@ai-sdk/anthropic', 'streamText', 'prepareStep'),
];
