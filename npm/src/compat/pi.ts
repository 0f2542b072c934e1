import { question } from './ask.js';

/**
 * What pi (pi-mono) answers about its own data: its messages, or the entries of a session file without the header.
 *
 * Data are values or JSON text; text keeps its spelling of numbers and keys. pi does not validate the data that it reads: where
 * it raises an exception, these functions throw {@link EbblineError} `invalid_settings`.
 */
export interface PiCompat {
  /** Token estimates of the messages and of the context that they form, and the threshold test. */
  estimate(messages: readonly object[] | string, options?: PiEstimateOptions): PiEstimate;

  /** What is sent for a leaf of a session tree (`buildSessionContext`). */
  context(entries: readonly object[] | string, options?: PiContextOptions): PiContext;

  /** Where the kept part of a session begins (`findCutPoint`). */
  cutPoint(entries: readonly object[] | string, options?: PiCutPointOptions): PiCutPoint;

  /**
   * What a compaction of one branch, from root to leaf, would summarize and keep (`prepareCompaction`); `null` if there is
   * nothing to do.
   */
  prepare(entries: readonly object[] | string, options?: PiPrepareOptions): PiPreparation | null;

  /** The text that the summarizer reads (`convertToLlm`, then `serializeConversation`). */
  serialize(messages: readonly object[] | string, options?: PiOptions): string;

  /** Whether the message that ended a request means that the context was too large, or that its answer was cut off. */
  overflow(message: object | string, options?: PiOverflowOptions): PiOverflow;

  /**
   * Whether pi compacts the session now, and why (`_checkCompaction`): after a run, before a prompt or, since 0.84.4,
   * between the turns of a run. The branch that ends with the last entry is used.
   *
   * @example
   * ```js
   * const model = { provider: "anthropic", id: "claude-x", contextWindow: 200_000, maxTokens: 32_000 };
   * const { action, why } = compat.pi.check(entries, { model, at: "beforePrompt" }); // "compact", "over_threshold"
   * ```
   *
   * @throws {@link EbblineError} for a check between turns before 1.5
   */
  check(entries: readonly object[] | string, options?: PiCheckOptions): PiCheck;

  /**
   * The requests for the summaries of a compaction, and the compaction that results from the answers (`prepareCompaction`, then
   * `compact`). It sends nothing: send the last request yourself, and call it again with the answer added to `replies`.
   */
  compact(entries: readonly object[] | string, options?: PiCompactOptions): PiExchange<PiCompaction | null>;

  /** The entries that are left behind when a session moves to another entry, and how many of them fit a budget. */
  branch(entries: readonly object[] | string, options: PiBranchOptions): PiBranch;

  /** The request for a summary of the entries that are left behind (oldest first), and the result of its answer. */
  branchSummary(entries: readonly object[] | string, options?: PiBranchSummaryOptions): PiExchange<PiBranchSummary>;
}

export interface PiOptions {
  /** `0.58`, `0.84` or `1.5`, with or without a patch number; the newest if it is missing. */
  version?: string | undefined;
}

/**
 * Knobs of a compaction. Without any settings, pi's defaults apply: on, 16,384 and 20,000. If settings lack a number, it is
 * undefined, as in pi: nothing is compared with it, and everything is kept.
 */
export interface PiSettings {
  enabled?: boolean | undefined;
  /** Tokens of the window that are kept free. */
  reserveTokens?: number | undefined;
  /** Tokens of the newest messages that stay; zero, negative and infinite numbers have the same effect as in pi. */
  keepRecentTokens?: number | undefined;
}

export interface PiEstimateOptions extends PiOptions {
  /** Threshold tests of the context; as in pi, settings without `enabled` are off. */
  checks?: readonly { contextWindow: number; settings?: PiSettings | undefined }[] | undefined;
}

export interface PiContextOptions extends PiOptions {
  /**
   * The leaf: an id (an unknown id means the last entry), or `null` for the place before the first entry; by default the
   * last entry.
   */
  leafId?: string | null | undefined;
}

export interface PiCutPointOptions extends PiOptions {
  /** The first entry of the range; 0 if it is missing. */
  startIndex?: number | undefined;
  /** The end of the range, exclusive; the number of entries if it is missing. */
  endIndex?: number | undefined;
  /** Tokens to keep; 20,000 if it is missing. */
  keepRecentTokens?: number | undefined;
}

export interface PiPrepareOptions extends PiOptions {
  settings?: PiSettings | undefined;
}

/** Tokens as pi computes them. A reported usage may lead to `NaN` or an infinity, which JSON cannot express. */
export type PiTokens = number | 'NaN' | 'Infinity' | '-Infinity';

export interface PiContextEstimate {
  /** `usageTokens` and `trailingTokens` together. */
  tokens: PiTokens;
  /** What the provider reported for the context up to the anchor. */
  usageTokens: PiTokens;
  /** The estimate of what came after the anchor; of everything if there is no anchor. */
  trailingTokens: PiTokens;
  /** The index of the anchor: the newest answer whose usage counts. */
  lastUsageIndex: number | null;
}

export interface PiEstimate {
  perMessage: PiTokens[];
  context: PiContextEstimate;
  /** One answer for each of `checks`. */
  shouldCompact?: boolean[];
}

export interface PiContext {
  messages: PiContextMessage[];
  thinkingLevel: string;
  model: { provider?: string; modelId?: string } | null;
  /** `null` where pi raises an exception while it estimates. */
  contextTokens: PiContextEstimate | null;
}

export interface PiContextMessage {
  /** The entry that the message comes from. */
  id: PiEntryName;
  role: string;
  /** The content of the message, if it differs from what is stored: it was edited, or was missing and was repaired. */
  content?: unknown;
}

export interface PiCutPoint {
  firstKeptEntryIndex: number;
  firstKeptEntryId: string | null;
  /** The entry with which the split turn begins; -1 if no turn is split. */
  turnStartIndex: number;
  isSplitTurn: boolean;
}

/** The id of an entry; its index in the list if it has no id. */
export type PiEntryName = string | number;

export interface PiPreparation {
  firstKeptEntryId: string;
  /** The entries whose messages are summarized as history. */
  messagesToSummarize: PiEntryName[];
  /** The entries in the first part of a split turn, which is summarized on its own. */
  turnPrefixMessages: PiEntryName[];
  isSplitTurn: boolean;
  tokensBefore: PiTokens;
  previousSummary: string | null;
  /** Files that were read but not modified, sorted by UTF-16 units. */
  readFiles: string[];
  modifiedFiles: string[];
  /** The history as the summarizer reads it; `null` where pi raises an exception while it serializes. */
  historyText: string | null;
  turnPrefixText: string | null;
}

export interface PiOverflowOptions extends PiOptions {
  contextWindow?: number | null | undefined;
  /** The requested output limit, before any reduction. */
  desiredMaxOutput?: number | null | undefined;
}

export interface PiOverflow {
  isContextOverflow: boolean;
  /** Missing for pi 0.58, which has no such test. */
  isRecoverableLength?: boolean;
}

export interface PiCheckOptions extends PiOptions {
  /** The point at which pi checks; `afterRun` if it is missing. Only `afterRun` ignores an aborted answer. */
  at?: 'afterRun' | 'beforePrompt' | 'betweenTurns' | undefined;
  /** The model of the next request; for a virtual model, the one that it stands for. Without a model nothing is compacted. */
  model?:
    | {
        provider: string;
        id: string;
        /** In tokens; 0 if it is not known. */
        contextWindow?: number | undefined;
        /** The most tokens that an answer may have, before any reduction. */
        maxTokens?: number | undefined;
      }
    | undefined;
  settings?: PiSettings | undefined;
  /** The last answer; if it is missing, the last one of the live messages. */
  message?: object | undefined;
  /** The messages of the running agent; if they are missing, those that the entries lead to. */
  messages?: readonly object[] | undefined;
  /**
   * Whether a recovery was tried since the last message of the user or the last successful answer. An answer is successful
   * if it stopped neither with an `error` nor, since 0.84, with `length`.
   */
  recoveryTried?: boolean | undefined;
}

export interface PiCheck {
  /** `compact`: pi compacts if {@link PiCompat.prepare} finds something to compact; `fail`: pi reports a failure to the person. */
  action: 'none' | 'compact' | 'fail';
  reason: 'threshold' | 'overflow' | null;
  /** Whether the request is repeated after the compaction. */
  willRetry: boolean;
  /** Whether the answer is first removed from the live messages; pi 1.5 writes an edit that hides it. */
  dropLastAnswer: boolean;
  /** The size that was compared with the threshold; `null` if there was no comparison. */
  contextTokens: PiTokens | null;
  why: PiCheckReason;
}

/**
 * What decided a check.
 *
 * - `disabled`, `no_model`, `no_window`, `no_answer`: the check is switched off, or something that it needs is missing.
 * - `aborted`: the answer was aborted. `stale`: it is no newer than the latest compaction.
 * - `other_model`: another model's request was too large, and the threshold is not exceeded.
 * - `overflow_error`, `silent_overflow`, `recoverable_length`: the request was refused, it filled the window without an error,
 *   or the answer was cut off early. `already_tried`: the same, after a recovery was already tried.
 * - `no_usage`: no answer reports usage. `kept_usage`: only an answer from before the latest compaction does.
 * - `below_threshold`, `over_threshold`: the size decided.
 */
export type PiCheckReason =
  | 'disabled'
  | 'no_model'
  | 'no_window'
  | 'no_answer'
  | 'aborted'
  | 'stale'
  | 'other_model'
  | 'overflow_error'
  | 'silent_overflow'
  | 'recoverable_length'
  | 'already_tried'
  | 'no_usage'
  | 'kept_usage'
  | 'below_threshold'
  | 'over_threshold';

/** The model that summarizes. */
export interface PiSummaryModel {
  contextWindow?: number | undefined;
  /** Its output limit; 0 if it is not known. */
  maxTokens?: number | undefined;
  /** Whether it can reason. */
  reasoning?: boolean | undefined;
}

export interface PiSummaryOptions extends PiOptions {
  model?: PiSummaryModel | undefined;
  /** The session's thinking level, in pi's words. */
  thinkingLevel?: string | undefined;
  /** What the user wants the summary to emphasize. */
  customInstructions?: string | undefined;
  /** The model's answers so far: assistant messages, in the order of the requests. */
  replies?: readonly object[] | undefined;
}

export interface PiCompactOptions extends PiSummaryOptions {
  settings?: PiSettings | undefined;
}

export interface PiBranchSummaryOptions extends PiSummaryOptions {
  /** Tokens of the window that are kept free; 16,384 if it is missing. */
  reserveTokens?: number | undefined;
  /** Whether `customInstructions` replace the usual ones. */
  replaceInstructions?: boolean | undefined;
}

/** One request, which the caller sends. */
export interface PiSummaryRequest {
  system: string;
  messages: { role: 'user' | 'assistant'; text: string }[];
  /** The most tokens that the answer may have; `null` if only the model's limit applies. */
  maxTokens: number | null;
  /** The thinking level of the request; `null` for none. */
  reasoning: string | null;
  /** `none` if the provider should not cache the request. */
  cacheRetention: 'none' | null;
}

/** The requests so far. With neither `result` nor `failure`, the last one has no answer yet. */
export interface PiExchange<T> {
  requests: PiSummaryRequest[];
  /** The result of the answers; `null` if there is nothing to compact. */
  result?: T;
  /** Why an answer is not a summary, in pi's words. */
  failure?: string;
}

export interface PiCompaction {
  /** The summary, followed by the lists of files. */
  summary: string;
  firstKeptEntryId: string;
  tokensBefore: PiTokens;
  /** The usage of the requests, as far as the answers report it; missing for pi 0.58. */
  usage?: object;
  details: { readFiles: string[]; modifiedFiles: string[] };
}

export interface PiBranchOptions extends PiOptions {
  /** The entry at which the session is; `null` for none. */
  oldLeafId: string | null;
  /** The entry to which it moves. */
  targetId: string;
  /** The most tokens of messages to include; 0 for no limit. */
  tokenBudget?: number | undefined;
}

export interface PiBranch {
  /** The entries that are left behind, oldest first. */
  collected: PiEntryName[];
  /** The deepest entry on both paths. */
  commonAncestorId: PiEntryName | null;
  /** The entries whose messages fit the budget, oldest first. */
  messages: PiEntryName[];
  totalTokens: PiTokens;
  readFiles: string[];
  modifiedFiles: string[];
}

/** A summary, or the reason why there is none. */
export type PiBranchSummary =
  | { summary: string; usage?: object; readFiles?: string[]; modifiedFiles?: string[] }
  | { aborted: true }
  | { error: string };

const ask = <N extends keyof PiCompat>(name: N) => question<PiCompat[N]>('pi', name);

const pi: PiCompat = {
  estimate: ask('estimate'),
  context: ask('context'),
  cutPoint: ask('cutPoint'),
  prepare: ask('prepare'),
  serialize: ask('serialize'),
  overflow: ask('overflow'),
  check: ask('check'),
  compact: ask('compact'),
  branch: ask('branch'),
  branchSummary: ask('branchSummary'),
};

export default pi;
