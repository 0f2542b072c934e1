import type { BaseMessage } from '@langchain/core/messages';
import type { LangGraphRunnableConfig } from '@langchain/langgraph';

import type { Compactor, CompactorRecord } from '../compactor-interface.js';
import { type Place, conversationsOf, recordToWrite } from './common/conversations.js';
import { invalid } from './common/refusal.js';
import type { Serving } from './common/serving.js';

export { resumeCompactor } from './common/resume.js';

/** What LangChain marks its middleware with. */
const BRAND = Symbol.for('AgentMiddleware');

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

export interface NodeOptions extends ConversationOptions {
  /** The member of the state that has the messages; `"messages"` by default. */
  messages?: string | undefined;
  /** The member of the state in which the record is kept. Another process goes on with it. */
  record?: string | undefined;
}

/** A call of a model in an agent. */
interface ModelCall {
  messages: readonly BaseMessage[];
  state?: State | undefined;
  runtime?: Runtime | undefined;
}

/** The state of a graph. */
interface State {
  readonly [member: string]: unknown;
}

/** Where a model is called. */
interface Runtime {
  configurable?: { thread_id?: string; checkpoint_ns?: string } | undefined;
  signal?: AbortSignal | undefined;
}

/** A message, or a structured response with its messages, as far as it tells the usage. */
interface Reported {
  usage_metadata?: { input_tokens?: number };
  messages?: readonly (Reported | null | undefined)[];
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
  { name = 'CompactionMiddleware', stateSchema, ...options }: MiddlewareOptions<S> = {},
): CompactionMiddleware<S> {
  const conversations = conversationsOf(given, 'compactionMiddleware', options);
  const member = stateSchema === undefined ? undefined : memberOf(stateSchema);
  if (member !== undefined && typeof given !== 'function') {
    throw invalid('with a stateSchema, give compactionMiddleware a function that makes a compactor with the record it gets');
  }
  const middleware = {
    [BRAND]: true,
    name,
    stateSchema,
    wrapModelCall: async <R>(given: unknown, handler: (request: never) => R | PromiseLike<R>) => {
      const request = given as ModelCall;
      const record = member && request.state?.[member];
      const { serving } = await conversations.of(request.messages, placeOf(request.runtime, record));
      const call = (messages: BaseMessage[]) => handler({ ...request, messages } as never);
      return answered(serving, request.messages, call, request.runtime?.signal);
    },
    // Without a place for it, the record need not be made, and the graph needs no further node.
    afterModel:
      member === undefined
        ? undefined
        : async (state: unknown, runtime: unknown) => {
            const { messages } = state as ModelCall;
            const record = recordToWrite(await conversations.known(messages, threadOf(runtime as Runtime | undefined)));
            return record && { [member]: record };
          },
    ...accessTo(conversations),
  };
  return middleware;
}

/**
 * A node for a LangGraph `StateGraph` with messages. It asks the model with what fits into its context and adds the answer to the state,
 * which keeps all messages. It learns from the usage of each answer, and recovers once from an overflow.
 *
 * @param given a function that makes the compactor of each conversation, or one compactor if the graph serves one session
 * @param invoke asks the model
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
  { messages: list = 'messages', record: member, ...options }: NodeOptions = {},
): ((state: object, config: LangGraphRunnableConfig) => Promise<{ messages: M[] }>) & Compactors {
  const conversations = conversationsOf(given, 'modelNode', options);
  if (typeof invoke !== 'function') {
    throw invalid('the second argument of modelNode asks the model: (messages, config) => model.invoke(messages, config)');
  }
  if (member !== undefined && typeof given !== 'function') {
    throw invalid('with a record, give modelNode a function that makes a compactor with the record it gets');
  }
  const node = async (state: object, config: LangGraphRunnableConfig) => {
    const history = listIn(state, list);
    const conversation = await conversations.of(history, placeOf(config, member && (state as State)[member]));
    const answer = await answered(conversation.serving, history, (messages) => invoke(messages, config), config?.signal);
    const record = member && recordToWrite(conversation);
    const changed: Record<string, unknown> = { [list]: [answer], ...(record && { [member]: record }) };
    return changed as { messages: M[] };
  };
  return Object.assign(node, accessTo(conversations));
}

/**
 * A `preModelHook` for `createReactAgent` of `@langchain/langgraph/prebuilt`. It learns from the usage of the last answer. It does not see
 * errors, so it cannot recover from an overflow.
 *
 * @param given a function that makes the compactor of each conversation, or one compactor if the agent serves one session
 */
export function preModelHook(
  given: CompactorFor | Compactor,
  options: ConversationOptions = {},
): ((state: object, config?: unknown) => Promise<{ llmInputMessages: BaseMessage[] }>) & Compactors {
  const conversations = conversationsOf(given, 'preModelHook', options);
  const hook = async (state: object, given?: unknown) => {
    const config = given as Runtime | undefined;
    const history = listIn(state, 'messages');
    const { serving } = await conversations.of(history, placeOf(config));
    const answer = history.slice(serving.length).find((message) => message.type === 'ai');
    if (answer !== undefined) serving.learn(inputOf(answer as Reported));
    const { view } = await serving.prepare(history, { signal: config?.signal });
    return { llmInputMessages: view };
  };
  return Object.assign(hook, accessTo(conversations));
}

/** The model's answer to what the compactor prepared. If the prompt is too large, the model is asked once more with what is left. */
async function answered<M, R>(
  serving: Serving,
  history: readonly M[],
  call: (messages: M[]) => R | PromiseLike<R>,
  signal: AbortSignal | undefined,
): Promise<R> {
  const prepared = await serving.prepare(history, { signal });
  let { request } = prepared;
  let answer: Awaited<R>;
  try {
    answer = await call(prepared.view);
  } catch (error) {
    const again = await serving.recover(error, history, { signal });
    request = again.request;
    answer = await call(again.view);
  }
  serving.learn(inputOf(answer as Reported | undefined), request);
  return answer;
}

/** What the caller needs of the conversations. */
function accessTo(conversations: ReturnType<typeof conversationsOf>): Compactors {
  return {
    compactorOf: (thread) => conversations.compactor(thread),
    forget: (thread) => conversations.forget(thread),
  };
}

/** The one member of a state's schema. */
function memberOf(schema: unknown): string {
  const { fields, shape } = (schema ?? {}) as { fields?: object; shape?: object };
  const [member, ...others] = Object.keys(fields ?? shape ?? {});
  if (member === undefined || others.length > 0) {
    const count = member === undefined ? 0 : 1 + others.length;
    throw invalid(`the stateSchema must have one member, for the record, such as z.object({ _compaction: z.any() }); it has ${count}`);
  }
  return member;
}

/** The messages in a graph's state. */
function listIn(state: object, name: string): readonly BaseMessage[] {
  const list = (state as State | undefined)?.[name];
  if (!Array.isArray(list)) throw invalid(`the state has no array of messages named ${name}`);
  return list;
}

/** The thread that a model is called in, and what is known about the conversation. */
function placeOf(runtime: Runtime | undefined, record?: unknown): Place {
  const isNested = runtime?.configurable?.checkpoint_ns?.includes('|') === true;
  return { thread: threadOf(runtime), isNested, record: (record ?? undefined) as Place['record'] };
}

function threadOf(runtime: Runtime | undefined): string | undefined {
  return runtime?.configurable?.thread_id;
}

/** The input tokens of the request that an answer is for. */
function inputOf(answer: Reported | undefined): number | undefined {
  const told = answer?.usage_metadata ?? answer?.messages?.find((message) => message?.usage_metadata)?.usage_metadata;
  return told?.input_tokens;
}
