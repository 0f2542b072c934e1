// A local server that speaks the wire formats of OpenAI (Chat Completions and Responses), Anthropic and Gemini, and refuses a
// request that is larger than its window with the provider's own error.

import { once } from 'node:events';
import { createServer } from 'node:http';

import { ebbline } from './adapter.mjs';
import { PromptCache } from './prompt-cache.mjs';
import { WIRES } from './wires.mjs';

/**
 * @typedef {{ text?: string, calls?: { id: string, name: string, arguments: object }[], thinking?: string, stop?: string }} Answer
 *   what the model says; `stop`: why it ended, if it did not end by itself
 *
 * @param {object} options
 * @param {number} [options.window] how many tokens a request may have
 * @param {(request: { body: any, size: number, number: number, signal: AbortSignal }) => Answer | Promise<Answer>} options.answer
 * @param {boolean} [options.isLate] whether a stream begins before it is refused, as Responses streams do
 * @param {(format: string, body: any) => string[]} [options.faults] what a strict provider would refuse the request for
 */
export async function startProvider({ window = Infinity, answer, isLate = false, faults = () => [] }) {
  const seen = { requests: 0, refused: 0, changes: 0, read: 0, written: 0, sizes: [], bodies: [], violations: [], cancelled: 0 };
  const cache = new PromptCache();
  let before = [];

  async function respond(request, response) {
    const wire = WIRES.find(({ path }) => path.test(request.url));
    const body = JSON.parse(await textOf(request));
    const isStream = wire.isStream(request, body);
    const messages = wire.messagesOf(body);
    const size = sizeOf(wire.sent(body));
    seen.bodies.push(body);
    const [wrong] = faults(wire.format, body);
    if (wrong !== undefined) {
      seen.violations.push(wrong);
      return json(response, 400, wire.faulty(wrong));
    }
    if (size > window) {
      seen.refused += 1;
      if (isStream && isLate) return events(response, wire.refusedLate(size, window));
      return json(response, 400, wire.refused(size, window));
    }
    seen.requests += 1;
    seen.sizes.push(size);
    const { violations, pending } = ebbline.validate(messages);
    seen.violations.push(...violations, ...pending);
    const now = messages.map(comparable);
    if (before.some((message, at) => message !== now[at])) seen.changes += 1;
    before = now;
    const cached = cache.take(body);
    seen.read += cached.read;
    seen.written += cached.written;
    const stopped = new AbortController();
    response.on('close', () => {
      if (response.writableEnded) return;
      seen.cancelled += 1;
      stopped.abort();
    });
    const said = await answer({ body, size, number: seen.requests, signal: stopped.signal });
    if (stopped.signal.aborted) return;
    const about = { size, number: seen.requests, cached, body };
    if (isStream) return events(response, wire.stream(said, about));
    return json(response, 200, wire.whole(said, about));
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error) => json(response, 500, { error: { message: String(error?.stack ?? error) } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {any} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  };
  return { url: `http://127.0.0.1:${port}`, seen, close };
}

/** An answer that calls a tool in each step, two tools in every fifth, and ends after `steps`. */
export function searching(steps) {
  const text = 'The fault may be in the next file, because the last one did not have it. '.repeat(4);
  const call = (number, which) => ({ id: `call_${number}_${which}`, name: 'read', arguments: { at: number, which } });
  return ({ number }) => {
    if (number > steps) return { text: 'It is found.' };
    const calls = number % 5 === 0 ? [call(number, 0), call(number, 1)] : [call(number, 0)];
    return { text, calls, thinking: `I read file ${number} next.` };
  };
}

/** What the tool returns. */
export function fileContent({ at, which }) {
  return `line ${at} of the file ${which}\n`.repeat(60);
}

/** Tokens, four characters each. */
export function sizeOf(value) {
  return Math.ceil(JSON.stringify(value, withoutMarks).length / 4);
}

/** A message as text, which is the same where the provider sees the same. */
function comparable({ content, ...rest }) {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return JSON.stringify({ ...rest, content: blocks }, withoutMarks);
}

function withoutMarks(key, value) {
  return key === 'cache_control' ? undefined : value;
}

async function textOf(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

function json(response, status, body) {
  if (response.headersSent) return response.end();
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function events(response, list) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { event, data } of list) {
    if (response.destroyed) return;
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
    await new Promise((done) => setImmediate(done));
  }
  response.end();
}
