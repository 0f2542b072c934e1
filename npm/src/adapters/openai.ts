import { EbblineError } from '#errors';
import { promised, received, sent } from './common/sending.js';
import { servingOf } from './common/serving.js';

export { resumeCompactor } from './common/resume.js';

const HOW = 'as in `const create = compacting(client, compactor)`, with a client of the package `openai`';

/** The create calls of an OpenAI client, Chat Completions and Responses, with a compactor in front of them. */
export function compacting(client: any, compactor: any, { limits = nothing }: { limits?: (params: any) => object | undefined } = {}) {
  const completions = client?.chat?.completions;
  const responses = client?.responses;
  if (typeof completions?.create !== 'function' && typeof responses?.create !== 'function') throw invalid(`pass a client, ${HOW}`);
  if (typeof limits !== 'function') throw invalid('`limits` must be a function of the parameters that returns the limits of the model');
  const serving = servingOf(compactor, '`ebbline/openai`');
  return function create(params, options) {
    return promised(sending());

    async function sending() {
      const { api, name, ...way } = isChat(params) ? { api: completions, ...CHAT } : { api: responses, ...RESPONSES };
      const history = way.historyOf(params);
      if (typeof api?.create !== 'function') throw invalid(`the client cannot send \`${name}\`, because it lacks that API`);
      return sent(serving, {
        history,
        signal: options?.signal,
        limits: limits(params),
        isStream: params.stream === true,
        send: (view, signal) => received(api.create({ ...params, [name]: view }, { ...options, signal })),
        ...way,
      });
    }
  };
}

const CHAT = {
  name: 'messages',
  historyOf: ({ messages }) => {
    if (!Array.isArray(messages)) throw invalid('`messages` must be the whole history, an array of messages');
    return messages;
  },
  tokensOf: (answer) => answer?.usage?.prompt_tokens,
};

const OPENINGS = new Set(['response.created', 'response.queued', 'response.in_progress']);

const RESPONSES = {
  name: 'input',
  historyOf: ({ input, previous_response_id: previous, conversation }) => {
    if (previous) throw kept('previous_response_id');
    if (conversation) throw kept('conversation');
    if (typeof input === 'string') return [{ role: 'user', content: input }];
    if (!Array.isArray(input)) throw invalid('pass the whole history: `messages` for Chat Completions, or `input` for Responses');
    return input;
  },
  tokensOf: (answer) => {
    const { usage, output } = answer?.response ?? answer ?? {};
    // The provider compacted what was sent, so its size is not known.
    return output?.some((item) => item?.type === 'compaction') ? undefined : usage?.input_tokens;
  },
  isOpening: ({ type }) => OPENINGS.has(type),
  failureOf: (event) => {
    if (event.type === 'response.failed') return event.response?.error ?? event;
    return event.type === 'error' ? event : undefined;
  },
};

function isChat(params) {
  if (typeof params !== 'object' || params === null) throw invalid('pass the parameters of the request');
  return params.messages !== undefined;
}

function kept(name) {
  return invalid(
    `with \`${name}\`, OpenAI keeps the history, where it cannot be compacted: leave it out and pass the whole history as \`input\``,
  );
}

function invalid(message) {
  return new EbblineError('invalid_option', message);
}

function nothing() {
  return undefined;
}
