// OpenAI Chat Completions on the side of the provider: its rules, its errors, and its stream.
import { halves } from './anthropic.mjs';
import { Findings, isJsonObject, repeated } from './findings.mjs';

export const path = '/v1/chat/completions';
const MEMBERS = {
  system: ['role', 'content'],
  developer: ['role', 'content'],
  user: ['role', 'content'],
  assistant: ['role', 'content', 'name', 'tool_calls', 'refusal', 'reasoning_content'],
  tool: ['role', 'content', 'tool_call_id'],
};

/** What the provider would refuse the request for. */
export function violations(body, memory) {
  const found = new Findings();
  found.members(body, ['model', 'messages', 'tools', 'max_completion_tokens', 'stream', 'stream_options'], 'request');
  const { messages = [] } = body;
  if (!found.check(messages.length > 0, "[] is too short - 'messages'")) return found.list;
  messages.forEach((message, at) => checkMessage(found, message, `messages[${at}]`));
  if (found.list.length > 0) return found.list;
  const others = messages.filter(({ role }) => role !== 'system');
  found.check(messages.slice(1).every(({ role }) => role !== 'system') && others.length > 0, 'System message must be at the beginning.');
  found.check(others[0]?.role === 'user', "Expected the first message behind the system message to be of role 'user'");
  found.check(['user', 'tool'].includes(messages.at(-1).role), 'Expected last role User or Tool but got assistant');
  checkPairs(found, messages);
  checkReasoning(found, messages, memory);
  return found.list;
}

function checkMessage(found, message, where) {
  if (
    !found.check(Object.hasOwn(MEMBERS, message?.role ?? ''), `Invalid value: '${message?.role}'. Supported values are: 'system', 'user' …`)
  )
    return;
  found.members(message, MEMBERS[message.role], where);
  if (message.role === 'assistant') checkAnswer(found, message, where);
  else if (message.role === 'tool') found.check(typeof message.content === 'string', `${where}.content: expected a string`);
  else checkContent(found, message.content, where);
}

function checkContent(found, content, where) {
  if (!Array.isArray(content)) return void found.words(content, `${where}.content`);
  found.check(content.length > 0, `${where}.content: [] is too short`);
  for (const part of content) found.check(part.type === 'text' && found.words(part.text, where), `${where}: unknown part`);
}

function checkAnswer(found, { content, tool_calls: calls }, where) {
  if (calls === undefined) return checkContent(found, content, where);
  if (!found.check(Array.isArray(calls) && calls.length > 0, `[] is too short - '${where}.tool_calls'`)) return;
  if (content !== null && content !== undefined) checkContent(found, content, where);
  for (const call of calls) {
    found.members(call, ['id', 'type', 'function'], `${where}.tool_calls`);
    found.check(typeof call.id === 'string' && call.id !== '' && call.type === 'function', `${where}: a call needs an id and a type`);
    found.members(call.function, ['name', 'arguments'], `${where}.tool_calls.function`);
    found.check(isJsonObject(call.function?.arguments), `${where}: arguments must be the JSON of an object`);
  }
}

function checkPairs(found, messages) {
  let open = [];
  for (const [at, { role, tool_calls: calls, tool_call_id: id }] of messages.entries()) {
    if (role === 'tool') {
      const text = `messages[${at}]: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'`;
      found.check(open.includes(id), text);
      open = open.filter((other) => other !== id);
      continue;
    }
    noneOpen(found, open);
    open = (calls ?? []).map((call) => call.id);
    found.none(repeated(open), 'Duplicate ids of tool calls');
  }
  noneOpen(found, open);
}

function noneOpen(found, open) {
  const text = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
  found.none(open, `${text} The following tool_call_ids did not have response messages`);
}

/** DeepSeek's rule, for sessions that reason: inside a turn, an answer that calls tools keeps its reasoning. */
function checkReasoning(found, messages, memory) {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  for (const { tool_calls: calls, reasoning_content: reasoning } of messages.slice(asked)) {
    const sent = memory.together.get(calls?.[0].id);
    found.check(sent === undefined || sent === reasoning, 'Missing `reasoning_content` field in the assistant message');
  }
}

export function refusal(message) {
  return { status: 400, body: { error: { message, type: 'invalid_request_error', param: 'messages', code: null } } };
}

export function overflow({ tokens, limit, output, window }, { pick }) {
  const message = pick([
    `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
    `This model's maximum context length is ${window} tokens. However, you requested ${tokens + output} tokens (${tokens} in the messages, ${output} in the completion). Please reduce the length of the messages or completion.`,
    `Input tokens exceed the configured limit of ${limit} tokens. Your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
  ]);
  return { status: 400, body: { error: { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' } } };
}

export function failure({ pick }) {
  const [status, type, message] = pick([
    [
      429,
      'tokens',
      'Rate limit reached for scripted on tokens per min (TPM): Limit 30000, Used 29000, Requested 4000. Please try again in 6s.',
    ],
    [429, 'insufficient_quota', 'You exceeded your current quota, please check your plan and billing details.'],
    [500, 'server_error', 'The server had an error while processing your request. Sorry about that!'],
  ]);
  return { status, body: { error: { message, type, param: null, code: null } } };
}

export const counted = ({ tools, messages }) => [...(tools ?? []), ...messages];

/** The answer as the provider streams it. */
export function* stream({ thinking, text, calls, usage, isCut }, memory) {
  const id = memory.id('chatcmpl');
  const event = (rest) => `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', model: 'scripted', ...rest })}\n\n`;
  const chunk = (delta, reason = null) => event({ choices: [{ index: 0, delta, finish_reason: reason }] });
  yield chunk({ role: 'assistant', content: text === undefined ? null : '' });
  if (thinking !== undefined) for (const piece of halves(thinking)) yield chunk({ reasoning_content: piece });
  if (text !== undefined) for (const piece of halves(text)) yield chunk({ content: piece });
  for (const [index, { name, args }] of calls.entries()) {
    const call = memory.id('call');
    if (thinking !== undefined) memory.together.set(call, thinking);
    yield chunk({ tool_calls: [{ index, id: call, type: 'function', function: { name, arguments: '' } }] });
    for (const piece of halves(JSON.stringify(args))) yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  yield chunk({}, isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop');
  const { input, cached, output } = usage;
  yield event({
    choices: [],
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
    },
  });
  yield 'data: [DONE]\n\n';
}
