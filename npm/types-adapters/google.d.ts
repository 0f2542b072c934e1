import type { GenerateContentParameters, GoogleGenAI } from "@google/genai";

import type { Compactor, CompactorRecord, PolicyOptions } from "../index.js";

/**
 * The generate calls of a Google GenAI client with a compactor in front of them. The whole history goes in `contents` at every call;
 * the compactor's view is sent. Usage is learnt, from streams as well, and a request that is refused as too large is made smaller and
 * sent once more. Tools are called in your loop: a client that calls them itself sends requests that no compactor sees.
 *
 * @throws `EbblineError` `invalid_option` for anything else than a client and a compactor
 *
 * @example
 * ```js
 * const compactor = createCompactor({ model: { context: 1_000_000 }, summarize });
 * const models = compacting(ai, compactor);
 * const answer = await models.generateContent({ model, contents, config });
 * ```
 */
export function compacting(ai: GoogleClient, compactor: Compactor, options?: CompactingOptions): GenerateCalls;

/** What is used of the client. */
export type GoogleClient = { models: GenerateCalls };

export type GenerateCalls = Pick<GoogleGenAI["models"], "generateContent" | "generateContentStream">;

export interface CompactingOptions {
  /** The limits of the model that a request names, if the session changes between models. */
  limits?: ((params: GenerateContentParameters) => PolicyOptions["model"]) | undefined;
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
