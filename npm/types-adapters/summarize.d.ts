import type { ModelRequest, SummaryAnswer, SummaryText } from "../index.js";

/** Asks a model for a summary, as `summarize` of a compactor does. */
export type Summarize = (request: ModelRequest, options?: { signal?: AbortSignal | undefined }) => SummaryText | Promise<SummaryText>;

/** Asks a model, and reports whether its answer was cut off. An answer with a tool call, and a refusal, are errors. */
export type SummarizeByModel = (request: ModelRequest, options?: { signal?: AbortSignal | undefined }) => Promise<ModelAnswer>;

export interface ModelAnswer extends SummaryAnswer {
  truncated: boolean;
  /** What the provider reported. */
  usage: { inputTokens: number | undefined; outputTokens: number | undefined };
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

/**
 * Asks a model of OpenAI, or of a server that is compatible with it, through Chat Completions or Responses. More settings become part
 * of each request: with `max_tokens`, that name and number are sent instead of `max_completion_tokens`.
 */
export function fromOpenAI(
  client: { chat: { completions: { create: (...given: never[]) => unknown } } },
  settings: { model: string; api?: "chat"; [setting: string]: unknown },
): SummarizeByModel;
export function fromOpenAI(
  client: { responses: { create: (...given: never[]) => unknown } },
  settings: { model: string; api: "responses"; [setting: string]: unknown },
): SummarizeByModel;

/** Asks a model of Anthropic. More settings become part of each request. */
export function fromAnthropic(
  client: { messages: { create: (...given: never[]) => unknown } },
  settings: { model: string; [setting: string]: unknown },
): SummarizeByModel;

/** Asks a Gemini model. `config` becomes part of each request. */
export function fromGoogle(
  ai: { models: { generateContent: (...given: never[]) => unknown } },
  settings: { model: string; config?: { [setting: string]: unknown } },
): SummarizeByModel;

/**
 * Asks the cheapest model whose window takes the request: the one with the lowest price, or without prices the one with the smallest
 * window. If no window takes it, the model with the largest window is asked.
 */
export function bySize(models: readonly SizedModel[]): Summarize;

export interface SizedModel {
  /** The context window of the model, in tokens. */
  upTo: number;
  /** What it costs, in any unit. Either all models have a price, or none has. */
  price?: number | undefined;
  summarize: Summarize;
}

/** Asks one model after the other until one answers with text. Cancelling is not a failure: the next one is not asked. */
export function firstOf(summarizers: readonly Summarize[]): Summarize;
