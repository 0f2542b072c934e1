import type { Plan } from './generated/plan.js';
import type { Estimator } from './generated/policy.js';
import type { SummaryHandle } from './handle.js';

/** The result of {@link summaryRequest}. */
export interface RequestedSummary {
  /** The request to send to the model. */
  request: ModelRequest;
  /** What {@link finishSummary} needs in addition to the answer. */
  context: SummaryContext;
  /** The plan whose old messages should be summarized. */
  plan: Plan;
  /** What binds the summary to the messages of the request. A request made of a text has none. */
  handle?: SummaryHandle;
}

/** A request to a model, in the form that most libraries take. */
export interface ModelRequest {
  /** The system prompt. */
  system: string;
  messages: { role: 'user' | 'assistant'; content: string }[];
  /** The most tokens that the answer may have. */
  maxTokens: number;
}

/** What is known about the messages that a summary replaces. */
export interface SummaryContext {
  /** The files that they read and modified. */
  files: { read: string[]; modified: string[]; unlistedRead: number; unlistedModified: number };
  /** Their size in tokens. */
  replacedTokens: number;
  /** How tokens are counted. */
  estimator: Estimator;
  /** The identifiers that only they name (`retain.names`). */
  names?: string[];
}

/** A model's answer, and whether it is complete. */
export interface SummaryAnswer {
  /** The text, without reasoning. */
  text: string;
  /** Whether the answer was truncated: its stop reason is `length`, `max_tokens` or the provider's word for this. */
  truncated?: boolean | undefined;
}

/** The text of a model's answer. */
export type SummaryText = string | SummaryAnswer;

/** The result of {@link reviewSummary}. */
export interface ReviewedSummary {
  /** The summary, as {@link finishSummary} returns it. */
  summary: string;
  /** What is unusual about the summary; usually empty. */
  warnings: SummaryWarning[];
}

/** Something unusual about a summary that is accepted nevertheless. */
export interface SummaryWarning {
  code: /** It contains none of the requested headings: it is prose, or has headings in another language. */
    | 'no_headings'
    /** It has no headings and is very short for what it replaces: the model may have refused. */
    | 'very_short'
    /** It began with the model's reasoning (`<think>`), which was removed. */
    | 'reasoning_removed';
  /** The same in words. */
  text: string;
}
