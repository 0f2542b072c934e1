import { invalid } from './option-checks.js';
import { isAmount } from './values.js';

/** The members that together are the input of a request, for each provider's way to report it. */
const WAYS = [
  ['prompt_tokens'],
  ['promptTokenCount'],
  ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'],
  ['inputTokens', 'cacheReadInputTokens', 'cacheWriteInputTokens'],
];

/** What a provider reported of a request. */
export interface ReportedInput {
  /** The tokens of its whole input; 0 where nothing is said. */
  tokens: number;
  /** How many tokens the provider cleared before the model saw it; `undefined` if it was not asked to clear any. */
  cleared: number | undefined;
  /** Whether the provider compacted the input while it answered. Then the tokens are not those of what was sent. */
  isCompacted: boolean;
}

/**
 * The tokens of a request's whole input, cached ones included, by what a provider reported: a number, or usage as OpenAI,
 * Anthropic, Gemini, Bedrock, LangChain and the AI SDK write it. 0 where it says nothing: streams and aborted answers report nothing,
 * or members without a value.
 */
export function tokensIn(reported: unknown): number {
  if (isAmount(reported)) return reported;
  if (saysNothing(reported)) return 0;
  const usage = membersOf(reported);
  for (const [first, ...others] of WAYS) {
    const input = amountIn(usage[first]);
    if (input !== undefined) return others.reduce((sum, name) => sum + (amountIn(usage[name]) ?? 0), input);
  }
  if (WAYS.some(([first]) => first in usage && saysNothing(usage[first]))) return 0;
  throw invalid(
    'the usage must be the number of input tokens, or what the provider reports: an object with input_tokens, prompt_tokens, inputTokens or promptTokenCount',
  );
}

/**
 * What a provider reported of a request.
 *
 * @param answer the answer, where it is known
 * @param reported its usage, or the whole answer
 */
export function reportedInput(answer: unknown, reported: unknown): ReportedInput {
  if (hasMembers(reported) && 'usage' in reported && saysNothing(reported.usage))
    return { tokens: 0, cleared: undefined, isCompacted: false };
  const isWhole = hasMembers(membersOf(reported).usage) && !Array.isArray(reported);
  const usage = isWhole ? membersOf(reported).usage : reported;
  const about = membersOf(isWhole ? reported : answer);
  const isCompacted = hasCompaction(about.content) || hasCompaction(about.output) || hasCompaction(membersOf(usage).iterations);
  return { tokens: tokensIn(sampled(usage)), cleared: clearedIn(about.context_management), isCompacted };
}

/** Of several samplings in one answer, the first one got what was sent; later ones got more. */
function sampled(usage: unknown) {
  const first = listIn(membersOf(usage).iterations).find((iteration) => membersOf(iteration).type === 'message');
  return first ?? usage;
}

function clearedIn(management: unknown) {
  const edits = membersOf(management).applied_edits;
  if (!Array.isArray(edits)) return undefined;
  return edits.reduce<number>((sum, edit) => sum + (amountIn(membersOf(edit).cleared_input_tokens) ?? 0), 0);
}

function hasCompaction(list: unknown) {
  return listIn(list).some((entry) => membersOf(entry).type === 'compaction' && membersOf(entry).content !== null);
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether a value is an object or a list. */
function hasMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const NOTHING = {};

/** A value with its members; other values have none. */
function membersOf(value: unknown): Record<string, unknown> {
  return hasMembers(value) ? value : NOTHING;
}

function amountIn(value: unknown) {
  const amount = hasMembers(value) ? value.total : value;
  return isAmount(amount) ? amount : undefined;
}

/** Whether a value is none, or an object without a total. */
function saysNothing(value: unknown): boolean {
  if (hasMembers(value) && 'total' in value) return saysNothing(value.total);
  return value === undefined || value === null || Number.isNaN(value);
}
