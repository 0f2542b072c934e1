/* ------------------------------------------------------------------------------------------------ a session that grows */

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
  /** @throws {@link EbblineError} for invalid options */
  constructor(options?: SessionOptions);

  /** The number of messages. */
  readonly length: number;
  /** Their format; `undefined` while there are none. */
  readonly format: LiveFormatName | undefined;
  /** The messages, in a new array. */
  readonly messages: T[];

  /**
   * Adds a message, or a list of messages, and returns the new number of messages. A message that cannot be read is not added.
   *
   * @throws {@link EbblineError}
   */
  push(messages: T | readonly T[]): number;

  /**
   * Takes the whole list, and returns the number of messages. It recognizes known messages by the last one, or by all of them
   * (`verify`). If the list differs, it is read again from the first different message.
   *
   * @throws {@link EbblineError}
   */
  sync(messages: readonly T[]): number;

  /** Forgets all messages after the first `length`. */
  truncate(length: number): void;

  /** What should be done now. It returns the same object until something changes; do not modify it. */
  check(options?: DecisionOptions): Decision;

  /** The whole plan. */
  plan(options?: DecisionOptions): Plan;

  /**
   * Returns the request for a summary of what the plan summarizes, as {@link summaryRequest} does. The agent may go on and push
   * messages while the model writes: pass its `handle` to {@link Session.apply}.
   *
   * @throws {@link EbblineError}
   */
  summaryRequest(options?: RequestOptions): RequestedSummary | undefined;

  /**
   * Carries the plan out as {@link compact} does. The session continues with the resulting messages, in the same format.
   *
   * @throws {@link EbblineError}
   */
  apply(options?: ApplyOptions): Compacted & { messages: T[] };

  /**
   * The state of the session without its messages, as bytes: its options and measurements. It can be stored, and restored in
   * another process.
   */
  snapshot(): Uint8Array;

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
  static restore<T = unknown>(bytes: Uint8Array, messages?: readonly T[], options?: Pick<PlanOptions, "countTokens">): Session<T>;

  /**
   * Releases the engine's memory at once, instead of at garbage collection. Every later use of the session, except a second
   * `free`, throws an error with the code `freed`.
   */
  free(): void;

  /** The same as {@link Session.free}, for `using`. In a runtime without `Symbol.dispose`, only `free` exists. */
  [Symbol.dispose](): void;
}

declare global {
  /** For programs that are compiled without `lib: ["esnext.disposable"]`. */
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}

/** What `using` needs, if the runtime and its types support it. */
export interface Session<T> extends Disposes {}
type Disposes = SymbolConstructor extends { readonly dispose: infer D extends symbol } ? { [K in D]: () => void } : {};

export interface SessionOptions extends PlanOptions {
  /**
   * Which known messages {@link Session.sync} compares with the list: the last one (`"last"`, at no cost), or every one
   * (`"all"`), which also notices a change in the middle that leaves the last message in place.
   */
  verify?: "last" | "all" | undefined;
}

/** Options of one decision of a {@link Session}; an option that is left out has the value that it had in the constructor. */
export type DecisionOptions = Pick<PlanOptions, "force" | "knownTokens" | "overhead" | "idle">;

export type ApplyOptions = DecisionOptions & Pick<CompactOptions, "summary" | "handle" | "now" | "freeBytes">;

export type RequestOptions = DecisionOptions & Pick<SummaryRequestOptions, "focus" | "budgetTokens">;

/** A plan without its `messages`. */
export type Decision = {
  readonly [K in keyof Omit<Plan, "messages">]: Plan[K] extends object ? Readonly<Plan[K]> : Plan[K];
};
