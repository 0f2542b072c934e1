// An agent's side of OpenAI Responses. Nothing is stored at the provider.
import { torn } from './events.mjs';

export const person = (text) => ({ role: 'user', content: [{ type: 'input_text', text }] });
export const first = person;

export function request(messages, { system, tools, output }) {
  return {
    ...bodyOf(system, messages, output),
    tools: tools.map(({ name, description, schema }) => ({ type: 'function', name, description, parameters: schema, strict: false })),
  };
}

export function summaryRequest({ system, messages, maxTokens }) {
  return bodyOf(system, messages, maxTokens);
}

function bodyOf(instructions, input, output) {
  const include = ['reasoning.encrypted_content'];
  return { model: 'scripted', instructions, input, max_output_tokens: output, stream: true, store: false, include };
}

/** The answer of a stream. */
export async function read(events) {
  const items = [];
  for await (const event of events) {
    const { type, item, response } = event;
    if (type === 'error' || type === 'response.failed') throw new Error(JSON.stringify(event));
    if (type === 'response.output_item.done') items.push(item);
    if (type === 'response.completed' || type === 'response.incomplete') {
      const text = items.flatMap(({ content }) => content ?? []).map((part) => part.text);
      return { messages: items, text: text.join(''), usage: response.usage, isCut: type === 'response.incomplete' };
    }
  }
  throw torn();
}

/** The calls at the end of a history that have no result yet. */
export function open(history) {
  const from = history.findLastIndex(({ type }) => type !== 'function_call') + 1;
  return history.slice(from).map(({ call_id: id, name, arguments: args }) => ({ id, name, args: JSON.parse(args) }));
}

export function results(outputs) {
  return outputs.map(({ id, text }) => ({ type: 'function_call_output', call_id: id, output: text }));
}
