import type { Compactor } from '../compactor-interface.js';
import type { PrepareOptions } from '../compactor-options.js';
import { type Part, recoverableStream } from './common/recoverable-stream.js';
import { invalid } from './common/refusal.js';
import { type Serving, servingOf } from './common/serving.js';
import { type TokenCount, tokensIn } from './common/token-count.js';

export { resumeCompactor } from './common/resume.js';

/** The hooks, as errors name them. */
const STEPS = 'prepareStep';
const MIDDLEWARE = 'compactionMiddleware';
const UI_MESSAGES = 'prepareUIMessages';

/** The specification versions of the language models that the middleware wraps. */
const VERSIONS = ['v3', 'v4'];

/** What `prepareStep` needs of a step: the messages that would be sent, and the steps before. */
export interface StepToPrepare {
  messages: unknown[];
  steps: readonly { usage: { inputTokens: number | undefined } }[];
}

/**
 * A `prepareStep` around your own one. Your function sees the steps of your tools. In AI SDK 7 the call infers the types of its tools only
 * after this one, so any step is taken as well.
 */
export type PreparedStep<S extends StepToPrepare, R> = ((step: S) => Promise<R & { messages: S['messages'] }>) &
  ((step: StepToPrepare) => Promise<R & { messages: never[] }>);

/** What a `prepareStep` of the caller's returns. */
interface OwnStep {
  messages?: unknown[];
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
export function prepareStep(compactor: Compactor): <S extends StepToPrepare>(step: S) => Promise<{ messages: S['messages'] }>;
/** With your own `prepareStep`: what it returns is kept, and its messages, if it gives any, are compacted. */
export function prepareStep<S extends StepToPrepare, R extends object | undefined>(
  compactor: Compactor,
  own: (step: S) => R | PromiseLike<R>,
): PreparedStep<S, NonNullable<R>>;
export function prepareStep(compactor: Compactor, own?: (step: StepToPrepare) => OwnStep | undefined | PromiseLike<OwnStep | undefined>) {
  const serving = servingOf(compactor, STEPS);
  checkOwn(own, STEPS);
  return async (step: StepToPrepare) => {
    if (!Array.isArray(step?.messages)) throw invalid('prepareStep(compactor) makes the hook: write `prepareStep: prepareStep(compactor)`');
    const last = step.steps?.at(-1);
    if (last !== undefined) serving.learn(inputOf(last.usage));
    const result = await own?.(step);
    const messages = result?.messages ?? step.messages;
    if (last === undefined) refuseUntold(compactor, serving, messages);
    const { view } = await serving.prepare(messages);
    return { ...result, messages: view };
  };
}

/**
 * An `onStepFinish` (in AI SDK 7 also `onStepEnd`) that learns from the usage of each step. `prepareStep` alone does not see the usage of a
 * call's last step, so it learns nothing from calls with one step. Also for {@link prepareUIMessages}.
 *
 * @param own your own `onStepFinish`
 */
export function onStepFinish<S extends { usage: { inputTokens: number | undefined } }>(
  compactor: Compactor,
  own?: (step: S) => void | PromiseLike<void>,
): (step: S) => Promise<void> {
  const serving = servingOf(compactor);
  if (serving.hook === MIDDLEWARE) throw invalid('compactionMiddleware learns the usage by itself: leave onStepFinish(compactor) away');
  checkOwn(own, 'onStepFinish');
  serving.isTold = true;
  return async (step) => {
    serving.learn(inputOf(step?.usage));
    await own?.(step);
  };
}

/** A middleware of the AI SDK. */
export interface CompactionMiddleware<V extends 'v3' | 'v4'> {
  readonly specificationVersion: V;
  wrapGenerate<R>(options: { doGenerate: () => PromiseLike<R>; params: unknown; model: unknown }): Promise<R>;
  wrapStream<R>(options: { doStream: () => PromiseLike<R>; params: unknown; model: unknown }): Promise<R>;
}

export interface CompactionMiddlewareOptions<V extends 'v3' | 'v4'> {
  /** The version that the middleware says it has. AI SDK 6 takes `"v3"`, the default; AI SDK 7 takes both. */
  specificationVersion?: V | undefined;
}

/** A call of a language model. */
interface ModelCall {
  params: { prompt: readonly unknown[]; abortSignal?: AbortSignal };
  model: {
    doGenerate(params: object): PromiseLike<{ usage?: Usage }>;
    doStream(params: object): PromiseLike<{ stream: ReadableStream<Part> }>;
  };
}

/** An answer, and the request that it answers. */
interface Asked<A> {
  answer: A;
  request: object;
}

interface Usage {
  inputTokens?: TokenCount;
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
export function compactionMiddleware<V extends 'v3' | 'v4' = 'v3'>(
  compactor: Compactor,
  { specificationVersion = 'v3' as V }: CompactionMiddlewareOptions<V> = {},
): CompactionMiddleware<V> {
  const serving = servingOf(compactor, MIDDLEWARE);
  if (!VERSIONS.includes(specificationVersion)) throw invalid(`specificationVersion must be ${VERSIONS.join(' or ')}`);
  const middleware = {
    specificationVersion,
    wrapGenerate: async ({ params, model }: ModelCall) => {
      const { answer, request } = await asked(serving, params, (sent) => model.doGenerate(sent));
      serving.learn(inputOf(answer.usage), request);
      return answer;
    },
    wrapStream: async ({ params, model }: ModelCall) => {
      const first = await asked(serving, params, (sent) => model.doStream(sent));
      let { request } = first;
      const { recover } = first;
      const error =
        recover &&
        (async (thrown: unknown) => {
          const second = await recover(thrown);
          request = second.request;
          return second.answer.stream;
        });
      const finish = (part: Part) => serving.learn(inputOf(part.usage as Usage | undefined), request);
      return { ...first.answer, stream: recoverableStream(first.answer.stream, { error, finish }) };
    },
  };
  return middleware as CompactionMiddleware<V>;
}

/**
 * What to send for the stored messages of a chat: UI messages, for `convertToModelMessages`. The stored ones stay as they are. It acts
 * between the requests of a user; for turns with many steps, use {@link prepareStep} instead.
 *
 * @param messages UI messages, as `useChat` has them
 * @throws EbblineError `invalid_option` if the messages are no UI messages, or the compactor is used with another hook
 */
export async function prepareUIMessages<M extends { parts: readonly unknown[] }>(
  compactor: Compactor,
  messages: readonly M[],
  options?: PrepareOptions,
): Promise<M[]> {
  const serving = servingOf(compactor, UI_MESSAGES);
  const strange = Array.isArray(messages) ? messages.findIndex((message) => !Array.isArray(message?.parts)) : 0;
  if (strange !== -1) {
    throw invalid(
      `prepareUIMessages takes an array of UI messages, and message ${strange} has no parts. For model messages, there is prepareStep`,
    );
  }
  refuseUntold(compactor, serving, messages);
  const { view } = await serving.prepare(messages, options);
  return view;
}

/** Asks a model with what the compactor prepared. If the prompt is too large, it asks once more with what is left. */
async function asked<A>(
  serving: Serving,
  params: ModelCall['params'],
  ask: (params: object) => PromiseLike<A>,
): Promise<Asked<A> & { recover?: (error: unknown) => Promise<Asked<A>> }> {
  const options = { signal: params.abortSignal };
  const sent = async ({ view, request }: { view: unknown[]; request: object }) => ({
    answer: await ask({ ...params, prompt: view }),
    request,
  });
  const recover = async (error: unknown) => sent(await serving.recover(error, params.prompt, options));
  const prepared = await serving.prepare(params.prompt, options);
  try {
    return { ...(await sent(prepared)), recover };
  } catch (error) {
    return recover(error);
  }
}

/** Refuses a second call if nobody tells the usage of the first one. */
function refuseUntold(compactor: Compactor, serving: Serving, messages: readonly unknown[]): void {
  if (serving.isTold || !serving.isUsageDue || roleOf(messages[serving.length]) !== 'assistant') return;
  if (compactor.contextUsage().overhead !== null) return;
  throw invalid(
    'the usage of the last call was not learnt: put `onStepFinish: onStepFinish(compactor)` beside it (`onStepEnd` in AI SDK 7), or give createCompactor the `overhead`',
  );
}

function roleOf(message: unknown): unknown {
  return (message as { role?: unknown } | null | undefined)?.role;
}

/** The input tokens of a request, as a result of the AI SDK or a language model tells them. */
function inputOf(usage: Usage | null | undefined): number | undefined {
  return tokensIn(usage?.inputTokens);
}

function checkOwn(own: unknown, hook: string): void {
  if (own !== undefined && typeof own !== 'function') throw invalid(`the second argument of ${hook} is your own ${hook}: a function`);
}
