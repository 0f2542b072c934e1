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
 * Anthropic, Gemini, Bedrock, LangChain and the AI SDK write it.
 *
 * @param {any} reported
 */
export function tokensIn(reported) {
  if (isAmount(reported)) return reported;
  for (const [first, ...others] of WAYS) {
    const input = amountIn(reported?.[first]);
    if (input !== undefined) return others.reduce((sum, name) => sum + (amountIn(reported[name]) ?? 0), input);
  }
  throw new EbblineError(
    'invalid_option',
    'the usage must be the number of input tokens, or what the provider reports: an object with input_tokens, prompt_tokens, inputTokens or promptTokenCount',
  );
}

function amountIn(value) {
  const amount = typeof value === 'object' && value !== null ? value.total : value;
  return isAmount(amount) ? amount : undefined;
}

function isAmount(value) {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
