import { EbblineError } from '#errors';
import type { ModelRequest, SummaryText } from '../../requested-summary.js';
import { invalid } from './refusal.js';
import type { Summarize } from './summary-answer.js';

/** How many characters a token has at least, in text that is not ASCII and in text that is. */
const WIDE = 1;
const NARROW = 3;

export interface SizedModel {
  /** The context window of the model, in tokens. */
  upTo: number;
  /** What it costs, in any unit. Either all models have a price, or none has. */
  price?: number | undefined;
  summarize: Summarize;
}

/**
 * Asks the cheapest model whose window takes the request: the one with the lowest price, or without prices the one with the smallest
 * window. If no window takes it, the model with the largest window is asked, because sizes are estimates.
 */
export function bySize(models: readonly SizedModel[]): Summarize {
  if (!Array.isArray(models) || models.length === 0 || !models.every(isModel)) {
    throw invalid('bySize takes a list of { upTo, summarize }, and in each a `price` or in none; `upTo` is the window in tokens');
  }
  if (new Set(models.map(({ price }) => price === undefined)).size > 1) throw invalid('bySize takes a `price` for each model, or for none');
  const cheapest = [...models].sort((one, other) => (one.price ?? one.upTo) - (other.price ?? other.upTo));
  const largest = models.reduce((one, other) => (other.upTo > one.upTo ? other : one));
  return async (request, options) => {
    const tokens = tokensOf(request);
    const { summarize } = cheapest.find(({ upTo }) => tokens <= upTo) ?? largest;
    return summarize(request, options);
  };
}

/** Asks one model after the other until one answers with text. Cancelling is not a failure: the next one is not asked. */
export function firstOf(summarizers: readonly Summarize[]): Summarize {
  if (!Array.isArray(summarizers) || summarizers.length === 0 || !summarizers.every((each) => typeof each === 'function')) {
    throw invalid('firstOf takes a list of functions that write summaries');
  }
  return async (request, options) => {
    const errors: unknown[] = [];
    for (const summarize of summarizers) {
      try {
        const answer = await summarize(request, options);
        if (!isBlank(answer) || summarize === summarizers.at(-1)) return answer;
        errors.push(new EbblineError('empty_summary', 'the answer is empty'));
      } catch (error) {
        if (options?.signal?.aborted) throw error;
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    throw new AggregateError(errors, `no model wrote a summary: ${errors.map(wordsOf).join('; ')}`);
  };
}

function isBlank(answer: SummaryText | undefined): boolean {
  const text = typeof answer === 'string' ? answer : answer?.text;
  return typeof text !== 'string' || text.trim() === '';
}

function isModel(model: Partial<SizedModel> | undefined): boolean {
  const { upTo, price, summarize } = model ?? {};
  return isAmount(upTo) && (price === undefined || isAmount(price)) && typeof summarize === 'function';
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}

/** The most tokens that a request and its answer may have. */
function tokensOf({ system, messages, maxTokens }: ModelRequest): number {
  const texts = [system, ...messages.map(({ content }) => content)];
  return texts.reduce((sum, text) => sum + mostTokens(text), maxTokens ?? 0);
}

function mostTokens(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) wide += 1;
  return Math.ceil(wide / WIDE + (text.length - wide) / NARROW);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
