// What other libraries do before a request, each over messages in its own format.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { ToolMessage, trimMessages } from '@langchain/core/messages';
import { pruneMessages } from 'ai';
import { ClearToolUsesEdit, countTokensApproximately } from 'langchain';

// pi does not export every function that it calls before a request.
import {
  DEFAULT_COMPACTION_SETTINGS as PI_SETTINGS,
  estimateContextTokens,
  prepareCompaction,
  shouldCompact,
} from './node_modules/@mariozechner/pi-coding-agent/dist/core/compaction/compaction.js';

const CONTEXT = 200_000;
const CLEARED = '[cleared]';
/** LangChain's settings: it keeps as many tokens as pi does, and as much tool output as OpenCode. */
const LANGCHAIN_KEEP = { messages: 20_000, outputs: 40_000 };

/** Packages whose versions docs/performance.md names. */
export const PACKAGES = ['@mariozechner/pi-coding-agent', 'ai', '@langchain/core', 'langchain'];

/** The version of an installed package. */
export function versionOf(name) {
  const entry = createRequire(import.meta.url).resolve.paths(name)[0];
  return JSON.parse(readFileSync(`${entry}/${name}/package.json`, 'utf8')).version;
}

/**
 * The peers over sessions of one length. `upTo` is the longest session that is measured: the time grows with the square
 * of the length, so a single call over a longer one would take seconds to minutes.
 *
 * @param {Record<'pi' | 'piUsage' | 'ai' | 'langchain', unknown[]>} sessions
 */
export function peers({ pi, piUsage, ai, langchain }) {
  const [piEntries, piUsageEntries] = [pi, piUsage].map(entriesOf);
  const cleared = clearedOf(langchain);
  return [
    { name: 'pi: check before a request, usage reported', run: () => piCheck(piUsage) },
    { name: 'pi: check before a request, no usage', run: () => piCheck(pi) },
    { name: 'pi: prepareCompaction, usage reported', run: () => prepareCompaction(piUsageEntries, PI_SETTINGS) },
    { name: 'pi: prepareCompaction, no usage', run: () => prepareCompaction(piEntries, PI_SETTINGS) },
    { name: 'AI SDK: pruneMessages', run: () => aiPrune(ai) },
    { name: 'LangChain: trimMessages, cheap counter', run: () => trim(langchain), upTo: 10_000 },
    { name: 'LangChain: ClearToolUsesEdit, all cleared before', run: () => clearAgain(cleared), upTo: 10_000 },
  ];
}

/** The functions that pi calls before each request. */
export function piCheck(messages) {
  return shouldCompact(estimateContextTokens(messages).tokens, CONTEXT, PI_SETTINGS);
}

/** The AI SDK's pruning of an array; it estimates nothing. */
export function aiPrune(messages) {
  return pruneMessages({ messages, toolCalls: 'before-last-20-messages' });
}

/** LangChain's trimming, with a counter that only adds up lengths. */
export function trim(messages) {
  return trimMessages(messages, {
    maxTokens: LANGCHAIN_KEEP.messages,
    strategy: 'last',
    startOn: 'human',
    tokenCounter: cheaply,
  });
}

/** LangChain's middleware in its steady state: an array whose older results were cleared by earlier calls. */
export function clearAgain(messages) {
  return clearing.apply({ messages, countTokens: countTokensApproximately });
}

const clearing = new ClearToolUsesEdit({ trigger: { tokens: 100_000 }, keep: { tokens: LANGCHAIN_KEEP.outputs } });

/** A session as LangChain's middleware leaves it. The middleware itself would take minutes for the longer ones. */
export function clearedOf(messages) {
  const result = [...messages];
  let kept = 0;
  for (let at = result.length - 1; at >= 0; at -= 1) {
    const message = result[at];
    if (!ToolMessage.isInstance(message)) continue;
    kept += countTokensApproximately([message]);
    if (kept <= LANGCHAIN_KEEP.outputs) continue;
    const { tool_call_id, name } = message;
    const response_metadata = { context_editing: { cleared: true, strategy: 'clear_tool_uses' } };
    result[at] = new ToolMessage({ tool_call_id, name, content: CLEARED, response_metadata });
  }
  return result;
}

function cheaply(messages) {
  let length = 0;
  for (const { content } of messages) {
    if (typeof content === 'string') length += content.length;
    else for (const block of content) length += block.text.length;
  }
  return Math.ceil(length / 4);
}

/** pi keeps messages in the entries of its session file. */
function entriesOf(messages) {
  const idOf = (at) => (at < 0 ? null : at.toString(16).padStart(8, '0'));
  const timestamp = '2026-06-01T00:00:00.000Z';
  return messages.map((message, at) => ({ type: 'message', id: idOf(at), parentId: idOf(at - 1), timestamp, message }));
}
