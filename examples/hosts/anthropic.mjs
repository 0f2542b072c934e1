// An agent over the Anthropic client with a compactor that also sets the marks for the prompt cache.

import Anthropic from '@anthropic-ai/sdk';
import { createCompactor } from 'ebbline';
import { compacting } from 'ebbline/anthropic';
import { fromAnthropic } from 'ebbline/summarize';

import { read, startServer } from './server.mjs';

const server = await startServer({ steps: 100, window: 64_000 });
const client = new Anthropic({ apiKey: 'none', baseURL: server.url });

const compactor = createCompactor({
  model: { context: 16_000, output: 1_000 },
  summarize: fromAnthropic(client, { model: 'small' }),
});
const create = compacting(client, compactor, { cache: true });

const tools = [{ name: 'read', input_schema: { type: 'object', properties: { part: { type: 'number' } } } }];
const messages = [{ role: 'user', content: 'Where is the fault?' }];
for (;;) {
  const { content } = await create({ model: 'large', max_tokens: 1_000, messages, tools });
  messages.push({ role: 'assistant', content });
  const calls = content.filter(({ type }) => type === 'tool_use');
  if (calls.length === 0) break;
  messages.push({ role: 'user', content: calls.map(({ id, input }) => ({ type: 'tool_result', tool_use_id: id, content: read(input) })) });
}

console.log(messages.at(-1).content[0].text);
console.log(`the history has ${messages.length} messages; compacted: ${compactor.record.changes.length > 0}`);
console.log(`refused by the provider: ${server.refused()}`);
console.log(`an old output is still there: ${compactor.recall('c1').startsWith('line of part 1')}`);
server.close();

// It prints:
// → The fault is in part 7.
// → the history has 202 messages; compacted: true
// → refused by the provider: 0
// → an old output is still there: true
