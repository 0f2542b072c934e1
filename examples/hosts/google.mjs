// An agent over the Google GenAI client with a compactor: it keeps its whole history and passes it at every call.

import { GoogleGenAI } from '@google/genai';
import { createCompactor } from 'ebbline';
import { compacting } from 'ebbline/google';
import { fromGoogle } from 'ebbline/summarize';

import { read, startServer } from './server.mjs';

const server = await startServer({ steps: 100, window: 64_000 });
const ai = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: server.url } });

const compactor = createCompactor({
  model: { context: 16_000, output: 1_000 },
  summarize: fromGoogle(ai, { model: 'small' }),
});
const models = compacting(ai, compactor);

const config = { tools: [{ functionDeclarations: [{ name: 'read' }] }] };
const contents = [{ role: 'user', parts: [{ text: 'Where is the fault?' }] }];
for (;;) {
  const answer = await models.generateContent({ model: 'large', contents, config });
  contents.push(answer.candidates[0].content);
  if (!answer.functionCalls) break;
  const parts = answer.functionCalls.map(({ id, name, args }) => ({ functionResponse: { id, name, response: { output: read(args) } } }));
  contents.push({ role: 'user', parts });
}

console.log(contents.at(-1).parts[0].text);
console.log(`the history has ${contents.length} contents; compacted: ${compactor.record.changes.length > 0}`);
console.log(`refused by the provider: ${server.refused()}`);
server.close();

// It prints:
// → The fault is in part 7.
// → the history has 202 contents; compacted: true
// → refused by the provider: 0
