import type { CompactionCause } from './compaction.js';
import type { PrepareOptions } from './compactor-options.js';
import type { DecisionOptions } from './session-options.js';

/** What the course of a call orders. */
export interface Order {
  cause: CompactionCause;
  /** What its plan is asked for with. */
  how: DecisionOptions;
  /** Whether the caller need not be asked: it has allowed the compaction that failed. */
  isAllowed?: boolean;
}

/** What a call is about. */
export interface CallInfo extends Pick<PrepareOptions, 'focus' | 'notes' | 'summarize'> {
  signal?: AbortSignal | undefined;
  /** Why the context has to be made smaller, or why there is no summary. */
  error?: unknown;
  /** Whether nothing makes the context fit. */
  hasGivenUp?: boolean;
}

/** What a plan is asked for with, from figures; what is not known is negative. */
export function howOf(force: boolean, known: number, overhead: number, idle: number): DecisionOptions {
  return { force, ...(idle >= 0 && { idle }), ...(overhead >= 0 && { overhead }), ...(known > 0 && { knownTokens: known }) };
}
