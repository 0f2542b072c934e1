import { EbblineError } from './errors.js';

/** The members that together are the input of a request, for each provider's way to report it. */
const WAYS = [
  ['prompt_tokens'],
  ['promptTokenCount'],
  ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'],
  ['inputTokens', 'cacheReadInputTokens', 'cacheWriteInputTokens'],
];

/**
 * The tokens of a request's whole input, cached ones included, by what a provider reported: a number, or usage as OpenAI,
 * Anthropic, Gemini, Bedrock, LangChain and the AI SDK write it. 0 where it says nothing: streams and aborted answers report nothing,
 * or members without a value.
 */
export function tokensIn(reported: any) {
  if (isAmount(reported)) return reported;
  if (saysNothing(reported)) return 0;
  for (const [first, ...others] of WAYS) {
    const input = amountIn(reported?.[first]);
    if (input !== undefined) return others.reduce((sum, name) => sum + (amountIn(reported[name]) ?? 0), input);
  }
  if (isObject(reported) && WAYS.some(([first]) => first in reported && saysNothing(reported[first]))) return 0;
  throw new EbblineError(
    'invalid_option',
    'the usage must be the number of input tokens, or what the provider reports: an object with input_tokens, prompt_tokens, inputTokens or promptTokenCount',
  );
}

/**
 * What a provider reported of a request: the tokens of its whole input; how many tokens the provider cleared before the model saw it,
 * `undefined` if it was not asked to clear any; and whether the provider compacted the input while it answered. Then the tokens are not
 * those of what was sent.
 *
 * @param answer the answer, where it is known
 * @param reported its usage, or the whole answer
 */
export function reportedInput(answer: any, reported: any): { tokens: number; cleared: number | undefined; isCompacted: boolean } {
  if (isObject(reported) && 'usage' in reported && saysNothing(reported.usage))
    return { tokens: 0, cleared: undefined, isCompacted: false };
  const isWhole = isObject(reported?.usage) && !Array.isArray(reported);
  const usage = isWhole ? reported.usage : reported;
  const about = isWhole ? reported : answer;
  const isCompacted = hasCompaction(about?.content) || hasCompaction(about?.output) || hasCompaction(usage?.iterations);
  return { tokens: tokensIn(sampled(usage)), cleared: clearedIn(about?.context_management), isCompacted };
}

/** Of several samplings in one answer, the first one got what was sent; later ones got more. */
function sampled(usage) {
  const first = listIn(usage?.iterations).find((iteration) => iteration?.type === 'message');
  return first ?? usage;
}

function clearedIn(management) {
  const edits = management?.applied_edits;
  if (!Array.isArray(edits)) return undefined;
  return edits.reduce((sum, edit) => sum + (amountIn(edit?.cleared_input_tokens) ?? 0), 0);
}

function hasCompaction(list) {
  return listIn(list).some((entry) => entry?.type === 'compaction' && entry.content !== null);
}

function listIn(value) {
  return Array.isArray(value) ? value : [];
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

function amountIn(value) {
  const amount = isObject(value) ? value.total : value;
  return isAmount(amount) ? amount : undefined;
}

/** Whether a value is none, or an object without a total. */
function saysNothing(value) {
  if (isObject(value) && 'total' in value) return saysNothing(value.total);
  return value === undefined || value === null || Number.isNaN(value);
}

function isAmount(value) {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
