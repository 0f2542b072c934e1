import type { GenerateContentParameters, GoogleGenAI } from '@google/genai';

import type { Compactor } from '../compactor-interface.js';
import type { PolicyOptions } from '../policy-options.js';
import { invalid } from './common/refusal.js';
import { type Call, checkedLimits, sent } from './common/sending.js';
import { servingOf } from './common/serving.js';

export { resumeCompactor } from './common/resume.js';

/** What is used of the client. */
export type GoogleClient = { models: GenerateCalls };

export type GenerateCalls = Pick<GoogleGenAI['models'], 'generateContent' | 'generateContentStream'>;

export interface CompactingOptions {
  /** The limits of the model that a request names, if the session changes between models. */
  limits?: ((params: GenerateContentParameters) => PolicyOptions['model']) | undefined;
}

/** What an answer says about its input. */
interface Reported {
  usageMetadata?: { promptTokenCount?: number };
}

/** What a client would do by itself. */
interface Config {
  tools?: unknown;
  automaticFunctionCalling?: { disable?: boolean; maximumRemoteCalls?: number };
}

/**
 * The generate calls of a Google GenAI client with a compactor in front of them. The whole history goes in `contents` at every call;
 * the compactor's view is sent. Usage is learnt, from streams as well, and a request that is refused as too large is made smaller and
 * sent once more. Tools are called in your loop: a client that calls them itself sends requests that no compactor sees.
 *
 * @throws `EbblineError` `invalid_option` for anything else than a client and a compactor
 *
 * @example
 * ```js
 * const compactor = createCompactor({ model: { context: 1_000_000 }, summarize });
 * const models = compacting(ai, compactor);
 * const answer = await models.generateContent({ model, contents, config });
 * ```
 */
export function compacting(ai: GoogleClient, compactor: Compactor, { limits }: CompactingOptions = {}): GenerateCalls {
  const models = ai?.models;
  if (typeof models?.generateContent !== 'function') {
    throw invalid('pass a client, as in `const models = compacting(ai, compactor)`, with a client of the package `@google/genai`');
  }
  const limitsOf = checkedLimits(limits);
  const serving = servingOf(compactor, '`ebbline/google`');

  const generating = (name: keyof GenerateCalls, isStream: boolean) => async (params: GenerateContentParameters) => {
    const history = historyOf(params);
    const call: Call<Reported | undefined> = {
      history,
      signal: params.config?.abortSignal,
      limits: limitsOf(params),
      isStream,
      send: async (view, signal) => {
        const contents = view as GenerateContentParameters['contents'];
        return { data: await models[name]({ ...params, contents, ...configOf(params, signal) }) };
      },
      tokensOf: (answer) => answer?.usageMetadata?.promptTokenCount,
    };
    return (await sent(serving, call)).data;
  };
  const calls = { generateContent: generating('generateContent', false), generateContentStream: generating('generateContentStream', true) };
  return calls as GenerateCalls;
}

function configOf({ config }: GenerateContentParameters, signal: AbortSignal | undefined): Pick<GenerateContentParameters, 'config'> {
  return signal === undefined ? {} : { config: { ...config, abortSignal: signal } };
}

function historyOf(params: GenerateContentParameters): readonly unknown[] {
  if (typeof params !== 'object' || params === null) throw invalid('pass the parameters of the request');
  const { contents, config } = params;
  if (runsTools(config)) {
    throw invalid(
      'the client would call the tools itself, in requests that the compactor does not see: set `automaticFunctionCalling: { disable: true }` and call them in your loop',
    );
  }
  if (typeof contents === 'string') return [{ role: 'user', parts: [{ text: contents }] }];
  const list: readonly unknown[] = Array.isArray(contents) ? contents : [contents];
  if (list.length === 0 || !list.every(hasParts)) {
    throw invalid('`contents` must be the whole history, an array of { role, parts }');
  }
  return list;
}

function hasParts(content: unknown): boolean {
  return Array.isArray((content as { parts?: unknown } | null | undefined)?.parts);
}

/** Whether the client calls tools by itself and sends their results. */
function runsTools({ tools, automaticFunctionCalling: automatic }: Config = {}): boolean {
  const isOff = automatic?.disable === true || automatic?.maximumRemoteCalls === 0;
  return !isOff && Array.isArray(tools) && tools.some((tool) => typeof tool?.callTool === 'function');
}
