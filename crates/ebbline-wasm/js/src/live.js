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
 * @property {(messages: unknown[], recorder: import('./records.js').Recorder, from?: number) => void} walk
 *   writes down what is there: the messages from number `from` on, behind those that are recorded already. What it has to
 *   remember of these, it keeps in the recorder's `state`
 * @property {(messages: unknown[], kept: number, known: number, state: any) => number} [changedFrom]
 *   the first message whose records have to be made anew: the first `kept` of the `known` messages that were recorded are
 *   still the same, the rest of `messages` is new. Without it, that is `kept`: no message concerns others
 * @property {(message: any, blocks: number[], cleared: (id: unknown) => string, options: { placeholder: string, now: number, freeBytes: boolean }) => unknown} prune
 *   the message without these outputs; `cleared` says what takes the place of one, the answer to the call of an id
 * @property {(state: any, length: number) => boolean} [isState] whether a snapshot of so many messages can hold this state;
 *   without it there is none
 * @property {(message: any) => boolean} [isOpaque] whether nobody can read what a message says: it stays where it is
 * @property {(message: any, blocks: number[], placeholder: string) => unknown} [free]
 *   the message without what is not sent of outputs that were pruned before
 * @property {(summary: { text: string, marked: string, kept: number, plan: Plan, now: number, messages: unknown[] }) => unknown} [summary]
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
export const LOOKED_AT = 400;
/** What shows a part of Gemini contents, whose role may be missing. */
const GEMINI_PARTS = ['text', 'functionCall', 'functionResponse', 'function_call', 'function_response'];
const HUMAN_OR_AI = new Set(['human', 'ai', 'AIMessageChunk']);

/** What a message may show, one bit each. */
const LC = 1 << 0;
const TYPE_AND_DATA = 1 << 1;
const HUMAN_OR_AI_TYPE = 1 << 2;
const PYDANTIC = 1 << 3;
const THOUGHT_OR_ROLE = 1 << 4;
const INFO_AND_PARTS = 1 << 5;
const ROWS = 1 << 6;
const NEWER = 1 << 7;
const EVENT = 1 << 8;
const STEP = 1 << 9;
const TYPED_PARTS = 1 << 10;
const INVOCATIONS = 1 << 11;
const ROLE_AND_PARTS = 1 << 12;
const GEMINI = 1 << 13;
const TINYAGENT = 1 << 14;
const PI = 1 << 15;
const RESPONSES = 1 << 16;
const VERCEL_BLOCKS = 1 << 17;
const VERCEL_MEMBERS = 1 << 18;
const TOOL_ROLE = 1 << 19;
const ANTHROPIC_BLOCKS = 1 << 20;
const SOURCES = 1 << 21;
const TOOL_CALLS = 1 << 22;
const THINKING = 1 << 23;
const OTHER_ROLE = 1 << 24;
const COMPACTION_SUMMARY = 1 << 25;
const CITATIONS = 1 << 26;
const AGENTS = 1 << 27;
const STORED = 1 << 28;
const CONVERSE = 1 << 29;
const UNREAD = 1 << 30;

/**
 * A format, the sign of it in words, what shows it, and what must not be there besides; the most specific sign first.
 * The table of `format/list.rs`, over what one pass has collected. Of `shown` any bit is enough, of `with` too.
 *
 * @type {[format: string, sign: string, shown: number, with?: number, without?: number][]}
 */
const SIGNS = [
  ['langchain', 'lc', LC],
  ['langchain', 'type and data.content', TYPE_AND_DATA],
  ['langchain', 'messages of type human and ai', HUMAN_OR_AI_TYPE],
  ['tunacode', 'kind request and response among thoughts and plain messages', PYDANTIC, THOUGHT_OR_ROLE],
  ['pydantic_ai', 'kind request and response with parts', PYDANTIC],
  ['opencode', 'info and parts', INFO_AND_PARTS],
  ['opencode', 'rows of messages and parts', ROWS],
  ['opencode', 'messages with a type and content', NEWER],
  ['openhands', 'action, observation or kind of event with source', EVENT],
  ['atif', 'step_id and source', STEP],
  ['vercel_ui', 'role and parts with a type', TYPED_PARTS],
  ['vercel_ui', 'role and toolInvocations', INVOCATIONS],
  ['gemini_contents', 'role and parts without a type', ROLE_AND_PARTS],
  ['gemini_contents', 'parts of text or functionCall', GEMINI],
  ['tinyagent', 'role tool_result or block tool_call', TINYAGENT],
  ['tinyagent', 'compaction_summary', COMPACTION_SUMMARY],
  ['pi', 'role toolResult or block toolCall', PI],
  ['openai_responses', 'Responses items', RESPONSES],
  ['vercel_model', 'blocks tool-call and tool-result', VERCEL_BLOCKS],
  ['vercel_model', 'blocks with image, data or providerOptions', VERCEL_MEMBERS],
  ['anthropic_messages', 'blocks tool_use and tool_result', ANTHROPIC_BLOCKS, undefined, TOOL_ROLE],
  ['anthropic_messages', 'blocks of text with citations', CITATIONS, undefined, TOOL_ROLE],
  ['anthropic_messages', 'images or documents with a source', SOURCES, undefined, TOOL_ROLE],
  ['openai_chat', 'role tool, tool_calls', TOOL_ROLE | TOOL_CALLS],
];

/** What is recognised and not read, with what to do instead; the messages of `format/recognised.rs`. */
const RECOGNISED = [
  [AGENTS, 'items of the OpenAI Agents SDK (function_call_result, or callId beside a type)', 'pass the items of the Responses API that it sends'],
  [STORED, 'messages of a Mastra store (content with format and parts)', 'pass them as messages of the AI SDK'],
  [CONVERSE, 'Amazon Bedrock’s Converse messages (blocks toolUse and toolResult)', 'pass messages of a format that is read'],
];

/**
 * The walker for an array of live messages, and what shows its format.
 *
 * @param {unknown[]} messages
 * @param {string} [wanted] the format it must be
 */
export function walkerFor(messages, wanted) {
  const { walker, format, sign } = walkerShown(messages, look(messages, 0, messages.length), wanted);
  const { title, reportedInput } = formatNamed(format);
  return { walker, format, title, reportedInput, evidence: evidenceOf(messages, sign, title) };
}

/**
 * The walker for an array of live messages.
 *
 * @param {unknown[]} messages
 * @param {number} seen what {@link look} saw in it
 * @param {string} [wanted] the format it must be
 */
export function walkerShown(messages, seen, wanted) {
  const named = wanted === undefined ? undefined : formatNamed(wanted);
  refuseContainer(messages);
  refuseRecognised(seen);
  const shown = messages.length === 0 ? undefined : shownBy(seen);
  // An empty array is a session that has not begun. Its format does not matter, and nothing is to be done.
  const none = messages.length === 0 ? { format: 'openai_chat', sign: null } : undefined;
  const { format, sign } = named === undefined ? (shown ?? none ?? refuse(messages)) : asWanted(named, shown, messages);
  const walker = WALKERS.get(format);
  if (walker === undefined) throw unsupported(formatNamed(format), messages, sign);
  return { walker, format, sign };
}

/** Which format an array of live messages is of. */
export function detectLive(messages) {
  refuseContainer(messages);
  if (messages.length === 0) refuse(messages);
  const seen = look(messages, 0, messages.length);
  refuseRecognised(seen);
  const { format, sign } = shownBy(seen) ?? refuse(messages);
  const { title } = formatNamed(format);
  return { format, title, supported: WALKERS.has(format), evidence: evidenceOf(messages, sign, title) };
}

function asWanted(named, shown, messages) {
  if (shown?.format === named.format) return shown;
  if (shown?.certain) {
    const { title } = formatNamed(shown.format);
    const seen = `${title}: ${evidenceOf(messages, shown.sign, title)}`;
    throw new EbblineError('wrong_format', `${named.title} was asked for, but this is ${seen}`);
  }
  return { format: named.format, sign: undefined };
}

/** A sign in words, and in how many messages it was looked for; without one, the format was asked for. */
export function evidenceOf(messages, sign, title) {
  const looked = Math.min(messages.length, LOOKED_AT);
  if (sign === null) return 'an empty array';
  if (sign === undefined) return `${title}, as asked for`;
  const first = messages.length > looked ? 'the first ' : '';
  return `${first}${looked} ${looked === 1 ? 'message' : 'messages'} in an array: ${sign}`;
}

function unsupported({ title, supported }, messages, sign) {
  const evidence = evidenceOf(messages, sign, title);
  const message = supported
    ? `this looks like ${title} (${evidence}), which is read as text only: pass JSON.stringify(messages)`
    : `this looks like ${title} (${evidence}), which is not read yet; read are ${supportedTitles().join(', ')}`;
  return new EbblineError('unsupported_format', message);
}

function refuseRecognised(seen) {
  if ((seen & (AGENTS | STORED | CONVERSE)) === 0) return;
  const [, what, instead] = RECOGNISED.find(([bit]) => (seen & bit) !== 0);
  throw new EbblineError('unsupported_format', `these look like ${what}, which are not read: ${instead}`);
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

/** The format that what was seen shows; `certain` if it can be no other. */
function shownBy(seen) {
  for (const [format, sign, shown, beside = -1, without = 0] of SIGNS) {
    if ((seen & shown) !== 0 && (seen & beside) !== 0 && (seen & without) === 0) return { format, sign, certain: true };
  }
  // Several formats spell what is left the same way.
  if ((seen & THINKING) !== 0) return { format: 'anthropic_messages', sign: 'blocks thinking', certain: false };
  return (seen & (OTHER_ROLE | UNREAD)) === 0 ? { format: 'openai_chat', sign: 'plain chat', certain: false } : undefined;
}

/** What the messages from `from` to `end` show, of those that are looked at. */
export function look(messages, from, end) {
  const last = Math.min(end, LOOKED_AT);
  let seen = 0;
  for (let at = from; at < last; at += 1) seen |= lookAt(messages[at]);
  return seen;
}

export function lookAt(message) {
  if (typeof message !== 'object' || message === null) return OTHER_ROLE;
  const { role, content } = message;
  let seen = lookAtRole(role);
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) seen |= lookAtObject(content);
  if (isOrdinary(message)) return Array.isArray(content) ? seen | lookAtBlocks(content) : seen;
  // What it becomes in JSON; its own members are those of no envelope.
  if (isInstance(message)) return seen | LC;
  if (Array.isArray(content)) seen |= lookAtBlocks(content);
  if (message.tool_calls !== undefined) seen |= TOOL_CALLS;
  return seen | lookAtType(message, content) | lookAtKeys(message, role);
}

/**
 * Whether a plain object has none of the members that are looked at, but for role and content: to go through what it has
 * costs less than to ask for what it has not.
 */
function isOrdinary(message) {
  if (Object.getPrototypeOf(message) !== Object.prototype) return false;
  for (const name in message) {
    switch (name) {
      case 'tool_calls':
      case 'type':
      case 'data':
      case 'lc':
      case 'kwargs':
      case 'thought':
      case 'toolInvocations':
      case 'source':
      case 'parts':
      case 'time':
      case 'sessionID':
      case 'session_id':
      case 'compaction_summary':
      case 'toJSON':
        return false;
    }
  }
  return true;
}

/** A content that is neither a text nor a list of blocks: no plain chat has one. */
function lookAtObject({ format, parts }) {
  return format !== undefined && parts !== undefined ? STORED | UNREAD : UNREAD;
}

function lookAtRole(role) {
  switch (role) {
    case 'user':
    case 'assistant':
    case 'system':
    case 'developer':
    case 'function':
      return THOUGHT_OR_ROLE;
    case undefined:
      return OTHER_ROLE;
    case 'tool':
      return OTHER_ROLE | THOUGHT_OR_ROLE | TOOL_ROLE;
    case 'tool_result':
      return OTHER_ROLE | THOUGHT_OR_ROLE | TINYAGENT;
    case 'toolResult':
    case 'bashExecution':
    case 'compactionSummary':
      return OTHER_ROLE | THOUGHT_OR_ROLE | PI;
    default:
      return OTHER_ROLE | THOUGHT_OR_ROLE;
  }
}

function lookAtBlocks(list) {
  const blocks = elements(list);
  let seen = 0;
  for (let at = 0; at < blocks.length; at += 1) seen |= lookAtBlock(blocks[at]);
  return seen;
}

function lookAtBlock(block) {
  switch (block?.type) {
    case 'text':
      return (block.providerOptions === undefined ? 0 : VERCEL_MEMBERS) | (block.citations === undefined ? 0 : CITATIONS);
    case 'reasoning':
      return block.providerOptions === undefined ? 0 : VERCEL_MEMBERS;
    case 'image':
      return (block.image === undefined ? 0 : VERCEL_MEMBERS) | (block.source === undefined ? 0 : SOURCES);
    case 'document':
      return block.source === undefined ? 0 : SOURCES;
    case 'file':
      return block.data === undefined ? 0 : VERCEL_MEMBERS;
    case 'thinking':
      return THINKING;
    case 'tool_use':
    case 'tool_result':
    case 'server_tool_use':
    case 'mcp_tool_use':
    case 'compaction':
    case 'redacted_thinking':
      return ANTHROPIC_BLOCKS;
    case 'tool-call':
    case 'tool-result':
      return VERCEL_BLOCKS;
    case 'tool_call':
      return TINYAGENT;
    case 'toolCall':
      return PI;
    case 'input_text':
    case 'output_text':
      return RESPONSES;
    case undefined:
      return block?.toolUse === undefined && block?.toolResult === undefined ? 0 : CONVERSE;
    default:
      return 0;
  }
}

function lookAtType(message, content) {
  const { type, data } = message;
  let seen = (isRow(message) ? ROWS : 0) | (isNewer(message) ? NEWER : 0);
  if (type === undefined) return seen;
  switch (type) {
    case 'function_call':
    case 'function_call_output':
    case 'custom_tool_call':
    case 'custom_tool_call_output':
    case 'reasoning':
    case 'item_reference':
      seen |= RESPONSES;
      break;
    case 'function_call_result':
      seen |= AGENTS;
  }
  if (message.callId !== undefined) seen |= AGENTS;
  if ((data ?? undefined)?.content !== undefined) seen |= TYPE_AND_DATA;
  if (content !== undefined && HUMAN_OR_AI.has(type)) seen |= HUMAN_OR_AI_TYPE;
  return seen;
}

function lookAtKeys(message, role) {
  const { lc, kwargs, thought, toolInvocations, source, parts } = message;
  let seen = 0;
  if (lc !== undefined) seen |= LC;
  if (kwargs !== undefined && message.id !== undefined) seen |= HUMAN_OR_AI_TYPE;
  if (thought !== undefined) seen |= THOUGHT_OR_ROLE;
  if (role !== undefined && toolInvocations !== undefined) seen |= INVOCATIONS;
  if (role !== undefined && message.compaction_summary !== undefined) seen |= COMPACTION_SUMMARY;
  if (source !== undefined) {
    if (message.step_id !== undefined) seen |= STEP;
    else if (message.action !== undefined || message.observation !== undefined || isKindOfEvent(message)) seen |= EVENT;
  }
  return parts === undefined ? seen : seen | lookAtParts(message, role, parts);
}

function isKindOfEvent({ kind }) {
  return typeof kind === 'string' && kind.endsWith('Event');
}

function lookAtParts({ kind, info }, role, parts) {
  let seen = kind === 'request' || kind === 'response' ? PYDANTIC : 0;
  if (info !== undefined) seen |= INFO_AND_PARTS;
  const isGemini = (part) => GEMINI_PARTS.some((key) => part?.[key] !== undefined);
  if (elements(parts).some(isGemini)) seen |= GEMINI;
  if (role === undefined) return seen;
  return seen | ROLE_AND_PARTS | (elements(parts).some((part) => part?.type !== undefined) ? TYPED_PARTS : 0);
}
