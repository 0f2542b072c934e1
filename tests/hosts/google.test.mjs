// `ebbline/google` with the real client, which talks to a local server.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GoogleGenAI } from '@google/genai';

import { adapter, requiredAdapter } from './adapter.mjs';
import { beginner, testAgent, testRequest } from './client-agents.mjs';
import { fileContent } from './provider.mjs';
import { PROMPT, SYSTEM, counted, refusal } from './scripted-session.mjs';

const { compacting } = await adapter('google');

const CONFIG = {
  systemInstruction: SYSTEM,
  tools: [
    {
      functionDeclarations: [
        { name: 'read', parametersJsonSchema: { type: 'object', properties: { at: { type: 'number' }, which: { type: 'number' } } } },
      ],
    },
  ],
};

function clientOf({ url }) {
  return new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } });
}

const begin = beginner(compacting, clientOf);

/** An agent that keeps its whole history. */
async function run(ask) {
  const history = [{ role: 'user', parts: [{ text: PROMPT }] }];
  for (;;) {
    const parts = await ask(history);
    history.push({ role: 'model', parts });
    const results = parts
      .filter(({ functionCall }) => functionCall)
      .map(({ functionCall: { id, name, args } }) => ({ functionResponse: { id, name, response: { output: fileContent(args) } } }));
    if (results.length === 0) return { text: parts.map(({ text }) => text).join(''), history };
    history.push({ role: 'user', parts: results });
  }
}

async function partsOf(stream) {
  const parts = [];
  for await (const chunk of stream) parts.push(...(chunk.candidates[0].content.parts ?? []));
  return parts.filter(({ text }) => text !== '');
}

/** @type {Record<string, (models: any, abortSignal?: AbortSignal) => (contents: any[]) => Promise<any[]>>} */
const WAYS = {
  generateContent: (models, abortSignal) => async (contents) =>
    (await models.generateContent({ model: 'scripted', contents, config: { ...CONFIG, abortSignal } })).candidates[0].content.parts,
  generateContentStream: (models, abortSignal) => async (contents) =>
    partsOf(await models.generateContentStream({ model: 'scripted', contents, config: { ...CONFIG, abortSignal } })),
};

const ONE = [{ role: 'user', parts: [{ text: PROMPT }] }];
const ABORTED = { name: 'AbortError' };

for (const [name, way] of Object.entries(WAYS)) {
  testAgent(name, begin, (models) => run(way(models)), name.includes('Stream'));
  testRequest(name, begin, (models, signal) => way(models, signal)(ONE), [2_900, 3_300], ABORTED);
}

test('a second overflow says that nothing helps', async (t) => {
  const { provider, create: models } = await begin(t, { window: 100 });
  const contents = [
    ...ONE,
    ...Array.from({ length: 5 }, (_, at) => [
      { role: 'model', parts: [{ functionCall: { id: `c${at}`, name: 'read', args: { at, which: 0 } } }] },
      { role: 'user', parts: [{ functionResponse: { id: `c${at}`, name: 'read', response: { output: fileContent({ at, which: 0 }) } } }] },
    ]).flat(),
  ];
  await refusal(models.generateContent({ model: 'scripted', contents, config: CONFIG }), 'still_too_large');
  assert.equal(provider.seen.refused, 2);
});

test('what is used in a wrong way is refused with a sentence', async (t) => {
  const { compactor, client: ai, create: models } = await begin(t);
  assert.throws(() => compacting(/** @type {any} */ (compactor), /** @type {any} */ (ai)), /pass a client/);
  assert.throws(() => compacting(ai, /** @type {any} */ (undefined)), /createCompactor/);
  const refused = (params) => refusal(models.generateContent(params));
  assert.match(await refused({ model: 'scripted', contents: ['Hello', { text: 'you' }] }), /`contents` must be the whole history/);
  assert.match(await refused({ model: 'scripted', contents: [] }), /`contents` must be the whole history/);
  const tool = { tool: async () => CONFIG.tools[0], callTool: async () => [] };
  assert.match(await refused({ model: 'scripted', contents: ONE, config: { tools: [tool] } }), /call the tools itself/);
  assert.equal((await models.generateContent({ model: 'scripted', contents: PROMPT })).text, 'Yes.');

  const said = (text) => ['user', 'model', 'user'].map((role) => ({ role, parts: [{ text: `${text} of the ${role}` }] }));
  const second = counted();
  const { generateContent } = compacting(ai, second.compactor);
  await generateContent({ model: 'scripted', contents: said('one') });
  assert.match(await refusal(generateContent({ model: 'scripted', contents: said('other') })), /one compactor serves one session/);
  second.compactor.free();
});

test('`require` gives the same', () => {
  assert.equal(typeof requiredAdapter('google').compacting, 'function');
});
