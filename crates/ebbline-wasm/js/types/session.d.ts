/* ------------------------------------------------------------------------------------------------ a session that grows */

/**
 * A session that grows: what an agent keeps beside its messages, to ask before every request what is to be done.
 *
 * Only new messages are looked at, so that a decision costs the same in a long session as in a short one. What a session
 * answers is what {@link plan} and {@link compact} answer about the same messages; it never changes them.
 *
 * While a session reads messages, what it reads (a getter, a proxy, `countTokens`) cannot use it: it is `busy`.
 *
 * The messages are taken to stay as they are once they were handed over. An object that is changed in its place is not
 * read again; a new object in its place is noticed by {@link Session.sync}.
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
  /** @throws {@link EbblineError} for options that do not fit */
  constructor(options?: SessionOptions);

  /** How many messages there are. */
  readonly length: number;
  /** Their format; `undefined` while there are none. */
  readonly format: FormatName | undefined;
  /** The messages, in a new array. */
  readonly messages: T[];

  /**
   * Adds a message, or a list of them, and returns how many there are. What cannot be read is not added.
   *
   * @throws {@link EbblineError}
   */
  push(messages: T | readonly T[]): number;

  /**
   * Takes over the whole list, and returns how many messages there are. What is known already is recognised by the last
   * known message, or by all of them (`verify`); where the list differs, it is read again from the first other message.
   *
   * @throws {@link EbblineError}
   */
  sync(messages: readonly T[]): number;

  /** Forgets all but the first `length` messages. */
  truncate(length: number): void;

  /** What is to be done now: the same object until something changes, and the session's own: only to be read. */
  check(options?: DecisionOptions): Decision;

  /** The whole plan. */
  plan(options?: DecisionOptions): Plan;

  /**
   * Carries the plan out as {@link compact} does. The session goes on with the messages that come out of it, in the format
   * that it had.
   *
   * @throws {@link EbblineError}
   */
  apply(options?: ApplyOptions): Compacted & { messages: T[] };

  /**
   * What the session is besides its messages, as bytes: its options, and what was measured. To be stored, and restored in
   * another process.
   */
  snapshot(): Uint8Array;

  /**
   * The session of a snapshot.
   *
   * The messages are taken to be those that it was made of, but are read anew with `verify: "all"`. Without them a session can
   * be asked and pushed to; what concerns messages that are not there is refused with the code `mismatch`.
   *
   * @param options what cannot be stored: the function that counts tokens, if one did
   * @throws {@link EbblineError} `mismatch` when the bytes are damaged, are no snapshot, or one of another version, or of a session
   *   of another length; `invalid_option`, `invalid_policy` or `unknown_profile` when its options are none that this version knows
   */
  static restore<T = unknown>(
    bytes: Uint8Array,
    messages?: readonly T[],
    options?: Pick<PlanOptions, "countTokens">,
  ): Session<T>;

  /**
   * Gives the engine's memory back at once, instead of when the session is garbage. Whatever is done with the session
   * afterwards, but to free it again, throws an error with the code `freed`.
   */
  free(): void;

  /** As {@link Session.free}, for `using`. Where the runtime has no `Symbol.dispose`, there is `free` only. */
  [Symbol.dispose](): void;
}

declare global {
  /** For programs that are compiled without `lib: ["esnext.disposable"]`. */
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}

/** What `using` asks for, where the runtime and its types know of it. */
export interface Session<T> extends Disposes {}
type Disposes = SymbolConstructor extends { readonly dispose: infer D extends symbol } ? { [K in D]: () => void } : {};

export interface SessionOptions extends PlanOptions {
  /**
   * What of the known messages {@link Session.sync} compares with what it is given: the last one (`"last"`, at no cost), or
   * every one (`"all"`), so that a change in the middle is noticed that leaves the last message in its place.
   */
  verify?: "last" | "all" | undefined;
}

/** What is asked of a {@link Session}; what is left out is as it was when the session was made. */
export type DecisionOptions = Pick<PlanOptions, "force" | "knownTokens">;

export type ApplyOptions = DecisionOptions & Pick<CompactOptions, "summary" | "now" | "freeBytes">;

/** A plan without a word on single messages. */
export type Decision = {
  readonly [K in keyof Omit<Plan, "messages">]: Plan[K] extends object ? Readonly<Plan[K]> : Plan[K];
};
