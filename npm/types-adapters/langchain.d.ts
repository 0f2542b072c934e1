import type { BaseMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import type { Compactor, CompactorRecord } from "../index.js";

/**
 * Makes the compactor of a conversation: of a thread, or of a sub-agent in it. It is called once for each, and what it returns is kept. It
 * must return a new compactor at each call.
 *
 * @param threadId the `thread_id` of the run; `undefined` if the run has none
 * @param record what was decided before, maybe in another process, if the record is kept in the state: give it to `createCompactor`
 */
export type CompactorFor = (threadId: string | undefined, record: CompactorRecord | undefined) => Compactor | Promise<Compactor>;

export interface ConversationOptions {
  /** Of how many conversations the compactor is kept; 1,000 by default. What is not used for the longest time is dropped. */
  limit?: number | undefined;
  /** Hears why a record in the state was not used. The conversation starts over then. */
  onMismatch?: ((error: unknown, threadId: string | undefined) => void) | undefined;
}

/** Access to the compactors that are kept. */
export interface Compactors {
  /** The compactor of a thread, for `undo`, `recall` and so on; `undefined` if there is none. */
  compactorOf(threadId?: string): Promise<Compactor | undefined>;
  /** Forgets a thread, and releases the memory of its compactors. */
  forget(threadId?: string): Promise<void>;
}

export interface MiddlewareOptions<S> extends ConversationOptions {
  /** The name of the middleware; `"CompactionMiddleware"` by default. */
  name?: string | undefined;
  /**
   * A schema with one member, in which the agent's state keeps the record, such as `z.object({ _compaction: z.any() })`. Another process
   * goes on with it. The graph gets one more node for each step.
   */
  stateSchema?: S | undefined;
}

/** A middleware of `createAgent`. */
export interface CompactionMiddleware<S> extends Compactors {
  name: string;
  stateSchema?: S;
  wrapModelCall<R>(request: unknown, handler: (request: never) => R | PromiseLike<R>): Promise<R>;
  afterModel?: (state: unknown, runtime: unknown) => Promise<Record<string, unknown> | undefined>;
}

/**
 * A middleware for `createAgent` of LangChain.js 1.x. It gives the model what fits into its context, and the agent's state keeps all messages.
 * It learns from the usage of each answer, and recovers once from an overflow.
 *
 * @param given a function that makes the compactor of each conversation, or one compactor if the agent serves one session
 * @throws EbblineError `invalid_option` if one compactor is used for several conversations
 *
 * @example
 * ```js
 * const compaction = compactionMiddleware(() => createCompactor({ model: { context: 200_000 }, summarize }));
 * const agent = createAgent({ model, tools, middleware: [compaction] });
 * ```
 */
export function compactionMiddleware<S = undefined>(
  given: CompactorFor | Compactor,
  options?: MiddlewareOptions<S>,
): CompactionMiddleware<S>;

export interface NodeOptions extends ConversationOptions {
  /** The member of the state that has the messages; `"messages"` by default. */
  messages?: string | undefined;
  /** The member of the state in which the record is kept. Another process goes on with it. */
  record?: string | undefined;
}

/**
 * A node for a LangGraph `StateGraph` with messages. It asks the model with what fits into its context and adds the answer to the state,
 * which keeps all messages. It learns from the usage of each answer, and recovers once from an overflow.
 *
 * @example
 * ```js
 * const callModel = modelNode(() => createCompactor(options), (messages, config) => model.invoke(messages, config));
 * new StateGraph(MessagesAnnotation).addNode("agent", callModel);
 * ```
 */
export function modelNode<M>(
  given: CompactorFor | Compactor,
  invoke: (messages: BaseMessage[], config: LangGraphRunnableConfig) => M | Promise<M>,
  options?: NodeOptions,
): ((state: object, config: LangGraphRunnableConfig) => Promise<{ messages: M[] }>) & Compactors;

/**
 * A `preModelHook` for `createReactAgent` of `@langchain/langgraph/prebuilt`. It does not see errors, so it cannot recover from an overflow.
 */
export function preModelHook(
  given: CompactorFor | Compactor,
  options?: ConversationOptions,
): ((state: object, config?: unknown) => Promise<{ llmInputMessages: BaseMessage[] }>) & Compactors;

/**
 * The compactor of a stored session, in a process that makes one anew: it goes on with the `record` of an earlier one. If the history is
 * another one, so that the record does not fit, it starts over, and {@link Compactor.begunAnew} says why.
 */
export function resumeCompactor<C extends Compactor>(
  create: (record: CompactorRecord | undefined) => C | Promise<C>,
  record: CompactorRecord | null | undefined,
  messages: readonly unknown[],
): Promise<C>;
