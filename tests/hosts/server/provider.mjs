// A local server that speaks the wire formats of four providers. It streams, refuses what a provider would refuse, and has faults.
import { createServer } from 'node:http';

import * as anthropic from './anthropic.mjs';
import * as gemini from './gemini.mjs';
import { Memory } from './memory.mjs';
import * as chat from './openai-chat.mjs';
import * as responses from './openai-responses.mjs';
import { FAULTS, nextAnswer, summaryOf } from './script.mjs';

export const PROVIDERS = {
  openai_chat: chat,
  openai_responses: responses,
  anthropic_messages: anthropic,
  gemini_contents: gemini,
};
/** The header by which the scripted model knows a request for a summary. */
export const PURPOSE = 'x-purpose';

/**
 * One session of a provider: what it remembers, how large its window is, and which faults it has.
 *
 * @typedef {object} Setting
 * @property {keyof typeof PROVIDERS} format
 * @property {ReturnType<import('./random.mjs').randomOf>} random
 * @property {number} window what a request and its answer may fill together
 * @property {number} output the largest answer
 * @property {boolean} thinks
 * @property {number} [smaller] how often the window is smaller than it should be
 * @property {number} [failing] how often a request fails for another reason
 * @property {number} [faulty] how often a summary is faulty
 * @property {boolean} [stalls] whether a summary may never come
 */
export class ProviderSession {
  memory = new Memory();
  seen = { requests: 0, answers: 0, invalid: [], overflows: 0, summaries: 0, faults: {} };
  /** The share of the window that there is until the next answer. */
  #share = 1;
  #hasIds;
  #isCalm = false;

  /** @param {Setting} setting */
  constructor(setting, count) {
    this.setting = setting;
    this.count = count;
    this.provider = PROVIDERS[setting.format];
    this.#hasIds = setting.random.chance(0.5);
  }

  get limit() {
    const { window, output } = this.setting;
    return window - output;
  }

  /** Whether the window is as large as it should be. */
  get isHonest() {
    return this.#share === 1;
  }

  /** Gives the whole window again, and summaries without faults, until the next answer. */
  restore() {
    this.#share = 1;
    this.#isCalm = true;
  }

  #fault(name) {
    this.seen.faults[name] = (this.seen.faults[name] ?? 0) + 1;
    return name;
  }

  /** What the provider says to a request. */
  answer(body, isSummary) {
    const { provider, memory, setting, seen } = this;
    const { random, smaller = 0, failing = 0 } = setting;
    seen.requests += 1;
    const [wrong] = provider.violations(body, memory);
    if (wrong !== undefined) {
      seen.invalid.push(wrong);
      return provider.refusal(wrong);
    }
    const tokens = provider.counted(body).reduce((sum, item) => sum + this.count(item), 0);
    if (this.#share === 1 && !isSummary && random.chance(smaller)) {
      this.#fault('smaller window');
      this.#share = 0.65 + random.below(30) / 100;
    }
    const limit = isSummary ? this.limit : Math.floor(this.limit * this.#share);
    this.last = { tokens, limit, window: setting.window, isSummary };
    if (tokens > limit) {
      seen.overflows += 1;
      return provider.overflow({ tokens, limit, output: setting.output, window: limit + setting.output }, random);
    }
    if (random.chance(failing)) {
      this.#fault('failed request');
      return provider.failure(random);
    }
    if (isSummary) return this.#summary(JSON.stringify(body), tokens);
    this.#share = 1;
    this.#isCalm = false;
    seen.answers += 1;
    const isTorn = random.chance(failing);
    if (isTorn) this.#fault('torn stream');
    const answer = nextAnswer(random, { thinks: setting.thinks, hasIds: this.#hasIds });
    return { status: 200, isTorn, events: this.#streamed(answer, tokens) };
  }

  #summary(text, tokens) {
    const { random, faulty = 0, stalls = true } = this.setting;
    this.seen.summaries += 1;
    const fault =
      !this.#isCalm && random.chance(faulty) ? random.pick(stalls ? FAULTS : FAULTS.filter((name) => name !== 'stalls')) : undefined;
    if (fault !== undefined) this.#fault(`summary ${fault}`);
    if (fault === 'fails') return this.provider.failure(random);
    if (fault === 'stalls') return { status: 200, isStalled: true, events: [] };
    return { status: 200, events: this.#streamed(summaryOf(fault, text.slice(0, 60_000), random), tokens) };
  }

  #streamed(answer, tokens) {
    const { provider, memory, setting } = this;
    const usage = { input: tokens, cached: setting.random.below(tokens), output: 200 };
    return [...provider.stream({ ...answer, usage }, memory, setting.random)];
  }
}

/** Starts the server. A session is the first part of the path. */
export async function startProvider(count) {
  /** @type {Map<string, ProviderSession>} */
  const sessions = new Map();
  const server = createServer((request, response) => void answered(request, response, sessions));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    /** @param {Setting} setting */
    open(setting) {
      const session = new ProviderSession(setting, count);
      const name = `s${sessions.size}`;
      sessions.set(name, session);
      return { session, url: `http://127.0.0.1:${port}/${name}${session.provider.path}` };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answered(request, response, sessions) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const session = sessions.get(request.url.split('/')[1]);
  const text = Buffer.concat(pieces).toString('utf8');
  const { status, body, events, isStalled, isTorn } = session.answer(JSON.parse(text), request.headers[PURPOSE] === 'summary');
  response.writeHead(status, { 'content-type': events === undefined ? 'application/json' : 'text/event-stream' });
  if (isStalled) return response.flushHeaders();
  if (events === undefined) return response.end(JSON.stringify(body));
  if (isTorn) {
    response.write(events.slice(0, -2).join(''));
    return setImmediate(() => response.destroy());
  }
  // The pieces of a stream do not end where events end.
  const whole = Buffer.from(events.join(''));
  const middle = Math.floor(whole.length / 2);
  response.write(whole.subarray(0, middle));
  response.end(whole.subarray(middle));
}
