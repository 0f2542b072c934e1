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
 * Compares the policies of a grid over many sessions: what each point of the grid costs and loses, summed over all sessions, and
 * which points stand on the frontier, where no other point is better in one respect and worse in none. Which point of the frontier
 * is best depends on what a lost output is worth to you.
 *
 * In browsers, `await init({ files: true })` first.
 *
 * @throws {@link EbblineError} `invalid_option` for arrays of live messages: loss is measured by words. Pass `JSON.stringify(messages)`
 *
 * @example
 * ```js
 * const grid = { policy: "ebbline@2", set: { "prune.downTo": ["30%", "50%"], "prune.minimum": [2_000, 10_000] }, windows: [200_000, 64_000] };
 * const { points } = sweep(texts, { ...grid, policies: ["pi@1.5"] }, { overhead: 8_000 });
 * const frontier = points.filter(({ onFrontier }) => onFrontier);
 * ```
 */
export function sweep(sessions: readonly (string | Uint8Array)[], grid: SweepGrid, options?: ReplayOptions): Sweep;

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
  /** When the policy decides. The default is `every_request`, the same for every policy. */
  moments?: DecisionMoments | undefined;
  /** What tokens cost, as multiples of the price of one fresh input token. The default is 0.1, 1.25 and 5. */
  rates?: { cached?: number | undefined; written?: number | undefined; output?: number | undefined } | undefined;
  /** Prices in money for a million tokens, in the shape of models.dev; instead of `rates`. */
  prices?: { input: number; output: number; cache_read?: number | undefined; cache_write?: number | undefined } | undefined;
  /** The provider's cache. By default it keeps every exact prefix for ever. */
  cache?: ReplayCache | undefined;
  /** Whether to measure what is lost. Only for texts: it is measured by words. */
  loss?: boolean | undefined;
  /**
   * Whether to check `cache` against the cache reads that the session's provider reported. Only for texts, and only by `replay`:
   * it concerns the session as its agent lived it, whatever the policy.
   */
  cacheCheck?: boolean | undefined;
}

/** The policies that a sweep compares, at most 1,000. */
export interface SweepGrid {
  /** The policy over which values are laid. The default is the default profile, unless the grid only names `policies`. */
  policy?: ProfileName | PolicyOptions | undefined;
  /** For each knob, by its path, a list of values. Every combination is a point. */
  set?: Readonly<Record<string, readonly unknown[]>> | undefined;
  /** Context windows, in tokens, in each of which every policy is taken. The default is the window of each policy. */
  windows?: readonly number[] | undefined;
  /** Policies beside them, whose knobs are not turned. */
  policies?: readonly (ProfileName | PolicyOptions)[] | undefined;
}

/** A grid of policies over many sessions. */
export interface Sweep {
  schema: "ebbline.sweep/1";
  /** How many sessions were added up. */
  sessions: number;
  /** Window by window: every combination of values, the last knob changing fastest, then the policies beside them. */
  points: SweepPoint[];
}

/** A policy over many sessions. Sums count each token and each request the same, so that long sessions weigh more. */
export interface SweepPoint {
  profile: string;
  /** The knobs that the grid turned. */
  set: Record<string, unknown>;
  window: number | null;
  threshold: number | null;
  requests: number;
  prunes: number;
  summaries: number;
  outputs: number;
  /** Requests above the policy's threshold, because nothing more could be removed. */
  unfit: number;
  /** Requests that are larger than the window; 0 if it is not known. */
  overWindow: number;
  peak: number;
  input: number;
  /** The cost, in fresh input tokens, and what the same sessions cost without any compaction. */
  cost: number;
  without: number;
  /** Outputs that left the context. */
  departedOutputs: number;
  /** Outputs that left and that the assistant uses later, and how many of them were pruned; a summary stood for the others. */
  neededAgain: number;
  neededAgainPruned: number;
  /** Calls that are made again after their output left. */
  readAgain: number;
  /** Decisions of the assistant that left, and of which nothing returns. */
  decisionsGone: number;
  /** Compactions after which the user's first message is not in the context word for word. */
  goalGone: number;
  mean: number;
  /** The cost as a share of `without`. */
  ofNothing: number | null;
  neededAgainPer100Requests: number | null;
  /** Whether no other point of the same window is better in `ofNothing`, `neededAgain` or `overWindow` and worse in none of them. */
  onFrontier: boolean;
  /** The cheapest point of the frontier that is better, by its index in `points`. */
  beatenBy: number | null;
  /** The cost in money, if `prices` were given. */
  money?: number;
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
  /** The model's context window, and the size from which the policy considers the context full; `null` if they are not known. */
  window: number | null;
  threshold: number | null;
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
  /** How well `cache` predicts what was reported, if `cacheCheck` was asked for; `null` if nothing was reported. */
  cacheCheck?: CacheCheck | null;
}

/**
 * What the rules of a cache predict for a recorded session, beside what its provider reported. The prediction knows what every
 * request before has sent, and nothing that was reported about the cache.
 */
export interface CacheCheck {
  /** Every request with a report that follows another, oldest first. */
  requests: CheckedRequest[];
  /** The median error of what is predicted from reported sizes, as a share of what was reported. */
  medianError: number;
  /** The same for what is predicted from estimated sizes. */
  medianErrorEstimated: number;
  /** All reads that are predicted from reported sizes, in tokens. */
  predicted: number;
  /** All reads that are predicted from estimated sizes, in tokens. */
  estimated: number;
  /** All reads that were reported, in tokens. */
  reported: number;
  /** Requests for which reads are predicted and none was reported. */
  missed: number;
  /** Requests for which no read is predicted and one was reported. */
  unexpected: number;
  /** What is sent beside the messages, in tokens, as the reported sizes show it: a value for `overhead`. */
  overhead: number;
  /** How many reported tokens one estimated token is. */
  ratio: number;
}

/** One request of a check, in tokens. */
export interface CheckedRequest {
  /** The message that answers it. */
  message: number;
  /** All of its input, as reported. */
  input: number;
  /** The predicted read, from the reported size of the request before. */
  predicted: number;
  /** The predicted read, from estimated sizes. */
  estimated: number;
  /** The reported read. */
  reported: number;
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
  /** Whether what it sends, with `overhead`, is more than the window: a provider refuses such a request. */
  overWindow: boolean;
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
  summarized: number[];
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
  /** The model's context window, and the size from which the policy considers the context full; `null` if they are not known. */
  window: number | null;
  threshold: number | null;
  /** How many answered requests there are. */
  requests: number;
  /** How many compactions pruned outputs, and how many made a summary. */
  prunes: number;
  summaries: number;
  /** How many outputs were pruned in all. */
  outputs: number;
  /** How many requests send more than the policy's threshold allows, because nothing more could be removed. */
  unfit: number;
  /** How many requests are larger than the window, so that a provider refuses them; `null` if it is not known. */
  overWindow: number | null;
  /** The largest request, and the mean of all, in tokens. */
  peak: number;
  mean: number;
  charge: Charge;
  /** The cost, in fresh input tokens. */
  cost: number;
  /** What the same life costs without any compaction. */
  without: number;
  /** The cost as a share of that. */
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
  references: {
    withUnique: number;
    reReferenced: number /** Of these, the pruned ones. */;
    pruned: number;
    per100Requests: number | null;
    rate: number | null;
  };
  /** Outputs that left and whose call is made again. */
  reReads: { outputs: number; exact: number };
  /** How much of what was summarized the summaries and the rest of the context still contain; `null` if that is unknown. */
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
  utilization: { peak: number; mean: number } | null;
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
