// An agent with plain fetch and `createCompactor`, as docs/agents.md puts it in. It runs tools at the same time, stores what it has, and can be
// cancelled or killed wherever `fate` says so.
import * as anthropic from './client/anthropic.mjs';
import { eventsOf } from './client/events.mjs';
import * as gemini from './client/gemini.mjs';
import * as chat from './client/openai-chat.mjs';
import * as responses from './client/openai-responses.mjs';

export const CLIENTS = {
  openai_chat: chat,
  openai_responses: responses,
  anthropic_messages: anthropic,
  gemini_contents: gemini,
};

const SYSTEM = `You are a coding agent. ${'Read before you write, and say what you found. '.repeat(60)}`;
const SCHEMA = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'The path of a file, from the root of the project' },
    lines: { type: 'integer', description: 'How many lines are wanted' },
    odd: { type: 'integer', description: 'Which odd text stands in it' },
  },
  required: ['path', 'lines'],
};
const TOOLS = ['read', 'search', 'run'].map((name) => ({ name, description: `The tool ${name} of the agent.`, schema: SCHEMA }));

/** When a hook or a store ends a call, and what of a text is in the store by then. */
const IN_HOOK = ['at once', 'soon'];
const IN_PUT = ['before', 'torn', 'written'];
/** How long the agent waits for a summary, in milliseconds. */
const PATIENCE = 200;

/** Somebody cancelled a call of the compactor. */
export class Cancelled extends Error {}
/** The process is gone. What was not stored is lost. */
export class Killed extends Error {}

/**
 * @typedef {object} Life what an agent needs
 * @property {keyof typeof CLIENTS} format
 * @property {string} url
 * @property {number} output the largest answer
 * @property {boolean} thinks
 * @property {import('./disk.mjs').Disk} disk
 * @property {object} options of the compactor
 * @property {(options: object) => any} createCompactor
 * @property {(name: string, args: object) => string} toolOutput
 * @property {boolean} [hasHooks] whether the compactor has hooks, in which the agent may end as well
 * @property {boolean} [hasStore] whether it has a store
 * @property {import('./fate.mjs').Fate} fate
 * @property {import('./watch.mjs').Watch} watch
 */
export class Agent {
  #life;
  #client;
  #process = new AbortController();
  /**
   * The call of the compactor that is running, what cancels it, and whether it has made a compaction and said so.
   *
   * @type {{ name: string, stop: AbortController, isMade: boolean } | undefined}
   */
  #running;
  history;
  compactor;

  /** @param {Life} life */
  constructor(life) {
    const { format, disk, options, createCompactor, watch } = life;
    this.#life = life;
    this.#client = CLIENTS[format];
    const { history, record } = disk.read();
    this.history = history.map(frozen);
    this.compactor = createCompactor({
      ...options,
      format,
      signal: this.#process.signal,
      summarize: (request, how) => this.#summarize(request, how),
      onEvent: (event) => {
        watch.event(event);
        if (event.type !== 'gave_up') disk.store(this.compactor);
      },
      ...(record !== undefined && { record }),
      ...(life.hasHooks && { hooks: this.#hooks() }),
      ...(life.hasStore && { store: { get: (key) => disk.stored.get(key), put: (key, text) => this.#put(key, text) } }),
    });
  }

  /** Whether the model has answered, so that it is the user's turn. */
  get isAnswered() {
    const last = this.history.at(-1);
    return last === undefined || (['assistant', 'model'].includes(last.role) && this.#client.open(this.history).length === 0);
  }

  /** Whether the process was ended a moment ago. */
  get isGone() {
    return this.#process.signal.aborted;
  }

  /** Hooks in which the process may end and the call may be cancelled. They have no other wishes. */
  #hooks() {
    const hook = (name) => [name, () => this.#inHook(`hooks.${name}`)];
    return Object.fromEntries(['before', 'after', 'failed'].map(hook));
  }

  async #inHook(name) {
    const end = this.#life.fate.endOf(name, IN_HOOK);
    if (name === 'hooks.after' && this.#running !== undefined) this.#running.isMade = true;
    if (end === undefined) return;
    if (end.when === 'soon') await new Promise((resolve) => setImmediate(resolve));
    await this.#endInside(name, end);
  }

  /** A store writes a text at once, but the process may end in the middle. */
  async #put(key, text) {
    const { fate, disk } = this.#life;
    const end = fate.endOf('put', IN_PUT);
    if (end?.when === 'torn' && end.isKill) disk.stored.set(key, text.slice(0, text.length / 2));
    else if (end?.when !== 'before' || !end.isKill) disk.stored.set(key, text);
    if (end !== undefined) await this.#endInside('put', end);
  }

  /** Ends the process or cancels the call that waits for a hook or a store. Of a process that is gone, nothing comes any more. */
  async #endInside(name, end) {
    // A summary in the background may fail while no call is running.
    if (!end.isKill && this.#running === undefined) return;
    this.#abort(name, end, this.#running?.stop);
    if (end.isKill) await new Promise(() => undefined);
  }

  say(text) {
    this.#add([this.history.length === 0 ? this.#client.first(text) : this.#client.person(text)]);
  }

  /** One request, its answer, and the tools that it calls. */
  async turn() {
    const { fate } = this.#life;
    if (this.#client.open(this.history).length === 0) {
      fate.point('before a request');
      const answer = await this.#answer();
      fate.point('usage is learnt');
      this.#add(answer.messages);
      fate.point('the answer is stored');
    }
    await this.#runTools(this.#client.open(this.history));
    fate.point('the results are stored');
  }

  /** The three lines of docs/agents.md. */
  async #answer() {
    const view = await this.#call('prepare', (signal) => this.compactor.prepare(this.history, { signal }));
    const answer = await this.#send(view).catch(async (error) => this.#send(await this.#recovered(error)));
    this.#life.fate.point('answered');
    this.compactor.usage(answer.usage);
    return answer;
  }

  async #recovered(error) {
    if (!(error instanceof Killed)) this.#life.fate.point('refused');
    return this.#call('recover', (signal) => this.compactor.recover(error, this.history, { signal }));
  }

  /** Compacts on demand, as a command of the user does. */
  async compactNow() {
    await this.#call('compactNow', (signal) => this.compactor.compactNow(this.history, { signal }));
  }

  /** Calls the compactor. If the user cancels the call, it is made again. */
  async #call(name, run) {
    const { fate, watch, disk } = this.#life;
    for (;;) {
      const end = fate.endOf(name);
      const stop = new AbortController();
      const abort = () => this.#abort(name, end, stop);
      const running = { name, stop, isMade: false };
      this.#running = running;
      const before = watch.stateOf(this.compactor, end !== undefined);
      if (end?.when === 'before') abort();
      const called = run(stop.signal);
      if (end?.when === 'at once') abort();
      if (end?.when === 'soon') setImmediate(abort);
      try {
        const view = await called;
        this.#keep(name, view);
        return view;
      } catch (error) {
        if (!(error instanceof Cancelled)) throw error;
        watch.cancelled(name, error, before, this.compactor, running.isMade);
      } finally {
        this.#running = undefined;
      }
      disk.store(this.compactor);
    }
  }

  /** Once a summary is asked for, the user may lose patience, at once or when it takes too long. */
  #endWhenAsked() {
    if (this.#running === undefined) return;
    const { fate } = this.#life;
    const { name, stop } = this.#running;
    const end = fate.endOf('summarize');
    if (end !== undefined) return this.#abort(name, { ...end, when: 'asked' }, stop);
    setTimeout(() => stop.abort(new Cancelled(`${name}: too slow`)), PATIENCE).unref();
  }

  #abort(name, { isKill, when }, stop) {
    const reason = isKill ? new Killed(`${name}: ${when}`) : new Cancelled(`${name}: ${when}`);
    this.#life.fate.count(`${isKill ? 'killed' : 'cancelled'} in ${name}: ${when}`);
    (isKill ? this.#process : stop).abort(reason);
  }

  /** What the agent does with a view: it stores what was decided, or keeps the view instead of its history. */
  #keep(name, view) {
    const { fate, watch, disk } = this.#life;
    watch.view(name, view, this, fate.isBackground);
    disk.store(this.compactor);
    if (disk.keepsViews) {
      this.history = view.map(frozen);
      disk.rewrite(this.history, this.compactor);
    }
    fate.point(`${name} is done`);
  }

  async #send(messages) {
    const { url, output, thinks, fate, watch } = this.#life;
    fate.point('before it is sent');
    watch.sends();
    const body = this.#client.request(messages, { system: SYSTEM, tools: TOOLS, output, thinks });
    try {
      return await this.#ask(url, body, {}, this.#process.signal, () => fate.point('in the middle of an answer'));
    } catch (error) {
      watch.refused(error);
      throw error;
    }
  }

  async #ask(url, body, headers, signal, onEvent) {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers, signal });
    if (!response.ok) throw Object.assign(new Error(await response.text()), { status: response.status });
    return this.#client.read(watched(eventsOf(response), onEvent));
  }

  async #summarize(request, { signal }) {
    const { url, fate, watch } = this.#life;
    watch.asked(request);
    this.#endWhenAsked();
    // Who writes a summary while the agent goes on must not write for ever.
    const both = fate.isBackground ? AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]) : signal;
    const answer = await this.#ask(url, this.#client.summaryRequest(request), { 'x-purpose': 'summary' }, both, () => undefined);
    return { text: answer.text, truncated: answer.isCut };
  }

  /** Runs all calls at the same time. They end in any order. */
  async #runTools(calls) {
    const { fate, toolOutput } = this.#life;
    if (calls.length === 0) return;
    const outputs = await Promise.all(calls.map(async (call, at) => ({ ...call, at, text: toolOutput(call.name, call.args) })));
    fate.point('between the tools');
    this.#add(this.#client.results(fate.shuffled(outputs)));
  }

  #add(messages) {
    this.history = [...this.history, ...messages.map(frozen)];
    this.#life.disk.append(messages);
  }

  /** Ends the process. */
  async end() {
    this.#process.abort(new Killed('the end'));
    await new Promise((resolve) => setImmediate(resolve));
    this.compactor.free();
  }
}

async function* watched(events, onEvent) {
  for await (const event of events) {
    onEvent();
    yield event;
  }
}

/** Who changes a message of the history fails at once. */
function frozen(value) {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const key of Object.keys(value)) frozen(value[key]);
  return Object.freeze(value);
}
