import type { FormatName, RuleName } from './generated/words.js';
import type { PolicyOptions } from './policy-options.js';
import type { SummaryHandle } from './handle.js';

export interface ReadOptions extends PolicyOptions {
  /** The format of the session; without it, the format is detected. */
  format?: FormatName | undefined;
  /** Whether messages that the format's own system refuses to load are refused. */
  strict?: boolean | undefined;
  /**
   * Which conversation of a file of many conversations is the session, counted from 0; by default the first. The others are
   * read and counted, but none of their messages is active. An array of live messages has one conversation.
   */
  conversation?: number | undefined;
}

export interface PlanOptions extends ReadOptions {
  /** Compact regardless of how full the context is: requested by hand, or after an overflow. */
  force?: boolean | undefined;
  /** The size of the context in tokens, as the provider reported it; 0 or left out if it is not known. */
  knownTokens?: number | undefined;
  /**
   * The tokens that every request sends beside the messages: a system prompt that is not among them, and the definitions of
   * tools. Left out if it is not known: then it is learnt from reported usage under policies that correct their estimate
   * (`estimator.calibrate`). `knownTokens` and reported usages already include it.
   */
  overhead?: number | undefined;
  /**
   * The milliseconds since the last request. If the policy says when the provider's cache is cold (`prune.coldAfter`), pruning
   * does not wait any longer after that time. A {@link Session} takes it in `check`, `plan` and `apply`.
   */
  idle?: number | undefined;
  /**
   * Counts the tokens of a text instead of the policy's estimate, for example with `ebbline/tokenizers/o200k`. Values that are not
   * text are counted as their JSON. Only for live messages: each text is counted once for as long as its message lives. Names
   * of tools, and the corrections by `calibrate`, still follow the policy.
   */
  countTokens?: ((text: string) => number) | undefined;
}

export interface ValidateOptions extends ReadOptions {
  /** Rules that are checked in addition to those of the format. */
  also?: RuleName[] | undefined;
  /** Rules that are not checked. */
  except?: RuleName[] | undefined;
}

export interface CompactOptions extends PlanOptions {
  /** The summary of the messages before the retention window. Without one, these messages stay. */
  summary?: string | undefined;
  /**
   * The `handle` of the request for this summary ({@link summaryRequest}), if messages came in while the model wrote it. The
   * summary then stands for the messages that it was asked for, and the newer ones stay. Only for live messages. A handle that
   * does not fit (the messages were changed, or the policy is another one) is refused with the code `mismatch`.
   */
  handle?: SummaryHandle | undefined;
  /**
   * The current time, in milliseconds since 1970, for formats that record it. By default it is `Date.now()` for live messages
   * and the newest time in the text for a text, so that the same text always gives the same bytes.
   */
  now?: number | undefined;
  /**
   * Whether content that the agent does not send is also cleared: the copies of a pruned output that its format stores
   * beside it, and the output itself if the format only marks it as pruned (OpenCode).
   */
  freeBytes?: boolean | undefined;
}

export interface SummaryRequestOptions extends PlanOptions {
  /** What the summary should focus on; it is put into the request unchanged. */
  focus?: string | undefined;
  /** What you know beside the messages, such as what you keep in a memory; it is put into the request unchanged. */
  notes?: string | undefined;
  /**
   * The most tokens that the request may have, by the policy's estimator. By default the model's context window less the limit
   * of the answer and a sixteenth of the window. Set it if another model writes the summary.
   */
  budgetTokens?: number | undefined;
}
