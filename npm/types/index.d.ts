/**
 * ebbline keeps an LLM agent's session inside its context window.
 *
 * {@link plan} decides what happens to every message, and says why; {@link compact} carries the plan out on a copy.
 *
 * @packageDocumentation
 */

/* ---------------------------------------------------------------------------------------------------- functions */

/**
 * Loads what a runtime cannot load without waiting. In Node, Deno, Bun and Workers it has nothing to do; in browsers, call it once
 * before any other function. `init()` loads the engine, which is all that arrays of live messages need.
 *
 * A second call waits for the first, and loads what the first did not; after a failure, it tries again.
 *
 * @throws {@link EbblineError} `invalid_option` for anything but an object of these options
 *
 * @example
 * ```js
 * await init();                 // live messages
 * await init({ files: true });  // also texts of session files
 * ```
 */
export function init(options?: InitOptions): Promise<void>;

/** What {@link init} loads. Runtimes that load everything by themselves ignore where it is. */
export interface InitOptions {
  /** Where the engine is, if it is not beside the package's own files. */
  engine?: ModuleSource | undefined;
  /** Whether to load the readers and writers of texts, or where they are: for all functions that take a text or bytes. */
  files?: boolean | ModuleSource | undefined;
  /** Whether to load the module behind {@link compat}, or where it is. */
  compat?: boolean | ModuleSource | undefined;
}

/** Where a WebAssembly module is: its address, a response that contains it, its bytes, or the compiled module itself. */
export type ModuleSource = URL | string | Request | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module | Promise<Response>;

/**
 * Decides what should be done with a session: a fate and a reason for each message and part, totals before and after, and a
 * verdict. The input is not changed.
 *
 * @param input the text of a session file, its bytes, or an array of live messages (OpenAI Chat or Responses, items of
 *   the OpenAI Agents SDK, Anthropic Messages, Bedrock Converse, Gemini contents, AI SDK model or UI messages, Mastra, LangChain,
 *   pi, OpenCode)
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
 * If the input is an array, every unchanged message is the very same object in the result (`===`), and a changed message stays
 * an instance of its class. If it is a text, every byte outside the planned places stays as it is. Old messages are replaced
 * only if the options contain a `summary`: without one they stay, and `summaryNeeded` says that a summary is needed.
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
 * Returns the request for a summary of the messages that the plan under these options summarizes; `undefined` if the plan
 * summarizes nothing, or only an earlier summary.
 *
 * The request contains the old messages as a transcript, within `budgetTokens`: tool output, arguments, reasoning and answers
 * are shortened in the middle until the request fits, and the user's words are shortened last. It contains no message that is
 * kept. An earlier summary is included once, so that the model updates it.
 *
 * For an array of live messages, the texts are passed to the engine once, as JSON; {@link plan} and {@link compact} pass only lengths.
 *
 * @throws {@link EbblineError} `budget_too_small` if the request does not fit even after everything was shortened
 *
 * @example
 * ```js
 * const requested = summaryRequest(messages, options);
 * if (requested) {
 *   const answer = await askYourModel(requested.request); // messages may be added meanwhile
 *   const summary = finishSummary(requested, answer);
 *   messages = compact(messages, { ...options, summary, handle: requested.handle }).messages;
 * }
 * ```
 */
export function summaryRequest(input: SessionInput, options?: SummaryRequestOptions): RequestedSummary | undefined;

/**
 * Turns a model's answer into a summary: checks it, and adds the lists of files that were read and modified, including those
 * of earlier summaries. It accepts prose and headings in any language, and removes reasoning at the beginning (`<think>`).
 * {@link reviewSummary} also says what is unusual.
 *
 * @param requested the result of {@link summaryRequest}, or its `context` alone; it may have been stored as JSON
 * @param answer the text of the answer
 * @throws {@link EbblineError} if the summary must not replace history: `truncated_summary`, `empty_summary`,
 *   `larger_summary`
 */
export function finishSummary(requested: Pick<RequestedSummary, "context">, answer: string | SummaryAnswer): string;

/**
 * Does the same as {@link finishSummary}, and also returns what is unusual about the summary.
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
 * Finds out which format a session has. `supported` is false for an array in a format that is read as text only.
 *
 * @throws {@link EbblineError} `no_messages` if the input is not a session in any known format
 */
export function detect(input: SessionInput): Detection;

/**
 * Says whether a session is a request that its provider accepts, and which rules it breaks where. Only what the agent would
 * send now counts. In a browser, `await init({ files: true })` comes first: the rules are in the module that reads texts.
 *
 * @param input the text of a session file, its bytes, or an array of live messages, as for {@link plan}
 * @throws {@link EbblineError}
 *
 * @example
 * ```js
 * const { valid, violations } = validate(messages, { also: ["last_role"] });
 * ```
 */
export function validate(input: SessionInput, options?: ValidateOptions): Validation;

/**
 * Mends what a provider would refuse in the text of a session: results without calls, calls without results, results that are not
 * behind their calls, and what is empty. Only ranges of bytes change, and a text without faults comes back as it is. No outcome is
 * invented: a call without a result is removed, or, where the message is signed and must not change, gets a result which says that
 * the outcome is unknown.
 *
 * `also` and `except` change the rules, as in {@link validate}: with `also: ["empty_text"]`, empty texts of OpenAI Chat go as well, which
 * OpenAI itself takes and other servers refuse.
 *
 * @param input the text of a session file, or its bytes
 * @returns the text, what was done (`done`), and what cannot be mended (`left`)
 * @throws {@link EbblineError}
 *
 * @example
 * ```js
 * const { text, done, left } = repair(file);
 * for (const { text, line } of done) console.log(`line ${line}: ${text}`);
 * ```
 */
export function repair(input: string, options?: ValidateOptions): Repaired & { text: string };
export function repair(input: Uint8Array, options?: ValidateOptions): Repaired & { bytes: Uint8Array };

/** All profiles, each a policy for one version of one system; the default comes first. */
export function profiles(): Profile[];

/**
 * Returns the policy of a profile, changed by its system's own settings: `plan(messages, { policy: policyFromSettings(…) })`.
 *
 * pi: `settings.json`. OpenCode: `opencode.json`, and its flags `OPENCODE_DISABLE_AUTOCOMPACT`, `OPENCODE_DISABLE_PRUNE` and
 * `OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX`. TunaCode: `tunacode.json`. The package itself reads neither files nor the environment.
 *
 * @param settings the settings, or the text of the file
 * @throws {@link EbblineError} `invalid_settings`, with the name of the setting that cannot be used
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
 * Reads a session and reports its content: counts, what could not be read, every message with its parts.
 *
 * @throws {@link EbblineError}
 */
export function read(input: SessionInput, options?: ReadOptions): Report;

/**
 * Answers of other systems about their own data, for each version: where pi would cut, what OpenCode would send.
 *
 * Data may be values or JSON text; text keeps its spelling of numbers and keys.
 *
 * The answers come from a separate module, `compat.wasm`. Node loads it with the first question; in a browser and in Workers, wait
 * for `init({ compat: true })` first.
 *
 * @throws {@link EbblineError}
 *
 * @example
 * ```js
 * await init({ compat: true });
 * const { firstKeptEntryIndex } = compat.pi.cutPoint(entries, { keepRecentTokens: 20_000 });
 * ```
 */
export const compat: {
  readonly pi: PiCompat;
  readonly opencode: OpencodeCompat;
  readonly opencodeV2: OpencodeV2Compat;
  readonly tunacode: TunacodeCompat;
  readonly brutus: BrutusCompat;
};

/**
 * Says whether an error means that the context was too large, so that compacting and sending the request again helps.
 *
 * It takes any value that a client throws: errors of the AI SDK and of the OpenAI, Anthropic, Google and AWS clients, responses
 * of `fetch` (not their unread bodies), texts, errors inside errors and in JSON bodies, and also an assistant message of pi.
 * It distinguishes rate limits, throttling and limits of other things. An error that is not understood has the kind `other`;
 * nothing is thrown for it.
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
 * The only error that the functions of this package throw, whatever their arguments. The exception: errors of the runtime about
 * a file or a module that it cannot load are passed on unchanged.
 */
export class EbblineError extends Error {
  constructor(code: ErrorCode, message: string, line?: number, byte?: number);
  readonly name: "EbblineError";
  /** What went wrong; programs should compare this code, not the message. */
  readonly code: ErrorCode;
  /** The line of the text at fault, counted from 1; only if the fault is in a text. */
  readonly line?: number;
  /** The byte offset of the fault in the UTF-8 text, counted from 0; only if the fault is in a text. */
  readonly byte?: number;
  /** The exception of the caller's own code (a getter, a proxy, a counter), if that is the fault. */
  readonly cause?: unknown;
}

/* -------------------------------------------------------------------------------------------------------- input */

/** The text of a session file, its bytes, or an array of live messages. */
export type SessionInput = string | Uint8Array | readonly unknown[];

export interface ReadOptions extends PolicyOptions {
  /** The format of the session; without it, the format is detected. */
  format?: FormatName | undefined;
  /** Whether messages that the format's own system refuses to load are refused. */
  strict?: boolean | undefined;
  /**
   * Which conversation of a file of many conversations is the session, counted from 0; by default the first. The others are
   * read and counted, but none of their messages is active. An array of live messages has one conversation.
   */
  conversation?: number | undefined;
}

/** The sources of a policy: a profile, changes to it, the model, single knobs; each overrides those before it. */
export interface PolicyOptions {
  /** A profile's name; by default `ebbline@2`. */
  profile?: ProfileName | undefined;
  /** A policy, or any part of one. */
  policy?: DeepPartial<Policy> | undefined;
  /** The model's limits. Its `name`, `provider/model`, selects the policy's overrides in `models`. */
  model?: ({ [K in keyof Model]?: Model[K] | undefined } & { name?: string | undefined }) | undefined;
  /** Single knobs by their path, for example `{ "prune.protect": 30_000 }`. */
  set?: { [K in KnobPath]?: KnobValue<K> | undefined } | undefined;
}

export interface PlanOptions extends ReadOptions {
  /** Compact regardless of how full the context is: requested by hand, or after an overflow. */
  force?: boolean | undefined;
  /** The size of the context in tokens, as the provider reported it; 0 or left out if it is not known. */
  knownTokens?: number | undefined;
  /**
   * The tokens that every request sends beside the messages: a system prompt that is not among them, and the definitions of
   * tools. Left out if it is not known: then it is learnt from reported usage under policies that correct their estimate
   * (`estimator.calibrate`). `knownTokens` and reported usages already include it.
   */
  overhead?: number | undefined;
  /**
   * The milliseconds since the last request. If the policy says when the provider's cache is cold (`prune.coldAfter`), pruning
   * does not wait any longer after that time. A {@link Session} takes it in `check`, `plan` and `apply`.
   */
  idle?: number | undefined;
  /**
   * Counts the tokens of a text instead of the policy's estimate, for example with `ebbline/tokenizers/o200k`. Values that are not
   * text are counted as their JSON. Only for live messages: each text is counted once for as long as its message lives. Names
   * of tools, and the corrections by `calibrate`, still follow the policy.
   */
  countTokens?: ((text: string) => number) | undefined;
}

export interface ValidateOptions extends ReadOptions {
  /** Rules that are checked in addition to those of the format. */
  also?: RuleName[] | undefined;
  /** Rules that are not checked. */
  except?: RuleName[] | undefined;
}

export interface CompactOptions extends PlanOptions {
  /** The summary of the messages before the retention window. Without one, these messages stay. */
  summary?: string | undefined;
  /**
   * The `handle` of the request for this summary ({@link summaryRequest}), if messages came in while the model wrote it. The
   * summary then stands for the messages that it was asked for, and the newer ones stay. Only for live messages. A handle that
   * does not fit (the messages were changed, or the policy is another one) is refused with the code `mismatch`.
   */
  handle?: SummaryHandle | undefined;
  /**
   * The current time, in milliseconds since 1970, for formats that record it. By default it is `Date.now()` for live messages
   * and the newest time in the text for a text, so that the same text always gives the same bytes.
   */
  now?: number | undefined;
  /**
   * Whether content that the agent does not send is also cleared: the copies of a pruned output that its format stores
   * beside it, and the output itself if the format only marks it as pruned (OpenCode).
   */
  freeBytes?: boolean | undefined;
}

export interface SummaryRequestOptions extends PlanOptions {
  /** What the summary should focus on; it is put into the request unchanged. */
  focus?: string | undefined;
  /**
   * The most tokens that the request may have, by the policy's estimator. By default the model's context window less the limit
   * of the answer and a sixteenth of the window. Set it if another model writes the summary.
   */
  budgetTokens?: number | undefined;
}

/** A model's answer, and whether it is complete. */
export interface SummaryAnswer {
  /** The text, without reasoning. */
  text: string;
  /** Whether the answer was truncated: its stop reason is `length`, `max_tokens` or the provider's word for this. */
  truncated?: boolean | undefined;
}

/** A policy with any of its fields left out. */
export type DeepPartial<T> = {
  [K in keyof T]?: (T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? DeepPartial<T[K]> : T[K]) | undefined;
};

/** The groups of knobs. */
type KnobGroup = Exclude<keyof Policy, "profile" | "shares" | "models">;

/** The path of a knob: `prune.protect`, `retain.keep`, … */
export type KnobPath = "profile" | { [G in KnobGroup]: `${G}.${keyof Policy[G] & string}` }[KnobGroup];

/** The value of a knob. An amount of tokens may also be a share of the window, and a list of names a text with commas. */
export type KnobValue<P extends KnobPath> =
  | (P extends `${infer G extends KnobGroup}.${infer K}` ? (K extends keyof Policy[G] ? Policy[G][K] : never) : string)
  | (P extends SharedKnob ? Share : never)
  | (P extends "prune.protectedTools" ? string : never);

/** A profile: a policy for one version of one system. */
export interface Profile {
  name: ProfileName;
  /** One sentence on what it reproduces. */
  about: string;
  policy: Policy;
}

/** A share of the context window, with up to two decimals. An amount of tokens may be a share: `set: { "retain.keep": "10%" }`. */
export type Share = `${number}%`;
