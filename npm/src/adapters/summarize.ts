import type { ModelRequest } from '../requested-summary.js';
import { invalid } from './common/refusal.js';
import { type SummarizeByModel, checkedOwner, checkedSettings, summaryAnswer } from './common/summary-answer.js';
import { type TokenCount, tokensIn } from './common/token-count.js';

export { type SizedModel, bySize, firstOf } from './common/summary-choice.js';
export type { ModelAnswer, Summarize, SummarizeByModel } from './common/summary-answer.js';

/** What requests for summaries have by themselves, or cannot have, by any name that a provider gives to it. */
const OWN = ['messages', 'input', 'contents', 'prompt', 'system', 'instructions', 'stream', 'tools', 'signal', 'abortSignal'];

/** Settings that become part of each request. */
export interface Settings {
  [setting: string]: unknown;
}

type Message = ModelRequest['messages'][number];

/** A part of an answer. */
interface Part {
  type: string;
  text?: string;
}

/** A call of a client or a model, as far as a summary needs it. */
type Ask<A> = (params: object, options?: object) => A | PromiseLike<A>;

/** What the AI SDK answers: `generateText` the text, a model its parts. */
interface AISDKAnswer {
  text?: string;
  content?: readonly Part[];
  finishReason?: string | { unified?: string };
  usage?: { inputTokens?: TokenCount; outputTokens?: TokenCount };
}

/**
 * Asks a model of the AI SDK, through `generateText` or the model's own object. More settings become part of each request.
 *
 * @example
 * ```js
 * createCompactor({ model: { context: 200_000 }, summarize: fromAISDK(generateText, { model: small }) });
 * ```
 */
export function fromAISDK(
  generateText: (settings: never) => PromiseLike<object>,
  settings: { model: string | object; [setting: string]: unknown },
): SummarizeByModel;
export function fromAISDK(
  model: { doGenerate: (...given: never[]) => PromiseLike<object> },
  settings?: { [setting: string]: unknown },
): SummarizeByModel;
export function fromAISDK(source: unknown, settings: Settings = {}): SummarizeByModel {
  if (typeof source === 'function') {
    const generateText = source as Ask<AISDKAnswer>;
    checkedSettings('fromAISDK(generateText, settings)', settings, OWN);
    return async ({ system, messages, maxTokens }, { signal } = {}) =>
      answerOfAISDK(await generateText({ maxOutputTokens: maxTokens, ...settings, system, messages, abortSignal: signal }));
  }
  const model = checkedOwner(
    'fromAISDK',
    source as { doGenerate: Ask<AISDKAnswer> },
    'doGenerate',
    '`generateText`, or the object of a model',
  );
  checkedSettings('fromAISDK(model, settings)', { model, ...settings }, OWN);
  return async ({ system, messages, maxTokens }, { signal } = {}) => {
    const prompt = [{ role: 'system', content: system }, ...messages.map(inParts)];
    return answerOfAISDK(await model.doGenerate({ maxOutputTokens: maxTokens, ...settings, prompt, abortSignal: signal }));
  };
}

function inParts({ role, content }: Message) {
  return { role, content: [{ type: 'text', text: content }] };
}

function answerOfAISDK({ text, content = [], finishReason, usage }: AISDKAnswer) {
  const reason = typeof finishReason === 'object' ? finishReason?.unified : finishReason;
  return summaryAnswer({
    text: text ?? textIn(content, 'text'),
    truncated: reason === 'length' || reason === 'interrupted',
    calls: reason === 'tool-calls' || content.some(({ type }) => type === 'tool-call'),
    refusal: (reason === 'content-filter' || reason === 'error') && `it ended with ${reason}`,
    usage: [tokensIn(usage?.inputTokens), tokensIn(usage?.outputTokens)],
  });
}

const CLIENT_OF_OPENAI = 'a client of the package `openai`';

/** The two APIs of a client. */
interface OpenAIClient {
  chat?: { completions?: { create: Ask<ChatAnswer> } };
  responses?: { create: Ask<ResponsesAnswer> };
}

interface ChatAnswer {
  choices?: readonly ChatChoice[];
  usage?: { prompt_tokens?: number; completion_tokens?: number };
}

interface ChatChoice {
  message?: ChatMessage;
  finish_reason?: string;
}

interface ChatMessage {
  content?: string | null;
  refusal?: string | null;
  tool_calls?: readonly unknown[];
  function_call?: unknown;
}

interface ResponsesAnswer {
  output?: readonly { type: string; content?: readonly (Part & { refusal?: string })[] }[];
  status?: string;
  error?: { message?: string } | null;
  incomplete_details?: { reason?: string } | null;
  usage?: { input_tokens?: number; output_tokens?: number };
}

/**
 * Asks a model of OpenAI, or of a server that is compatible with it, through Chat Completions or Responses. More settings become part
 * of each request: with `max_tokens`, that name and number are sent instead of `max_completion_tokens`.
 */
export function fromOpenAI(
  client: { chat: { completions: { create: (...given: never[]) => unknown } } },
  settings: { model: string; api?: 'chat'; [setting: string]: unknown },
): SummarizeByModel;
export function fromOpenAI(
  client: { responses: { create: (...given: never[]) => unknown } },
  settings: { model: string; api: 'responses'; [setting: string]: unknown },
): SummarizeByModel;
export function fromOpenAI(client: unknown, settings: { api?: string; [setting: string]: unknown }): SummarizeByModel {
  const { chat, responses: other } = (client ?? {}) as OpenAIClient;
  checkedSettings('fromOpenAI(client, settings)', settings, OWN);
  const { api = 'chat', ...params } = settings;
  if (api === 'chat') {
    const completions = checkedOwner('fromOpenAI', chat?.completions, 'create', CLIENT_OF_OPENAI);
    // Servers that are compatible with OpenAI may know the older name only.
    const limit = params.max_tokens === undefined ? (tokens: number) => ({ max_completion_tokens: tokens }) : () => undefined;
    return async ({ system, messages, maxTokens }, { signal } = {}) => {
      const body = { ...limit(maxTokens), ...params, messages: [{ role: 'system', content: system }, ...messages] };
      return answerOfChat(await completions.create(body, { signal }));
    };
  }
  if (api !== 'responses') throw invalid("`api` must be 'chat' or 'responses'");
  const responses = checkedOwner('fromOpenAI', other, 'create', CLIENT_OF_OPENAI);
  return async ({ system, messages, maxTokens }, { signal } = {}) => {
    const body = { max_output_tokens: maxTokens, store: false, ...params, instructions: system, input: messages };
    return answerOfResponses(await responses.create(body, { signal }));
  };
}

function answerOfChat({ choices, usage }: ChatAnswer) {
  const { message, finish_reason: reason }: ChatChoice = choices?.[0] ?? {};
  return summaryAnswer({
    text: message?.content,
    truncated: reason === 'length',
    calls: (message?.tool_calls?.length ?? 0) > 0 || (message?.function_call ?? undefined) !== undefined,
    refusal: message?.refusal || (reason === 'content_filter' && 'it ended with content_filter'),
    usage: [usage?.prompt_tokens, usage?.completion_tokens],
  });
}

function answerOfResponses({ output = [], status, error, incomplete_details: details, usage }: ResponsesAnswer) {
  const parts = output.filter(({ type }) => type === 'message').flatMap(({ content = [] }) => content);
  const refused = parts.find(({ type }) => type === 'refusal')?.refusal;
  const reason = status === 'incomplete' ? details?.reason : undefined;
  return summaryAnswer({
    text: textIn(parts, 'output_text'),
    truncated: status === 'incomplete',
    calls: output.some(({ type }) => type.endsWith('_call')),
    refusal: refused || error?.message || (reason === 'content_filter' && 'it ended with content_filter'),
    usage: [usage?.input_tokens, usage?.output_tokens],
  });
}

interface AnthropicAnswer {
  content: readonly Part[];
  stop_reason?: string | null;
  usage?: AnthropicUsage;
}

interface AnthropicUsage {
  input_tokens?: number;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  output_tokens?: number;
}

/** Asks a model of Anthropic. More settings become part of each request. */
export function fromAnthropic(
  client: { messages: { create: (...given: never[]) => unknown } },
  settings: { model: string; [setting: string]: unknown },
): SummarizeByModel {
  const { messages: api } = (client ?? {}) as { messages?: { create: Ask<AnthropicAnswer> } };
  const calls = checkedOwner('fromAnthropic', api, 'create', 'a client of the package `@anthropic-ai/sdk`');
  checkedSettings('fromAnthropic(client, settings)', settings, OWN);
  return async ({ system, messages, maxTokens }, { signal } = {}) => {
    const body = { max_tokens: maxTokens, ...settings, system, messages };
    const { content, stop_reason: reason, usage } = await calls.create(body, { signal });
    return summaryAnswer({
      text: textIn(content, 'text'),
      truncated: reason === 'max_tokens' || reason === 'model_context_window_exceeded',
      calls: content.some(({ type }) => type.endsWith('tool_use')),
      refusal: reason === 'refusal' && 'it refused to answer',
      usage: [inputOf(usage), usage?.output_tokens],
    });
  };
}

/** All input tokens: this provider counts those of its cache apart. */
function inputOf({ input_tokens: input, cache_read_input_tokens: read, cache_creation_input_tokens: written }: AnthropicUsage = {}) {
  return input === undefined ? undefined : input + (read ?? 0) + (written ?? 0);
}

interface GoogleAnswer {
  candidates?: readonly GoogleCandidate[];
  promptFeedback?: { blockReason?: string };
  usageMetadata?: { promptTokenCount?: number; candidatesTokenCount?: number };
}

interface GoogleCandidate {
  content?: { parts?: readonly { text?: string; thought?: boolean; functionCall?: unknown }[] };
  finishReason?: string;
}

/** Asks a Gemini model. `config` becomes part of each request. */
export function fromGoogle(
  ai: { models: { generateContent: (...given: never[]) => unknown } },
  settings: { model: string; config?: Settings },
): SummarizeByModel {
  const { models } = (ai ?? {}) as { models?: { generateContent: Ask<GoogleAnswer> } };
  const calls = checkedOwner('fromGoogle', models, 'generateContent', 'a client of the package `@google/genai`');
  checkedSettings('fromGoogle(ai, settings)', settings, OWN);
  checkedSettings('fromGoogle(ai, settings)', { ...settings.config, model: settings.model }, ['systemInstruction', ...OWN]);
  return async ({ system, messages, maxTokens }, { signal } = {}) => {
    const contents = messages.map(({ role, content }) => ({ role: role === 'assistant' ? 'model' : role, parts: [{ text: content }] }));
    const config = { maxOutputTokens: maxTokens, ...settings.config, systemInstruction: system, ...(signal && { abortSignal: signal }) };
    return answerOfGoogle(await calls.generateContent({ ...settings, contents, config }));
  };
}

function answerOfGoogle({ candidates = [], promptFeedback, usageMetadata }: GoogleAnswer) {
  const { content, finishReason: reason }: GoogleCandidate = candidates[0] ?? {};
  const parts = content?.parts ?? [];
  const texts = parts.filter(({ text, thought }) => text !== undefined && !thought);
  const isEnded = reason === undefined || reason === 'STOP' || reason === 'MAX_TOKENS';
  const blocked = promptFeedback?.blockReason;
  return summaryAnswer({
    text: joined(texts),
    truncated: reason === 'MAX_TOKENS',
    calls: parts.some(({ functionCall }) => functionCall !== undefined),
    refusal: (blocked && `the request was blocked with ${blocked}`) || (!isEnded && `it ended with ${reason}`),
    usage: [usageMetadata?.promptTokenCount, usageMetadata?.candidatesTokenCount],
  });
}

/** The texts of the parts of a type. */
function textIn(parts: readonly Part[], type: string): string {
  return joined(parts.filter((part) => part.type === type));
}

function joined(parts: readonly { text?: string }[]): string {
  return parts.map(({ text }) => text).join('');
}
