// OpenAI Responses on the side of the provider: its rules, its errors, and its stream.
import { halves } from './anthropic.mjs';
import { Findings, isJsonObject, repeated } from './findings.mjs';

export const path = '/v1/responses';
const MEMBERS = {
  message: ['type', 'role', 'content', 'id', 'status'],
  reasoning: ['type', 'id', 'summary', 'encrypted_content', 'status'],
  function_call: ['type', 'id', 'call_id', 'name', 'arguments', 'status'],
  function_call_output: ['type', 'id', 'call_id', 'output', 'status'],
};
const typeOf = (item) => item?.type ?? (item?.role === undefined ? '' : 'message');

/** What the provider would refuse the request for. Nothing is stored, so the items are all that it knows. */
export function violations(body, memory) {
  const found = new Findings();
  found.members(body, ['model', 'instructions', 'input', 'tools', 'max_output_tokens', 'stream', 'store', 'include'], 'request');
  const { input = [] } = body;
  if (!found.check(input.length > 0, "Missing required parameter: 'input'")) return found.list;
  input.forEach((item, at) => checkItem(found, item, `input[${at}]`));
  if (found.list.length > 0) return found.list;
  found.none(repeated(input.flatMap(({ id }) => (id === undefined ? [] : [id]))), 'Duplicate item found with id');
  checkPairs(found, input);
  checkReasoning(found, input, memory);
  const last = input.at(-1);
  const isAsked = last.role === 'user' || last.type === 'function_call_output';
  found.check(isAsked, 'the last item must be of the user, or the output of a call');
  return found.list;
}

function checkItem(found, item, where) {
  const type = typeOf(item);
  if (!found.check(Object.hasOwn(MEMBERS, type), `Invalid value: '${item?.type}' - '${where}'`)) return;
  found.members(item, MEMBERS[type], where);
  if (type === 'message') checkContent(found, item, where);
  if (type === 'function_call') {
    found.check(isJsonObject(item.arguments), `${where}.arguments: must be the JSON of an object`);
    found.check(typeof item.call_id === 'string' && item.call_id !== '', `Missing required parameter: '${where}.call_id'`);
  }
  if (type === 'function_call_output') found.check(typeof item.output === 'string', `${where}.output: expected a string`);
}

function checkContent(found, { role, content }, where) {
  found.check(['user', 'assistant', 'system', 'developer'].includes(role), `Invalid value: '${role}' - '${where}.role'`);
  if (typeof content === 'string') return void found.words(content, `${where}.content`);
  if (!found.check(content?.length > 0, `${where}.content: must not be empty`)) return;
  const expected = role === 'assistant' ? ['output_text', 'refusal'] : ['input_text'];
  for (const part of content) {
    found.check(expected.includes(part.type), `Invalid value: '${part.type}'. Supported values are: '${expected}' - '${where}'`);
    found.words(part.text, where);
  }
}

function checkPairs(found, input) {
  const calls = input.filter(({ type }) => type === 'function_call');
  found.none(repeated(calls.map(({ call_id: id }) => id)), 'Duplicate call_id');
  const open = new Set();
  for (const { type, call_id: id } of input) {
    if (type === 'function_call') open.add(id);
    else if (type === 'function_call_output')
      found.check(open.delete(id), `No tool call found for function call output with call_id ${id}.`);
    else if (type !== 'reasoning') found.none(open, 'No tool output found for function call');
  }
  found.none(open, 'No tool output found for function call');
}

/** Reasoning is encrypted and stands directly before the item that it was sent with; that item needs it. */
function checkReasoning(found, input, memory) {
  const there = new Set(input.map(({ id }) => id));
  for (const [at, { type, id, encrypted_content: encrypted, summary }] of input.entries()) {
    const sent = memory.together.get(id);
    if (type === 'reasoning') {
      found.check(memory.isSigned(encrypted, { id, summary }), `The encrypted content for item ${id} could not be verified.`);
      const text = `Item '${id}' of type 'reasoning' was provided without its required following item.`;
      found.check(sent !== undefined && input[at + 1]?.id === sent, text);
    } else if (sent !== undefined) {
      found.check(there.has(sent), `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: '${sent}'.`);
    }
  }
}

export function refusal(message) {
  return { status: 400, body: { error: { message, type: 'invalid_request_error', param: 'input', code: null } } };
}

/** The stream may have begun when the provider sees that the request is too large. */
export function overflow(_, { chance }) {
  const message = 'Your input exceeds the context window of this model. Please adjust your input and try again.';
  const error = { code: 'context_length_exceeded', message };
  if (chance(0.5)) return { status: 400, body: { error: { ...error, type: 'invalid_request_error', param: 'input' } } };
  const response = { id: 'resp_0', object: 'response', status: 'failed', error, output: [], usage: null };
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', error: null } },
    { type: 'response.failed', response },
  ];
  return { status: 200, events: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`) };
}

export { failure } from './openai-chat.mjs';

export const counted = ({ instructions, tools, input }) => [instructions ?? '', ...(tools ?? []), ...input];

/** The answer as the provider streams it. */
export function* stream({ thinking, text, calls, usage, isCut }, memory) {
  let number = 0;
  const event = (type, rest) => `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: (number += 1), ...rest })}\n\n`;
  const output = itemsOf({ thinking, text, calls }, memory);
  const response = { id: memory.id('resp'), object: 'response', model: 'scripted' };
  yield event('response.created', { response: { ...response, status: 'in_progress', output: [] } });
  for (const [index, item] of output.entries()) {
    yield event('response.output_item.added', { output_index: index, item: { ...item, status: 'in_progress' } });
    const said = item.type === 'message' ? item.content[0].text : item.arguments;
    const name = item.type === 'message' ? 'response.output_text.delta' : 'response.function_call_arguments.delta';
    for (const delta of said === undefined ? [] : halves(said)) yield event(name, { output_index: index, item_id: item.id, delta });
    yield event('response.output_item.done', { output_index: index, item });
  }
  const { input, cached, output: made } = usage;
  const told = { input_tokens: input, input_tokens_details: { cached_tokens: cached }, output_tokens: made };
  const end = isCut ? 'incomplete' : 'completed';
  const why = isCut ? { incomplete_details: { reason: 'max_output_tokens' } } : {};
  yield event(`response.${end}`, { response: { ...response, status: end, ...why, output, usage: told } });
}

function itemsOf({ thinking, text, calls }, memory) {
  const items = [];
  if (text !== undefined) {
    const content = [{ type: 'output_text', text, annotations: [] }];
    items.push({ type: 'message', id: memory.id('msg'), role: 'assistant', status: 'completed', content });
  }
  for (const { name, args } of calls) {
    const call = { type: 'function_call', id: memory.id('fc'), call_id: memory.id('call'), name, arguments: JSON.stringify(args) };
    items.push({ ...call, status: 'completed' });
  }
  if (thinking === undefined) return items;
  const [id, summary] = [memory.id('rs'), [{ type: 'summary_text', text: thinking }]];
  memory.together.set(id, items[0].id);
  for (const item of items) memory.together.set(item.id, id);
  return [{ type: 'reasoning', id, summary, encrypted_content: memory.sign({ id, summary }) }, ...items];
}
