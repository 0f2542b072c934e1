import { EbblineError } from '#errors';
import { isSameToModel, isSystem, seenOf } from '../../equality.js';

export type Compactor = import('../../compactor.js').Compactor;

const known: WeakMap<Compactor, Serving> = new WeakMap();

/**
 * The service of a compactor to one session, through one hook of a host. Hosts call hooks from places that the user does not see, so
 * a compactor that is given to two sessions is noticed here.
 *
 * @param hook what the compactor is used with, if the caller is such a hook
 */
export function servingOf(compactor: Compactor, hook: string) {
  if (typeof compactor?.prepare !== 'function') {
    throw new EbblineError('invalid_option', 'pass the compactor of the session, made with createCompactor');
  }
  let serving = known.get(compactor);
  if (serving === undefined) {
    serving = new Serving(compactor);
    known.set(compactor, serving);
  }
  serving.hook ??= hook;
  if (hook !== undefined && serving.hook !== hook) {
    throw new EbblineError(
      'invalid_option',
      `this compactor is used with ${serving.hook}, so it cannot be used with ${hook}, which sees other messages: choose one of them`,
    );
  }
  return serving;
}

class Serving {
  #compactor;
  /** The history that is being prepared. */
  #preparing;
  /** What is wrong about a request of another session that came in meanwhile. */
  #fault;
  /** The history and the view of the last request. */
  #history = [];
  #view = [];
  #isLearnt = false;
  /** The request whose usage may be learnt: the last one. */
  #due;
  /** The request whose usage was learnt last, while it is the last one. */
  #told;

  /** what the compactor is used with */
  hook: string | undefined;
  /** Whether somebody tells the usage of every request. */
  isTold = false;
  /** Becomes another number when something may have been decided. */
  revision = 0;
  /** How many messages the history of the last request had. The caller may have added some to the same array since. */
  length = 0;

  constructor(compactor) {
    this.#compactor = compactor;
  }

  /** Whether a request was sent whose usage is not known. */
  get isUsageDue() {
    return this.#due !== undefined;
  }

  /** What to send for a history, and a name for the request. */
  async prepare(history: readonly any[], options: object) {
    return this.#alone(history, () => this.#compactor.prepare(history, options));
  }

  /** What to send instead, after an overflow. */
  async recover(error, history, options) {
    return this.#alone(history, () => this.#compactor.recover(error, history, options));
  }

  /**
   * Learns from the input tokens of a request. Usage of an earlier request than the last one tells nothing about the last one.
   *
   * @param tokens or a report, which may come after the tokens and says more
   * @param request the request that they belong to; without it, the last one
   */
  learn(tokens: number | object | undefined, request: object = this.#due) {
    const isReport = typeof tokens === 'object' && tokens !== null && 'usage' in tokens;
    if (request === undefined || !(request === this.#due || (isReport && request === this.#told))) return;
    this.#due = undefined;
    this.#told = request;
    if (!isReport && !(typeof tokens === 'number' && Number.isFinite(tokens) && tokens > 0)) return;
    try {
      this.#compactor.usage(tokens);
      if (!this.#isLearnt) this.revision += 1;
      this.#isLearnt = true;
    } catch (error) {
      // The answer is there, and must not be lost because somebody compacts by hand, or forgot the session, at this moment.
      if (error?.code !== 'busy' && error?.code !== 'freed') throw error;
    }
  }

  async #alone(history, work) {
    if (this.#preparing !== undefined) {
      const error = refused(
        'a request came in while the compactor prepared another one. Sub-agents, side requests and the model that writes summaries must not use the compactor of the session',
      );
      // Another session, or the model that writes the summary: the request that is prepared would go on with what comes of it.
      if (!beginAlike(history, this.#preparing)) this.#fault = error;
      throw error;
    }
    if (Array.isArray(history)) this.#checkSession(history);
    this.#preparing = history;
    this.#fault = undefined;
    this.#due = undefined;
    this.#told = undefined;
    try {
      const view = await work();
      if (this.#fault !== undefined) throw this.#fault;
      if (this.#view.some((message, at) => message !== view[at])) this.revision += 1;
      this.#history = history;
      this.length = history.length;
      this.#view = view;
      this.#due = {};
      return { view, request: this.#due };
    } finally {
      this.#preparing = undefined;
    }
  }

  /** Refuses the history of another session. A single message may be the first one of this session, which the user edited. */
  #checkSession(history: readonly any[]) {
    if (this.#history.length === 0) return;
    const first = firstOf(history);
    if (first === history.length || isSameToModel(history[first], this.#history[firstOf(this.#history)])) return;
    const rest = history.slice(first);
    const last = [...this.#history, ...this.#view];
    if (rest.length > 1 && !isKnownAny(rest, last)) throw refused('this history has no message in common with the last one');
  }
}

/** Whether one of the messages is among those that are known. */
function isKnownAny(messages, known) {
  const objects = new Set(known);
  if (messages.some((message) => objects.has(message))) return true;
  const seen = new Set(known.filter((message) => !isSystem(message)).map(seenOf));
  return messages.some((message) => seen.has(seenOf(message)));
}

function refused(why) {
  return new EbblineError('invalid_option', `${why}: one compactor serves one session. Create a compactor for each of them`);
}

/** Whether two histories may be of one session. */
function beginAlike(one, other) {
  return Array.isArray(one) && Array.isArray(other) && isSameToModel(one[firstOf(one)], other[firstOf(other)]);
}

/** The index of the first message that is no system prompt: system prompts are the same in many sessions. */
function firstOf(messages) {
  const first = messages.findIndex((message) => !isSystem(message));
  return first === -1 ? messages.length : first;
}
