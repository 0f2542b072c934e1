import type { Compactor, CompactorRecord, PrepareOptions } from "../index.js";

/** What `prepareStep` needs of a step: the messages that would be sent, and the steps before. */
export interface StepToPrepare {
  messages: unknown[];
  steps: readonly { usage: { inputTokens: number | undefined } }[];
}

/**
 * A `prepareStep` for `generateText`, `streamText` and `ToolLoopAgent`. It gives each step what fits into the context, and learns from the
 * usage of the step before. The AI SDK tells it no errors, so it has no way through an overflow: {@link compactionMiddleware}, which takes
 * its place, has one.
 *
 * @throws EbblineError `invalid_option` if the compactor is used with another hook, or for several sessions
 *
 * @example
 * ```js
 * await generateText({ model, tools, messages, stopWhen, prepareStep: prepareStep(compactor) });
 * ```
 */
export function prepareStep(compactor: Compactor): <S extends StepToPrepare>(step: S) => Promise<{ messages: S["messages"] }>;
/** With your own `prepareStep`: what it returns is kept, and its messages, if it gives any, are compacted. */
export function prepareStep<S extends StepToPrepare, R extends object | undefined>(
  compactor: Compactor,
  own: (step: S) => R | PromiseLike<R>,
): PreparedStep<S, NonNullable<R>>;
/**
 * A `prepareStep` around your own one. Your function sees the steps of your tools. In AI SDK 7 the call infers the types of its tools only
 * after this one, so any step is taken as well.
 */
export type PreparedStep<S extends StepToPrepare, R> = ((step: S) => Promise<R & { messages: S["messages"] }>) &
  ((step: StepToPrepare) => Promise<R & { messages: never[] }>);

/**
 * An `onStepFinish` (in AI SDK 7 also `onStepEnd`) that learns from the usage of each step. `prepareStep` alone does not see the usage of a
 * call's last step, so it learns nothing from calls with one step. Also for {@link prepareUIMessages}.
 */
export function onStepFinish<S extends { usage: { inputTokens: number | undefined } }>(
  compactor: Compactor,
  own?: (step: S) => void | PromiseLike<void>,
): (step: S) => Promise<void>;

/** A middleware of the AI SDK. */
export interface CompactionMiddleware<V extends "v3" | "v4"> {
  readonly specificationVersion: V;
  wrapGenerate<R>(options: { doGenerate: () => PromiseLike<R>; params: unknown; model: unknown }): Promise<R>;
  wrapStream<R>(options: { doStream: () => PromiseLike<R>; params: unknown; model: unknown }): Promise<R>;
}

/**
 * A middleware for `wrapLanguageModel`. It gives the model what fits into the context, learns from the usage of each answer, and recovers once
 * from an overflow. A wrapped model serves one session: wrap it once for each session, and use the bare model for everything else.
 *
 * @throws EbblineError `invalid_option` if the compactor is used with another hook, or for several sessions
 *
 * @example
 * ```js
 * const compacted = wrapLanguageModel({ model, middleware: compactionMiddleware(compactor) });
 * ```
 */
export function compactionMiddleware<V extends "v3" | "v4" = "v3">(
  compactor: Compactor,
  options?: {
    /** The version that the middleware says it has. AI SDK 6 takes `"v3"`, the default; AI SDK 7 takes both. */
    specificationVersion?: V | undefined;
  },
): CompactionMiddleware<V>;

/**
 * What to send for the stored messages of a chat: UI messages, for `convertToModelMessages`. The stored ones stay as they are. It acts
 * between the requests of a user; for turns with many steps, use {@link prepareStep} instead.
 *
 * @throws EbblineError `invalid_option` if the messages are no UI messages, or the compactor is used with another hook
 */
export function prepareUIMessages<M extends { parts: readonly unknown[] }>(
  compactor: Compactor,
  messages: readonly M[],
  options?: PrepareOptions,
): Promise<M[]>;

/**
 * The compactor of a stored session, in a process that makes one anew: it goes on with the `record` of an earlier one. If the history is
 * another one, so that the record does not fit, it starts over, and {@link Compactor.begunAnew} says why.
 */
export function resumeCompactor<C extends Compactor>(
  create: (record: CompactorRecord | undefined) => C | Promise<C>,
  record: CompactorRecord | null | undefined,
  messages: readonly unknown[],
): Promise<C>;
