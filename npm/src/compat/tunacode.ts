import { question, questionAboutText } from './ask.js';

/**
 * TunaCode: the compaction controller of 0.2.3, and the prune before it.
 *
 * Messages are those of a saved session, as values or as JSON text. Text keeps the spelling of numbers, which is visible in
 * transcripts (`1.0`) and decides whether a record is valid.
 */
export interface TunacodeCompat {
  /** Carries out `calls` of `CompactionController.check_and_compact`, with the summarizer's replies so far. */
  compact(messages: readonly unknown[] | string, options: TunacodeCompactOptions): TunacodeCompaction;
  /** `inject_summary_message`: puts the stored summary before the messages. */
  inject(messages: readonly unknown[] | string, options: { compaction?: TunacodeRecord | null | undefined }): TunacodeInjection;
  /** The record of a saved session as TunaCode writes it back; throws if TunaCode's loader refuses the session. */
  record(compaction: unknown): { record: TunacodeRecord | null };
  /** `serialize_messages`: the transcript for the summarizer. */
  serialize(messages: readonly unknown[] | string): string;
  /** `prune_old_tool_outputs`: what it clears of pydantic-ai messages, and what it reports. Nothing is changed. */
  prune(messages: readonly unknown[] | string, options?: TunacodePruneOptions): TunacodePruned;
  /** Whether an error with this text means that the context was too large. */
  isContextOverflow(errorText: string): boolean;
}

/** The compaction record in a session file. */
export interface TunacodeRecord {
  summary: string;
  /** How many messages the latest compaction alone summarized. */
  compacted_message_count: number;
  tokens_before: number;
  tokens_after: number;
  /** How often the session was compacted. */
  compaction_count: number;
  previous_summary: string | null;
  /** ISO 8601. Empty in a record made here: the engine reads no clock. */
  last_compacted_at: string;
}

export interface TunacodeCompactOptions {
  /** The stored record before the first call. */
  compaction?: TunacodeRecord | null | undefined;
  settings?: { keepRecentTokens?: number | undefined; reserveTokens?: number | undefined; autoCompact?: boolean | undefined } | undefined;
  /** Whether the messages are the live conversation, whose total TunaCode stores; `true` by default. */
  sessionMessages?: boolean | undefined;
  calls: readonly TunacodeCall[];
  /** The results of the prompts so far, in order. */
  replies?: readonly TunacodeReply[] | undefined;
}

export interface TunacodeCall {
  /** A new request of the user begins; without `maxTokens`, the call does nothing else. */
  reset?: boolean | undefined;
  /** The context window. */
  maxTokens?: number | undefined;
  /** Compaction is requested, by hand or after an overflow. */
  force?: boolean | undefined;
  /** Whether the threshold may trigger a compaction; `true` by default. */
  allowThreshold?: boolean | undefined;
  /** Whether the kept messages become the conversation; `true` by default. */
  apply?: boolean | undefined;
}

/** A summary, or why there is none. */
export type TunacodeReply = string | { error: string } | { unsupportedProvider: string } | { missingApiKey: string };

export interface TunacodeCompaction {
  outcomes: TunacodeOutcome[];
  /** The prompts for the summarizer; the caller chooses the limits of its model. */
  prompts: string[];
  /** `true` when a compaction begins, `false` when it ends. */
  statusCalls: boolean[];
  /** Whether the last prompt still waits for its reply. */
  waiting: boolean;
}

export interface TunacodeOutcome {
  status: 'compacted' | 'skipped' | 'failed';
  reason:
    | 'compacted'
    | 'already_compacted_this_request'
    | 'threshold_compaction_not_allowed'
    | 'auto_compaction_disabled'
    | 'below_threshold'
    | 'no_valid_boundary'
    | 'unsupported_provider'
    | 'missing_api_key'
    | 'summarization_failed';
  detail: string | null;
  /** How many of the newest messages are kept. */
  keptMessages: number;
  /** What the user is told. */
  notice: string | null;
  record: TunacodeRecord | null;
  /** The stored estimate of the conversation, if a compaction was applied to it. */
  sessionTotalTokens?: number;
}

export interface TunacodeInjection {
  /** 1 if a message was added at the beginning. */
  injected: 0 | 1;
  /** The number of messages, including the added one. */
  count: number;
  first?: { role: 'user'; content: [{ type: 'text'; text: string }]; compaction_summary: true };
}

export interface TunacodePruneOptions {
  /** `2026-01` by default. All versions clear the same outputs; `2026-02` reports less than it reclaims. */
  version?: '2025-12' | '2026-01' | '2026-02' | undefined;
  /** TunaCode's local mode, removed before `2026-02`. */
  localMode?: boolean | undefined;
}

export interface TunacodePruned {
  /** With fewer than 2, nothing is pruned. */
  userTurns: number;
  /** The indices of message and part of each cleared output. */
  cleared: [message: number, part: number][];
  /** The tokens that TunaCode reports. */
  reclaimed: number;
  /** The tokens that it reclaims but does not report. */
  unreported: number;
}

const ask = <N extends keyof TunacodeCompat>(name: N) => question<TunacodeCompat[N]>('tunacode', name);

const tunacode: TunacodeCompat = {
  compact: ask('compact'),
  inject: ask('inject'),
  record: ask('record'),
  serialize: ask('serialize'),
  prune: ask('prune'),
  isContextOverflow: questionAboutText('tunacode', 'isContextOverflow'),
};

export default tunacode;
