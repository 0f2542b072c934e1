/**
 * What pi (pi-mono) answers about its own data: its messages, or the entries of a session file without the header.
 *
 * Data are values or JSON text; text keeps its spelling of numbers and keys. pi reads data without validating them: where
 * it raises an exception, these functions throw {@link EbblineError} `invalid_settings`.
 */
export interface PiCompat {
  /** Token estimates of messages, the estimate of the context that they are, and the threshold test. */
  estimate(messages: readonly object[] | string, options?: PiEstimateOptions): PiEstimate;

  /** What is sent from a leaf of a session tree (`buildSessionContext`). */
  context(entries: readonly object[] | string, options?: PiContextOptions): PiContext;

  /** Where the kept part of a session begins (`findCutPoint`). */
  cutPoint(entries: readonly object[] | string, options?: PiCutPointOptions): PiCutPoint;

  /**
   * What a compaction of one branch, root to leaf, would summarise and keep (`prepareCompaction`); `null` when there is
   * nothing to do.
   */
  prepare(entries: readonly object[] | string, options?: PiPrepareOptions): PiPreparation | null;

  /** The text that the summariser reads (`convertToLlm`, then `serializeConversation`). */
  serialize(messages: readonly object[] | string, options?: PiOptions): string;

  /** Whether the message that ended a request means that the context was too large, or that its answer was cut off. */
  overflow(message: object | string, options?: PiOverflowOptions): PiOverflow;

  /**
   * Whether a session is compacted now, and why (`_checkCompaction`): after a run, before a prompt or, since 0.84.4,
   * between the turns of a run. The branch is the one that ends with the last entry.
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
   * The requests for the summaries of a compaction, and the compaction made of the answers (`prepareCompaction`, then
   * `compact`). Nothing is sent: send the last request, and ask again with the answer added to `replies`.
   */
  compact(entries: readonly object[] | string, options?: PiCompactOptions): PiExchange<PiCompaction | null>;

  /** What is left behind when a session goes to another entry, and how much of it fits a budget. */
  branch(entries: readonly object[] | string, options: PiBranchOptions): PiBranch;

  /** The request for the summary of the entries that are left, oldest first, and what becomes of its answer. */
  branchSummary(entries: readonly object[] | string, options?: PiBranchSummaryOptions): PiExchange<PiBranchSummary>;
}

export interface PiOptions {
  /** `0.58`, `0.84` or `1.5`, with or without a patch number; the newest when it is missing. */
  version?: string | undefined;
}

/**
 * Knobs of a compaction. Without settings at all, those that pi ships: on, 16,384 and 20,000. A number that settings lack
 * is none, as in pi: nothing is compared with it, and everything is kept.
 */
export interface PiSettings {
  enabled?: boolean | undefined;
  /** Tokens of the window that are kept free. */
  reserveTokens?: number | undefined;
  /** Tokens of the newest messages that stay; zero, negative and infinite numbers are taken as pi takes them. */
  keepRecentTokens?: number | undefined;
}

export interface PiEstimateOptions extends PiOptions {
  /** Threshold tests to make on the context; as in pi, settings without `enabled` are off. */
  checks?: readonly { contextWindow: number; settings?: PiSettings | undefined }[] | undefined;
}

export interface PiContextOptions extends PiOptions {
  /**
   * The leaf: an id (an unknown one means the last entry), `null` for the place before the first entry; without it, the
   * last entry.
   */
  leafId?: string | null | undefined;
}

export interface PiCutPointOptions extends PiOptions {
  /** The first entry of the range; 0 when it is missing. */
  startIndex?: number | undefined;
  /** The end of the range, exclusive; the number of entries when it is missing. */
  endIndex?: number | undefined;
  /** Tokens to keep; 20,000 when it is missing. */
  keepRecentTokens?: number | undefined;
}

export interface PiPrepareOptions extends PiOptions {
  settings?: PiSettings | undefined;
}

/** Tokens as pi computes them. A reported usage may make them no number, which JSON has no number for. */
export type PiTokens = number | "NaN" | "Infinity" | "-Infinity";

export interface PiContextEstimate {
  /** `usageTokens` and `trailingTokens` together. */
  tokens: PiTokens;
  /** What the provider reported for the context up to the anchor. */
  usageTokens: PiTokens;
  /** The estimate of what came after the anchor; of everything when there is none. */
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
  /** What the message says, where that is not what is stored: it was edited, or missing and repaired. */
  content?: unknown;
}

export interface PiCutPoint {
  firstKeptEntryIndex: number;
  firstKeptEntryId: string | null;
  /** The entry with which the split turn begins; -1 when none is split. */
  turnStartIndex: number;
  isSplitTurn: boolean;
}

/** The id of an entry; its index in the list where it has no id. */
export type PiEntryName = string | number;

export interface PiPreparation {
  firstKeptEntryId: string;
  /** The entries whose messages go into the history summary. */
  messagesToSummarize: PiEntryName[];
  /** The entries in the first part of a split turn, which is summarised on its own. */
  turnPrefixMessages: PiEntryName[];
  isSplitTurn: boolean;
  tokensBefore: PiTokens;
  previousSummary: string | null;
  /** Files that were read and not modified, sorted by UTF-16 units. */
  readFiles: string[];
  modifiedFiles: string[];
  /** The history as the summariser reads it; `null` where pi raises an exception while it serialises. */
  historyText: string | null;
  turnPrefixText: string | null;
}

export interface PiOverflowOptions extends PiOptions {
  contextWindow?: number | null | undefined;
  /** The output limit that was wanted, before any clamping. */
  desiredMaxOutput?: number | null | undefined;
}

export interface PiOverflow {
  isContextOverflow: boolean;
  /** Not there for pi 0.58, which does not ask. */
  isRecoverableLength?: boolean;
}

export interface PiCheckOptions extends PiOptions {
  /** The point at which pi asks itself; `afterRun` when it is missing. Aborted answers count before a prompt. */
  at?: "afterRun" | "beforePrompt" | "betweenTurns" | undefined;
  /** The model that is asked next; of a virtual model, the one it stands for. Without one nothing is compacted. */
  model?: {
    provider: string;
    id: string;
    /** In tokens; 0 when it is not known. */
    contextWindow?: number | undefined;
    /** The longest answer in tokens, before any clamping. */
    maxTokens?: number | undefined;
  } | undefined;
  settings?: PiSettings | undefined;
  /** The last answer; the last one of the live messages when it is missing. */
  message?: object | undefined;
  /** The messages of the running agent; those that the entries come to when they are missing. */
  messages?: readonly object[] | undefined;
  /**
   * Whether a recovery was tried since the last message of the user or the last answer that succeeded: that stopped
   * neither with an `error` nor, since 0.84, with `length`.
   */
  recoveryTried?: boolean | undefined;
}

export interface PiCheck {
  /** `compact` if {@link PiCompat.prepare} finds something to compact; `fail`: the person is told of it. */
  action: "none" | "compact" | "fail";
  reason: "threshold" | "overflow" | null;
  /** Whether the request is repeated after the compaction. */
  willRetry: boolean;
  /** Whether the answer leaves the live messages first; pi 1.5 writes an edit that hides it. */
  dropLastAnswer: boolean;
  /** The size that was compared with the threshold; `null` where it did not come to that. */
  contextTokens: PiTokens | null;
  why: PiCheckReason;
}

/**
 * What decided a check.
 *
 * - `disabled`, `no_model`, `no_window`, `no_answer`: there is nothing to check, or nothing to check it with.
 * - `aborted`: the answer was aborted. `stale`: it is no newer than the latest compaction.
 * - `other_model`: another model's request was too large, and the threshold is not exceeded.
 * - `overflow_error`, `silent_overflow`, `recoverable_length`: the request was refused, it filled the window unsaid, or
 *   the answer was cut off early. `already_tried`: and that after one recovery.
 * - `no_usage`: nothing says what was used. `kept_usage`: only an answer from before the latest compaction does.
 * - `below_threshold`, `over_threshold`: the size decided.
 */
export type PiCheckReason =
  | "disabled"
  | "no_model"
  | "no_window"
  | "no_answer"
  | "aborted"
  | "stale"
  | "other_model"
  | "overflow_error"
  | "silent_overflow"
  | "recoverable_length"
  | "already_tried"
  | "no_usage"
  | "kept_usage"
  | "below_threshold"
  | "over_threshold";

/** The model that summarises. */
export interface PiSummaryModel {
  contextWindow?: number | undefined;
  /** Its output limit; 0 when it is not known. */
  maxTokens?: number | undefined;
  /** Whether it can reason. */
  reasoning?: boolean | undefined;
}

export interface PiSummaryOptions extends PiOptions {
  model?: PiSummaryModel | undefined;
  /** The session's thinking level, in pi's words. */
  thinkingLevel?: string | undefined;
  /** What the user asks to have emphasised. */
  customInstructions?: string | undefined;
  /** The model's answers so far: assistant messages, in the order of the requests. */
  replies?: readonly object[] | undefined;
}

export interface PiCompactOptions extends PiSummaryOptions {
  settings?: PiSettings | undefined;
}

export interface PiBranchSummaryOptions extends PiSummaryOptions {
  /** Tokens of the window that are kept free; 16,384 when it is missing. */
  reserveTokens?: number | undefined;
  /** Whether `customInstructions` take the place of the usual ones. */
  replaceInstructions?: boolean | undefined;
}

/** One request, to be sent by the caller. */
export interface PiSummaryRequest {
  system: string;
  messages: { role: "user" | "assistant"; text: string }[];
  /** The most tokens that the answer may have; `null` for no limit but the model's. */
  maxTokens: number | null;
  /** The thinking level to ask for; `null` for none. */
  reasoning: string | null;
  /** `none` where the request is to be kept out of the provider's cache. */
  cacheRetention: "none" | null;
}

/** The requests so far. With neither `result` nor `failure`, the last one has no answer yet. */
export interface PiExchange<T> {
  requests: PiSummaryRequest[];
  /** What came of the answers; `null` when there is nothing to compact. */
  result?: T;
  /** Why an answer is no summary, in pi's words. */
  failure?: string;
}

export interface PiCompaction {
  /** The summary, with the lists of files behind it. */
  summary: string;
  firstKeptEntryId: string;
  tokensBefore: PiTokens;
  /** What the requests used, as far as the answers said; not there for pi 0.58. */
  usage?: object;
  details: { readFiles: string[]; modifiedFiles: string[] };
}

export interface PiBranchOptions extends PiOptions {
  /** Where the session is; `null` for nowhere. */
  oldLeafId: string | null;
  /** Where it goes. */
  targetId: string;
  /** Tokens of messages to take; 0 for no limit. */
  tokenBudget?: number | undefined;
}

export interface PiBranch {
  /** The entries left behind, oldest first. */
  collected: PiEntryName[];
  /** The deepest entry on both paths. */
  commonAncestorId: PiEntryName | null;
  /** The entries whose messages fit the budget, oldest first. */
  messages: PiEntryName[];
  totalTokens: PiTokens;
  readFiles: string[];
  modifiedFiles: string[];
}

/** A summary, or why there is none. */
export type PiBranchSummary =
  | { summary: string; usage?: object; readFiles?: string[]; modifiedFiles?: string[] }
  | { aborted: true }
  | { error: string };
