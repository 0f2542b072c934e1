import { EbblineError } from '#errors';
import { sent } from './common/sending.js';
import { servingOf } from './common/serving.js';

export { resumeCompactor } from './common/resume.js';

/** The generate calls of a Google GenAI client with a compactor in front of them. */
export function compacting(ai: any, compactor: any, { limits = nothing }: { limits?: (params: any) => object | undefined } = {}) {
  const models = ai?.models;
  if (typeof models?.generateContent !== 'function') {
    throw invalid('pass a client, as in `const models = compacting(ai, compactor)`, with a client of the package `@google/genai`');
  }
  if (typeof limits !== 'function') throw invalid('`limits` must be a function of the parameters that returns the limits of the model');
  const serving = servingOf(compactor, '`ebbline/google`');

  const generating = (name, isStream) => async (params) => {
    const history = historyOf(params);
    const call = {
      history,
      signal: params.config?.abortSignal,
      limits: limits(params),
      isStream,
      send: async (contents, signal) => ({ data: await models[name]({ ...params, contents, ...configOf(params, signal) }) }),
      tokensOf: (answer) => answer?.usageMetadata?.promptTokenCount,
    };
    return (await sent(serving, call)).data;
  };
  return { generateContent: generating('generateContent', false), generateContentStream: generating('generateContentStream', true) };
}

function configOf({ config }, signal) {
  return signal === undefined ? {} : { config: { ...config, abortSignal: signal } };
}

function historyOf(params) {
  if (typeof params !== 'object' || params === null) throw invalid('pass the parameters of the request');
  const { contents, config } = params;
  if (runsTools(config)) {
    throw invalid(
      'the client would call the tools itself, in requests that the compactor does not see: set `automaticFunctionCalling: { disable: true }` and call them in your loop',
    );
  }
  if (typeof contents === 'string') return [{ role: 'user', parts: [{ text: contents }] }];
  const list = Array.isArray(contents) ? contents : [contents];
  if (list.length === 0 || !list.every((content) => Array.isArray(content?.parts))) {
    throw invalid('`contents` must be the whole history, an array of { role, parts }');
  }
  return list;
}

/** Whether the client calls tools by itself and sends their results. */
function runsTools({ tools, automaticFunctionCalling: automatic } = {} as any) {
  const isOff = automatic?.disable === true || automatic?.maximumRemoteCalls === 0;
  return !isOff && Array.isArray(tools) && tools.some((tool) => typeof tool?.callTool === 'function');
}

function invalid(message) {
  return new EbblineError('invalid_option', message);
}

function nothing() {
  return undefined;
}
