import { EbblineError } from '#errors';

/** How many sessions are kept if the caller does not say it. */
const LIMIT = 1000;

/**
 * The compactors of a host that serves many sessions: one for each session, made when the session is seen first. Of more sessions than
 * `limit`, the one that was not used for the longest time is forgotten.
 *
 * @typedef {{ compactor: any, history?: unknown[] }} Session a compactor, and the history that it got last
 */
export class Sessions {
  #make;
  #limit;
  /** @type {Map<string, Session>} the session that was used last comes last */
  #kept = new Map();
  /** @type {WeakMap<object, unknown>} which session has a compactor */
  #owners = new WeakMap();

  /**
   * @param {(about: any) => any} make gets what is known about a session and returns its compactor
   * @param {unknown} limit
   */
  constructor(make, limit = LIMIT) {
    if (!(Number.isSafeInteger(limit) && Number(limit) > 0)) throw invalid('`limit` must be a whole number above 0');
    this.#make = make;
    this.#limit = Number(limit);
  }

  /**
   * The session with this key.
   *
   * @param {string} key
   * @param {object} about what the caller's function gets
   * @returns {Session}
   */
  of(key, about) {
    const session = this.#kept.get(key) ?? this.make(about, key);
    this.#kept.delete(key);
    this.#kept.set(key, session);
    if (this.#kept.size > this.#limit) this.forget(/** @type {string} */ (this.#kept.keys().next().value));
    return session;
  }

  /**
   * A session that is not kept here.
   *
   * @param {object} about
   * @param {unknown} owner
   * @returns {Session}
   */
  make(about, owner = about) {
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
 * @param {unknown} make
 * @param {string} calledAs how the caller should have written it
 * @returns {(...about: any[]) => any}
 */
export function checkedMaker(make, calledAs) {
  if (typeof make === 'function') return /** @type {any} */ (make);
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
 *
 * @param {any} compactor
 * @param {unknown} inputTokens
 */
export function learn(compactor, inputTokens) {
  if (typeof inputTokens !== 'number' || !(inputTokens > 0)) return;
  try {
    compactor.usage(inputTokens);
  } catch (error) {
    if (codeOf(error) !== 'busy') throw error;
  }
}

/** @param {string} message */
function invalid(message) {
  return new EbblineError('invalid_option', message);
}

function codeOf(error) {
  return /** @type {any} */ (error)?.code;
}
