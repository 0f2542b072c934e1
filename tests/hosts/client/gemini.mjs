// An agent's side of Gemini generateContent.
import { torn } from './events.mjs';

export const person = (text) => ({ role: 'user', parts: [{ text }] });
export const first = person;

export function request(contents, { system, tools, output }) {
  const declarations = tools.map(({ name, description, schema }) => ({ name, description, parameters: schema }));
  return { ...bodyOf(system, contents, output), tools: [{ functionDeclarations: declarations }] };
}

export function summaryRequest({ system, messages, maxTokens }) {
  const contents = messages.map(({ role, content }) => ({ role: role === 'assistant' ? 'model' : role, parts: [{ text: content }] }));
  return bodyOf(system, contents, maxTokens);
}

function bodyOf(system, contents, output) {
  return { systemInstruction: { parts: [{ text: system }] }, contents, generationConfig: { maxOutputTokens: output } };
}

/** The answer of a stream. */
export async function read(events) {
  const parts = [];
  let usage;
  for await (const { candidates, usageMetadata, error } of events) {
    if (error !== undefined) throw new Error(JSON.stringify(error));
    usage = usageMetadata;
    for (const part of candidates[0].content.parts) add(parts, part);
    const { finishReason } = candidates[0];
    if (finishReason === undefined) continue;
    const text = parts.flatMap((part) => (part.text !== undefined && !part.thought ? [part.text] : [])).join('');
    return { messages: [{ role: 'model', parts }], text, usage, isCut: finishReason === 'MAX_TOKENS' };
  }
  throw torn();
}

/** Pieces of one text are one part. */
function add(parts, part) {
  const before = parts.at(-1);
  const isMore = part.text !== undefined && before?.text !== undefined && part.thought === before.thought;
  if (isMore) before.text += part.text;
  else parts.push(part);
}

/** The calls at the end of a history that have no result yet. */
export function open(history) {
  return history.at(-1).parts.flatMap(({ functionCall }) => (functionCall ? [functionCall] : []));
}

/** Calls without ids are answered in their order. */
export function results(outputs) {
  const inOrder = outputs.some(({ id }) => id === undefined) ? outputs.toSorted((one, other) => one.at - other.at) : outputs;
  const parts = inOrder.map(({ id, name, text }) => ({ functionResponse: { ...(id && { id }), name, response: { output: text } } }));
  return [{ role: 'user', parts }];
}
