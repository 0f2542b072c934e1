import type { Processor } from "@mastra/core/processors";

import type { Compactor, CompactorRecord } from "../index.js";

/**
 * A processor that keeps the threads of a Mastra agent inside the context window. What Mastra stores stays whole; only what is sent to
 * the model is made smaller.
 *
 * It belongs into `inputProcessors`. It belongs into `errorProcessors` as well: Mastra tells only those about a request that was refused
 * as too large. One processor serves one agent.
 *
 * @param compactorFor makes the compactor of a thread. It is called once for each thread, and once for each run without a thread.
 * @throws `EbblineError` `invalid_option` if it is no function. A run fails with it if the function returns no compactor, or one
 *   compactor for two threads.
 *
 * @example
 * ```js
 * const compacting = ebblineProcessor(() => createCompactor({ model: { context: 200_000 }, summarize }));
 * const agent = new Agent({ ...settings, inputProcessors: [compacting], errorProcessors: [compacting] });
 * ```
 */
export function ebblineProcessor(compactorFor: (run: MastraRun) => Compactor, options?: EbblineProcessorOptions): EbblineProcessor;

/** The run that a compactor is made for. */
export interface MastraRun {
  /** The thread; `undefined` for a run without memory. */
  threadId?: string | undefined;
  resourceId?: string | undefined;
}

export interface EbblineProcessorOptions {
  /** How many threads are kept; 1,000 by default. Of more, the one that was not used for the longest time is forgotten. */
  limit?: number | undefined;
}

export interface EbblineProcessor
  extends Required<Pick<Processor<"ebbline">, "id" | "processLLMRequest" | "processLLMResponse" | "processAPIError">> {
  readonly name: string;
  /** The compactor of a thread, for `undo`, `recall`, `record` and the like; `undefined` if the thread had no run yet. */
  compactor(threadId: string): Compactor | undefined;
  /** Forgets a thread and releases its memory. Returns whether there was one. */
  forget(threadId: string): boolean;
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
