// What is compared: each row is one library with one setting, and how it is called.
import { trimMessages } from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { TokenLimiterProcessor, ToolCallFilter } from '@mastra/core/processors';
import { MemorySession } from '@openai/agents';
import { removeAllTools } from '@openai/agents-core/extensions';
import { pruneMessages } from 'ai';
import { pruneMessages as pruneMessages7 } from 'ai7';
import { ClearToolUsesEdit, contextEditingMiddleware, summarizationMiddleware } from 'langchain';

import { ebbline } from '../adapter.mjs';
import { ofAiSdk, ofLangChain, ofOpenAiAgents } from './read.mjs';
import { forAiSdk, forLangChain, forOpenAiAgents } from './session.mjs';

/** The size that each is told to keep to, where it can be told one, in tokens. */
export const LIMIT = 20_000;
const SUMMARY = '## Goal\nMend the tests.\n\n## Progress\nSome files were read. Nothing is found yet.';

const AI_SDK = { write: (session) => forAiSdk(session, { asParts: false }), read: ofAiSdk };
const PROMPT = { write: (session) => forAiSdk(session, { asParts: true }), read: ofAiSdk };
const LANGCHAIN = { write: forLangChain, read: ofLangChain };
const AGENTS = { write: forOpenAiAgents, read: ofOpenAiAgents, hasNoSystem: true };

const sizeOf = (messages) => Math.ceil(JSON.stringify(messages.map(({ content, tool_calls: calls }) => [content, calls])).length / 4);

/** A compactor in a new process for each call. */
const compacting = (options) => async (messages) => {
  const compactor = ebbline.createCompactor({ model: { context: LIMIT }, ...options });
  const view = await compactor.prepare(messages);
  compactor.free();
  return view;
};
/** All outputs are protected, so that only a summary makes room. */
const SUMMARIZES = { 'prune.protect': 1_000_000, 'prune.downTo': 0 };
const summarize = async () => SUMMARY;

async function clearedByLangChain(messages) {
  const edits = [new ClearToolUsesEdit({ trigger: { tokens: LIMIT }, keep: { messages: 3 } })];
  let sent;
  const { wrapModelCall } = /** @type {any} */ (contextEditingMiddleware({ edits }));
  await wrapModelCall({ messages, model: undefined }, async (request) => {
    sent = [...request.messages];
  });
  return sent;
}

async function summarizedByLangChain(messages) {
  const model = new FakeListChatModel({ responses: [SUMMARY] });
  const settings = { model, trigger: { tokens: LIMIT }, keep: { messages: 20 }, tokenCounter: sizeOf };
  const { beforeModel } = /** @type {any} */ (summarizationMiddleware(settings));
  const update = await (beforeModel.hook ?? beforeModel)({ messages }, { context: {} });
  return update === undefined ? messages : update.messages.filter((message) => message.getType() !== 'remove');
}

const byMastra = (processor) => async (prompt) => {
  const abort = (why) => {
    throw new Error(why);
  };
  const done = await processor.processLLMRequest(/** @type {any} */ ({ prompt, abort, state: {}, stepNumber: 0, steps: [] }));
  return done?.prompt ?? prompt;
};

async function newestOfSession(items) {
  const session = new MemorySession({ initialItems: items });
  return session.getItems(40);
}

/**
 * @typedef {object} Row
 * @property {string} from the package
 * @property {string} name
 * @property {string} call how it is called, for the page
 * @property {(messages: any[]) => Promise<any[]> | any[]} run
 * @property {{ write: (session: object) => any[], read: (messages: any[]) => import('./read.mjs').Left[], hasNoSystem?: boolean }} shape
 */

/** @type {Row[]} */
export const ROWS = [
  {
    from: 'ebbline',
    name: 'pruning, AI SDK messages',
    call: '`createCompactor({ model })`, `prepare`',
    run: compacting({}),
    shape: AI_SDK,
  },
  {
    from: 'ebbline',
    name: 'summary, AI SDK messages',
    call: '`createCompactor({ model, summarize, set })`, `prepare`; `set` protects all outputs from pruning, so that a summary is needed',
    run: compacting({ summarize, set: SUMMARIZES }),
    shape: AI_SDK,
  },
  {
    from: 'ebbline',
    name: 'pruning, LangChain messages',
    call: '`createCompactor({ model })`, `prepare`',
    run: compacting({}),
    shape: LANGCHAIN,
  },
  {
    from: 'ebbline',
    name: 'summary, LangChain messages',
    call: '`createCompactor({ model, summarize, set })`, `prepare`; `set` protects all outputs from pruning, so that a summary is needed',
    run: compacting({ summarize, set: SUMMARIZES }),
    shape: LANGCHAIN,
  },
  ...[
    { from: 'ai', prune: pruneMessages },
    { from: 'ai7', prune: pruneMessages7 },
  ].flatMap(({ from, prune }) =>
    /** @type {const} */ (['before-last-2-messages', 'before-last-7-messages']).map((toolCalls) => ({
      from,
      name: `\`pruneMessages\`, ${toolCalls}`,
      call: `\`pruneMessages({ messages, reasoning: 'before-last-message', toolCalls: '${toolCalls}', emptyMessages: 'remove' })\``,
      run: (messages) => prune({ messages, reasoning: 'before-last-message', toolCalls, emptyMessages: 'remove' }),
      shape: AI_SDK,
    })),
  ),
  {
    from: '@langchain/core',
    name: '`trimMessages`',
    call: "`trimMessages(messages, { maxTokens, tokenCounter, strategy: 'last', includeSystem: true })`",
    run: (messages) => trimMessages(messages, { maxTokens: LIMIT, tokenCounter: sizeOf, strategy: 'last', includeSystem: true }),
    shape: LANGCHAIN,
  },
  {
    from: '@langchain/core',
    name: '`trimMessages`, `startOn`',
    call: "the same with `startOn: 'human'`",
    run: (messages) =>
      trimMessages(messages, { maxTokens: LIMIT, tokenCounter: sizeOf, strategy: 'last', includeSystem: true, startOn: 'human' }),
    shape: LANGCHAIN,
  },
  {
    from: 'langchain',
    name: '`contextEditingMiddleware`, `ClearToolUsesEdit`',
    call: '`contextEditingMiddleware({ edits: [new ClearToolUsesEdit({ trigger: { tokens }, keep: { messages: 3 } })] })`, its `wrapModelCall`',
    run: clearedByLangChain,
    shape: LANGCHAIN,
  },
  {
    from: 'langchain',
    name: '`summarizationMiddleware`',
    call: '`summarizationMiddleware({ model, trigger: { tokens }, keep: { messages: 20 }, tokenCounter })`, its `beforeModel`, with a model that answers the same as ebbline’s',
    run: summarizedByLangChain,
    shape: LANGCHAIN,
  },
  ...['best-fit', 'contiguous'].map((trimMode) => ({
    from: '@mastra/core',
    name: `\`TokenLimiterProcessor\`, ${trimMode}`,
    call: `\`new TokenLimiterProcessor({ limit, trimMode: '${trimMode}' }).processLLMRequest({ prompt, abort })\``,
    run: byMastra(new TokenLimiterProcessor({ limit: LIMIT, trimMode: /** @type {any} */ (trimMode) })),
    shape: PROMPT,
  })),
  {
    from: '@mastra/core',
    name: '`ToolCallFilter`',
    call: '`new ToolCallFilter({ filterAfterToolSteps: 5 }).processLLMRequest({ prompt, state })`',
    run: byMastra(new ToolCallFilter({ filterAfterToolSteps: 5 })),
    shape: PROMPT,
  },
  {
    from: '@openai/agents',
    name: '`MemorySession`, newest 40 items',
    call: '`new MemorySession({ initialItems }).getItems(40)`',
    run: newestOfSession,
    shape: AGENTS,
  },
  {
    from: '@openai/agents',
    name: '`removeAllTools`',
    call: '`removeAllTools({ inputHistory, preHandoffItems: [], newItems: [] })`',
    run: (items) => /** @type {any[]} */ (removeAllTools({ inputHistory: items, preHandoffItems: [], newItems: [] }).inputHistory),
    shape: AGENTS,
  },
];
