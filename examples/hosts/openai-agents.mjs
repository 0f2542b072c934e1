// A run of the OpenAI Agents SDK whose model has a compactor in front of it: the session keeps everything.

import { Agent, MemorySession, OpenAIResponsesModel, Runner, setTracingDisabled, tool } from '@openai/agents';
import { createCompactor } from 'ebbline';
import { compacting } from 'ebbline/openai-agents';
import { fromOpenAI } from 'ebbline/summarize';
import OpenAI from 'openai';
import { z } from 'zod';

import { read, startServer } from './server.mjs';

setTracingDisabled(true);
const server = await startServer({ steps: 100, window: 64_000 });
const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1` });

const compactor = createCompactor({
  format: 'openai_agents',
  model: { context: 20_000, output: 1_000 },
  summarize: fromOpenAI(client, { model: 'small' }),
});
const model = compacting(new OpenAIResponsesModel(client, 'large'), compactor);

const tools = [
  tool({ name: 'read', description: 'Reads a part.', parameters: z.object({ part: z.number() }), execute: async (given) => read(given) }),
];
const session = new MemorySession();
const { finalOutput } = await new Runner().run(new Agent({ name: 'Reader', model, tools }), 'Where is the fault?', {
  session,
  maxTurns: 200,
});

console.log(finalOutput);
console.log(`the session has ${(await session.getItems()).length} items; compacted: ${compactor.record.changes.length > 0}`);
console.log(`recovered after a refusal: ${server.refused() > 0}`);
server.close();

// It prints:
// → The fault is in part 7.
// → the session has 202 items; compacted: true
// → recovered after a refusal: true
