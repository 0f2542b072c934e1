// Anthropic Messages on the side of the provider: its rules, its errors, and its stream.
import { Findings, isObject, repeated } from './findings.mjs';

export const path = '/v1/messages';
const BLOCKS = {
  text: ['type', 'text', 'cache_control', 'citations'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  tool_use: ['type', 'id', 'name', 'input', 'cache_control'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
};
const OF_ROLE = { user: ['text', 'tool_result'], assistant: ['text', 'thinking', 'redacted_thinking', 'tool_use'] };
const MOST_MARKS = 4;

/** What the provider would refuse the request for. */
export function violations(body, memory) {
  const found = new Findings();
  found.members(body, ['model', 'system', 'messages', 'tools', 'max_tokens', 'stream', 'thinking'], 'request');
  found.check(Number.isSafeInteger(body.max_tokens) && body.max_tokens > 0, 'max_tokens: Field required');
  const { messages = [] } = body;
  if (!found.check(messages.length > 0, 'messages: at least one message is required')) return found.list;
  messages.forEach((message, at) => checkMessage(found, message, `messages.${at}`));
  if (found.list.length > 0) return found.list;
  found.check(messages[0].role === 'user', 'messages: first message must use the "user" role');
  const [last] = messages.slice(-1);
  found.check(
    last.role === 'user',
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  );
  const turns = merged(messages);
  checkPairs(found, turns);
  checkThinking(found, body, turns, memory);
  const marks = JSON.stringify([body.system ?? [], body.tools ?? [], messages]).split('"cache_control":{').length - 1;
  found.check(marks <= MOST_MARKS, `A maximum of ${MOST_MARKS} blocks with cache_control may be provided. Found ${marks}.`);
  const usesTools = turns.some(({ blocks }) => blocks.some(({ type }) => type === 'tool_use'));
  found.check(!usesTools || body.tools?.length > 0, 'Requests which include `tool_use` or `tool_result` blocks must define tools');
  return found.list;
}

function checkMessage(found, message, where) {
  if (!found.members(message, ['role', 'content'], where)) return;
  if (!found.check(Object.hasOwn(OF_ROLE, message.role), `${where}.role: Input should be 'user' or 'assistant'`)) return;
  if (typeof message.content === 'string') return void found.words(message.content, `${where}.content`);
  if (!found.check(message.content?.length > 0, `${where}: all messages must have non-empty content`)) return;
  message.content.forEach((block, at) => checkBlock(found, block, message.role, `${where}.content.${at}`));
}

function checkBlock(found, block, role, where) {
  if (!found.check(OF_ROLE[role].includes(block?.type), `${where}.type: \`${block?.type}\` is not permitted in a message of role ${role}`))
    return;
  found.members(block, BLOCKS[block.type], where);
  if (block.cache_control !== undefined) found.check(block.cache_control.type === 'ephemeral', `${where}.cache_control: unknown type`);
  if (block.type === 'text') {
    found.words(block.text, `${where}.text`);
    found.check(block.citations == null || Array.isArray(block.citations), `${where}.citations: Input should be a valid list`);
  }
  if (block.type === 'tool_use') {
    found.check(/^[a-zA-Z0-9_-]+$/.test(block.id), `${where}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
    found.check(/^[a-zA-Z0-9_-]{1,128}$/.test(block.name), `${where}.name: String should match pattern`);
    found.check(isObject(block.input), `${where}.input: Input should be a valid dictionary`);
  }
  if (block.type === 'tool_result') checkResult(found, block, where);
}

function checkResult(found, { content }, where) {
  if (content === undefined || typeof content === 'string') return;
  if (!found.check(Array.isArray(content), `${where}.content: Input should be a valid list`)) return;
  content.forEach((part, at) => {
    const place = `${where}.content.${at}`;
    found.members(part, BLOCKS.text, place);
    found.check(part.type === 'text', `${place}.type: not permitted here`);
    found.words(part.text, `${place}.text`);
  });
}

/** Messages of one role in a row count as one. */
function merged(messages) {
  const turns = [];
  messages.forEach(({ role, content }, at) => {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const before = turns.at(-1);
    if (before?.role === role) before.blocks.push(...blocks);
    else turns.push({ role, blocks: [...blocks], at });
  });
  return turns;
}

function checkPairs(found, turns) {
  const calls = turns.map(({ blocks }) => blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id));
  found.none(repeated(calls.flat()), '`tool_use` ids must be unique');
  turns.forEach(({ blocks, at }, turn) => {
    const results = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => id);
    found.none(repeated(results), `messages.${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id`);
    const asked = calls[turn - 1] ?? [];
    const unasked = results.filter((id) => !asked.includes(id));
    found.none(unasked, `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks`);
    const answered = turns[turn + 1]?.blocks.slice(0, calls[turn].length).map(({ tool_use_id: id }) => id) ?? [];
    const left = calls[turn].filter((id) => !answered.includes(id));
    found.none(left, `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after`);
  });
}

/** Thinking is signed; in a tool loop, an answer that calls tools keeps all of its thinking in front. */
function checkThinking(found, body, turns, memory) {
  const asked = turns.findLastIndex(({ role, blocks }) => role === 'user' && blocks.every(({ type }) => type !== 'tool_result'));
  turns.forEach(({ role, blocks, at }, turn) => {
    if (role !== 'assistant') return;
    const thinking = blocks.filter(({ type }) => type.endsWith('thinking'));
    for (const { type, thinking: text, signature, data } of thinking) {
      const holds = type === 'thinking' ? memory.isSigned(signature, text) : memory.isSigned(data, 'redacted');
      found.check(holds, `messages.${at}: Invalid \`signature\` in \`thinking\` block`);
    }
    if (turn < asked || body.thinking?.type !== 'enabled') return;
    const call = blocks.find(({ type }) => type === 'tool_use');
    const sent = memory.together.get(call?.id);
    if (sent === undefined) return;
    const front = JSON.stringify(blocks.slice(0, sent.length));
    found.check(
      front === JSON.stringify(sent),
      `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${blocks[0]?.type}\`. \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified.`,
    );
  });
}

export function refusal(message) {
  return { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_1' } };
}

export function overflow({ tokens, limit, output, window }, { chance }) {
  if (chance(0.5)) return refusal(`prompt is too long: ${tokens} tokens > ${limit} maximum`);
  return refusal(
    `input length and \`max_tokens\` exceed context limit: ${tokens} + ${output} > ${window}, decrease input length or \`max_tokens\` and try again`,
  );
}

export function failure({ pick }) {
  const [status, type, message] = pick([
    [429, 'rate_limit_error', 'This request would exceed your rate limit of 50,000 input tokens per minute.'],
    [500, 'api_error', 'Internal server error'],
    [529, 'overloaded_error', 'Overloaded'],
  ]);
  return { status, body: { type: 'error', error: { type, message } } };
}

/** What is counted: the system prompt, the tools and each message. */
export const counted = ({ system, tools, messages }) => [system ?? '', ...(tools ?? []), ...messages];

/** The answer as the provider streams it. */
export function* stream({ thinking, text, calls, usage, isCut }, memory, { chance }) {
  const event = (type, rest) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
  const { input, cached, output } = usage;
  const usageNow = { input_tokens: input - cached, cache_read_input_tokens: cached, cache_creation_input_tokens: 0, output_tokens: 1 };
  const blocks = [];
  if (thinking !== undefined && chance(0.1)) blocks.push({ type: 'redacted_thinking', data: memory.sign('redacted') });
  if (thinking !== undefined) blocks.push({ type: 'thinking', thinking, signature: memory.sign(thinking) });
  const thought = [...blocks];
  if (text !== undefined) blocks.push({ type: 'text', text });
  for (const { name, args } of calls) blocks.push({ type: 'tool_use', id: memory.id('toolu'), name, input: args });
  for (const { type, id } of blocks) if (type === 'tool_use' && thought.length > 0) memory.together.set(id, thought);
  const message = { id: memory.id('msg'), type: 'message', role: 'assistant', model: 'scripted', content: [], usage: usageNow };
  yield event('message_start', { message });
  yield event('ping', {});
  for (const [index, block] of blocks.entries()) {
    yield event('content_block_start', { index, content_block: begun(block) });
    for (const delta of deltas(block)) yield event('content_block_delta', { index, delta });
    yield event('content_block_stop', { index });
  }
  const reason = isCut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn';
  yield event('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: output } });
  yield event('message_stop', {});
}

function begun(block) {
  if (block.type === 'text') return { type: 'text', text: '' };
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return block.type === 'tool_use' ? { ...block, input: {} } : block;
}

function deltas(block) {
  if (block.type === 'text') return halves(block.text).map((text) => ({ type: 'text_delta', text }));
  if (block.type === 'thinking') {
    const said = halves(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking }));
    return [...said, { type: 'signature_delta', signature: block.signature }];
  }
  if (block.type !== 'tool_use') return [];
  return halves(JSON.stringify(block.input)).map((json) => ({ type: 'input_json_delta', partial_json: json }));
}

export function halves(text) {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}
