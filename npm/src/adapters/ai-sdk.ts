import { EbblineError } from '#errors';
import { recoverableStream } from './common/recoverable-stream.js';
import { servingOf } from './common/serving.js';

export { resumeCompactor } from './common/resume.js';

/** The hooks, as errors name them. */
const STEPS = 'prepareStep';
const MIDDLEWARE = 'compactionMiddleware';
const UI_MESSAGES = 'prepareUIMessages';

/** The specification versions of the language models that the middleware wraps. */
const VERSIONS = ['v3', 'v4'];

/**
 * A `prepareStep` for `generateText`, `streamText` and `ToolLoopAgent`. It learns from the usage of the last step by itself.
 *
 * @param own your own `prepareStep`; what it returns is kept, and its messages are compacted
 */
export function prepareStep(compactor: any, own: (step: any) => any) {
  const serving = servingOf(compactor, STEPS);
  checkOwn(own, STEPS);
  return async (step) => {
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
 * An `onStepFinish` that learns from the usage of each step. `prepareStep` does not see the last step of a call, and so nothing of a
 * call with one step.
 *
 * @param own your own `onStepFinish`
 */
export function onStepFinish(compactor: any, own: (step: any) => any) {
  const serving = servingOf(compactor);
  if (serving.hook === MIDDLEWARE) throw invalid('compactionMiddleware learns the usage by itself: leave onStepFinish(compactor) away');
  checkOwn(own, 'onStepFinish');
  serving.isTold = true;
  return async (step) => {
    serving.learn(inputOf(step?.usage));
    await own?.(step);
  };
}

/**
 * A middleware for `wrapLanguageModel`. It prepares each prompt, learns from usage, that of streams as well, and recovers once from an
 * overflow.
 */
export function compactionMiddleware(compactor: any, { specificationVersion = 'v3' }: { specificationVersion?: string } = {}) {
  const serving = servingOf(compactor, MIDDLEWARE);
  if (!VERSIONS.includes(specificationVersion)) throw invalid(`specificationVersion must be ${VERSIONS.join(' or ')}`);
  return {
    specificationVersion,
    wrapGenerate: async ({ params, model }) => {
      const { answer, request } = await asked(serving, params, (sent) => model.doGenerate(sent));
      serving.learn(inputOf(answer.usage), request);
      return answer;
    },
    wrapStream: async ({ params, model }) => {
      const first = await asked(serving, params, (sent) => model.doStream(sent));
      let { request } = first;
      const recover =
        first.recover &&
        (async (error) => {
          const second = await first.recover(error);
          request = second.request;
          return second.answer.stream;
        });
      const finish = (part) => serving.learn(inputOf(part.usage), request);
      return { ...first.answer, stream: recoverableStream(first.answer.stream, { error: recover, finish }) };
    },
  };
}

/**
 * What to send for the stored messages of a chat. The stored messages stay as they are.
 *
 * @param messages UI messages, as `useChat` has them
 * @param options as in `compactor.prepare`
 */
export async function prepareUIMessages(compactor: any, messages: readonly any[], options: object) {
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
async function asked(serving, params, ask) {
  const options = { signal: params.abortSignal };
  const sent = async ({ view, request }) => ({ answer: await ask({ ...params, prompt: view }), request });
  const recover = async (error) => sent(await serving.recover(error, params.prompt, options));
  const prepared = await serving.prepare(params.prompt, options);
  try {
    return { ...(await sent(prepared)), recover };
  } catch (error) {
    return recover(error);
  }
}

/** Refuses a second call if nobody tells the usage of the first one. */
function refuseUntold(compactor, serving, messages) {
  if (serving.isTold || !serving.isUsageDue || messages[serving.length]?.role !== 'assistant') return;
  if (compactor.contextUsage().overhead !== null) return;
  throw invalid(
    'the usage of the last call was not learnt: put `onStepFinish: onStepFinish(compactor)` beside it (`onStepEnd` in AI SDK 7), or give createCompactor the `overhead`',
  );
}

/** The input tokens of a request, as a result of the AI SDK or a language model tells them. */
function inputOf(usage) {
  return usage?.inputTokens?.total ?? usage?.inputTokens;
}

function checkOwn(own, hook) {
  if (own !== undefined && typeof own !== 'function') throw invalid(`the second argument of ${hook} is your own ${hook}: a function`);
}

function invalid(message) {
  return new EbblineError('invalid_option', message);
}
