// An agent's side of OpenAI Chat Completions.
import { torn } from './events.mjs';

export const person = (text) => ({ role: 'user', content: text });
export const first = person;

export function request(messages, { system, tools, output }) {
  return {
    ...summaryRequest({ system, messages, maxTokens: output }),
    tools: tools.map(({ name, description, schema }) => ({ type: 'function', function: { name, description, parameters: schema } })),
  };
}

export function summaryRequest({ system, messages, maxTokens }) {
  const all = [{ role: 'system', content: system }, ...messages];
  return { model: 'scripted', max_completion_tokens: maxTokens, stream: true, stream_options: { include_usage: true }, messages: all };
}

/** The answer of a stream. */
export async function read(events) {
  const message = { role: 'assistant', content: null };
  let reason;
  for await (const { choices, usage, error } of events) {
    if (error !== undefined) throw new Error(JSON.stringify(error));
    for (const { delta, finish_reason: end } of choices) {
      if (typeof delta.content === 'string') message.content = (message.content ?? '') + delta.content;
      if (delta.reasoning_content) message.reasoning_content = (message.reasoning_content ?? '') + delta.reasoning_content;
      for (const piece of delta.tool_calls ?? []) add(message, piece);
      reason ??= end ?? undefined;
    }
    if (usage !== undefined && reason !== undefined) {
      return { messages: [message], text: message.content ?? '', usage, isCut: reason === 'length' };
    }
  }
  throw torn();
}

function add(message, { index, ...call }) {
  message.tool_calls ??= [];
  message.tool_calls[index] ??= call;
  const known = message.tool_calls[index].function;
  if (known !== call.function) known.arguments += call.function.arguments;
}

/** The calls at the end of a history that have no result yet. */
export function open(history) {
  const calls = history.at(-1).tool_calls ?? [];
  return calls.map(({ id, function: { name, arguments: args } }) => ({ id, name, args: JSON.parse(args) }));
}

export function results(outputs) {
  return outputs.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }));
}
