import { formatNamed, supportedTitles } from './catalogue.js';
import { EbblineError } from './errors.js';
import { anthropic } from './walkers/anthropic.js';
import { elements } from './walkers/content.js';
import { openaiChat } from './walkers/openai-chat.js';
import { pi } from './walkers/pi.js';

const WALKERS = new Map([openaiChat, anthropic, pi].map((walker) => [walker.format, walker]));

/** How many messages are looked at. */
const LOOKED_AT = 400;
const KNOWN_ROLES = new Set(['user', 'assistant', 'system', 'developer', 'tool', 'function']);
const ANTHROPIC_BLOCKS = ['tool_use', 'tool_result', 'server_tool_use', 'redacted_thinking'];
const RESPONSES_ITEMS = [
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'reasoning',
  'item_reference',
];

/**
 * The walker for an array of live messages, and what shows its format.
 *
 * @param {unknown[]} messages
 * @param {string} [wanted] the format it must be
 */
export function walkerFor(messages, wanted) {
  const named = wanted === undefined ? undefined : formatNamed(wanted);
  const found = classify(messages);
  // An empty array is a session that has not begun. Its format does not matter, and nothing is to be done.
  const none = messages.length === 0 ? { format: 'openai_chat', evidence: 'an empty array' } : undefined;
  const { format, evidence } = named === undefined ? (found ?? none ?? refuse(messages)) : asWanted(named, found);
  const walker = WALKERS.get(format);
  if (walker === undefined) throw unsupported(formatNamed(format), evidence);
  return { walker, format, title: formatNamed(format).title, evidence };
}

/** Which format an array of live messages is of. */
export function detectLive(messages) {
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

function refuse(messages) {
  const seen = messages.length === 0 ? 'an empty array' : 'an array of other things';
  throw new EbblineError('no_messages', `no session: ${seen}`);
}

/** The signs of `format/detect.rs`, looked for in one pass. */
function classify(messages) {
  const looked = messages.slice(0, LOOKED_AT);
  const seen = look(looked);
  const any = (set, names) => names.some((name) => set.has(name));
  const is = (format, sign, certain = true) => ({
    format,
    evidence: `an array of ${looked.length} messages: ${sign}`,
    certain,
  });

  if (seen.lc) return is('langchain', 'lc');
  if (seen.typeAndData) return is('langchain', 'type and data.content');
  if (seen.humanOrAi || seen.kwargs) return is('langchain', 'messages of type human and ai');
  if (seen.pydantic) {
    const mixed = seen.thought || seen.role;
    return is(mixed ? 'tunacode' : 'pydantic_ai', 'kind request and response with parts');
  }
  if (seen.traj) return undefined;
  if (seen.infoAndParts) return is('opencode', 'info and parts');
  if (seen.event) return is('openhands', 'action or observation with source');
  if (seen.step) return is('atif', 'step_id and source');
  if (seen.typedParts) return is('vercel_ui', 'role and parts with a type');
  if (seen.parts) return is('gemini_contents', 'role and parts without a type');
  if (seen.roles.has('tool_result') || seen.blocks.has('tool_call')) {
    return is('tinyagent', 'role tool_result or block tool_call');
  }
  if (any(seen.roles, ['toolResult', 'bashExecution', 'compactionSummary']) || seen.blocks.has('toolCall')) {
    return is('pi', 'role toolResult or block toolCall');
  }
  if (any(seen.types, RESPONSES_ITEMS) || any(seen.blocks, ['input_text', 'output_text'])) {
    return is('openai_responses', 'Responses items');
  }
  if (any(seen.blocks, ['tool-call', 'tool-result'])) return is('vercel_model', 'blocks tool-call and tool-result');
  const toolRole = seen.roles.has('tool');
  if (any(seen.blocks, ANTHROPIC_BLOCKS) && !toolRole) {
    return is('anthropic_messages', 'blocks tool_use and tool_result');
  }
  if (seen.blocks.has('thinking') && !toolRole) return is('anthropic_messages', 'blocks thinking', false);
  if (toolRole || seen.toolCalls) return is('openai_chat', 'role tool, tool_calls');
  return seen.onlyKnownRoles && looked.length > 0 ? is('openai_chat', 'plain chat', false) : undefined;
}

function look(messages) {
  const seen = { roles: new Set(), types: new Set(), blocks: new Set(), onlyKnownRoles: true };
  for (const message of messages) {
    const role = message?.role;
    if (!KNOWN_ROLES.has(role)) seen.onlyKnownRoles = false;
    if (typeof message !== 'object' || message === null) continue;
    seen.roles.add(role);
    for (const block of elements(message.content)) seen.blocks.add(block?.type);
    if (message.tool_calls !== undefined) seen.toolCalls = true;
    lookAtType(message, seen);
    lookAtKeys(message, seen);
    if (message.parts !== undefined) lookAtParts(message, seen);
  }
  return seen;
}

function lookAtType(message, seen) {
  const { type, content } = message;
  if (type === undefined) return;
  seen.types.add(type);
  if ((message.data ?? undefined)?.content !== undefined) seen.typeAndData = true;
  if ((type === 'human' || type === 'ai') && content !== undefined) seen.humanOrAi = true;
}

function lookAtKeys(message, seen) {
  if (message.lc !== undefined) seen.lc = true;
  if (message.kwargs !== undefined && message.id !== undefined) seen.kwargs = true;
  if (message.thought !== undefined) seen.thought = true;
  if (message.role !== undefined) seen.role = true;
  if (Array.isArray(message.traj)) seen.traj = true;
  if (message.source === undefined) return;
  if (message.action !== undefined || message.observation !== undefined) seen.event = true;
  if (message.step_id !== undefined) seen.step = true;
}

function lookAtParts(message, seen) {
  if (message.kind === 'request' || message.kind === 'response') seen.pydantic = true;
  if (message.info !== undefined) seen.infoAndParts = true;
  if (message.role === undefined) return;
  seen.parts = true;
  if (elements(message.parts).some((part) => part?.type !== undefined)) seen.typedParts = true;
}
