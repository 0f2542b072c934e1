import { EbblineError } from '#errors';

/** How many sessions are kept if the caller does not say it. */
const LIMIT = 1000;

/**
 * The compactors of a host that serves many sessions: one for each session, made when the session is seen first. Of more sessions than
 * `limit`, the one that was not used for the longest time is forgotten.
 * a compactor, and the history that it got last
 */
export type Session = { compactor: any; history?: unknown[] };
export class Sessions {
  #make;
  #limit;
  /** the session that was used last comes last */
  #kept: Map<string, Session> = new Map();
  /** which session has a compactor */
  #owners: WeakMap<object, unknown> = new WeakMap();

  /** @param make gets what is known about a session and returns its compactor */
  constructor(make: (about: any) => any, limit: unknown = LIMIT) {
    if (!(Number.isSafeInteger(limit) && Number(limit) > 0)) throw invalid('`limit` must be a whole number above 0');
    this.#make = make;
    this.#limit = Number(limit);
  }

  /**
   * The session with this key.
   *
   * @param about what the caller's function gets
   */
  of(key: string, about: object): Session {
    const session = this.#kept.get(key) ?? this.make(about, key);
    this.#kept.delete(key);
    this.#kept.set(key, session);
    if (this.#kept.size > this.#limit) this.forget(this.#kept.keys().next().value as string);
    return session;
  }

  /** A session that is not kept here. */
  make(about: object, owner: unknown = about): Session {
    const compactor = checkedCompactor(this.#make(about));
    if (this.#owners.has(compactor)) throw invalid('the function returned the compactor of another session: make one for each session');
    this.#owners.set(compactor, owner);
    return { compactor };
  }

  /** The compactor of a session that was seen before. */
  compactor(key) {
    return this.#kept.get(key)?.compactor;
  }

  /** Forgets a session and releases its memory. Returns whether there was one. */
  forget(key) {
    const session = this.#kept.get(key);
    if (session === undefined) return false;
    this.#kept.delete(key);
    release(session.compactor);
    return true;
  }

  /** Forgets all sessions. */
  clear() {
    for (const key of [...this.#kept.keys()]) this.forget(key);
  }
}

/**
 * The caller's function that makes a compactor for each session.
 *
 * @param calledAs how the caller should have written it
 */
export function checkedMaker(make: unknown, calledAs: string): (...about: any[]) => any {
  if (typeof make === 'function') return make as any;
  throw invalid(`pass a function that makes a compactor for each session, as in ${calledAs}`);
}

/** What the caller's function returned. */
export function checkedCompactor(compactor) {
  if (typeof compactor?.prepare === 'function') return compactor;
  throw invalid('the function must return a compactor, made with `createCompactor`');
}

/** Frees a compactor. One that is in use is left to the garbage collector. */
export function release(compactor) {
  try {
    compactor.free();
  } catch (error) {
    if (codeOf(error) !== 'busy') throw error;
  }
}

/**
 * Learns from the usage of a request. Without a number of input tokens there is nothing to learn; while another request of the same
 * session is being prepared, the next usage is as good.
 */
export function learn(compactor: any, inputTokens: unknown) {
  if (typeof inputTokens !== 'number' || !(inputTokens > 0)) return;
  try {
    compactor.usage(inputTokens);
  } catch (error) {
    if (codeOf(error) !== 'busy') throw error;
  }
}

function invalid(message: string) {
  return new EbblineError('invalid_option', message);
}

function codeOf(error) {
  return (error as any)?.code;
}
