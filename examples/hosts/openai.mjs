// An agent over the OpenAI client with a compactor: it keeps its whole history and passes it at every call.

import { createCompactor } from 'ebbline';
import { compacting } from 'ebbline/openai';
import { fromOpenAI } from 'ebbline/summarize';
import OpenAI from 'openai';

import { read, startServer } from './server.mjs';

// The server takes 16,000 tokens. The window is set too large, as it happens with a new model.
const server = await startServer({ steps: 100, window: 64_000 });
const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1` });

const compactor = createCompactor({
  model: { context: 30_000, output: 1_000 },
  summarize: fromOpenAI(client, { model: 'small' }),
});
const create = compacting(client, compactor);

const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object', properties: { part: { type: 'number' } } } } }];
const messages = [{ role: 'user', content: 'Where is the fault?' }];
for (;;) {
  const { choices } = await create({ model: 'large', messages, tools });
  const { message } = choices[0];
  messages.push(message);
  if (!message.tool_calls) break;
  for (const { id, function: called } of message.tool_calls) {
    messages.push({ role: 'tool', tool_call_id: id, content: read(JSON.parse(called.arguments)) });
  }
}
console.log(messages.at(-1).content);
console.log(`the history has ${messages.length} messages; compacted: ${compactor.record.changes.length > 0}`);
console.log(`recovered after a refusal: ${server.refused() > 0}`);

// The Responses API is the same call with `input`. Another session needs another compactor.
const other = createCompactor({ model: { context: 16_000, output: 1_000 } });
const input = [{ role: 'user', content: 'Are you sure?' }];
const { output_text: text } = await compacting(
  client,
  other,
)({ model: 'large', input, tools: [{ type: 'function', ...tools[0].function }] });
console.log(text);
server.close();

// It prints:
// → The fault is in part 7.
// → the history has 202 messages; compacted: true
// → recovered after a refusal: true
// → The fault is in part 7.
