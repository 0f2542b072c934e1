// The loop of an agent in strict TypeScript, without an adapter: what is prepared has the type of what was given.

import { createCompactor } from 'ebbline';
import type { CompactorEvent, ModelRequest } from 'ebbline';
import OpenAI from 'openai';

import { read, startServer } from './server.mjs';

// The server takes 16,000 tokens. The window is set too large, as it happens with a new model.
const server = await startServer({ steps: 100, window: 64_000 });
const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1` });

async function summarize({ system, messages: asked, maxTokens }: ModelRequest, { signal }: { signal: AbortSignal | undefined }) {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: system }, ...asked];
  const { choices } = await client.chat.completions.create({ model: 'small', messages, max_completion_tokens: maxTokens }, { signal });
  return { text: choices[0]?.message.content ?? '', truncated: choices[0]?.finish_reason === 'length' };
}

let compactions = 0;
const onEvent = ({ type }: CompactorEvent) => {
  if (type === 'compacted') compactions += 1;
};
const compactor = createCompactor({ model: { context: 30_000, output: 1_000 }, summarize, onEvent });
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Where is the fault?' }];
const tools: OpenAI.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'read', parameters: { type: 'object', properties: { part: { type: 'number' } } } } },
];
const send = (view: OpenAI.ChatCompletionMessageParam[]) => client.chat.completions.create({ model: 'large', messages: view, tools });

for (;;) {
  const view = await compactor.prepare(messages);
  const answer = await send(view).catch(async (error: unknown) => send(await compactor.recover(error, messages)));
  if (answer.usage !== undefined) compactor.usage(answer.usage);
  const message = answer.choices[0]?.message;
  if (message === undefined) throw new Error('the model said nothing');
  messages.push(message);
  const calls = message.tool_calls ?? [];
  if (calls.length === 0) break;
  for (const call of calls) {
    if (call.type !== 'function') continue;
    messages.push({ role: 'tool', tool_call_id: call.id, content: read(JSON.parse(call.function.arguments)) });
  }
}

console.log(messages.at(-1)?.content);
console.log(`the history has ${messages.length} messages; compacted: ${compactions > 0}`);
console.log(`recovered after a refusal: ${server.refused() > 0}`);
server.close();

// It prints:
// → The fault is in part 7.
// → the history has 202 messages; compacted: true
// → recovered after a refusal: true
