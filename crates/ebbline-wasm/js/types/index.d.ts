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
 * @param source where the engine is, if not beside the package's own files: a URL, a response, its bytes, or a module
 *   that is compiled already. Node ignores it.
 */
export function init(
  source?: URL | string | Request | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module | Promise<Response>,
): Promise<void>;

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
 * Of an array, every message that nothing happens to is the very same object in the result (`===`); of a text, every
 * byte outside the planned places stays as it is. Old messages give way only to a `summary` that the options bring:
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
 * earlier summaries included.
 *
 * @param requested what {@link summaryRequest} gave, or that much of it; it may have been stored as JSON
 * @param answer the text of the answer, without reasoning
 * @throws {@link EbblineError} when the summary must not take the place of history: `truncated_summary`,
 *   `empty_summary`, `summary_without_headings`, `larger_summary`
 */
export function finishSummary(requested: Pick<RequestedSummary, "context">, answer: string | SummaryAnswer): string;

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
    environment?: Record<string, string | undefined>;
    /** The model in use, `provider/model`. */
    model?: string;
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
 * @throws {@link EbblineError}
 */
export const compat: {
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
 *   return await generate(compact(messages, { force: true }).messages);
 * }
 * ```
 */
export function classifyError(error: unknown, options?: ClassifyOptions): Classification;

/** What every function of this package throws. */
export class EbblineError extends Error {
  constructor(code: ErrorCode, message: string, line?: number, byte?: number);
  readonly name: "EbblineError";
  /** What went wrong, to be compared with. */
  readonly code: ErrorCode;
  /** The line of the text, counted from 1, if the fault is in a text. */
  readonly line?: number;
  /** The offset in bytes of the UTF-8 text, counted from 0, if the fault is in a text. */
  readonly byte?: number;
}

export type ErrorCode =
  /** There is nothing to read. */
  | "empty"
  /** The bytes are not UTF-8, or the text has an unpaired surrogate outside an escape. */
  | "not_utf8"
  /** The text is not JSON. */
  | "not_json"
  /** The text ends in the middle of a value. */
  | "torn_line"
  /** Something is nested deeper than 1,000 levels, or holds itself. */
  | "too_deep"
  /** The text is too long. */
  | "too_large"
  /** No messages of any known format. */
  | "no_messages"
  /** The session is of another format than the one asked for. */
  | "wrong_format"
  /** The format was recognised, but is not read yet, or not as live objects. */
  | "unsupported_format"
  /** A format name that does not exist. */
  | "unknown_format"
  /** A message breaks a rule of its format (with `strict`). */
  | "invalid_message"
  /** A profile name that does not exist. */
  | "unknown_profile"
  /** A policy has an unknown field, a wrong type or an impossible value. */
  | "invalid_policy"
  /** An option does not exist or is of the wrong type. */
  | "invalid_option"
  /** Another system's settings, or a question to it, have an unknown name, a wrong type or an impossible value. */
  | "invalid_settings"
  /** Records, plan and session do not belong together. */
  | "mismatch"
  /** The format has no place for a summary in this session. */
  | "no_place_for_summary"
  /** A request for a summary does not fit into its budget, however much is left out. */
  | "budget_too_small"
  /** A summary says nothing. */
  | "empty_summary"
  /** A summary was cut off by the model's output limit. */
  | "truncated_summary"
  /** A summary has none of the headings that were asked for. */
  | "summary_without_headings"
  /** A summary is larger than the messages it would stand for. */
  | "larger_summary"
  /** In a browser: `await init()` first. */
  | "not_initialised";

/* ------------------------------------------------------------------------------------------------------ what goes in */

/** The text of a session file, its bytes, or an array of live messages. */
export type SessionInput = string | Uint8Array | readonly unknown[];

export interface ReadOptions extends PolicyOptions {
  /** The format it must be; without it, it is found out. */
  format?: FormatName;
  /** Whether to refuse messages that the format's own system refuses to load. */
  strict?: boolean;
}

/** What makes a policy: a profile, what is laid over it, the model, single knobs; each overrides those before it. */
export interface PolicyOptions {
  /** A profile's name; `ebbline@1` if there is none. */
  profile?: ProfileName;
  /** A policy, or any part of one. */
  policy?: DeepPartial<Policy>;
  /** The model's limits. Its `name`, `provider/model`, selects what the policy holds for it in `models`. */
  model?: Partial<Model> & { name?: string };
  /** Single knobs by their path, for example `{ "prune.protect": 30_000 }`. */
  set?: { [K in KnobPath]?: unknown };
}

export interface PlanOptions extends ReadOptions {
  /** Compaction is asked for, by hand or after an overflow: do not ask how full the context is. */
  force?: boolean;
  /** The tokens that the context holds, as the provider reported them; 0 or nothing if that is not known. */
  knownTokens?: number;
}

export interface ValidateOptions extends ReadOptions {
  /** Rules that are checked besides those of the format. */
  also?: RuleName[];
  /** Rules that are not checked. */
  except?: RuleName[];
}

export interface CompactOptions extends PlanOptions {
  /** The summary of the messages before the retention window. Without one they stay where they are. */
  summary?: string;
  /** The present moment, in milliseconds since 1970, for formats that note it; `Date.now()` if it is left out. */
  now?: number;
}

export interface SummaryRequestOptions extends PlanOptions {
  /** What the summary is to dwell on; goes into the request as it is. */
  focus?: string;
  /**
   * The most tokens of the request, counted with the policy's estimator. Without it: the model's context window less
   * the limit of the answer and a sixteenth of the window. Give it when another model writes the summary.
   */
  budgetTokens?: number;
}

/** A model's answer, and whether it is whole. */
export interface SummaryAnswer {
  /** The text, without reasoning. */
  text: string;
  /** Whether it was cut off: its stop reason is `length`, `max_tokens` or whatever the provider calls it. */
  truncated?: boolean;
}

/** A format's name; those that are not read yet are recognised by {@link detect}. */
export type FormatName =
  | "tunacode"
  | "tinyagent"
  | "pydantic_ai"
  | "pi"
  | "opencode"
  | "openai_chat"
  | "anthropic_messages"
  | "claude_code"
  | "codex"
  | "gemini_cli"
  | "gemini_contents"
  | "openai_responses"
  | "vercel_model"
  | "vercel_ui"
  | "langchain"
  | "openhands"
  | "swe_agent"
  | "atif"
  | "copilot_cli"
  | "cline"
  | "inspect_ai";

export type ProfileName =
  | "ebbline@1"
  | "pi@0.58"
  | "pi@0.84"
  | "pi@1.5"
  | "opencode@2025-12"
  | "opencode@2026-01"
  | "opencode@2026-06"
  | "opencode-v2@2026-06"
  | "opencode-v2@later"
  | "tunacode@2026-01"
  | "tunacode@2026-01/local"
  | "tunacode@2026-02"
  | "tunacode@0.2"
  | "brutus@2026-01";

/** A policy with any of its fields left out. */
export type DeepPartial<T> = {
  [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? DeepPartial<T[K]> : T[K];
};

/** The path of a knob: `prune.protect`, `retain.keep`, … */
export type KnobPath = {
  [G in keyof Policy & string]: Policy[G] extends string ? G : `${G}.${keyof Policy[G] & string}`;
}[keyof Policy & string];

/* -------------------------------------------------------------------------------------------------------- the policy */

export interface Profile {
  name: ProfileName;
  /** One sentence on what it reproduces. */
  about: string;
  policy: Policy;
}

/** Every knob of a decision. Amounts are tokens unless they say otherwise. */
export interface Policy {
  /** The profile it came from, with `*` appended once a knob has been turned. */
  profile: string;
  model: Model;
  estimator: Estimator;
  prune: PrunePolicy;
  retain: RetainPolicy;
  trigger: TriggerPolicy;
  /** Knobs given as a share of the context window, by their path: they take the place of the figure there. */
  shares?: Record<string, Share>;
  /** What is laid over the policy for a model, by `provider/model`: see {@link PolicyOptions.model}. */
  models?: Record<string, DeepPartial<Policy>>;
}

/** A share of the context window, up to two decimals. An amount of tokens may be set to one: `set: { "retain.keep": "10%" }`. */
export type Share = `${number}%`;

/** The model's limits. */
export interface Model {
  /** What a request and its answer may fill together. 0 when it is not known: then summarising never fires. */
  context: number;
  /** The most that an answer may have; 0 when it is not known. */
  output: number;
  /** The most that a request may have, where the provider limits it apart from the window; 0 when it does not. */
  input: number;
}

/** How text becomes tokens. */
export interface Estimator {
  /** The unit in which text is measured. */
  unit: "utf16" | "code_points" | "bytes" | "classes";
  /** How many of those units are one token. */
  perToken: number;
  /** Where fractions go. */
  rounding: "floor" | "nearest" | "ceil";
  /** Whether parts or whole messages are rounded. */
  rounded: "part" | "message";
  /** How many characters stand between the texts of a message when they are joined to be measured. */
  separator: number;
  /** What of a tool call is counted. */
  calls: "nothing" | "arguments" | "name_and_arguments";
  /** How many characters an image counts as; `null` measures its URL or data like text. */
  image: number | null;
  /** Whether a result that is no text is measured in the notation of the format's own system. */
  nativeNotation: boolean;
  /** Whether usage that the provider reported corrects the estimate, as far as there is any. */
  calibrate: boolean;
}

/** `above` is `>`, `at_least` is `>=`. */
export type Comparison = "above" | "at_least";

/** When and how old tool outputs are cleared. */
export interface PrunePolicy {
  enabled: boolean;
  /** The newest tokens of tool output that are protected. The output that crosses the limit is pruned whole. */
  protect: number;
  /** Outputs are pruned only if together they hold this many tokens. */
  minimum: number;
  /** Whether exactly `minimum` suffices. */
  minimumIs: Comparison;
  /** A session with fewer turns is left alone. */
  minimumTurns: number;
  /** The newest turns whose outputs are never pruned nor counted. */
  protectedTurns: number;
  /** Whether messages that the agent wrote in the user's place count as turns. */
  countSyntheticTurns: boolean;
  /** Tools whose outputs are never pruned nor counted. */
  protectedTools: string[];
  /** Whether the outputs of failed calls are counted and may be pruned. */
  errors: boolean;
  /** Whether outputs no longer than the placeholder are pruned all the same. */
  shortOutputs: boolean;
  /** Whether everything before a summary is left alone. */
  stopAtSummary: boolean;
  /** Whether everything before an already pruned output is left alone. */
  stopAtPruned: boolean;
  /** Outputs beyond which this many tokens of newer output lie go unreported in `reclaimed`; 0 reports them all. */
  estimateUntil: number;
  /** What takes the place of a pruned output. */
  placeholder: string;
}

/** Which newest messages stay word for word when the rest is summarised. */
export interface RetainPolicy {
  enabled: boolean;
  /** The newest tokens that the retention window holds; `fill` says whether at least or at most. */
  keep: number;
  /** The most that the window is to hold, as a share of the trigger's threshold; `null` for no such limit. */
  keepShare: Share | null;
  /** What `keepShare` never goes below. */
  keepFloor: number;
  /** Whether `keep` is the least or the most that the window holds. */
  fill: "at_least" | "at_most";
  /** The most turns that the window reaches back; 0 for any number. */
  turns: number;
  /**
   * Which way the boundary moves off a place where it may not stand. `nearest`: to an older message, unless the window
   * would then hold more than twice `keep` and a newer place is at hand.
   */
  snap: "older" | "newer" | "newer_or_last" | "nearest";
  /** Where the boundary may stand; never between a call and its result. */
  cut: "anywhere" | "before_message" | "after_ended_message" | "before_turn" | "at_end";
  /** Whether everything is summarised when the whole history fits the window, instead of nothing. */
  summariseAllThatFits: boolean;
  /** Whether a forced compaction keeps nothing at all. */
  forcedKeepsNothing: boolean;
  /** The size allowed for the summary when totals are forecast. */
  summaryAllowance: number;
}

/** When the context counts as full. */
export interface TriggerPolicy {
  /** Whether compaction fires by itself; asked for by hand or after an overflow it runs all the same. */
  enabled: boolean;
  /**
   * What is compared with the threshold: the estimate of every active message; the usage reported with the newest answer
   * and the estimate of what followed; or that usage alone.
   */
  measure: "estimate" | "anchored" | "reported";
  /** How the model's limits, the reserve and the output cap make the threshold. */
  limit:
    | "less_reserve"
    | "less_output"
    | "input_else_less_output"
    | "input_less_reserve_else_less_output"
    | "less_larger"
    | "smaller_of_both";
  /** What is kept free of the context window. */
  reserve: number;
  /** Whether the reserve is at most the output limit. */
  reserveWithinOutput: boolean;
  /** The most of the output limit that counts, and what counts when it is not known; 0 for the limit as it is. */
  outputCap: number;
  /** Whether the retention window's `keep` is taken off the threshold as well. */
  lessKeep: boolean;
  /** The threshold is never below this. */
  floor: number;
  /** Whether reaching the threshold exactly suffices. */
  fires: Comparison;
}

/* ---------------------------------------------------------------------------------------------------------- the plan */

/** What is to be done with a session. As JSON it is described by the schema `docs/plan.schema.json`. */
export interface Plan {
  schema: "ebbline.plan/1";
  /** The policy's name. */
  profile: string;
  verdict: Verdict;
  reason: VerdictReason;
  /** Estimated tokens of the active messages before. */
  tokensBefore: number;
  /** Estimated tokens after, the summary's allowance included. */
  tokensAfter: number;
  /** Whether what is left stays below the threshold; `false` when the plan cannot make the context fit. */
  fits: boolean;
  /** What `tokensAfter` allows for a summary that does not exist yet; 0 when none is to be made. */
  summaryAllowance: number;
  /** When summarising fires. */
  trigger: TriggerReport;
  /** The protection boundary. */
  prune: PruneReport;
  /** The retention window. */
  retain: RetainReport;
  /** Every message, in the order in which the agent would send the active ones. */
  messages: MessagePlan[];
}

/** What is to be done. */
export type Verdict =
  /** Nothing. */
  | "noop"
  /** Nothing now; ask again later. */
  | "defer"
  /** Something should be done, but nothing safe can be. */
  | "refuse"
  /** Clear old tool outputs. */
  | "prune"
  /** Summarise old messages. */
  | "summarise"
  /** Clear old tool outputs, then summarise old messages. */
  | "prune_then_summarise";

/** Why that is to be done, or one of its steps is not. */
export type VerdictReason =
  /** There are no active messages. */
  | "empty"
  /** The policy has it switched off. */
  | "disabled"
  /** The session has fewer turns than the policy asks for. */
  | "too_few_turns"
  /** No tool output lies beyond the protection boundary. */
  | "nothing_to_prune"
  /** What lies beyond the boundary is less than the minimum. */
  | "below_minimum"
  /** Enough tool output lies beyond the protection boundary. */
  | "outputs_beyond_protection"
  /** The context is not full. */
  | "below_threshold"
  /** The context is full. */
  | "over_threshold"
  /** The caller asked for it. */
  | "forced"
  /** The context is full, but the whole history is smaller than the retention window. */
  | "history_below_keep"
  /** The context is full, but the boundary may stand nowhere. */
  | "no_valid_boundary";

/** How full the context is, and whether that is too full. */
export interface TriggerReport {
  /** The context window. */
  context: number;
  /** The number of tokens at which summarising fires. */
  threshold: number;
  /** The tokens that were compared with it: after pruning, if that is part of the plan. */
  tokens: number;
  /** What that figure rests on; `nothing`: the policy goes by reported usage alone, and there is none. */
  source: "estimate" | "reported" | "known" | "nothing";
  /** Whether summarising fires. */
  fires: boolean;
}

/** What pruning does, or would do. */
export interface PruneReport {
  applied: boolean;
  /** Why, or why not. */
  reason: VerdictReason;
  /** The output that crosses the protection boundary; `null` when all outputs are protected. */
  boundary: Position | null;
  /** Tokens of tool output that were counted. */
  counted: number;
  /** Tokens of output beyond the boundary, compared with the minimum. */
  candidates: number;
  /** How many outputs are pruned, or would be but for the reason. */
  outputs: number;
  /** Tokens that the pruned outputs free. */
  reclaimed: number;
}

/** A place in the session. */
export interface Position {
  /** The message's index. */
  message: number;
  /** The part's index in the message. */
  part: number;
}

/** What the retention window does, or would do. */
export interface RetainReport {
  applied: boolean;
  /** Why, or why not. */
  reason: VerdictReason;
  /** Where the system's own rule puts the boundary; `null` for nowhere. */
  proposed: number | null;
  /**
   * The first message of the window, once no call is parted from its result, nor an unfinished run of calls from the
   * signed thinking that it begins with; `null` for nowhere.
   */
  boundary: number | null;
  /** The message with which the turn begins that the boundary divides; `null` when it divides none. */
  splitTurn: number | null;
  /** Tokens from the boundary on. */
  kept: number;
  /** Tokens before the boundary that are, or would be, summarised. */
  summarised: number;
  /** How many messages those are. */
  messages: number;
}

/** The fate of one message. */
export interface MessagePlan {
  role: Role;
  fate: Fate;
  reason: Reason;
  /** Whether one of its outputs is pruned before the message is summarised. */
  prunedFirst: boolean;
  /** Its tokens before; 0 when it is not active. */
  tokensBefore: number;
  /** Its tokens after. */
  tokensAfter: number;
  parts: PartPlan[];
}

/** The fate of one part. */
export interface PartPlan {
  kind: PartKind;
  fate: Fate;
  reason: Reason;
  /** Whether it is pruned before its message is summarised, so that the summary is made from the placeholder. */
  prunedFirst: boolean;
  tokensBefore: number;
  tokensAfter: number;
}

/** What happens to a message or part. */
export type Fate =
  /** It stays word for word. */
  | "kept"
  /** A tool output whose place the placeholder takes. */
  | "pruned"
  /** It lies before the retention window and goes into the summary. */
  | "summarised"
  /** A placeholder stood in its place before. */
  | "already_pruned"
  /** The agent does not send it now. */
  | "inactive";

/** Why a message or part has its fate. */
export type Reason =
  /** Only tool outputs are pruned. */
  | "not_tool_output"
  /** Among the newest tokens of tool output. */
  | "protected_by_budget"
  /** In one of the newest turns. */
  | "newest_turns"
  /** The output of a protected tool. */
  | "protected_tool"
  /** The output of a call that failed. */
  | "error_output"
  /** An output that must go back to the provider as it came. */
  | "sealed_output"
  /** No longer than the placeholder. */
  | "short_output"
  /** Before a summary, where the policy stops looking. */
  | "before_summary"
  /** Before an already pruned output, where the policy stops looking. */
  | "before_pruned"
  /** The session has too few turns to be pruned. */
  | "too_few_turns"
  /** Beyond the boundary, but too little would be reclaimed. */
  | "below_minimum"
  /** Beyond the boundary, but pruning is switched off. */
  | "prune_disabled"
  /** The output that crosses the protection boundary. */
  | "crossed_boundary"
  /** Older than the output that crosses the protection boundary. */
  | "beyond_boundary"
  /** A placeholder stood in its place before. */
  | "already_pruned"
  /** Before the retention window. */
  | "before_window"
  /** In the retention window. */
  | "in_window"
  /** System messages are always kept. */
  | "system_message"
  /** Not sent now. */
  | "inactive";

/** Who speaks. `tool` is a message of tool results, where the format gives them messages of their own. */
export type Role = "system" | "user" | "assistant" | "tool" | "other";

/** What a part is. */
export type PartKind = "text" | "thinking" | "tool_call" | "tool_result" | "image" | "file" | "summary" | "other";

/* -------------------------------------------------------------------------------------------------- what else comes out */

/** What {@link compact} did. */
export interface Compacted {
  /** What was planned. */
  plan: Plan;
  /** What was done. */
  applied: {
    /** How many tool outputs gave way to the placeholder, those of summarised messages included. */
    pruned: number;
    /** How many messages gave way to the summary. */
    summarised: number;
  };
  /** Whether old messages are to be summarised, and stay only for want of a `summary`. */
  summaryNeeded: boolean;
}

/** What {@link validate} found. */
export interface Validation {
  /** Whether nothing is violated. */
  valid: boolean;
  /** The format whose rules it was held to. */
  format: FormatName;
  /** Every violation, in the order of the messages. */
  violations: Violation[];
}

/** One place at which a session breaks a rule. */
export interface Violation {
  /** The message, by its index in the array, or among the messages that {@link read} finds in a text. */
  message: number;
  /** The part, by its index in the message; missing when it is the message as a whole. */
  part?: number;
  rule: RuleName;
  /** What is wrong, in words. */
  text: string;
  /** The line on which the message begins, counted from 1; only of text. */
  line?: number;
  /** The byte at which the message begins, counted from 0; only of text. */
  byte?: number;
}

/** A rule that a session can break. Each format has its own set; those that are in none can be asked for by `also`. */
export type RuleName =
  /** A result answers no call. */
  | "result_without_call"
  /** A call has no result, and the agent supplies none by itself, as pi and OpenCode do. */
  | "call_without_result"
  /** A result stands before the call that it answers. */
  | "result_before_call"
  /** Two calls have the same id: in the whole list (Anthropic), or made at once (the others). */
  | "duplicate_call"
  /** A call has a second result. */
  | "duplicate_result"
  /** A result does not stand directly after its calls: other messages have come between. */
  | "split_batch"
  /** A summary stands between a call and its result. */
  | "summary_in_batch"
  /** In the message that answers calls, something stands before a result (Anthropic). */
  | "result_not_first"
  /** A message of this role cannot hold such a part: a call in a user's message. */
  | "wrong_role"
  /** The list begins with an answer (all but OpenAI Chat). */
  | "first_role"
  /** The list ends with an answer, but is to be sent as it is. In no format's set. */
  | "last_role"
  /** Two messages of the user, or two of the model, follow each other. In no format's set. */
  | "alternation"
  /** A system message stands behind the front (Anthropic). */
  | "system_not_first"
  /** A role that the provider does not know (OpenAI Chat, Anthropic). */
  | "unknown_role"
  /** A text of no characters (Anthropic). */
  | "empty_text"
  /** A message without content (OpenAI Chat; Anthropic, but for an answer that ends the list). */
  | "empty_message"
  /** A result without content (OpenAI Chat). */
  | "empty_result"
  /** Thinking without its signature (Anthropic). */
  | "unsigned_thinking"
  /** Thinking stands behind a call of the same message instead of in front of it (Anthropic). */
  | "thinking_after_call"
  /** A message that thinks and calls a tool begins with something else; refused with a thinking budget. In no format's set. */
  | "thinking_not_first"
  /** A message ends with thinking (Anthropic). */
  | "thinking_last"
  /** A message with a signature was changed or moved. Found by comparing two sessions only. */
  | "signature_changed"
  /** An unfinished run of tool calls lost the signed thinking that it began with. Found by comparing only. */
  | "thinking_parted";

/** What {@link summaryRequest} gives. */
export interface RequestedSummary {
  /** What goes to the model. */
  request: ModelRequest;
  /** What {@link finishSummary} needs beside the answer. */
  context: SummaryContext;
  /** The plan whose old messages are to be summarised. */
  plan: Plan;
}

/** A request to a model, in the form that most libraries take. */
export interface ModelRequest {
  /** The system prompt. */
  system: string;
  messages: { role: "user" | "assistant"; content: string }[];
  /** The most tokens of the answer. */
  maxTokens: number;
}

/** What is known about the messages that a summary is to stand for. */
export interface SummaryContext {
  /** The files that they read and modified. */
  files: { read: string[]; modified: string[]; unlistedRead: number; unlistedModified: number };
  /** Their tokens. */
  replacedTokens: number;
  /** How tokens are counted. */
  estimator: Estimator;
}

/** A format, and what shows it. */
export interface Detection {
  format: FormatName;
  /** The format's name for people. */
  title: string;
  /** Whether it can be planned and compacted. */
  supported: boolean;
  /** What shows it, in words. */
  evidence: string;
}

/** What was found in a session. */
export interface Report {
  format: FormatName;
  title: string;
  evidence: string;
  counts: Counts;
  /** What could not be read; it stays in every output. */
  problems: Problem[];
  /** The entries of a session tree (pi); only of text. */
  entries?: Entry[];
  messages: MessageReport[];
}

export interface Counts {
  /** Messages, active or not. */
  messages: number;
  /** Messages that the agent would not send now. */
  inactive: number;
  /** Tool calls. */
  calls: number;
  /** Tool results. */
  results: number;
  /** UTF-16 units of all tool results. */
  resultChars: number;
  /** Tool results that were pruned before. */
  alreadyPruned: number;
  callsWithoutResult: number;
  resultsWithoutCall: number;
  images: number;
}

export interface Problem {
  code: ErrorCode;
  message: string;
  line?: number;
  byte?: number;
}

/** One entry of a pi session, as pi sees it after migrating the file to its version 3. */
export interface Entry {
  type: string;
  version?: string;
  id?: string;
  parentId: string | null;
  role?: string;
  firstKeptEntryId?: string;
  hasFirstKeptEntryIndex: boolean;
  /** The message made from the entry. */
  message?: number;
  /** Whether the entry is on the branch that ends in the newest entry. */
  onBranch: boolean;
}

export interface MessageReport {
  role: Role;
  /** Whether it begins a turn: a person's message, or one that the agent wrote in the user's place. */
  turn: "no" | "person" | "synthetic";
  /** Whether the model ended its answer here. */
  ended: boolean;
  /** Whether it is a summary of what came before. */
  summary: boolean;
  /** Whether the agent would send it now. */
  active: boolean;
  /** Where it stands in the text, in bytes; only of text. */
  bytes?: [start: number, end: number];
  parts: PartReport[];
}

export interface PartReport {
  kind: PartKind;
  /** For a tool result, what may be done with it. */
  output: "ordinary" | "error" | "pruned" | "sealed";
  /** Of how many texts it is made. */
  pieces: number;
  /** `classed`: 64ths of a token, estimated by the kinds of characters. */
  length: { utf16: number; codePoints: number; bytes: number; classed: number };
  /** The length in the notation of the format's own system, where it measures another text than the one it sends. */
  native?: number;
  /** The call that the part makes, answers or belongs to: a number that pairs them. */
  call?: number;
  /** The tool's name. */
  toolName?: string;
  /** Whether a signature or encrypted content goes with it that the provider verifies. */
  signed: boolean;
}

/* --------------------------------------------------------------------------------------------------------- errors */

export interface ClassifyOptions {
  /**
   * Whose rules decide: `pi@0.58`, `pi@0.84`, `pi@1.5`, `opencode@2026-06`, `opencode@later`, `tunacode@0.2`. By default
   * all of them together, without their known false positives.
   */
  profile?: string;
  /** The provider, if the error does not say; Cerebras answers with a bare status when the context is too large. */
  provider?: string;
  /** The model's context window, in tokens, for an answer whose usage shows that its request did not fit. */
  contextWindow?: number;
  /** The output limit that was wanted, before it was clamped to what was left of the window. */
  desiredMaxOutput?: number;
}

/** What an error means, and why. */
export interface Classification {
  kind: FailureKind;
  /** What shows it; not there for `other`. */
  evidence?: FailureEvidence;
  /** Whether an answer stopped before its output limit, so that compacting and asking once more may help. */
  recoverableLength: boolean;
}

export type FailureKind =
  /** The request has more tokens than the context window: compact, and send it again. */
  | "context_overflow"
  /** The request has more bytes than the server takes: remove images and large outputs. */
  | "payload_too_large"
  /** Too many requests, a used-up quota or a server without room: wait. */
  | "rate_limit"
  /** Anything else. */
  | "other";

export interface FailureEvidence {
  /** What kind of thing shows it. */
  sign: "text" | "code" | "status" | "usage";
  /** The regular expression (with the flag `i`) that matches, the code, or the status. */
  pattern: string;
  /** Whose message it is. */
  provider?: string;
  /** Where it was found: `cause.responseBody.error.message`; empty for an error that is a text. */
  at: string;
  /** The text in which it was found, shortened. */
  text?: string;
}
