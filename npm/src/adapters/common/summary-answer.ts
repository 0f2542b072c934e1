import { EbblineError } from '#errors';
import type { ModelRequest, SummaryAnswer, SummaryText } from '../../requested-summary.js';
import { invalid } from './refusal.js';

/** Asks a model for a summary, as `summarize` of a compactor does. */
export type Summarize = (request: ModelRequest, options?: { signal?: AbortSignal | undefined }) => SummaryText | Promise<SummaryText>;

/** Asks a model, and reports whether its answer was cut off. An answer with a tool call, and a refusal, are errors. */
export type SummarizeByModel = (request: ModelRequest, options?: { signal?: AbortSignal | undefined }) => Promise<ModelAnswer>;

export interface ModelAnswer extends SummaryAnswer {
  truncated: boolean;
  /** What the provider reported. */
  usage: { inputTokens: number | undefined; outputTokens: number | undefined };
}

/** What a provider answered. */
interface Answered {
  text: string | null | undefined;
  truncated: boolean;
  /** whether there is a call of a tool */
  calls: boolean;
  /** why there is no text */
  refusal: string | false | null | undefined;
  /** the tokens of the request and of the answer */
  usage: readonly [number | undefined, number | undefined];
}

/**
 * The text of an answer, whether it was cut off, and what it cost. An answer that is no summary is refused.
 *
 * @internal
 */
export function summaryAnswer({ text, truncated, calls, refusal, usage: [inputTokens, outputTokens] }: Answered): ModelAnswer {
  if (calls) throw new EbblineError('no_summary', 'the model answered with a tool call instead of a summary');
  if (refusal) throw new EbblineError('no_summary', `the model wrote no summary: ${refusal}`);
  // The compactor tells a model that its answer was empty or cut off, and asks again.
  return { text: text ?? '', truncated, usage: { inputTokens, outputTokens } };
}

/**
 * Refuses settings that every request for a summary has by itself, or that a summary cannot have.
 *
 * @internal
 */
export function checkedSettings(name: string, settings: { readonly [setting: string]: unknown }, own: readonly string[]): void {
  if (typeof settings !== 'object' || settings === null) throw invalid(`${name} needs the settings of the request, with a \`model\``);
  if (typeof settings.model !== 'string' && typeof settings.model !== 'object')
    throw invalid(`${name} needs the \`model\` that writes summaries`);
  for (const member of own) {
    if (settings[member] !== undefined) throw invalid(`\`${member}\` cannot be set for summaries: ${name} sets it, or a summary has none`);
  }
}

/**
 * What a summary is asked of; it is refused if it lacks the method.
 *
 * @internal
 */
export function checkedOwner<O extends object>(name: string, owner: O | null | undefined, method: keyof O, what: string): O {
  const given = owner ?? undefined;
  if (given === undefined || typeof given[method] !== 'function') throw invalid(`${name} needs ${what}`);
  return given;
}
