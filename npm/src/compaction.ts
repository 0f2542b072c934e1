import type { EbblineError } from './errors.js';
import type { Plan } from './generated/plan.js';
import type { ErrorCode } from './generated/words.js';

/** Why a compaction was made: the context is full, the caller's own trigger holds, the provider refused it, or somebody asked. */
export type CompactionCause = 'full' | 'triggered' | 'overflow' | 'asked';

/** A compaction that was made. */
export interface Compaction {
  cause: CompactionCause;
  /** How many outputs were cleared or cut, and how many messages a summary replaced. */
  pruned: number;
  summarized: number;
  /** How many standing orders of the user, and how many pinned texts, stand behind the summary. */
  orders?: number;
  pins?: number;
  /** Whether the summary was written by rule. */
  byRule?: boolean;
  tokensBefore: number;
  tokensAfter: number;
  plan: Plan;
}

export type CompactorEvent =
  /** A compaction was made. */
  | ({ type: 'compacted' } & Compaction)
  /** A model is asked for a summary of so many messages with so many tokens: part number `part` of `parts`, or the only one. */
  | { type: 'summary_requested'; cause: CompactionCause; messages: number; tokens: number; part: number; parts: number }
  /** There is no summary. What could be pruned is pruned, and the rest of the history stays. */
  | { type: 'summary_failed'; cause: CompactionCause; error: unknown }
  /** The provider refused a request as too large. */
  | { type: 'overflow'; error: unknown }
  /** Nothing makes the context fit. */
  | { type: 'gave_up'; code: ErrorCode; error: EbblineError }
  /**
   * What is sent is estimated at more than the window, because nothing more could be cleared or summarized: a message that the model has
   * not seen yet may be that large. `message` says it in a sentence.
   */
  | { type: 'over_window'; tokens: number; window: number; message: string }
  /**
   * Known messages were changed or are gone; what they made invalid was dropped. `reason` says it in a sentence for people, also if the
   * history shares nothing with the known one, as when only new messages are passed. Of `known` messages the first `kept` are as they were;
   * system prompts alone count as none.
   */
  | { type: 'edited'; messages: number; kept: number; known: number; reason: string }
  /** A record did not fit the history, so that the compactor began anew (`resumeCompactor`). */
  | { type: 'begun_anew'; reason: string }
  /** A compaction was taken back, or made again; so many messages are sent now. */
  | { type: 'undone' | 'redone'; messages: number };
