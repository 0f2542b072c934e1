// An agent's side of Anthropic Messages.
import { torn } from './events.mjs';

const MARK = { cache_control: { type: 'ephemeral' } };

export const person = (text) => ({ role: 'user', content: text });

/** The first request of a session; the agent wants it cached. */
export const first = (text) => ({ role: 'user', content: [{ type: 'text', text, ...MARK }] });

export function request(messages, { system, tools, output, thinks }) {
  return {
    model: 'scripted',
    max_tokens: output,
    stream: true,
    ...(thinks && { thinking: { type: 'enabled', budget_tokens: 1_024 } }),
    system: [{ type: 'text', text: system, ...MARK }],
    tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
    messages: marked(messages),
  };
}

/** The newest message is marked for the cache, in a copy. */
function marked(messages) {
  const last = messages.at(-1);
  const blocks = typeof last.content === 'string' ? [{ type: 'text', text: last.content }] : last.content;
  return [...messages.slice(0, -1), { ...last, content: [...blocks.slice(0, -1), { ...blocks.at(-1), ...MARK }] }];
}

export function summaryRequest({ system, messages, maxTokens }) {
  return { model: 'scripted', max_tokens: maxTokens, stream: true, system: [{ type: 'text', text: system }], messages };
}

/** The answer of a stream. */
export async function read(events) {
  const blocks = [];
  const json = [];
  let usage;
  let reason;
  for await (const { type, index, message, content_block: block, delta, error } of events) {
    if (error !== undefined) throw new Error(JSON.stringify(error));
    if (type === 'message_start') usage = message.usage;
    if (type === 'content_block_start') blocks[index] = block;
    if (type === 'content_block_delta') add(blocks[index], json, index, delta);
    if (type === 'content_block_stop' && json[index] !== undefined) blocks[index].input = JSON.parse(json[index]);
    if (type === 'message_delta') reason = delta.stop_reason;
    if (type === 'message_stop') return told(blocks, usage, reason);
  }
  throw torn();
}

function add(block, json, index, { type, text, thinking, signature, partial_json: piece }) {
  if (type === 'text_delta') block.text += text;
  if (type === 'thinking_delta') block.thinking += thinking;
  if (type === 'signature_delta') block.signature = signature;
  if (type === 'input_json_delta') json[index] = (json[index] ?? '') + piece;
}

function told(blocks, usage, reason) {
  const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  return { messages: [{ role: 'assistant', content: blocks }], text, usage, isCut: reason === 'max_tokens' };
}

/** The calls at the end of a history that have no result yet. */
export function open(history) {
  const { role, content } = history.at(-1);
  if (role !== 'assistant' || typeof content === 'string') return [];
  return content.flatMap(({ type, id, name, input }) => (type === 'tool_use' ? [{ id, name, args: input }] : []));
}

export function results(outputs) {
  return [{ role: 'user', content: outputs.map(({ id, text }) => ({ type: 'tool_result', tool_use_id: id, content: text })) }];
}
