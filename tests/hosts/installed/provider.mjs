// A provider for agents that are installed: it follows a script, refuses what OpenAI would refuse, and says so in OpenAI's words.
import { createServer } from 'node:http';

import { tokensOf } from '../server/count.mjs';
import { Memory } from '../server/memory.mjs';
import * as chat from '../server/openai-chat.mjs';
import { randomOf } from '../server/random.mjs';

/** Members that OpenAI takes and that say nothing of the messages. */
const HARMLESS = ['tool_choice', 'parallel_tool_calls', 'store', 'prompt_cache_key', 'prompt_cache_retention', 'temperature', 'user'];

/**
 * @typedef {object} Script
 * @property {(body: any) => { text?: string, calls: { name: string, args: object }[] }} answer what the model says next
 * @property {(body: any) => string} summary what it writes when it is asked for a summary
 */

/** Starts the provider. `windows`: the window of each model, with its answer. */
export async function startProvider({ windows, output, script }) {
  const memory = new Memory();
  const random = randomOf(7);
  const seen = { requests: 0, answers: 0, invalid: [], overflows: 0, summaries: 0, failedSummaries: 0, input: 0, bodies: [] };
  const state = { share: 1, failsSummaries: false };

  function respond(body) {
    seen.requests += 1;
    seen.bodies.push(body);
    const { max_tokens: _, ...checked } = body;
    for (const member of HARMLESS) delete checked[member];
    const isSummary = !(body.tools?.length > 0);
    if (isSummary) delete checked.tools;
    const [wrong] = chat.violations(checked, memory);
    if (wrong !== undefined) {
      seen.invalid.push(wrong);
      return chat.refusal(wrong);
    }
    const tokens = chat.counted(body).reduce((sum, item) => sum + tokensOf(item), 0);
    const window = windows[body.model];
    const limit = Math.floor((window - output) * (isSummary ? 1 : state.share));
    if (tokens > limit) {
      seen.overflows += 1;
      return chat.overflow({ tokens, limit, output, window: limit + output }, random);
    }
    if (isSummary && state.failsSummaries) {
      seen.failedSummaries += 1;
      return { status: 500, body: { error: { message: 'The server had an error while processing your request.', type: 'server_error' } } };
    }
    seen.input += tokens;
    const usage = { input: tokens, cached: 0, output: 200 };
    if (isSummary) seen.summaries += 1;
    else {
      seen.answers += 1;
      state.share = 1;
    }
    const said = isSummary ? { text: script.summary(body), calls: [] } : script.answer(body);
    return { status: 200, events: [...chat.stream({ thinking: undefined, text: undefined, ...said, isCut: false, usage }, memory)] };
  }

  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece;
    if (request.method !== 'POST') return response.writeHead(404).end();
    const { status, body, events } = /** @type {any} */ (respond(JSON.parse(text)));
    response.writeHead(status, { 'content-type': events === undefined ? 'application/json' : 'text/event-stream' });
    return response.end(events === undefined ? JSON.stringify(body) : events.join(''));
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/v1`, seen, state, close: () => (server.closeAllConnections(), server.close()) };
}
