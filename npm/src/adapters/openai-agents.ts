import type { CallModelInputFilter, Model, ModelProvider, ModelRequest, Session } from '@openai/agents';

import type { Compactor } from '../compactor-interface.js';
import { invalid } from './common/refusal.js';
import { type ResponseEvent, failureOf, isOpening } from './common/responses.js';
import { type Call, sent } from './common/sending.js';
import { type Serving, servingOf } from './common/serving.js';
import { WholeSession } from './common/whole-session.js';

export { resumeCompactor } from './common/resume.js';

/** What a response, or an event of a stream, says. */
interface Reported {
  type?: string;
  /** the event of the provider */
  event?: ResponseEvent;
  response?: Reported;
  usage?: { inputTokens?: number };
}

/**
 * A model of the OpenAI Agents SDK, or a provider of models, with a compactor in front of it. The runner keeps the whole history, and
 * the compactor's view is sent. Usage is learnt, and a request that is refused as too large is made smaller and sent once more.
 *
 * The compactor needs the option `format: "openai_agents"`, because messages without calls look like those of the Responses API.
 *
 * @throws `EbblineError` `invalid_option` for anything else than a model or provider and a compactor
 *
 * @example
 * ```js
 * const compactor = createCompactor({ format: "openai_agents", model: { context: 200_000 }, summarize });
 * const agent = new Agent({ name: "Reader", model: compacting(model, compactor), tools });
 * await run(agent, "Find the fault.", { session });
 * ```
 */
export function compacting<T extends Model | ModelProvider>(source: T, compactor: Compactor): T {
  const { getModel, getResponse } = (source ?? {}) as Partial<Model & ModelProvider>;
  const isProvider = typeof getModel === 'function';
  if (!isProvider && typeof getResponse !== 'function') {
    throw invalid('pass a model or a model provider, as in `new Agent({ name, model: compacting(model, compactor) })`');
  }
  const serving = servingOf(compactor, '`compacting` of `ebbline/openai-agents`');
  return isProvider ? providerOver(source as T & ModelProvider, serving) : modelOver(source as T & Model, serving);
}

function providerOver<P extends ModelProvider>(provider: P, serving: Serving): P {
  return replaced(provider, { getModel: async (name?: string) => modelOver(await provider.getModel(name), serving) });
}

function modelOver<M extends Model>(model: M, serving: Serving): M {
  const answer = async (request: ModelRequest, isStream: boolean, ask: (request: ModelRequest) => unknown) => {
    const call: Call<Reported> = {
      history: historyOf(request),
      signal: request.signal,
      isStream,
      send: async (view, signal) => {
        const input = view as ModelRequest['input'];
        return { data: await ask({ ...request, input, signal }) };
      },
      tokensOf: (reported: Reported | undefined) => (reported?.response ?? reported)?.usage?.inputTokens || undefined,
      isOpening: ({ type, event }) => type === 'response_started' || (type === 'model' && isOpening(event)),
      failureOf: ({ type, event }) => (type === 'model' ? failureOf(event) : undefined),
    };
    return (await sent(serving, call)).data;
  };
  return replaced(model, {
    getResponse: (request: ModelRequest) => answer(request, false, (given) => model.getResponse(given)),
    async *getStreamedResponse(request: ModelRequest) {
      yield* (await answer(request, true, (given) => model.getStreamedResponse(given))) as AsyncIterable<unknown>;
    },
  });
}

/**
 * The options of a run whose input passes the compactor, where the model itself cannot be wrapped. The session that it returns stores
 * the whole history. An input filter sees neither usage nor errors: give the compactor the option `overhead`, and expect that an
 * overflow is thrown by the run.
 *
 * @example
 * ```js
 * await run(agent, "Find the fault.", compactingRun(compactor, { session: new MemorySession() }));
 * ```
 */
export function compactingRun(compactor: Compactor): { callModelInputFilter: CallModelInputFilter };
export function compactingRun(
  compactor: Compactor,
  options: { session: Session },
): { callModelInputFilter: CallModelInputFilter; session: Session };
export function compactingRun(
  compactor: Compactor,
  { session }: { session?: Session } = {},
): { callModelInputFilter: CallModelInputFilter; session?: Session } {
  const serving = servingOf(compactor, '`compactingRun` of `ebbline/openai-agents`');
  if (session !== undefined && typeof session?.addItems !== 'function')
    throw invalid('`session` must be a session of the OpenAI Agents SDK');
  const whole = session && new WholeSession(session);
  const filter: CallModelInputFilter = async ({ modelData }) => {
    const { input, instructions } = modelData;
    const { view } = await serving.prepare(input);
    whole?.sent(input, view);
    return { input: view, instructions };
  };
  // The items are read and never changed, so the runner need not copy them for each request.
  filter.preserveInputIdentity = true;
  return { callModelInputFilter: filter, ...(whole && { session: whole }) };
}

function historyOf({ input, previousResponseId, conversationId }: ModelRequest): readonly unknown[] {
  if (previousResponseId !== undefined) throw kept('previousResponseId');
  if (conversationId !== undefined) throw kept('conversationId');
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;
}

/** The same object, but for these methods. Its own methods run as its own, because they may use private members. */
function replaced<T extends object>(target: T, methods: { readonly [name: PropertyKey]: unknown }): T {
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(methods, name)) return methods[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function kept(name: string) {
  return invalid(`with \`${name}\`, OpenAI keeps the history, where it cannot be compacted: run without it, with a session of your own`);
}
