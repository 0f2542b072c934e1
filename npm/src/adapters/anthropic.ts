import { EbblineError } from '#errors';
import { CacheMarks } from './common/cache-marks.js';
import { promised, received, sent } from './common/sending.js';
import { servingOf } from './common/serving.js';

export { resumeCompactor } from './common/resume.js';

/** The create call of an Anthropic client with a compactor in front of it. */
export function compacting(
  client: any,
  compactor: any,
  { cache = false, limits = nothing }: { cache?: boolean | '5m' | '1h'; limits?: (params: any) => object | undefined } = {},
) {
  const messages = client?.messages;
  if (typeof messages?.create !== 'function') {
    throw invalid('pass a client, as in `const create = compacting(client, compactor)`, with a client of the package `@anthropic-ai/sdk`');
  }
  if (typeof limits !== 'function') throw invalid('`limits` must be a function of the parameters that returns the limits of the model');
  if (![true, false, '5m', '1h'].includes(cache)) throw invalid("`cache` must be true, false, '5m' or '1h'");
  const serving = servingOf(compactor, '`ebbline/anthropic`');
  const marks = cache === false ? undefined : new CacheMarks(cache === true ? undefined : cache);

  function create(params, options) {
    return promised(sending(params, options));
  }

  async function sending(params, options) {
    return sent(serving, {
      history: historyOf(params),
      signal: options?.signal,
      limits: limits(params),
      isStream: params.stream === true,
      send: (view, signal) => {
        const body = { ...params, messages: marks === undefined ? view : marks.marked(params, view) };
        return received(messages.create(body, { ...options, signal }));
      },
      tokensOf: usageReader(),
      isOpening: ({ type }) => type === 'message_start' || type === 'ping',
    });
  }

  /** The client's own helper for streams, over this create call. */
  function stream(params, options) {
    historyOf(params);
    let isUsed = false;
    const call = (...given) => {
      isUsed = true;
      return create(given[0], given[1]);
    };
    const helper = messages.stream.call(Object.create(messages, { create: { value: call } }), params, options);
    if (isUsed) return helper;
    helper.abort?.();
    throw invalid('this version of `@anthropic-ai/sdk` does not let `stream` be wrapped: call `create` with `stream: true`');
  }
  return Object.assign(create, { stream });
}

function historyOf(params) {
  if (!Array.isArray(params?.messages)) throw invalid('`messages` must be the whole history, an array of messages');
  return params.messages;
}

/**
 * Reads what an answer, or the events of a stream, report about the input: its tokens, or the whole report if the provider clears or
 * compacts by itself. In a stream, what was cleared comes at the end.
 */
function usageReader() {
  let opening;
  return (answer) => {
    if (answer?.type === 'message_start') opening = answer.message?.usage;
    if (answer?.type !== 'message_delta') return inputOf(answer?.message ?? answer);
    const { context_management: management } = answer;
    return opening !== undefined && isManaged(management) ? { usage: opening, context_management: management } : undefined;
  };
}

function inputOf(message) {
  const usage = message?.usage;
  if (typeof usage?.input_tokens !== 'number') return undefined;
  if (isManaged(message.context_management) || message.content?.some((block) => block?.type === 'compaction')) return message;
  // Tools of the provider's own add requests, and their tokens to this sum.
  if (Object.values(usage.server_tool_use ?? {}).some((uses) => uses > 0)) return undefined;
  return usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
}

/** Whether the provider was asked to clear something by itself. */
function isManaged(management) {
  return Array.isArray(management?.applied_edits);
}

function invalid(message) {
  return new EbblineError('invalid_option', message);
}

function nothing() {
  return undefined;
}
