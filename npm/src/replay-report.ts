import type { Plan, Position } from './generated/plan.js';
import type { KnownHistory, UsageFrom } from './generated/words.js';
import type { Loss } from './loss.js';

/** The life of a session under a policy. */
export interface Replay {
  schema: 'ebbline.replay/1';
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
export interface ReplayCompaction extends Omit<Plan, 'schema' | 'profile' | 'messages'> {
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

/** A grid of policies over many sessions. */
export interface Sweep {
  schema: 'ebbline.sweep/1';
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
