// The AI SDK with a compactor: in the steps of an agent, around a language model, and in the backend of a chat.
// The model has a script, so that the example runs without a network. Put your own in its place.

import { APICallError, convertToModelMessages, generateText, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3, convertArrayToReadableStream } from 'ai/test';
import { createCompactor } from 'ebbline';
import { compactionMiddleware, onStepFinish, prepareStep, resumeCompactor } from 'ebbline/ai-sdk';
import { z } from 'zod';

const compactorOf = (context, record) =>
  createCompactor({ model: { context, output: 1_000 }, summarize: async () => 'The agent looks for the fault of the login test.', record });

const tools = {
  read: tool({ inputSchema: z.object({ at: z.number() }), execute: async ({ at }) => `line ${at} of the file\n`.repeat(60) }),
};
const settings = { tools, stopWhen: stepCountIs(100), maxRetries: 0 };

// 1. The steps of an agent: each one gets what fits.
{
  const { model, refused } = scripted(60);
  const compactor = compactorOf(16_000);
  const { text } = await generateText({ ...settings, model, prompt: 'Mend the login test.', prepareStep: prepareStep(compactor) });
  console.log(`prepareStep: ${text} It compacted: ${compactor.record.changes.length > 0}, refused: ${refused()} times`);
}

// 2. A language model: it recovers by itself if the provider says that the prompt is too large.
{
  const { model, refused } = scripted(60);
  const compacted = wrapLanguageModel({ model, middleware: compactionMiddleware(compactorOf(40_000)) });
  const { text } = await generateText({ ...settings, model: compacted, prompt: 'Mend the login test.' });
  console.log(`middleware: ${text} It recovered: ${refused() > 0}`);
}

// 3. The backend of a chat: the database keeps all messages of the user interface, and the record beside them.
{
  const { model, refused } = scripted(9);
  let chat = { messages: [], record: null };
  for (let turn = 0; turn < 8; turn += 1) {
    const stored = [...chat.messages, { id: `u${turn}`, role: 'user', parts: [{ type: 'text', text: `Look for fault ${turn}.` }] }];
    chat = JSON.parse(JSON.stringify(await answered(model, stored, chat.record)));
  }
  console.log(
    `chat: ${chat.messages.length} messages are stored, ${chat.record.changes.length > 0 ? 'and what was decided' : 'nothing else'}`,
  );
  console.log(`chat: refused ${refused()} times`);
}

async function answered(model, stored, record) {
  const messages = await convertToModelMessages(stored, { tools });
  const compactor = await resumeCompactor((from) => compactorOf(16_000, from), record, messages);
  const hooks = { prepareStep: prepareStep(compactor), onStepFinish: onStepFinish(compactor) };
  const result = streamText({ ...settings, ...hooks, model, messages });
  const all = await new Promise((resolve) => {
    const onFinish = ({ messages }) => resolve(messages);
    // A server returns this response.
    result.toUIMessageStreamResponse({ originalMessages: stored, onFinish }).text();
  });
  return { messages: all, record: compactor.record };
}

/** A model that calls a tool in each of `steps` requests and then answers, and takes 60,000 characters. */
function scripted(steps) {
  let requests = 0;
  let refused = 0;
  const answer = ({ prompt }) => {
    const size = JSON.stringify(prompt).length;
    if (size > 60_000) {
      refused += 1;
      const message = "This model's maximum context length is 16000 tokens.";
      throw new APICallError({ message, url: 'https://api.example', requestBodyValues: {}, statusCode: 400 });
    }
    requests += 1;
    const usage = { inputTokens: { total: Math.ceil(size / 3) }, outputTokens: { total: 20 } };
    if (requests % (steps + 1) === 0)
      return { content: [{ type: 'text', text: 'It is mended.' }], finishReason: { unified: 'stop' }, usage };
    const call = { type: 'tool-call', toolCallId: `call_${requests}`, toolName: 'read', input: JSON.stringify({ at: requests }) };
    return { content: [call], finishReason: { unified: 'tool-calls' }, usage };
  };
  const parts = ({ content: [part], ...rest }) => [
    ...(part.type === 'text'
      ? [
          { ...part, type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: part.text },
          { type: 'text-end', id: 't' },
        ]
      : [part]),
    { type: 'finish', ...rest },
  ];
  const model = new MockLanguageModelV3({
    doGenerate: async (options) => ({ ...answer(options), warnings: [] }),
    doStream: async (options) => ({
      stream: convertArrayToReadableStream([{ type: 'stream-start', warnings: [] }, ...parts(answer(options))]),
    }),
  });
  return { model, refused: () => refused };
}

// It prints:
// → prepareStep: It is mended. It compacted: true, refused: 0 times
// → middleware: It is mended. It recovered: true
// → chat: 16 messages are stored, and what was decided
// → chat: refused 0 times
