// Summary messages that show their format themselves: the counterpart of the summaries in `format/<name>/` of the engine.

import type { SummarizingPlan } from '../format.js';
import { LOOKED_AT } from '../signs.js';

/** A message of the user that is a summary. */
export interface TellingSummary {
  readonly role: 'user';
  readonly content: string | readonly object[];
}

/**
 * A summary that replaces other messages. If no kept message has a call or a result, which would show the format, its
 * text gets the member `sign`.
 *
 * @param said the summary after the line that marks it
 */
export function telling(said: string, plan: SummarizingPlan, sign: object): TellingSummary {
  // One of the examined messages is the summary.
  const kept = plan.messages.filter(({ fate }) => fate !== 'summarized').slice(0, LOOKED_AT - 1);
  const isShown = kept.some(({ parts }) => parts.some(({ kind }) => kind === 'tool_call' || kind === 'tool_result'));
  return { role: 'user', content: isShown ? said : [{ type: 'text', text: said, ...sign }] };
}
