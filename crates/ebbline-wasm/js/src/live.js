import { formatNamed, supportedTitles } from './catalogue.js';
import { EbblineError } from './errors.js';
import { anthropic } from './walkers/anthropic.js';
import { elements } from './walkers/content.js';
import { geminiContents } from './walkers/gemini-contents.js';
import { isInstance, langchain } from './walkers/langchain.js';
import { openaiChat } from './walkers/openai-chat.js';
import { openaiResponses } from './walkers/openai-responses.js';
import { isNewer, isRow } from './walkers/opencode-rows.js';
import { opencode } from './walkers/opencode.js';
import { pi } from './walkers/pi.js';
import { vercelModel } from './walkers/vercel-model.js';
import { vercelUi } from './walkers/vercel-ui.js';

/** @typedef {import('../types/index.js').Plan} Plan */

/**
 * What knows one format's live messages.
 *
 * @typedef {object} Walker
 * @property {string} format
 * @property {(messages: unknown[], recorder: import('./records.js').Recorder) => void} walk writes down what is there
 * @property {(message: any, blocks: number[], placeholder: string, options: { now: number, freeBytes: boolean }) => unknown} prune
 *   the message without these outputs
 * @property {(message: any) => boolean} [isOpaque] whether nobody can read what a message says: it stays where it is
 * @property {(message: any, blocks: number[], placeholder: string) => unknown} [free]
 *   the message without what is not sent of outputs that were pruned before
 * @property {(text: string, plan: Plan, now: number, messages: unknown[]) => unknown} [summary]
 *   a summary message, in the place of those it stands for and like the others
 * @property {boolean} [returns] whether messages that are not sent would be sent again without the summarised ones
 * @property {(messages: any[], text: string, plan: Plan, now: number, places: number[]) => unknown[]} [append]
 *   the messages with a summary recorded behind them, where nothing gives way
 */

/** @type {Map<string, Walker>} */
const WALKERS = new Map(
  [openaiChat, openaiResponses, anthropic, geminiContents, vercelModel, vercelUi, langchain, pi, opencode].map(
    (walker) => [walker.format, walker],
  ),
);

/** How many messages are looked at. */
const LOOKED_AT = 400;
/** What shows a part of Gemini contents, whose role may be missing. */
const GEMINI_PARTS = ['text', 'functionCall', 'functionResponse', 'function_call', 'function_response'];
const HUMAN_OR_AI = new Set(['human', 'ai', 'AIMessageChunk']);
const PLAIN_ROLES = new Set(['user', 'assistant', 'system', 'developer', 'function']);

/**
 * A format, the sign of it in words, and the test; the most specific sign first. The table of `format/list.rs`, over
 * what one pass has collected.
 *
 * @type {[string, string, (seen: ReturnType<typeof look>) => boolean | undefined][]}
 */
const SIGNS = [
  ['langchain', 'lc', (seen) => seen.lc],
  ['langchain', 'type and data.content', (seen) => seen.typeAndData],
  ['langchain', 'messages of type human and ai', (seen) => seen.humanOrAi || seen.kwargs],
  [
    'tunacode',
    'kind request and response among thoughts and plain messages',
    (seen) => seen.pydantic && (seen.thought || seen.role),
  ],
  ['pydantic_ai', 'kind request and response with parts', (seen) => seen.pydantic],
  ['opencode', 'info and parts', (seen) => seen.infoAndParts],
  ['opencode', 'rows of messages and parts', (seen) => seen.rows],
  ['opencode', 'messages with a type and content', (seen) => seen.newer],
  ['openhands', 'action, observation or kind of event with source', (seen) => seen.event],
  ['atif', 'step_id and source', (seen) => seen.step],
  ['vercel_ui', 'role and parts with a type', (seen) => seen.typedParts],
  ['vercel_ui', 'role and toolInvocations', (seen) => seen.invocations],
  ['gemini_contents', 'role and parts without a type', (seen) => seen.roleAndParts],
  ['gemini_contents', 'parts of text or functionCall', (seen) => seen.geminiParts],
  ['tinyagent', 'role tool_result or block tool_call', ({ roles, blocks }) => roles.has('tool_result') || blocks.has('tool_call')],
  [
    'pi',
    'role toolResult or block toolCall',
    ({ roles, blocks }) => any(roles, ['toolResult', 'bashExecution', 'compactionSummary']) || blocks.has('toolCall'),
  ],
  [
    'openai_responses',
    'Responses items',
    ({ types, blocks }) =>
      any(types, ['function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output']) ||
      any(types, ['reasoning', 'item_reference']) ||
      any(blocks, ['input_text', 'output_text']),
  ],
  ['vercel_model', 'blocks tool-call and tool-result', ({ blocks }) => any(blocks, ['tool-call', 'tool-result'])],
  ['vercel_model', 'blocks with image, data or providerOptions', (seen) => seen.modelBlocks],
  [
    'anthropic_messages',
    'blocks tool_use and tool_result',
    ({ roles, blocks }) =>
      !roles.has('tool') && any(blocks, ['tool_use', 'tool_result', 'server_tool_use', 'redacted_thinking']),
  ],
  ['anthropic_messages', 'images or documents with a source', (seen) => !seen.roles.has('tool') && seen.sources],
  ['openai_chat', 'role tool, tool_calls', (seen) => seen.roles.has('tool') || seen.toolCalls],
];

/**
 * The walker for an array of live messages, and what shows its format.
 *
 * @param {unknown[]} messages
 * @param {string} [wanted] the format it must be
 */
export function walkerFor(messages, wanted) {
  const named = wanted === undefined ? undefined : formatNamed(wanted);
  refuseContainer(messages);
  const found = classify(messages);
  // An empty array is a session that has not begun. Its format does not matter, and nothing is to be done.
  const none = messages.length === 0 ? { format: 'openai_chat', evidence: 'an empty array' } : undefined;
  const { format, evidence } = named === undefined ? (found ?? none ?? refuse(messages)) : asWanted(named, found);
  const walker = WALKERS.get(format);
  if (walker === undefined) throw unsupported(formatNamed(format), evidence);
  const { title, reportedInput } = formatNamed(format);
  return { walker, format, title, reportedInput, evidence };
}

/** Which format an array of live messages is of. */
export function detectLive(messages) {
  refuseContainer(messages);
  const { format, evidence } = classify(messages) ?? refuse(messages);
  const { title } = formatNamed(format);
  return { format, title, supported: WALKERS.has(format), evidence };
}

function asWanted(named, found) {
  if (found?.format === named.format) return found;
  if (found?.certain) {
    const seen = `${formatNamed(found.format).title}: ${found.evidence}`;
    throw new EbblineError('wrong_format', `${named.title} was asked for, but this is ${seen}`);
  }
  return { format: named.format, evidence: `${named.title}, as asked for` };
}

function unsupported({ title, supported }, evidence) {
  const message = supported
    ? `this looks like ${title} (${evidence}), which is read as text only: pass JSON.stringify(messages)`
    : `this looks like ${title} (${evidence}), which is not read yet; read are ${supportedTitles().join(', ')}`;
  return new EbblineError('unsupported_format', message);
}

/** Refuses an array of conversations (`format/container.rs`): whoever has it in memory has the one that is meant. */
function refuseContainer(messages) {
  const key = conversationKey(messages[0]);
  if (key === undefined || !messages.every((element) => conversationKey(element) !== undefined)) return;
  const conversations = messages.length === 1 ? '1 conversation is' : `${messages.length} conversations are`;
  throw new EbblineError('no_messages', `${conversations} no session: pass the array of one, as in plan(tasks[0].${key})`);
}

/** Where an element of a container holds its conversation. */
function conversationKey(element) {
  if (typeof element !== 'object' || element === null) return undefined;
  if (Array.isArray(element.traj)) return 'traj';
  if (Array.isArray(element.messages) && element.role === undefined) return 'messages';
  const isResult = element.instance_id !== undefined || element.issue !== undefined;
  return element.history !== undefined && isResult ? 'history' : undefined;
}

/** @returns {never} */
function refuse(messages) {
  const seen = messages.length === 0 ? 'an empty array' : 'an array of other things';
  throw new EbblineError('no_messages', `no session: ${seen}`);
}

/** What the messages look like; `certain` if they can be nothing else. */
function classify(messages) {
  const looked = messages.slice(0, LOOKED_AT);
  const seen = look(looked);
  const first = messages.length > looked.length ? 'the first ' : '';
  const count = `${first}${looked.length} ${looked.length === 1 ? 'message' : 'messages'}`;
  const is = (format, sign, certain) => ({
    format,
    evidence: `${count} in an array: ${sign}`,
    certain,
  });
  if (looked.length === 0) return undefined;
  const shown = SIGNS.find(([, , shows]) => shows(seen));
  if (shown !== undefined) return is(shown[0], shown[1], true);
  // Several formats spell what is left the same way.
  if (seen.blocks.has('thinking')) return is('anthropic_messages', 'blocks thinking', false);
  return seen.onlyPlainRoles ? is('openai_chat', 'plain chat', false) : undefined;
}

function any(set, names) {
  return names.some((name) => set.has(name));
}

function look(messages) {
  const seen = { roles: new Set(), types: new Set(), blocks: new Set(), onlyPlainRoles: true };
  for (const message of messages) {
    const role = message?.role;
    if (!PLAIN_ROLES.has(role)) seen.onlyPlainRoles = false;
    if (typeof message !== 'object' || message === null) continue;
    seen.roles.add(role);
    if (isInstance(message)) {
      seen.lc = true; // What it becomes in JSON; its own members are those of no envelope.
      continue;
    }
    for (const block of elements(message.content)) {
      seen.blocks.add(block?.type);
      if (isModelBlock(block)) seen.modelBlocks = true;
      if (block?.source !== undefined && (block.type === 'image' || block.type === 'document')) seen.sources = true;
    }
    if (message.tool_calls !== undefined) seen.toolCalls = true;
    lookAtType(message, seen);
    lookAtKeys(message, seen);
    if (isRow(message)) seen.rows = true;
    if (isNewer(message)) seen.newer = true;
    if (message.parts !== undefined) lookAtParts(message, seen);
  }
  return seen;
}

/** Whether a block is as only the Vercel AI SDK has it: in its image, its data, or the options of its provider. */
function isModelBlock(block) {
  switch (block?.type) {
    case 'image':
      return block.image !== undefined;
    case 'file':
      return block.data !== undefined;
    case 'text':
    case 'reasoning':
      return block.providerOptions !== undefined;
    default:
      return false;
  }
}

function lookAtType(message, seen) {
  const { type, content } = message;
  if (type === undefined) return;
  seen.types.add(type);
  if ((message.data ?? undefined)?.content !== undefined) seen.typeAndData = true;
  if (HUMAN_OR_AI.has(type) && content !== undefined) seen.humanOrAi = true;
}

function lookAtKeys(message, seen) {
  if (message.lc !== undefined) seen.lc = true;
  if (message.kwargs !== undefined && message.id !== undefined) seen.kwargs = true;
  if (message.thought !== undefined) seen.thought = true;
  if (message.role !== undefined) seen.role = true;
  if (message.role !== undefined && message.toolInvocations !== undefined) seen.invocations = true;
  if (message.source === undefined) return;
  if (message.step_id !== undefined) seen.step = true;
  else if (message.action !== undefined || message.observation !== undefined || isKindOfEvent(message)) seen.event = true;
}

function isKindOfEvent({ kind }) {
  return typeof kind === 'string' && kind.endsWith('Event');
}

function lookAtParts(message, seen) {
  if (message.kind === 'request' || message.kind === 'response') seen.pydantic = true;
  if (message.info !== undefined) seen.infoAndParts = true;
  const isGemini = (part) => GEMINI_PARTS.some((key) => part?.[key] !== undefined);
  if (elements(message.parts).some(isGemini)) seen.geminiParts = true;
  if (message.role === undefined) return;
  seen.roleAndParts = true;
  if (elements(message.parts).some((part) => part?.type !== undefined)) seen.typedParts = true;
}
