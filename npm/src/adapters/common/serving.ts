import type { EbblineError } from '#errors';
import type { Compactor } from '../../compactor-interface.js';
import type { PrepareOptions } from '../../compactor-options.js';
import { isSameToModel, isSystem, seenOf } from '../../equality.js';
import { hasCode, invalid } from './refusal.js';

/** What to send, and a name for the request. */
export interface Prepared<M> {
  view: M[];
  request: object;
}

const known: WeakMap<Compactor, Serving> = new WeakMap();

/**
 * The service of a compactor to one session, through one hook of a host. Hosts call hooks from places that the user does not see, so
 * a compactor that is given to two sessions is noticed here.
 *
 * @param hook what the compactor is used with, if the caller is such a hook
 */
export function servingOf(compactor: Compactor, hook?: string): Serving {
  if (typeof compactor?.prepare !== 'function') {
    throw invalid('pass the compactor of the session, made with createCompactor');
  }
  let serving = known.get(compactor);
  if (serving === undefined) {
    serving = new Serving(compactor);
    known.set(compactor, serving);
  }
  serving.hook ??= hook;
  if (hook !== undefined && serving.hook !== hook) {
    throw invalid(
      `this compactor is used with ${serving.hook}, so it cannot be used with ${hook}, which sees other messages: choose one of them`,
    );
  }
  return serving;
}

/** What the last request was made of. The caller may have added messages to the same array since, so its length then is noted. */
interface LastRequest {
  history: readonly unknown[];
  view: readonly unknown[];
  length: number;
}

export class Serving {
  #compactor: Compactor;
  /** The history that is being prepared. */
  #preparing: readonly unknown[] | undefined;
  /** What is wrong about a request of another session that came in meanwhile. */
  #fault: EbblineError | undefined;
  #last: LastRequest = { history: [], view: [], length: 0 };
  #isLearnt = false;
  /** The request whose usage may be learnt: the last one. */
  #due: object | undefined;
  /** The request whose usage was learnt last, while it is the last one. */
  #told: object | undefined;

  /** what the compactor is used with */
  hook: string | undefined;
  /** Whether somebody tells the usage of every request. */
  isTold = false;
  /** Becomes another number when something may have been decided. */
  revision = 0;

  constructor(compactor: Compactor) {
    this.#compactor = compactor;
  }

  /** How many messages the history of the last request had. */
  get length(): number {
    return this.#last.length;
  }

  /** Whether a request was sent whose usage is not known. */
  get isUsageDue(): boolean {
    return this.#due !== undefined;
  }

  /** What to send for a history, and a name for the request. */
  async prepare<M>(history: readonly M[], options?: PrepareOptions): Promise<Prepared<M>> {
    return this.#alone(history, () => this.#compactor.prepare(history, options));
  }

  /** What to send instead, after an overflow. */
  async recover<M>(error: unknown, history: readonly M[], options?: PrepareOptions): Promise<Prepared<M>> {
    return this.#alone(history, () => this.#compactor.recover(error, history, options));
  }

  /**
   * Learns from the input tokens of a request. Usage of an earlier request than the last one tells nothing about the last one.
   *
   * @param tokens or a report, which may come after the tokens and says more
   * @param request the request that they belong to; without it, the last one
   */
  learn(tokens: unknown, request: object | undefined = this.#due): void {
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
      if (!hasCode(error, 'busy', 'freed')) throw error;
    }
  }

  async #alone<M>(history: readonly M[], work: () => Promise<M[]>): Promise<Prepared<M>> {
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
      if (this.#last.view.some((message, at) => message !== view[at])) this.revision += 1;
      this.#last = { history, view, length: history.length };
      this.#due = {};
      return { view, request: this.#due };
    } finally {
      this.#preparing = undefined;
    }
  }

  /** Refuses the history of another session. A single message may be the first one of this session, which the user edited. */
  #checkSession(history: readonly unknown[]): void {
    const { history: known, view } = this.#last;
    if (known.length === 0) return;
    const first = firstOf(history);
    if (first === history.length || isSameToModel(history[first], known[firstOf(known)])) return;
    const rest = history.slice(first);
    const last = [...known, ...view];
    if (rest.length > 1 && !isKnownAny(rest, last)) throw refused('this history has no message in common with the last one');
  }
}

/** Whether one of the messages is among those that are known. */
function isKnownAny(messages: readonly unknown[], known: readonly unknown[]): boolean {
  const objects = new Set(known);
  if (messages.some((message) => objects.has(message))) return true;
  const seen = new Set(known.filter((message) => !isSystem(message)).map(seenOf));
  return messages.some((message) => seen.has(seenOf(message)));
}

function refused(why: string): EbblineError {
  return invalid(`${why}: one compactor serves one session. Create a compactor for each of them`);
}

/** Whether two histories may be of one session. */
function beginAlike(one: readonly unknown[], other: readonly unknown[]): boolean {
  return Array.isArray(one) && Array.isArray(other) && isSameToModel(one[firstOf(one)], other[firstOf(other)]);
}

/** The index of the first message that is no system prompt: system prompts are the same in many sessions. */
function firstOf(messages: readonly unknown[]): number {
  const first = messages.findIndex((message) => !isSystem(message));
  return first === -1 ? messages.length : first;
}
