import { EbblineError } from '#errors';
import { sent } from './common/sending.js';
import { servingOf } from './common/serving.js';
import { WholeSession } from './common/whole-session.js';

export { resumeCompactor } from './common/resume.js';

/** A model of the OpenAI Agents SDK, or a provider of models, with a compactor in front of it. */
export function compacting(source: any, compactor: any) {
  const isProvider = typeof source?.getModel === 'function';
  if (!isProvider && typeof source?.getResponse !== 'function') {
    throw invalid('pass a model or a model provider, as in `new Agent({ name, model: compacting(model, compactor) })`');
  }
  const serving = servingOf(compactor, '`compacting` of `ebbline/openai-agents`');
  return isProvider
    ? replaced(source, { getModel: async (name) => modelOver(await source.getModel(name), serving) })
    : modelOver(source, serving);
}

function modelOver(model, serving) {
  const call = (request, isStream, ask) => ({
    history: historyOf(request),
    signal: request.signal,
    isStream,
    send: async (input, signal) => ({ data: await ask({ ...request, input, signal }) }),
    tokensOf: (answer) => (answer?.response ?? answer)?.usage?.inputTokens || undefined,
    isOpening,
    failureOf,
  });
  return replaced(model, {
    async getResponse(request) {
      return (
        await sent(
          serving,
          call(request, false, (given) => model.getResponse(given)),
        )
      ).data;
    },
    async *getStreamedResponse(request) {
      yield* (
        await sent(
          serving,
          call(request, true, (given) => model.getStreamedResponse(given)),
        )
      ).data;
    },
  });
}

const OPENINGS = new Set(['response.created', 'response.queued', 'response.in_progress']);

function isOpening({ type, event }) {
  return type === 'response_started' || (type === 'model' && OPENINGS.has(event?.type));
}

function failureOf({ type, event }) {
  return type === 'model' && event?.type === 'response.failed' ? (event.response?.error ?? event) : undefined;
}

/** The options of a run whose input is what the compactor gives, while its session keeps the whole history. */
export function compactingRun(compactor: any, { session }: { session?: any } = {}) {
  const serving = servingOf(compactor, '`compactingRun` of `ebbline/openai-agents`');
  if (session !== undefined && typeof session?.addItems !== 'function')
    throw invalid('`session` must be a session of the OpenAI Agents SDK');
  const whole = session && new WholeSession(session);
  const filter = async ({ modelData }) => {
    const { input, instructions } = modelData;
    const { view } = await serving.prepare(input);
    whole?.sent(input, view);
    return { input: view, instructions };
  };
  // The items are read and never changed, so the runner need not copy them for each request.
  filter.preserveInputIdentity = true;
  return { callModelInputFilter: filter, ...(whole && { session: whole }) };
}

function historyOf({ input, previousResponseId, conversationId }) {
  if (previousResponseId !== undefined) throw kept('previousResponseId');
  if (conversationId !== undefined) throw kept('conversationId');
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;
}

/** The same object, but for these methods. Its own methods run as its own, because they may use private members. */
function replaced(target, methods) {
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(methods, name)) return methods[name];
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function kept(name) {
  return invalid(`with \`${name}\`, OpenAI keeps the history, where it cannot be compacted: run without it, with a session of your own`);
}

function invalid(message) {
  return new EbblineError('invalid_option', message);
}
