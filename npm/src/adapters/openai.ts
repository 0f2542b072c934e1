import type OpenAI from 'openai';
import type { Stream } from 'openai/streaming';

import type { Compactor } from '../compactor-interface.js';
import type { PolicyOptions } from '../policy-options.js';
import { invalid } from './common/refusal.js';
import { type ResponseEvent, failureOf, isOpening } from './common/responses.js';
import { checkedLimits, promised, received, sent } from './common/sending.js';
import { servingOf } from './common/serving.js';

export { resumeCompactor } from './common/resume.js';

/** What is used of the client: one of the two create calls, or both. */
export type OpenAIClient =
  | { chat: { completions: { create: (...given: never[]) => unknown } } }
  | { responses: { create: (...given: never[]) => unknown } };

export interface CompactingOptions {
  /** The limits of the model that a request names, if the session changes between models. */
  limits?: ((params: OpenAI.Chat.ChatCompletionCreateParams | OpenAI.Responses.ResponseCreateParams) => PolicyOptions['model']) | undefined;
}

export interface CreateCall {
  (params: OpenAI.Chat.ChatCompletionCreateParamsNonStreaming, options?: OpenAI.RequestOptions): Answer<OpenAI.Chat.ChatCompletion>;
  (
    params: OpenAI.Chat.ChatCompletionCreateParamsStreaming,
    options?: OpenAI.RequestOptions,
  ): Answer<Stream<OpenAI.Chat.ChatCompletionChunk>>;
  (params: OpenAI.Responses.ResponseCreateParamsNonStreaming, options?: OpenAI.RequestOptions): Answer<OpenAI.Responses.Response>;
  (
    params: OpenAI.Responses.ResponseCreateParamsStreaming,
    options?: OpenAI.RequestOptions,
  ): Answer<Stream<OpenAI.Responses.ResponseStreamEvent>>;
}

/** An answer, and on request the response of the server as well. */
export interface Answer<T> extends Promise<T> {
  withResponse(): Promise<{ data: T; response: Response; request_id: string | null }>;
}

const HOW = 'as in `const create = compacting(client, compactor)`, with a client of the package `openai`';

type Params = OpenAI.Chat.ChatCompletionCreateParams | OpenAI.Responses.ResponseCreateParams;

/** One of the two APIs of a client. */
interface Api {
  create?(body: object, options: object): unknown;
}

/** What an answer, or an event of a stream, says. */
interface Reported extends ResponseEvent {
  response?: Reported & { error?: unknown };
  usage?: { prompt_tokens?: number; input_tokens?: number } | null;
  output?: readonly ({ type?: string } | null | undefined)[];
}

/**
 * The create calls of an OpenAI client, Chat Completions and Responses, with a compactor in front of them. The whole history goes
 * in `messages` or `input` at every call; the compactor's view is sent. Usage is learnt, from streams as well, and a request that is
 * refused as too large is made smaller and sent once more.
 *
 * @throws `EbblineError` `invalid_option` for anything else than a client and a compactor
 *
 * @example
 * ```js
 * const compactor = createCompactor({ model: { context: 200_000 }, summarize });
 * const create = compacting(client, compactor);
 * const answer = await create({ model, messages, tools });
 * ```
 */
export function compacting(client: OpenAIClient, compactor: Compactor, { limits }: CompactingOptions = {}): CreateCall {
  const { chat, responses } = (client ?? {}) as { chat?: { completions?: Api }; responses?: Api };
  const completions = chat?.completions;
  if (typeof completions?.create !== 'function' && typeof responses?.create !== 'function') throw invalid(`pass a client, ${HOW}`);
  const limitsOf = checkedLimits(limits);
  const serving = servingOf(compactor, '`ebbline/openai`');
  const create = (params: Params, options?: OpenAI.RequestOptions) => {
    return promised(sending());

    async function sending() {
      const { api, name, history, ...way } = isChat(params)
        ? { api: completions, history: historyOfChat(params), ...CHAT }
        : { api: responses, history: historyOfResponses(params), ...RESPONSES };
      if (typeof api?.create !== 'function') throw invalid(`the client cannot send \`${name}\`, because it lacks that API`);
      return sent<Reported>(serving, {
        history,
        signal: options?.signal ?? undefined,
        limits: limitsOf(params),
        isStream: params.stream === true,
        send: (view, signal) => received(api.create?.({ ...params, [name]: view }, { ...options, signal })),
        ...way,
      });
    }
  };
  return create as CreateCall;
}

const CHAT = {
  name: 'messages',
  tokensOf: (answer: Reported | undefined) => answer?.usage?.prompt_tokens,
};

function historyOfChat({ messages }: OpenAI.Chat.ChatCompletionCreateParams): readonly unknown[] {
  if (!Array.isArray(messages)) throw invalid('`messages` must be the whole history, an array of messages');
  return messages;
}

const RESPONSES = {
  name: 'input',
  tokensOf: (answer: Reported | undefined) => {
    const { usage, output } = answer?.response ?? answer ?? {};
    // The provider compacted what was sent, so its size is not known.
    return output?.some((item) => item?.type === 'compaction') ? undefined : usage?.input_tokens;
  },
  isOpening,
  failureOf: (event: ResponseEvent) => failureOf(event) ?? (event.type === 'error' ? event : undefined),
};

function historyOfResponses({
  input,
  previous_response_id: previous,
  conversation,
}: OpenAI.Responses.ResponseCreateParams): readonly unknown[] {
  if (previous) throw kept('previous_response_id');
  if (conversation) throw kept('conversation');
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (!Array.isArray(input)) throw invalid('pass the whole history: `messages` for Chat Completions, or `input` for Responses');
  return input;
}

function isChat(params: Params): params is OpenAI.Chat.ChatCompletionCreateParams {
  if (typeof params !== 'object' || params === null) throw invalid('pass the parameters of the request');
  return 'messages' in params && params.messages !== undefined;
}

function kept(name: string) {
  return invalid(
    `with \`${name}\`, OpenAI keeps the history, where it cannot be compacted: leave it out and pass the whole history as \`input\``,
  );
}
