import type OpenAI from "openai";
import type { Stream } from "openai/streaming";

import type { Compactor, CompactorRecord, PolicyOptions } from "../index.js";

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
export function compacting(client: OpenAIClient, compactor: Compactor, options?: CompactingOptions): CreateCall;

/** What is used of the client: one of the two create calls, or both. */
export type OpenAIClient =
  | { chat: { completions: { create: (...given: never[]) => unknown } } }
  | { responses: { create: (...given: never[]) => unknown } };

export interface CompactingOptions {
  /** The limits of the model that a request names, if the session changes between models. */
  limits?: ((params: OpenAI.Chat.ChatCompletionCreateParams | OpenAI.Responses.ResponseCreateParams) => PolicyOptions["model"]) | undefined;
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

/**
 * The compactor of a stored session, in a process that makes one anew: it goes on with the `record` of an earlier one. If the history is
 * another one, so that the record does not fit, it starts over, and {@link Compactor.begunAnew} says why.
 */
export function resumeCompactor<C extends Compactor>(
  create: (record: CompactorRecord | undefined) => C | Promise<C>,
  record: CompactorRecord | null | undefined,
  messages: readonly unknown[],
): Promise<C>;
