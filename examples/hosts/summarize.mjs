// Who writes summaries: the cheapest model whose window takes the request, and another one if it fails.

import Anthropic from '@anthropic-ai/sdk';
import { createCompactor } from 'ebbline';
import { bySize, firstOf, fromAnthropic, fromOpenAI } from 'ebbline/summarize';
import OpenAI from 'openai';

import { startServer } from './server.mjs';

const server = await startServer({ steps: 0 });
const openai = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1` });
const anthropic = new Anthropic({ apiKey: 'none', baseURL: server.url });
const nobody = new OpenAI({ apiKey: 'none', baseURL: 'http://127.0.0.1:1/v1', maxRetries: 0 });

const asked = [];
const telling = (name, summarize) => (request, options) => {
  asked.push(name);
  return summarize(request, options);
};

const compactor = createCompactor({
  model: { context: 100_000, output: 2_000 },
  summarize: firstOf([
    bySize([
      { upTo: 8_000, price: 0.1, summarize: telling('small', fromOpenAI(openai, { model: 'small' })) },
      { upTo: 200_000, price: 1, summarize: telling('large', fromOpenAI(nobody, { model: 'large' })) },
    ]),
    telling('other', fromAnthropic(anthropic, { model: 'other' })),
  ]),
});

const talk = (turns) =>
  Array.from({ length: 2 * turns + 1 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: `Part ${at} is sound. `.repeat(100),
  }));
console.log((await compactor.compactNow(talk(5))).length < 11, asked.splice(0));
console.log((await compactor.compactNow(talk(100))).length < 201, asked);
compactor.free();
server.close();

// It prints:
// → true [ 'small' ]
// → true [ 'large', 'other' ]
