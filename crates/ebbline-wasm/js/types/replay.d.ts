/* ---------------------------------------------------------------------------------------------------- a session's life */

/**
 * Applies a policy over the whole life of a recorded session, request by request: what each request would send, when the policy
 * would compact, and what everything costs. The recorded answers stand: what a model would have answered to another context is
 * not known.
 *
 * In browsers, `await init({ files: true })` first.
 *
 * @throws {@link EbblineError}
 *
 * @example
 * ```js
 * const { requests, compactions, cost } = replay(text, { profile: "opencode@2026-06", model: { context: 200_000 }, overhead: 8_000 });
 * ```
 */
export function replay(input: SessionInput, options?: ReplayOptions): Replay;

/**
 * Applies several policies over the same life. A policy is the name of a profile, or the options of one; `options.model` holds
 * for every policy without a model of its own.
 *
 * @throws {@link EbblineError}
 *
 * @example
 * ```js
 * const outcomes = compare(text, ["ebbline@1", { profile: "pi@1.5", set: { "retain.keep": 10_000 } }], { model: { context: 64_000 } });
 * ```
 */
export function compare(input: SessionInput, policies: readonly (ProfileName | PolicyOptions)[], options?: ReplayOptions): Outcome[];

/**
 * Measures what was really lost by the compactions that a session file records: outputs that were needed again, orders of the
 * user that are gone, calls that were repeated. `docs/metrics.md` in the repository defines every figure and says what it cannot
 * show.
 *
 * @throws {@link EbblineError} `invalid_option` for an array of live messages, which records no compactions
 *
 * @example
 * ```js
 * const { references, orders, worst } = audit(text);
 * ```
 */
export function audit(input: string | Uint8Array, options?: ReadOptions): Loss;

export interface ReplayOptions extends ReadOptions {
  /** The tokens that every request sends beside the messages: system prompt, tools. The default is 0. */
  overhead?: number | undefined;
  /** Where reported usage comes from, on which some policies depend. The default is `estimate`. */
  usage?: UsageFrom | undefined;
  /** What tokens cost, as multiples of the price of one fresh input token. The default is 0.1, 1.25 and 5. */
  rates?: { cached?: number | undefined; written?: number | undefined; output?: number | undefined } | undefined;
  /** Prices in money for a million tokens, in the shape of models.dev; instead of `rates`. */
  prices?: { input: number; output: number; cache_read?: number | undefined; cache_write?: number | undefined } | undefined;
  /** The provider's cache. By default it keeps every exact prefix for ever. */
  cache?: ReplayCache | undefined;
  /** Whether to measure what is lost. Only for texts: it is measured by words. */
  loss?: boolean | undefined;
}

/** How a provider's cache of prompts works. */
export interface ReplayCache {
  /** The smallest prefix that is cached, in tokens. */
  minimum?: number | undefined;
  /** A cached prefix is a multiple of this many tokens. */
  block?: number | undefined;
  /**
   * How long a prefix stays cached after its last use, in milliseconds. It is compared with the moments that the text of a
   * session records; where there are none, and in live messages, nothing expires.
   */
  lives?: number | undefined;
}

/** The life of a session under a policy. */
export interface Replay {
  schema: "ebbline.replay/1";
  /** The name of the policy. */
  profile: string;
  /** How many messages the life of the session has. */
  messages: number;
  /** How much of its life is known. */
  known: KnownHistory;
  /** How many outputs were already pruned when the session was recorded; their size before is not known. */
  alreadyPruned: number;
  overhead: number;
  usage: UsageFrom;
  /** Every request, oldest first. The last one is the next request of the session. */
  requests: ReplayRequest[];
  /** Every compaction, oldest first. */
  compactions: ReplayCompaction[];
  /** What all answered requests are charged for. */
  total: Charge;
  /** The cost of all answered requests, in fresh input tokens. */
  cost: number;
  /** The same in money, if `prices` were given. */
  money?: number;
  /** What is lost, if `loss` was asked for. */
  loss?: Loss;
}

/** One request of a session's life. */
export interface ReplayRequest {
  /** The message that answers it; `null` for the next request. */
  message: number | null;
  /** The place of that message in the life of the session. */
  at: number;
  /** The tokens of the messages that it sends; `overhead` comes on top. */
  tokens: number;
  /** How many of them stand unchanged at the beginning of both this request and the one before. */
  unchanged: number;
  /** The tokens of the answer. */
  output: number;
  /** The compaction before it, by its index in `compactions`. */
  compaction: number | null;
  /** Whether what it sends stays below the policy's threshold. */
  fits: boolean;
  /** What it is charged for; `null` for the next request. */
  charge: Charge | null;
}

/** What was done before a request. */
export interface ReplayCompaction extends Omit<Plan, "schema" | "profile" | "messages"> {
  /** The request, by its index in `requests`. */
  request: number;
  /** The pruned outputs, with the images inside them. */
  pruned: Position[];
  /** The messages that the summary replaced. An earlier summary is not among them. */
  summarised: number[];
  /** The tokens of the summary; 0 if none was made. */
  summary: number;
  /** The tokens of what it was made from. */
  summaryInput: number;
  /** When it has earned what it cost; `null` if no answered request follows. */
  payback: Payback | null;
}

/** What a request is charged for, in tokens. */
export interface Charge {
  /** Input that is neither read from the cache nor written to it. */
  fresh: number;
  cached: number;
  written: number;
  output: number;
  /** The input of the summary that was made before it, all of it fresh. */
  summaryInput: number;
  summaryOutput: number;
  /** Tokens that were in the cache at the request before and cannot be read any more. */
  broken: number;
}

/** When a compaction has earned what it cost. */
export interface Payback {
  request: number;
  /** What it cost at once, in fresh input tokens: the cache that it broke, and the summary. */
  cost: number;
  /** What each later request saves. */
  saving: number;
  /** The first request by which the savings cover the cost; `null` if the session or the next compaction ends it before. */
  coveredBy: number | null;
}

/** What a policy does over the life of a session. */
export interface Outcome {
  profile: string;
  /** How many answered requests there are. */
  requests: number;
  /** How many compactions pruned outputs, and how many made a summary. */
  prunes: number;
  summaries: number;
  /** How many outputs were pruned in all. */
  outputs: number;
  /** How many requests send more than the policy's threshold allows, because nothing more could be removed. */
  unfit: number;
  /** The largest request, and the mean of all, in tokens. */
  peak: number;
  mean: number;
  charge: Charge;
  /** The cost, in fresh input tokens. */
  cost: number;
  /** The cost as a share of what the same life costs without any compaction. */
  ofNothing: number | null;
  /** The cost in money, if `prices` were given. */
  money?: number;
  /** What is lost, if `loss` was asked for, without the single findings. */
  loss?: Loss;
}

/** What compactions cost a session in knowledge. Every figure is defined in `docs/metrics.md` in the repository. */
export interface Loss {
  requests: number;
  /** Moments at which something left the context. */
  compactions: number;
  departedParts: number;
  departedOutputs: number;
  /** Parts that left and whose text the file does not contain. */
  withoutText: number;
  /** Outputs that left and whose identifiers the assistant uses later. */
  references: { withUnique: number; reReferenced: number; per100Requests: number | null; rate: number | null };
  /** Outputs that left and whose call is made again. */
  reReads: { outputs: number; exact: number };
  /** How much of what was summarised the summaries and the rest of the context still contain; `null` if that is unknown. */
  coverage: Record<"files" | "commands" | "errors" | "numbers" | "names" | "inOutputs", { departed: number; kept: number }> | null;
  /** What the user ordered for the rest of the session. `lost` is `null` if the text of a summary is unknown. */
  orders: { given: number; superseded: number; repeated: number; paraphrased: number; lost: number | null };
  /** Decisions of the assistant that left, and those that never return. */
  decisions: { departed: number; neverReturn: number };
  /** At how many compactions the first goal and the last words of the user stay. */
  words: { compactions: number; goalKept: number; lastKept: number };
  /** Compactions that are close to each other, and content that left twice. */
  thrash: { close: number; departedAgain: number; index: number | null };
  /** How full the context was; `null` without a window. */
  utilisation: { peak: number; mean: number } | null;
  /** The worst findings, worst first. */
  worst: LossFinding[];
}

/** One thing that was lost. */
export interface LossFinding {
  kind: "lost_order" | "lost_goal" | "re_reference" | "re_read" | "decision";
  message: number;
  part: number;
  /** The message whose request was the first without it. */
  at: number;
  /** The identifiers, the order, or the sentence. */
  words: string[];
  /** The message in which the assistant uses it later. */
  usedIn: number | null;
  weight: number;
}
