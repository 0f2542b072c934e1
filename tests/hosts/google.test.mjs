// `ebbline/google` with the real client, which talks to a local server.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GoogleGenAI } from '@google/genai';

import { adapter, requiredAdapter } from './adapter.mjs';
import { fileContent, searching, startProvider } from './provider.mjs';
import { PROMPT, STEPS, SYSTEM, WINDOW, assertCalm, counted, refusal } from './scripted-session.mjs';

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

/** @type {Record<string, (models: any) => (contents: any[]) => Promise<any[]>>} */
const WAYS = {
  generateContent: (models) => async (contents) =>
    (await models.generateContent({ model: 'scripted', contents, config: CONFIG })).candidates[0].content.parts,
  generateContentStream: (models) => async (contents) =>
    partsOf(await models.generateContentStream({ model: 'scripted', contents, config: CONFIG })),
};

for (const [name, way] of Object.entries(WAYS)) {
  test(`${name}: 200 steps in a small window, with few summaries and without a refusal`, async (t) => {
    const provider = await startProvider({ window: WINDOW, answer: searching(STEPS) });
    t.after(provider.close);
    const { compactor, told } = counted();
    const { text } = await run(way(compacting(clientOf(provider), compactor)));
    assert.equal(text, 'It is found.');
    assertCalm(provider.seen, told);
    compactor.free();
  });

  for (const isLate of name.includes('Stream') ? [false, true] : [false]) {
    test(`${name}: an overflow ${isLate ? 'inside the stream ' : ''}is recovered, and the agent goes on`, async (t) => {
      const provider = await startProvider({ window: WINDOW, answer: searching(60), isLate });
      t.after(provider.close);
      const { compactor, told } = counted({ model: { context: 64_000, output: 1_000 } });
      const { text } = await run(way(compacting(clientOf(provider), compactor)));
      assert.equal(text, 'It is found.');
      assert.ok(provider.seen.refused >= 1 && provider.seen.refused <= 10, `${provider.seen.refused} refusals`);
      assert.equal(told.events.filter((type) => type === 'overflow').length, provider.seen.refused);
      assert.deepEqual(provider.seen.violations, []);
      compactor.free();
    });
  }
}

const ONE = [{ role: 'user', parts: [{ text: PROMPT }] }];

for (const [name, way] of Object.entries(WAYS)) {
  test(`${name}: the tokens of the system prompt and the tools are learnt from usage`, async (t) => {
    const provider = await startProvider({ answer: () => ({ text: 'Yes.' }) });
    t.after(provider.close);
    const { compactor } = counted();
    await way(compacting(clientOf(provider), compactor))(ONE);
    const { overhead } = compactor.contextUsage();
    assert.ok(overhead > 2_900 && overhead < 3_300, `${overhead} beside the messages`);
    compactor.free();
  });

  test(`${name}: a cancelled request reaches the provider`, async (t) => {
    const stop = new AbortController();
    const answer = async () => {
      stop.abort();
      await new Promise((done) => setTimeout(done, 50));
      return { text: 'No.' };
    };
    const provider = await startProvider({ answer });
    t.after(provider.close);
    const { compactor } = counted();
    const models = compacting(clientOf(provider), compactor);
    const asked = models[name]({ model: 'scripted', contents: ONE, config: { ...CONFIG, abortSignal: stop.signal } });
    await assert.rejects(asked, { name: 'AbortError' });
    await new Promise((done) => setTimeout(done, 60));
    assert.equal(provider.seen.cancelled, 1);
    compactor.free();
  });
}

test('a second overflow says that nothing helps', async (t) => {
  const provider = await startProvider({ window: 100, answer: () => ({ text: 'Yes.' }) });
  t.after(provider.close);
  const { compactor } = counted();
  const models = compacting(clientOf(provider), compactor);
  const contents = [
    ...ONE,
    ...Array.from({ length: 5 }, (_, at) => [
      { role: 'model', parts: [{ functionCall: { id: `c${at}`, name: 'read', args: { at, which: 0 } } }] },
      { role: 'user', parts: [{ functionResponse: { id: `c${at}`, name: 'read', response: { output: fileContent({ at, which: 0 }) } } }] },
    ]).flat(),
  ];
  await refusal(models.generateContent({ model: 'scripted', contents, config: CONFIG }), 'still_too_large');
  assert.equal(provider.seen.refused, 2);
  compactor.free();
});

test('what is used in a wrong way is refused with a sentence', async (t) => {
  const provider = await startProvider({ answer: () => ({ text: 'Yes.' }) });
  t.after(provider.close);
  const ai = clientOf(provider);
  const { compactor } = counted();
  assert.throws(() => compacting(/** @type {any} */ (compactor), /** @type {any} */ (ai)), /pass a client/);
  assert.throws(() => compacting(ai, /** @type {any} */ (undefined)), /createCompactor/);
  const models = compacting(ai, compactor);
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
  compactor.free();
  second.compactor.free();
});

test('`require` gives the same', () => {
  assert.equal(typeof requiredAdapter('google').compacting, 'function');
});
