import type { Compactor } from '../../compactor-interface.js';
import { checkedLimit, hasCode, invalid } from './refusal.js';

/** A session with its compactor, and what a host notes about it. */
export interface Session {
  readonly compactor: Compactor;
  /** the history that the compactor got last */
  history?: readonly unknown[];
  /** the limits of its model, as JSON */
  limits?: string | undefined;
}

/**
 * The compactors of a host that serves many sessions: one for each session, made when the session is seen first. Of more sessions than
 * `limit`, the one that was not used for the longest time is forgotten. `A` is what is known about a session.
 */
export class Sessions<A> {
  #make: (about: A) => Compactor;
  #limit: number;
  /** the session that was used last comes last */
  #kept: Map<string, Session> = new Map();
  /** the compactors that have a session */
  #taken: WeakSet<Compactor> = new WeakSet();

  /** @param make returns the compactor of a session */
  constructor(make: (about: A) => Compactor, limit: number | undefined) {
    this.#limit = checkedLimit(limit);
    this.#make = make;
  }

  /** The session with this key. */
  of(key: string, about: A): Session {
    const session = this.#kept.get(key) ?? this.make(about);
    this.#kept.delete(key);
    this.#kept.set(key, session);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#limit && oldest !== undefined) this.forget(oldest);
    return session;
  }

  /** A session that is not kept here. */
  make(about: A): Session {
    const compactor = checkedCompactor(this.#make(about));
    if (this.#taken.has(compactor)) throw invalid('the function returned the compactor of another session: make one for each session');
    this.#taken.add(compactor);
    return { compactor };
  }

  /** The compactor of a session that was seen before. */
  compactor(key: string): Compactor | undefined {
    return this.#kept.get(key)?.compactor;
  }

  /** Forgets a session and releases its memory. Returns whether there was one. */
  forget(key: string): boolean {
    const session = this.#kept.get(key);
    if (session === undefined) return false;
    this.#kept.delete(key);
    release(session.compactor);
    return true;
  }

  /** Forgets all sessions. */
  clear(): void {
    for (const key of [...this.#kept.keys()]) this.forget(key);
  }
}

/**
 * The caller's function that makes a compactor for each session.
 *
 * @param calledAs how the caller should have written it
 */
export function checkedMaker<F extends (...about: never[]) => Compactor>(make: F, calledAs: string): F {
  if (typeof make === 'function') return make;
  throw invalid(`pass a function that makes a compactor for each session, as in ${calledAs}`);
}

/** What the caller's function returned. */
export function checkedCompactor(compactor: Compactor): Compactor {
  if (typeof compactor?.prepare === 'function') return compactor;
  throw invalid('the function must return a compactor, made with `createCompactor`');
}

/** Frees a compactor. One that is in use is left to the garbage collector. */
export function release(compactor: Compactor): void {
  try {
    compactor.free();
  } catch (error) {
    if (!hasCode(error, 'busy')) throw error;
  }
}

/**
 * Learns from the usage of a request. Without a number of input tokens there is nothing to learn; while another request of the same
 * session is being prepared, the next usage is as good.
 */
export function learn(compactor: Compactor, inputTokens: unknown): void {
  if (typeof inputTokens !== 'number' || !(inputTokens > 0)) return;
  try {
    compactor.usage(inputTokens);
  } catch (error) {
    if (!hasCode(error, 'busy')) throw error;
  }
}
