import { conversationsOf, invalid, recordToWrite } from './common/conversations.js';

export { resumeCompactor } from './common/resume.js';

/** What LangChain marks its middleware with. */
const BRAND = Symbol.for('AgentMiddleware');

/**
 * A middleware for `createAgent`. It gives the model what fits into its context; the agent's state keeps all messages. It learns from the
 * usage of each answer, and recovers once from an overflow.
 *
 * @param given a compactor, or a function that makes the compactor of a thread
 */
export function compactionMiddleware(given: unknown, { name = 'CompactionMiddleware', stateSchema, ...options }: any = {}) {
  const conversations = conversationsOf(given, 'compactionMiddleware', options);
  const member = stateSchema === undefined ? undefined : memberOf(stateSchema);
  if (member !== undefined && typeof given !== 'function') {
    throw invalid('with a stateSchema, give compactionMiddleware a function that makes a compactor with the record it gets');
  }
  return {
    [BRAND]: true,
    name,
    stateSchema,
    wrapModelCall: async (request, handler) => {
      const { serving } = await conversations.of(request.messages, ...placeOf(request.runtime, member && request.state?.[member]));
      const call = (messages) => handler({ ...request, messages });
      return answered(serving, request.messages, call, request.runtime?.signal);
    },
    // Without a place for it, the record need not be made, and the graph needs no further node.
    afterModel:
      member === undefined
        ? undefined
        : async ({ messages }, runtime) => {
            const record = recordToWrite(await conversations.known(messages, threadOf(runtime)));
            return record && { [member]: record };
          },
    ...accessTo(conversations),
  };
}

/**
 * A node for a LangGraph `StateGraph` with messages. It asks the model with what fits into its context, and adds the answer to the state,
 * which keeps all messages.
 *
 * @param given a compactor, or a function that makes the compactor of a thread
 * @param invoke asks the model
 */
export function modelNode(
  given: unknown,
  invoke: (messages: any[], config: any) => any,
  { messages: list = 'messages', record: member, ...options }: any = {},
) {
  const conversations = conversationsOf(given, 'modelNode', options);
  if (typeof invoke !== 'function') {
    throw invalid('the second argument of modelNode asks the model: (messages, config) => model.invoke(messages, config)');
  }
  if (member !== undefined && typeof given !== 'function') {
    throw invalid('with a record, give modelNode a function that makes a compactor with the record it gets');
  }
  const node = async (state, config) => {
    const history = listIn(state, list);
    const conversation = await conversations.of(history, ...placeOf(config, member && state[member]));
    const answer = await answered(conversation.serving, history, (messages) => invoke(messages, config), config?.signal);
    const record = member && recordToWrite(conversation);
    return { [list]: [answer], ...(record && { [member]: record }) };
  };
  return Object.assign(node, accessTo(conversations));
}

/**
 * A `preModelHook` for `createReactAgent` of `@langchain/langgraph/prebuilt`. It learns from the usage of the last answer. It cannot recover
 * from an overflow, because it does not see the error.
 *
 * @param given a compactor, or a function that makes the compactor of a thread
 */
export function preModelHook(given: unknown, options: any = {}) {
  const conversations = conversationsOf(given, 'preModelHook', options);
  const hook = async (state, config) => {
    const history = listIn(state, 'messages');
    const { serving } = await conversations.of(history, ...placeOf(config));
    const answer = history.slice(serving.length).find((message) => message.type === 'ai');
    if (answer !== undefined) serving.learn(inputOf(answer));
    const { view } = await serving.prepare(history, { signal: config?.signal });
    return { llmInputMessages: view };
  };
  return Object.assign(hook, accessTo(conversations));
}

/** The model's answer to what the compactor prepared. If the prompt is too large, the model is asked once more with what is left. */
async function answered(serving, history, call, signal) {
  const prepared = await serving.prepare(history, { signal });
  let { request } = prepared;
  let answer;
  try {
    answer = await call(prepared.view);
  } catch (error) {
    const again = await serving.recover(error, history, { signal });
    request = again.request;
    answer = await call(again.view);
  }
  serving.learn(inputOf(answer), request);
  return answer;
}

/** What the caller needs of the conversations. */
function accessTo(conversations) {
  return {
    compactorOf: (thread) => conversations.compactor(thread),
    forget: (thread) => conversations.forget(thread),
  };
}

/** The one member of a state's schema. */
function memberOf(schema) {
  const members = Object.keys(schema?.fields ?? schema?.shape ?? {});
  if (members.length !== 1) {
    throw invalid(
      `the stateSchema must have one member, for the record, such as z.object({ _compaction: z.any() }); it has ${members.length}`,
    );
  }
  return members[0];
}

/** The messages in a graph's state. */
function listIn(state, name) {
  const list = state?.[name];
  if (!Array.isArray(list)) throw invalid(`the state has no array of messages named ${name}`);
  return list;
}

/** The thread that a model is called in, and what is known about the conversation. */
function placeOf(runtime, record) {
  const isNested = runtime?.configurable?.checkpoint_ns?.includes('|') === true;
  return [threadOf(runtime), { isNested, record: record ?? undefined }] as const;
}

function threadOf(runtime) {
  return runtime?.configurable?.thread_id;
}

/** The input tokens of the request that a message, or a structured response with its messages, answers. */
function inputOf(answer) {
  const told = answer?.usage_metadata ?? answer?.messages?.find((message) => message?.usage_metadata)?.usage_metadata;
  return told?.input_tokens;
}
