// The compactor in the hooks of real agent libraries, with a scripted model that refuses what is larger than its window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolLoopAgent, generateText, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3, convertArrayToReadableStream } from 'ai/test';
import { z } from 'zod';

import { ebbline } from './package.mjs';

const { createCompactor } = ebbline;
const WINDOW = 16_000;
/** The tokens of the system prompt and the tools. */
const BESIDE = 3_000;
const STEPS = 200;

/** A model that calls a tool `STEPS` times, and what it was sent. */
function scripted() {
  const seen = { requests: 0, refused: 0, changes: 0 };
  let before = [];
  const answer = ({ prompt }) => {
    const size = Math.ceil(JSON.stringify(prompt).length / 4) + BESIDE;
    if (size > WINDOW) {
      seen.refused += 1;
      const message = `This model's maximum context length is ${WINDOW} tokens. However, your messages resulted in ${size} tokens.`;
      throw Object.assign(new Error(message), { status: 400, code: 'context_length_exceeded' });
    }
    seen.requests += 1;
    const now = prompt.map((message) => JSON.stringify(message));
    if (before.some((message, at) => message !== now[at])) seen.changes += 1;
    before = now;
    const usage = { inputTokens: { total: size }, outputTokens: { total: 90 } };
    if (seen.requests > STEPS)
      return { content: [{ type: 'text', text: 'It is found.' }], finishReason: { unified: 'stop' }, usage, warnings: [] };
    const text = 'The fault may be in the next file, because the last one did not have it. '.repeat(4);
    const call = { type: 'tool-call', toolCallId: `c${seen.requests}`, toolName: 'read', input: JSON.stringify({ at: seen.requests }) };
    return { content: [{ type: 'text', text }, call], finishReason: { unified: 'tool-calls' }, usage, warnings: [] };
  };
  const parts = ({ content, finishReason, usage }) => [
    { type: 'stream-start', warnings: [] },
    ...content.flatMap((part) =>
      part.type === 'text'
        ? [
            { type: 'text-start', id: 't' },
            { type: 'text-delta', id: 't', delta: part.text },
            { type: 'text-end', id: 't' },
          ]
        : [part],
    ),
    { type: 'finish', finishReason, usage },
  ];
  const model = new MockLanguageModelV3({
    doGenerate: async (options) => /** @type {any} */ (answer(options)),
    doStream: async (options) => ({ stream: convertArrayToReadableStream(parts(answer(options))) }),
  });
  return { model, seen };
}

const tools = {
  read: tool({ inputSchema: z.object({ at: z.number() }), execute: async ({ at }) => `line ${at} of the file\n`.repeat(60) }),
};

function compacting() {
  const told = { asked: 0, compacted: 0, events: [] };
  const compactor = createCompactor({
    model: { context: WINDOW, output: 1_000 },
    summarize: async () => {
      told.asked += 1;
      return 'The agent reads files until it finds the fault of the login test.';
    },
    onEvent: ({ type }) => {
      told.events.push(type);
      if (type === 'compacted') told.compacted += 1;
    },
  });
  return { compactor, told };
}

/** The three lines: what the host's hook returns for its messages. */
const hookOf =
  (compactor) =>
  async ({ messages, steps }) => {
    if (steps.length > 0) compactor.usage(steps.at(-1).usage);
    return { messages: await compactor.prepare(messages) };
  };

const SETTINGS = { stopWhen: stepCountIs(STEPS + 10), maxRetries: 0, tools };
const PROMPT = 'Mend the login test.';

/** @type {Record<string, (model: any, compactor: any) => Promise<string>>} */
const HOSTS = {
  'AI SDK, generateText with prepareStep': async (model, compactor) =>
    (await generateText({ ...SETTINGS, model, prompt: PROMPT, prepareStep: hookOf(compactor) })).text,
  'AI SDK, streamText with prepareStep': async (model, compactor) =>
    streamText({ ...SETTINGS, model, prompt: PROMPT, prepareStep: hookOf(compactor) }).text,
  'AI SDK, ToolLoopAgent with prepareStep': async (model, compactor) =>
    (await new ToolLoopAgent({ ...SETTINGS, model, prepareStep: hookOf(compactor) }).generate({ prompt: PROMPT })).text,
  'AI SDK, language-model middleware': async (model, compactor) => {
    const transformParams = async ({ params }) => ({ ...params, prompt: await compactor.prepare(params.prompt) });
    const wrapGenerate = async ({ doGenerate }) => {
      const answer = await doGenerate();
      compactor.usage(answer.usage);
      return answer;
    };
    const middleware = { specificationVersion: 'v3', transformParams, wrapGenerate };
    return (
      await generateText({ ...SETTINGS, model: wrapLanguageModel({ model, middleware: /** @type {any} */ (middleware) }), prompt: PROMPT })
    ).text;
  },
};

for (const [host, run] of Object.entries(HOSTS)) {
  test(`${host}: 200 steps in a small window, with few summaries and without a refusal`, async () => {
    const { model, seen } = scripted();
    const { compactor, told } = compacting();
    assert.equal(await run(model, compactor), 'It is found.');
    assert.equal(seen.requests, STEPS + 1);
    assert.equal(seen.refused, 0);
    // Without what it remembers, a hook that keeps nothing would compact at nearly every step.
    assert.ok(told.compacted >= 5 && told.compacted <= 40, `${told.compacted} compactions`);
    assert.ok(told.asked >= 1 && told.asked <= 10, `${told.asked} summaries`);
    assert.equal(seen.changes, told.compacted);
    assert.deepEqual([...new Set(told.events)].sort(), ['compacted', 'summary_requested']);
    compactor.free();
  });
}
