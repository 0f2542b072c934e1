// The clients of OpenAI, Anthropic and Google, each in a loop of a few lines.

import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';

import { adapter } from '../adapter.mjs';
import { SYSTEM, outputOf } from './world.mjs';

const openai = await adapter('openai');
const anthropic = await adapter('anthropic');
const google = await adapter('google');

const SCHEMA = { type: 'object', properties: { at: { type: 'integer' }, which: { type: 'integer' } }, required: ['at', 'which'] };

/** The steps of a turn: `ask` sends the messages and gives the answer's messages, its calls, and its words. */
function loop(messages, ask, person, results) {
  return async (text) => {
    messages.push(person(text));
    for (;;) {
      const { added, calls, said } = await ask(messages);
      messages.push(...added);
      if (calls.length === 0) return said;
      messages.push(...results(calls));
    }
  };
}

/** @returns {import('./life.mjs').Host} */
function host(name, isLate, connect) {
  return {
    name,
    isLate,
    namesWindow: !name.includes('Responses'),
    async open({ url, compactorOf, stored }) {
      const messages = stored?.messages ?? [];
      const compactor = compactorOf({ record: stored?.record });
      const { ask, person, results } = connect(url, compactor);
      return { say: loop(messages, ask, person, results), stored: () => ({ messages, record: compactor.record }) };
    },
  };
}

const clientOf = (url) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });

const chat = (stream) => (url, compactor) => {
  const create = openai.compacting(clientOf(url), compactor);
  const tools = [{ type: 'function', function: { name: 'read', parameters: SCHEMA } }];
  return {
    person: (content) => ({ role: 'user', content }),
    results: (calls) =>
      calls.map(({ id, function: { arguments: given } }) => ({ role: 'tool', tool_call_id: id, content: outputOf(JSON.parse(given)) })),
    async ask(messages) {
      const params = { model: 'scripted', tools, messages: [{ role: 'system', content: SYSTEM }, ...messages] };
      const message = stream
        ? await chunksOf(await create({ ...params, stream: true, stream_options: { include_usage: true } }))
        : (await create(params)).choices[0].message;
      const { content, tool_calls } = message;
      const answer = { role: 'assistant', content, ...(tool_calls?.length > 0 && { tool_calls }) };
      return { added: [answer], calls: tool_calls ?? [], said: content };
    },
  };
};

async function chunksOf(stream) {
  const message = { content: '', tool_calls: [] };
  for await (const { choices } of stream) {
    const { content, tool_calls: calls = [] } = choices[0]?.delta ?? {};
    message.content += content ?? '';
    for (const { index, ...call } of calls) message.tool_calls[index] = call;
  }
  return message;
}

const responses = (url, compactor) => {
  const create = openai.compacting(clientOf(url), compactor);
  const tools = [{ type: 'function', name: 'read', parameters: SCHEMA, strict: false }];
  return {
    person: (content) => ({ role: 'user', content }),
    results: (calls) =>
      calls.map(({ call_id, arguments: given }) => ({ type: 'function_call_output', call_id, output: outputOf(JSON.parse(given)) })),
    async ask(input) {
      const { output, output_text } = await create({ model: 'scripted', instructions: SYSTEM, tools, input, store: false });
      return { added: output, calls: output.filter(({ type }) => type === 'function_call'), said: output_text };
    },
  };
};

const claude = (stream) => (url, compactor) => {
  const create = anthropic.compacting(new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 }), compactor, { cache: true });
  const tools = [{ name: 'read', input_schema: SCHEMA }];
  return {
    person: (content) => ({ role: 'user', content }),
    results: (calls) => [
      { role: 'user', content: calls.map(({ id, input }) => ({ type: 'tool_result', tool_use_id: id, content: outputOf(input) })) },
    ],
    async ask(messages) {
      const params = { model: 'scripted', max_tokens: 1_000, system: SYSTEM, tools, messages };
      const { content } = stream ? await create.stream(params).finalMessage() : await create(params);
      const calls = content.filter(({ type }) => type === 'tool_use');
      const blocks = content.map(({ citations, ...block }) => block);
      return { added: [{ role: 'assistant', content: blocks }], calls, said: content.find(({ type }) => type === 'text')?.text };
    },
  };
};

const gemini = (url, compactor) => {
  const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } });
  const { generateContent } = google.compacting(client, compactor);
  const config = { systemInstruction: SYSTEM, tools: [{ functionDeclarations: [{ name: 'read', parametersJsonSchema: SCHEMA }] }] };
  return {
    person: (text) => ({ role: 'user', parts: [{ text }] }),
    results: (calls) => [
      {
        role: 'user',
        parts: calls.map(({ functionCall: { id, name, args } }) => ({
          functionResponse: { id, name, response: { output: outputOf(args) } },
        })),
      },
    ],
    async ask(contents) {
      const { candidates } = await generateContent({ model: 'scripted', contents, config });
      const { content } = candidates[0];
      return { added: [content], calls: content.parts.filter(({ functionCall }) => functionCall), said: content.parts[0].text };
    },
  };
};

export const HOSTS = [
  host('the OpenAI client, Chat', false, chat(false)),
  host('the OpenAI client, Chat in streams', true, chat(true)),
  host('the OpenAI client, Responses', false, responses),
  host('the Anthropic client, with cache marks', false, claude(false)),
  host('the Anthropic client, in streams', true, claude(true)),
  host('the Google client', false, gemini),
];
