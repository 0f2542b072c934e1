import type Anthropic from "@anthropic-ai/sdk";
import type { Stream } from "@anthropic-ai/sdk/streaming";

import type { Compactor, CompactorRecord, PolicyOptions } from "../index.js";

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

/** What is used of the client. */
export type AnthropicClient = { messages: Pick<Anthropic.Messages, "create" | "stream"> };

export interface CompactingOptions {
  /**
   * Whether marks for the prompt cache are set: at the end of what was sent last time as well, and at the end of the request. The
   * time to live is five minutes by default. The marks of your own count first: a request never has more than four.
   */
  cache?: boolean | "5m" | "1h" | undefined;
  /** The limits of the model that a request names, if the session changes between models. */
  limits?: ((params: { model: string; max_tokens: number }) => PolicyOptions["model"]) | undefined;
}

export interface CreateCall {
  (params: Anthropic.MessageCreateParamsNonStreaming, options?: Anthropic.RequestOptions): Answer<Anthropic.Message>;
  (params: Anthropic.MessageCreateParamsStreaming, options?: Anthropic.RequestOptions): Answer<Stream<Anthropic.RawMessageStreamEvent>>;
  /** The client's own helper for streams. */
  stream: Anthropic.Messages["stream"];
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
  stream: Anthropic.Beta.Messages["stream"];
}

/** An answer, and on request the response of the server as well. */
export interface Answer<T> extends Promise<T> {
  withResponse(): Promise<{ data: T; response: Response; request_id: string | null | undefined }>;
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
