import type { Compacted } from './compact.js';
import { type Disposes, disposeByFree } from './dispose.js';
import type { Plan } from './generated/plan.js';
import type { LiveFormatName } from './generated/words.js';
import { GrowingSession } from './growing-session.js';
import { guardMembers, guarded, presented } from './guard.js';
import type { PlanOptions } from './plan-options.js';
import type { RequestedSummary } from './requested-summary.js';
import type { ApplyOptions, Decision, DecisionOptions, RequestOptions, SessionOptions } from './session-options.js';
import { storedSession } from './stored-session.js';

/**
 * A session that grows. An agent keeps it beside its messages, and asks it before every request what should be done.
 *
 * A session reads only new messages, so a decision costs the same in a long session as in a short one. It returns the same
 * results as {@link plan} and {@link compact} for the same messages, and never changes them.
 *
 * While a session reads messages, code that runs inside them (a getter, a proxy, `countTokens`) cannot use the session: it gets
 * the error `busy`.
 *
 * A session assumes that messages do not change after they were handed over. An object that is changed in place is not read
 * again; {@link Session.sync} notices a new object in its place.
 *
 * A session is one conversation: it remembers what reported usage had said about the tokens sent beside the messages (system
 * prompt, tools). Make a new one for another conversation.
 *
 * @example
 * ```js
 * const session = new Session({ model: { context: 200_000, output: 32_000 } });
 * for (;;) {
 *   session.sync(messages);
 *   if (session.check().verdict !== "noop") messages = session.apply().messages;
 *   messages.push(await generate(messages));
 * }
 * ```
 */
export class Session<T = unknown> {
  #inner: GrowingSession;

  /** @throws {@link EbblineError} for invalid options */
  constructor(options?: SessionOptions) {
    this.#inner = new GrowingSession(options);
  }

  /** The number of messages. */
  get length(): number {
    return this.#inner.length;
  }

  /** Their format; `undefined` while there are none. */
  get format(): LiveFormatName | undefined {
    return this.#inner.format;
  }

  /** The messages, in a new array. */
  get messages(): T[] {
    // Whoever handed them in says what they are.
    return this.#inner.messages as T[];
  }

  /**
   * Adds a message, or a list of messages, and returns the new number of messages. A message that cannot be read is not added.
   *
   * @throws {@link EbblineError}
   */
  push(messages: T | readonly T[]): number {
    return this.#inner.push(messages);
  }

  /**
   * Takes the whole list, and returns the number of messages. It recognizes known messages by the last one, or by all of them
   * (`verify`). If the list differs, it is read again from the first different message.
   *
   * @throws {@link EbblineError}
   */
  sync(messages: readonly T[]): number {
    return this.#inner.sync(messages);
  }

  /** Forgets all messages after the first `length`. */
  truncate(length: number): void {
    this.#inner.truncate(length);
  }

  /** What should be done now. It returns the same object until something changes; do not modify it. */
  check(options?: DecisionOptions): Decision {
    return this.#inner.check(options);
  }

  /** The whole plan. */
  plan(options?: DecisionOptions): Plan {
    return this.#inner.plan(options);
  }

  /**
   * Returns the request for a summary of what the plan summarizes, as {@link summaryRequest} does. The agent may go on and push
   * messages while the model writes: pass its `handle` to {@link Session.apply}.
   *
   * @throws {@link EbblineError}
   */
  summaryRequest(options?: RequestOptions): RequestedSummary | undefined {
    return this.#inner.summaryRequest(options);
  }

  /**
   * Carries the plan out as {@link compact} does. The session continues with the resulting messages, in the same format.
   *
   * @throws {@link EbblineError}
   */
  apply(options?: ApplyOptions): Compacted & { messages: T[] } {
    return this.#inner.apply(options) as Compacted & { messages: T[] };
  }

  /**
   * The state of the session without its messages, as bytes: its options and measurements. It can be stored, and restored in
   * another process.
   */
  snapshot(): Uint8Array {
    return this.#inner.snapshot();
  }

  /**
   * Restores a session from a snapshot.
   *
   * The messages must be those of the stored session; they are read again only with `verify: "all"`. Without messages, the
   * session can decide and accept new messages; a call that needs the missing messages is refused with the code `mismatch`.
   *
   * @param options what cannot be stored: the function that counts tokens, if there was one
   * @throws {@link EbblineError} `mismatch` if the bytes are damaged, are not a snapshot, or are one of another version or of a
   *   session of another length; `invalid_option`, `invalid_policy` or `unknown_profile` if this version does not know its
   *   options
   */
  static restore<T = unknown>(bytes: Uint8Array, messages?: readonly T[], options?: Pick<PlanOptions, 'countTokens'>): Session<T> {
    const stored = storedSession(bytes, messages, options);
    const session = new Session<T>(stored.options);
    try {
      session.#inner.restore(stored);
      return session;
    } catch (error) {
      session.free();
      throw error;
    }
  }

  /**
   * Releases the engine's memory at once, instead of at garbage collection. Every later use of the session, except a second
   * `free`, throws an error with the code `freed`.
   */
  free(): void {
    this.#inner.free();
  }
}

export interface Session<T> extends Disposes {}

// What it calls is guarded.
guardMembers(Session.prototype, presented);
Session.restore = guarded(Session.restore);
disposeByFree(Session.prototype);
