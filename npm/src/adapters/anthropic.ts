import type Anthropic from '@anthropic-ai/sdk';
import type { Stream } from '@anthropic-ai/sdk/streaming';

import type { Compactor } from '../compactor-interface.js';
import type { PolicyOptions } from '../policy-options.js';
import { CacheMarks } from './common/cache-marks.js';
import { invalid } from './common/refusal.js';
import { checkedLimits, promised, received, sent } from './common/sending.js';
import { servingOf } from './common/serving.js';

export { resumeCompactor } from './common/resume.js';

/** What is used of the client. */
export type AnthropicClient = { messages: Pick<Anthropic.Messages, 'create' | 'stream'> };

export interface CompactingOptions {
  /**
   * Whether marks for the prompt cache are set: at the end of what was sent last time as well, and at the end of the request. The
   * time to live is five minutes by default. The marks of your own count first: a request never has more than four.
   */
  cache?: boolean | '5m' | '1h' | undefined;
  /** The limits of the model that a request names, if the session changes between models. */
  limits?: ((params: { model: string; max_tokens: number }) => PolicyOptions['model']) | undefined;
}

export interface CreateCall {
  (params: Anthropic.MessageCreateParamsNonStreaming, options?: Anthropic.RequestOptions): Answer<Anthropic.Message>;
  (params: Anthropic.MessageCreateParamsStreaming, options?: Anthropic.RequestOptions): Answer<Stream<Anthropic.RawMessageStreamEvent>>;
  /** The client's own helper for streams. */
  stream: Anthropic.Messages['stream'];
}

export interface BetaCreateCall {
  (
    params: Anthropic.Beta.Messages.MessageCreateParamsNonStreaming,
    options?: Anthropic.RequestOptions,
  ): Answer<Anthropic.Beta.Messages.BetaMessage>;
  (
    params: Anthropic.Beta.Messages.MessageCreateParamsStreaming,
    options?: Anthropic.RequestOptions,
  ): Answer<Stream<Anthropic.Beta.Messages.BetaRawMessageStreamEvent>>;
  /** The client's own helper for streams. */
  stream: Anthropic.Beta.Messages['stream'];
}

/** An answer, and on request the response of the server as well. */
export interface Answer<T> extends Promise<T> {
  withResponse(): Promise<{ data: T; response: Response; request_id: string | null | undefined }>;
}

/** The create calls of a client, whichever its API is. */
interface Messages {
  create(body: object, options: object): unknown;
  stream(params: Params, options?: RequestOptions): { abort?(): void };
}

/** The parameters of a request, as far as they are looked at. */
interface Params {
  model: string;
  max_tokens: number;
  messages: readonly object[];
  stream?: boolean;
  tools?: unknown;
  system?: unknown;
  cache_control?: unknown;
}

interface RequestOptions {
  signal?: AbortSignal | null | undefined;
}

/** What an answer, or an event of a stream, says about its input. */
interface Reported {
  type?: string;
  message?: Reported;
  usage?: Usage;
  context_management?: Management | null;
  content?: readonly ({ type?: string } | null | undefined)[];
}

interface Usage {
  input_tokens?: number;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  server_tool_use?: { [tool: string]: number } | null;
}

/** What the provider cleared by itself. */
interface Management {
  applied_edits?: unknown;
}

/**
 * The create call of an Anthropic client with a compactor in front of it. The whole history goes in `messages` at every call; the
 * compactor's view is sent. Usage is learnt, from streams as well, and a request that is refused as too large is made smaller and
 * sent once more. Marks of yours for the prompt cache (`cache_control`) stay.
 *
 * For the beta API, pass `client.beta`.
 *
 * @throws `EbblineError` `invalid_option` for anything else than a client and a compactor
 *
 * @example
 * ```js
 * const compactor = createCompactor({ model: { context: 200_000 }, summarize });
 * const create = compacting(client, compactor, { cache: true });
 * const message = await create({ model, max_tokens, system, messages, tools });
 * ```
 */
export function compacting(client: AnthropicClient, compactor: Compactor, options?: CompactingOptions): CreateCall;
export function compacting(client: Anthropic.Beta, compactor: Compactor, options?: CompactingOptions): BetaCreateCall;
export function compacting(
  client: { messages: Messages },
  compactor: Compactor,
  { cache = false, limits }: CompactingOptions = {},
): unknown {
  const messages = client?.messages;
  if (typeof messages?.create !== 'function') {
    throw invalid('pass a client, as in `const create = compacting(client, compactor)`, with a client of the package `@anthropic-ai/sdk`');
  }
  const limitsOf = checkedLimits(limits);
  if (![true, false, '5m', '1h'].includes(cache)) throw invalid("`cache` must be true, false, '5m' or '1h'");
  const serving = servingOf(compactor, '`ebbline/anthropic`');
  const marks = cache === false ? undefined : new CacheMarks(cache === true ? undefined : cache);

  function create(params: Params, options?: RequestOptions) {
    return promised(sending(params, options));
  }

  async function sending(params: Params, options: RequestOptions | undefined) {
    return sent<Reported & { type: string }>(serving, {
      history: historyOf(params),
      signal: options?.signal ?? undefined,
      limits: limitsOf(params),
      isStream: params.stream === true,
      send: (view, signal) => {
        const body = { ...params, messages: marks === undefined ? view : marks.marked(params, view as object[]) };
        return received(messages.create(body, { ...options, signal }));
      },
      tokensOf: usageReader(),
      isOpening: ({ type }) => type === 'message_start' || type === 'ping',
    });
  }

  /** The client's own helper for streams, over this create call. */
  function stream(params: Params, options?: RequestOptions) {
    historyOf(params);
    let isUsed = false;
    const call: typeof create = (...given) => {
      isUsed = true;
      return create(given[0], given[1]);
    };
    const helper = messages.stream.call(Object.create(messages, { create: { value: call } }), params, options);
    if (isUsed) return helper;
    helper.abort?.();
    throw invalid('this version of `@anthropic-ai/sdk` does not let `stream` be wrapped: call `create` with `stream: true`');
  }
  return Object.assign(create, { stream });
}

function historyOf(params: Params): readonly object[] {
  if (!Array.isArray(params?.messages)) throw invalid('`messages` must be the whole history, an array of messages');
  return params.messages;
}

/**
 * Reads what an answer, or the events of a stream, report about the input: its tokens, or the whole report if the provider clears or
 * compacts by itself. In a stream, what was cleared comes at the end.
 */
function usageReader(): (answer: Reported) => unknown {
  let opening: Usage | undefined;
  return (answer) => {
    if (answer?.type === 'message_start') opening = answer.message?.usage;
    if (answer?.type !== 'message_delta') return inputOf(answer?.message ?? answer);
    const { context_management: management } = answer;
    return opening !== undefined && isManaged(management) ? { usage: opening, context_management: management } : undefined;
  };
}

function inputOf(message: Reported | undefined): number | Reported | undefined {
  const usage = message?.usage;
  if (message === undefined || typeof usage?.input_tokens !== 'number') return undefined;
  if (isManaged(message.context_management) || message.content?.some((block) => block?.type === 'compaction')) return message;
  // Tools of the provider's own add requests, and their tokens to this sum.
  if (Object.values(usage.server_tool_use ?? {}).some((uses) => uses > 0)) return undefined;
  return usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
}

/** Whether the provider was asked to clear something by itself. */
function isManaged(management: Management | null | undefined): boolean {
  return Array.isArray(management?.applied_edits);
}
