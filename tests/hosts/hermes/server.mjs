// The scripted provider of the run in Hermes Agent: strict OpenAI Chat Completions. In each turn its model reads ten files, one call after
// the other; it asks for a cleared output where it may. It refuses what OpenAI would refuse, and what is larger than its window.
import { createServer } from 'node:http';

import { tokensOf } from '../server/count.mjs';
import { counted, stream, violations } from '../server/openai-chat.mjs';
import { Memory } from '../server/memory.mjs';
import { randomOf } from '../server/random.mjs';

/** How many files the model reads in a turn. */
export const CALLS = 10;
/** How a fact is written that the user says, and one that stands in a file. */
const SAID = /CODE-\d{4}/g;
const REFERENCE = /\[ref ([a-p]{8})\]/g;
/** Members of a request that say nothing of the messages. */
const OTHERS = ['max_tokens', 'temperature', 'tool_choice', 'parallel_tool_calls', 'user', 'metadata', 'store', 'seed', 'n', 'stop'];

export class Provider {
  memory = new Memory();
  random = randomOf(11);
  seen = { requests: 0, refused: [], overflows: 0, summaries: 0, failed: 0, tokens: 0, largest: 0, recalled: 0, missing: 0, notes: 0 };
  /** The text of the newest request for an answer. */
  newest = '';
  #models = new Set();
  #asked = new Set();

  /** `surprise`: from which request on a large one is refused once, as if the window were smaller; `failing`: which requests for summaries fail; `isLenient`: what is wrong is counted, and answered. */
  constructor({ window, output, surprise, failing, isLenient }) {
    Object.assign(this, { window, output, surprise, failing, isLenient });
  }

  get models() {
    return [...this.#models];
  }

  answer({ stream: isStream, ...body }) {
    const { seen } = this;
    const given = Object.fromEntries(Object.entries(body).filter(([name]) => !OTHERS.includes(name)));
    // Hermes names the tool in its results, with either engine, and OpenAI takes that.
    given.messages = given.messages.map(({ name, ...message }) =>
      message.role === 'tool' || name === undefined ? message : { name, ...message },
    );
    this.#models.add(body.model);
    const isSummary = body.tools === undefined;
    if (!isSummary) seen.requests += 1;
    const [wrong] = violations(given, this.memory);
    if (wrong !== undefined) {
      seen.refused.push(wrong);
      if (process.env.EBBLINE_SHOW)
        console.error(
          JSON.stringify(
            given.messages
              .slice(-6)
              .map((one) => [one.role, String(one.content).slice(0, 80), one.tool_calls?.map((call) => call.function.name)]),
          ),
        );
      if (!this.isLenient) return refused(wrong, null);
    }
    const tokens = counted(given).reduce((sum, item) => sum + tokensOf(item), 0);
    const isSurprise = !isSummary && seen.requests >= this.surprise && tokens > 40_000;
    if (isSurprise) this.surprise = Infinity;
    const window = isSurprise ? 64_000 : this.window;
    if (isSurprise || tokens > window - this.output) {
      seen.overflows += 1;
      return refused(
        `This model's maximum context length is ${window} tokens. However, your messages resulted in ${Math.max(tokens, window + 1)} tokens. Please reduce the length of the messages.`,
        'context_length_exceeded',
      );
    }
    if (isSummary) return this.#summary(given, tokens, isStream);
    seen.tokens += tokens;
    seen.largest = Math.max(seen.largest, tokens);
    this.newest = JSON.stringify(given.messages);
    return this.#said(this.#next(given), tokens, isStream);
  }

  #summary({ messages }, tokens, isStream) {
    const { seen } = this;
    seen.summaries += 1;
    if (this.failing.includes(seen.summaries)) {
      seen.failed += 1;
      return {
        status: 400,
        body: { error: { message: 'The summary model is not available.', type: 'invalid_request_error', code: null } },
      };
    }
    const codes = [...new Set(JSON.stringify(messages).match(SAID))];
    const text = `## Goal\nRead the files and tell what is in them.\n\n## Progress\n### Done\n- [x] Files of the turns before were read.\n\n## Critical Context\n- Codes that the user gave: ${codes.join(', ')}\n\n## Next Steps\n1. Read on.`;
    return this.#said({ text, calls: [] }, tokens, isStream);
  }

  /** The next step of a turn. */
  #next({ messages, tools }) {
    const turn = messages.findLastIndex(({ role, content }) => role === 'user' && /Turn \d+:/.test(String(content)));
    const behind = turn === -1 ? messages : messages.slice(turn);
    const number = Number(/Turn (\d+):/.exec(JSON.stringify(behind[0]?.content ?? ''))?.[1] ?? 0);
    this.#heard(messages);
    // What was read is known by the calls, also where a compaction has taken some of them.
    const read = behind.flatMap(({ tool_calls: calls = [] }) => calls.filter(({ function: { name } }) => name === 'read_file'));
    const last = read.length === 0 ? -1 : Math.max(...read.map((call) => Number(/-(\d+)\.txt/.exec(call.function.arguments)?.[1] ?? -1)));
    const step = turn === -1 ? CALLS : last + 1;
    const reference = this.#reference(messages, tools);
    if (reference !== undefined)
      return { text: 'I look at that output again.', calls: [{ name: 'recall_output', args: { ref: reference } }] };
    if (step >= CALLS) return { text: `Turn ${number} is done.`, calls: [] };
    return {
      text: `I read file ${step} of turn ${number}. ${thoughts(number, step)}`,
      calls: [{ name: 'read_file', args: { path: `file-${number}-${step}.txt` } }],
    };
  }

  /** A reference to a cleared output that was not asked for before; one of thirty. */
  #reference(messages, tools) {
    if (!tools.some(({ function: { name } }) => name === 'recall_output')) return undefined;
    const all = messages
      .filter(({ role }) => role === 'tool')
      .flatMap(({ content }) => [...content.matchAll(REFERENCE)].map(([, ref]) => ref));
    const free = all.filter((ref) => !this.#asked.has(ref));
    if (free.length === 0 || this.seen.requests % 30 !== 0) return undefined;
    this.#asked.add(free[0]);
    return free[0];
  }

  /** Counts what came back of a recall: the whole file, or something else. */
  #heard(messages) {
    const last = messages.at(-1);
    if (last?.role !== 'tool') return;
    const call = messages.flatMap(({ tool_calls: calls = [] }) => calls).find(({ id }) => id === last.tool_call_id);
    if (call?.function.name !== 'recall_output') return;
    const isWhole = /FACT-\d+-\d+/.test(last.content) && last.content.includes('end of the file');
    this.seen[isWhole ? 'recalled' : 'missing'] += 1;
  }

  #said(answer, tokens, isStream) {
    const usage = { input: tokens, cached: 0, output: 60 };
    if (isStream) return { status: 200, events: [...stream({ ...answer, usage }, this.memory)] };
    const calls = answer.calls.map(({ name, args }) => ({
      id: this.memory.id('call'),
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    const message = { role: 'assistant', content: answer.text ?? null, ...(calls.length > 0 && { tool_calls: calls }) };
    const reported = { prompt_tokens: tokens, completion_tokens: 60, total_tokens: tokens + 60 };
    const choices = [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }];
    return {
      status: 200,
      body: { id: this.memory.id('chatcmpl'), object: 'chat.completion', model: 'scripted', choices, usage: reported },
    };
  }

  /** Starts the server; its address. */
  async start() {
    this.server = createServer((request, response) => void this.#serve(request, response));
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', () => resolve(undefined)));
    return `http://127.0.0.1:${this.server.address().port}/v1`;
  }

  async #serve(request, response) {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    if (!request.url.endsWith('/chat/completions')) return void response.writeHead(404).end('{}');
    const { status, body, events } = this.answer(JSON.parse(Buffer.concat(pieces).toString('utf8')));
    response.writeHead(status, { 'content-type': events === undefined ? 'application/json' : 'text/event-stream' });
    response.end(events === undefined ? JSON.stringify(body) : events.join(''));
  }
}

/** Words that no compaction clears, so that summaries are needed. */
function thoughts(turn, step) {
  const thought = (at) =>
    `Entry ${at} may matter for part ${(turn * 31 + step * 7 + at) % 97} of the work, and I have not found yet what it is for.`;
  return Array.from({ length: 8 }, (_, at) => thought(at)).join(' ');
}

function refused(message, code) {
  return { status: 400, body: { error: { message, type: 'invalid_request_error', param: 'messages', code } } };
}
