// A local server that stands in for OpenAI, Anthropic and Gemini, so that the examples run without a network: its model reads files
// until it finds the fault, and sums up if it is asked without tools. A request of more than `window` characters is refused.

import { createServer } from 'node:http';

const FOUND = 'The fault is in part 7.';
const SUMMARY = '## Goal\nFind the fault.\n\n## Progress\nThe parts before were read, and they are sound.';

export async function startServer({ steps, window = Infinity }) {
  let asked = 0;
  let refused = 0;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const wire = Object.values(WIRES).find(({ path }) => path.test(request.url));
    const tooLarge = text.length > window;
    const hasTools = text.includes('"tools":');
    if (tooLarge) refused += 1;
    else if (hasTools) asked += 1;
    const step = hasTools && asked <= steps ? asked : undefined;
    const body = tooLarge ? wire.refusal : wire.answer(step, hasTools ? FOUND : SUMMARY, Math.ceil(text.length / 4));
    response.writeHead(tooLarge ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  return { url: `http://127.0.0.1:${port}`, refused: () => refused, close: () => server.close().closeAllConnections() };
}

/** What the tool `read` returns. */
export function read({ part }) {
  return `line of part ${part}\n`.repeat(60);
}

const WIRES = {
  chat: {
    path: /chat\/completions/,
    refusal: { error: { message: "This model's maximum context length is 16000 tokens.", code: 'context_length_exceeded' } },
    answer: (step, text, size) => {
      const call = { id: `c${step}`, type: 'function', function: { name: 'read', arguments: JSON.stringify({ part: step }) } };
      const message = step ? { role: 'assistant', content: null, tool_calls: [call] } : { role: 'assistant', content: text };
      return { choices: [{ index: 0, message, finish_reason: 'stop' }], usage: { prompt_tokens: size, completion_tokens: 20 } };
    },
  },
  responses: {
    path: /responses/,
    refusal: { error: { message: 'Your input exceeds the context window of this model.', code: 'context_length_exceeded' } },
    answer: (step, text, size) => {
      const call = { type: 'function_call', id: `f${step}`, call_id: `c${step}`, name: 'read', arguments: JSON.stringify({ part: step }) };
      const message = {
        type: 'message',
        id: 'm',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      };
      const usage = { input_tokens: size, output_tokens: 20, total_tokens: size + 20 };
      return {
        id: `r${step}`,
        object: 'response',
        status: 'completed',
        output: [step ? { ...call, status: 'completed' } : message],
        usage,
      };
    },
  },
  messages: {
    path: /messages/,
    refusal: { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 17000 tokens > 16000 maximum' } },
    answer: (step, text, size) => {
      const block = step ? { type: 'tool_use', id: `c${step}`, name: 'read', input: { part: step } } : { type: 'text', text };
      const usage = { input_tokens: size, output_tokens: 20 };
      return { type: 'message', role: 'assistant', content: [block], stop_reason: step ? 'tool_use' : 'end_turn', usage };
    },
  },
  gemini: {
    path: /generateContent/,
    refusal: { error: { code: 400, message: 'The input token count (17000) exceeds the maximum number of tokens allowed (16000).' } },
    answer: (step, text, size) => {
      const part = step ? { functionCall: { id: `c${step}`, name: 'read', args: { part: step } } } : { text };
      const usageMetadata = { promptTokenCount: size, candidatesTokenCount: 20 };
      return { candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }], usageMetadata };
    },
  },
};
