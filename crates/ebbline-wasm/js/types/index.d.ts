/**
 * ebbline keeps an LLM agent's session inside its context window.
 *
 * {@link plan} decides what becomes of every message, and says why; {@link compact} does it on a copy.
 *
 * @packageDocumentation
 */

/* ------------------------------------------------------------------------------------------------ what can be done */

/**
 * Loads the engine. In Node there is nothing to wait for; in browsers, call it once before anything else.
 *
 * Called again it waits for the first call; after a failure it tries again.
 *
 * @param source where the engine is, if not beside the package's own files. Node ignores it.
 */
export function init(source?: ModuleSource): Promise<void>;

/** Where a WebAssembly module is: its address, a response with it, its bytes, or the module itself, compiled already. */
export type ModuleSource =
  | URL
  | string
  | Request
  | Response
  | ArrayBuffer
  | ArrayBufferView
  | WebAssembly.Module
  | Promise<Response>;

/**
 * Decides what is to be done with a session: for each message and part its fate and the reason, totals before and
 * after, and a verdict. The input is not changed.
 *
 * @param input the text of a session file, its bytes, or an array of live messages (OpenAI Chat, Anthropic, pi)
 * @throws {@link EbblineError}
 *
 * @example
 * ```js
 * const { verdict, reason, messages } = plan(history, { model: { context: 200_000 } });
 * ```
 */
export function plan(input: SessionInput, options?: PlanOptions): Plan;

/**
 * Plans, and carries the plan out on a copy.
 *
 * Of an array, every message that nothing happens to is the very same object in the result (`===`), and one that changes stays
 * an instance of its class; of a text, every byte outside the planned places stays as it is. Old messages give way only to a `summary` that the options bring:
 * without one they stay, and `summaryNeeded` says that one is wanted.
 *
 * @throws {@link EbblineError}
 *
 * @example
 * ```js
 * const { messages } = compact(history, { profile: "opencode@2026-01" });
 * ```
 */
export function compact(input: string, options?: CompactOptions): Compacted & { text: string };
export function compact(input: Uint8Array, options?: CompactOptions): Compacted & { bytes: Uint8Array };
export function compact<T>(input: readonly T[], options?: CompactOptions): Compacted & { messages: T[] };

/**
 * The request for a summary of what the plan under these options summarises; `undefined` when it summarises nothing, or
 * nothing but an earlier summary.
 *
 * The request holds the old messages as a transcript, within `budgetTokens`: tool output, arguments, reasoning and
 * answers are cut in their middle until it fits, what the user said last of all. It holds nothing of what is kept. A
 * summary of what came before goes into it once, to be brought up to date.
 *
 * An array of live messages is written as JSON and read again, so that it costs a `JSON.stringify` and more memory than
 * the session: {@link plan} and {@link compact} do without, but a summary is made of the words themselves.
 *
 * @throws {@link EbblineError} `budget_too_small` when the request does not fit although everything has given way
 *
 * @example
 * ```js
 * const requested = summaryRequest(messages, options);
 * if (requested) {
 *   const answer = await askYourModel(requested.request);
 *   const summary = finishSummary(requested, answer);
 *   messages = compact(messages, { ...options, summary }).messages;
 * }
 * ```
 */
export function summaryRequest(input: SessionInput, options?: SummaryRequestOptions): RequestedSummary | undefined;

/**
 * Makes the summary of a model's answer: checks it, and adds the lists of files that were read and modified, those of
 * earlier summaries included. Prose is a summary, and so are headings in any language; reasoning in front of it
 * (`<think>`) is taken away. {@link reviewSummary} says what was unusual.
 *
 * @param requested what {@link summaryRequest} gave, or that much of it; it may have been stored as JSON
 * @param answer the text of the answer
 * @throws {@link EbblineError} when the summary must not take the place of history: `truncated_summary`,
 *   `empty_summary`, `larger_summary`
 */
export function finishSummary(requested: Pick<RequestedSummary, "context">, answer: string | SummaryAnswer): string;

/**
 * The same as {@link finishSummary}, with what is unusual about the summary.
 *
 * @throws {@link EbblineError} as {@link finishSummary}
 *
 * @example
 * ```js
 * const { summary, warnings } = reviewSummary(requested, answer);
 * if (warnings.some(({ code }) => code === "very_short")) throw new Error("ask again");
 * ```
 */
export function reviewSummary(requested: Pick<RequestedSummary, "context">, answer: string | SummaryAnswer): ReviewedSummary;

/**
 * Finds out which format a session is of. A format that is recognised but not read yet is `supported: false`.
 *
 * @throws {@link EbblineError} `no_messages` when it is no session of any known format
 */
export function detect(input: SessionInput): Detection;

/**
 * Tells whether a session is a request that its provider accepts, and where it is not. Only what the agent would send
 * now counts.
 *
 * @param input the text of a session file, its bytes, or an array of live messages (OpenAI Chat, Anthropic, pi)
 * @throws {@link EbblineError}
 *
 * @example
 * ```js
 * const { valid, violations } = validate(messages, { also: ["last_role"] });
 * ```
 */
export function validate(input: SessionInput, options?: ValidateOptions): Validation;

/** The policies that there are, each pinned to a system and version; the default first. */
export function profiles(): Profile[];

/**
 * The policy of a profile as its system's own settings turn it: `plan(messages, { policy: policyFromSettings(…) })`.
 *
 * pi: `settings.json`. OpenCode: `opencode.json`, and its flags `OPENCODE_DISABLE_AUTOCOMPACT`, `OPENCODE_DISABLE_PRUNE` and
 * `OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX`. TunaCode: `tunacode.json`. The package reads neither files nor the environment.
 *
 * @param settings the settings, or the text of the file
 * @throws {@link EbblineError} `invalid_settings` names the setting that cannot be used
 */
export function policyFromSettings(
  profile: ProfileName,
  settings: string | object,
  surroundings?: {
    /** Environment flags, for example `process.env`. */
    environment?: Record<string, string | undefined> | undefined;
    /** The model in use, `provider/model`. */
    model?: string | undefined;
  },
): Policy;

/**
 * Reads a session and tells what was found: counts, what could not be read, every message with its parts.
 *
 * @throws {@link EbblineError}
 */
export function read(input: SessionInput, options?: ReadOptions): Report;

/**
 * What other systems answer about their own data, version by version: where pi would cut, what OpenCode would send.
 *
 * Data may be values or their JSON text; text keeps its spelling of numbers and keys.
 *
 * The answers come from a module of their own, `compat.wasm`. Node loads it with the first question; in a browser, wait for
 * `compat.init()` before the first one.
 *
 * @throws {@link EbblineError}
 *
 * @example
 * ```js
 * await compat.init();
 * const { firstKeptEntryIndex } = compat.pi.cutPoint(entries, { keepRecentTokens: 20_000 });
 * ```
 */
export const compat: {
  /**
   * Loads the module. Called again it waits for the first call; after a failure it tries again.
   *
   * @param source where the module is, if not beside the package's own files. Node ignores it.
   */
  init(source?: ModuleSource): Promise<void>;
  readonly pi: PiCompat;
  readonly opencode: OpencodeCompat;
  readonly opencodeV2: OpencodeV2Compat;
  readonly tunacode: TunacodeCompat;
  readonly brutus: BrutusCompat;
};

/**
 * Says whether an error means that the context was too large: whether compacting and sending the request again helps.
 *
 * Takes whatever a client throws: errors of the AI SDK and of the OpenAI, Anthropic, Google and AWS clients, responses of
 * `fetch` (not their unread bodies), texts, and errors inside errors and in JSON bodies; also an assistant message of pi.
 * Rate limits, throttling and limits of other things are told apart. Nothing is thrown for an error that is not understood:
 * it is of the kind `other`.
 *
 * @throws {@link EbblineError} for options that do not exist
 *
 * @example
 * ```js
 * try {
 *   return await generate(messages);
 * } catch (error) {
 *   if (classifyError(error).kind !== 'context_overflow') throw error;
 *   messages = compact(messages, { ...options, force: true }).messages;
 *   return await generate(messages);
 * }
 * ```
 */
export function classifyError(error: unknown, options?: ClassifyOptions): Classification;

/**
 * What every function of this package throws, and nothing else, whatever it is handed. Only what a runtime says of a file or a
 * module that it cannot load stays as it is.
 */
export class EbblineError extends Error {
  constructor(code: ErrorCode, message: string, line?: number, byte?: number);
  readonly name: "EbblineError";
  /** What went wrong, to be compared with. */
  readonly code: ErrorCode;
  /** The line of the text, counted from 1, if the fault is in a text. */
  readonly line?: number;
  /** The offset in bytes of the UTF-8 text, counted from 0, if the fault is in a text. */
  readonly byte?: number;
  /** What was thrown by something of the caller's own, if that is the fault. */
  readonly cause?: unknown;
}

/* ------------------------------------------------------------------------------------------------------ what goes in */

/** The text of a session file, its bytes, or an array of live messages. */
export type SessionInput = string | Uint8Array | readonly unknown[];

export interface ReadOptions extends PolicyOptions {
  /** The format it must be; without it, it is found out. */
  format?: FormatName | undefined;
  /** Whether to refuse messages that the format's own system refuses to load. */
  strict?: boolean | undefined;
  /**
   * Of a file of many conversations, which one is the session, counted from 0; the first if it is left out. The others are
   * read and counted, but none of their messages is active. There is one conversation in an array of live messages.
   */
  conversation?: number | undefined;
}

/** What makes a policy: a profile, what is laid over it, the model, single knobs; each overrides those before it. */
export interface PolicyOptions {
  /** A profile's name; `ebbline@1` if there is none. */
  profile?: ProfileName | undefined;
  /** A policy, or any part of one. */
  policy?: DeepPartial<Policy> | undefined;
  /** The model's limits. Its `name`, `provider/model`, selects what the policy holds for it in `models`. */
  model?: ({ [K in keyof Model]?: Model[K] | undefined } & { name?: string | undefined }) | undefined;
  /** Single knobs by their path, for example `{ "prune.protect": 30_000 }`. */
  set?: { [K in KnobPath]?: unknown } | undefined;
}

export interface PlanOptions extends ReadOptions {
  /** Compaction is asked for, by hand or after an overflow: do not ask how full the context is. */
  force?: boolean | undefined;
  /** The tokens that the context holds, as the provider reported them; 0 or nothing if that is not known. */
  knownTokens?: number | undefined;
  /**
   * Counts the tokens of a text in the place of the policy's estimate, for example that of `ebbline/tokenizers/o200k`. Values
   * that are no text are counted as their JSON. Only for live messages: each text is counted once for as long as its
   * message lives. What `calibrate` of the policy corrects, and names of tools, go by the policy.
   */
  countTokens?: ((text: string) => number) | undefined;
}

export interface ValidateOptions extends ReadOptions {
  /** Rules that are checked besides those of the format. */
  also?: RuleName[] | undefined;
  /** Rules that are not checked. */
  except?: RuleName[] | undefined;
}

export interface CompactOptions extends PlanOptions {
  /** The summary of the messages before the retention window. Without one they stay where they are. */
  summary?: string | undefined;
  /**
   * The present moment, in milliseconds since 1970, for formats that note it. Left out, it is `Date.now()` for live messages,
   * and for a text the newest moment recorded in it: the same text always gives the same bytes.
   */
  now?: number | undefined;
  /**
   * Whether to clear from the session what the agent does not send anyway: the copies of a pruned output that its format
   * keeps beside it, and the output itself where the format only marks it as pruned (OpenCode).
   */
  freeBytes?: boolean | undefined;
}

export interface SummaryRequestOptions extends PlanOptions {
  /** What the summary is to dwell on; goes into the request as it is. */
  focus?: string | undefined;
  /**
   * The most tokens of the request, counted with the policy's estimator. Without it: the model's context window less
   * the limit of the answer and a sixteenth of the window. Give it when another model writes the summary.
   */
  budgetTokens?: number | undefined;
}

/** A model's answer, and whether it is whole. */
export interface SummaryAnswer {
  /** The text, without reasoning. */
  text: string;
  /** Whether it was cut off: its stop reason is `length`, `max_tokens` or whatever the provider calls it. */
  truncated?: boolean | undefined;
}

/** A policy with any of its fields left out. */
export type DeepPartial<T> = {
  [K in keyof T]?: (T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? DeepPartial<T[K]> : T[K]) | undefined;
};

/** The path of a knob: `prune.protect`, `retain.keep`, … */
export type KnobPath = {
  [G in keyof Policy & string]: Policy[G] extends string ? G : `${G}.${keyof Policy[G] & string}`;
}[keyof Policy & string];

/** A profile: a policy pinned to a system and version. */
export interface Profile {
  name: ProfileName;
  /** One sentence on what it reproduces. */
  about: string;
  policy: Policy;
}

/** A share of the context window, up to two decimals. An amount of tokens may be set to one: `set: { "retain.keep": "10%" }`. */
export type Share = `${number}%`;
