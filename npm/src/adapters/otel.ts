import { EbblineError } from '#errors';
import { Measures } from './common/measures.js';

/** The numbers of OpenTelemetry's `SpanKind` and `SpanStatusCode`: what is passed in has no names for them. */
const INTERNAL = 0;
const CLIENT = 2;
const ERROR = 2;

const COMPACT = 'ebbline.compact';

/** Records what a compactor does as spans and metrics. Neither the texts of messages nor those of errors are recorded. */
export function instrument({
  tracer,
  meter,
  attributes = {},
  onEvent,
}: {
  tracer?: any;
  meter?: any;
  attributes?: object;
  onEvent?: (event: any) => void;
} = {}) {
  if (typeof tracer?.startSpan !== 'function' && typeof meter?.createHistogram !== 'function') {
    throw invalid(
      'pass a `tracer`, a `meter` or both, from `@opentelemetry/api`, as in `instrument({ tracer: trace.getTracer("agent") })`',
    );
  }
  if (onEvent !== undefined && typeof onEvent !== 'function') throw invalid('`onEvent` must be a function of an event');
  const measures = new Measures(meter);
  const span = (startTime, about) => tracer?.startSpan(COMPACT, { kind: INTERNAL, startTime, attributes: { ...attributes, ...about } });
  /** When the summary was asked for that the next compaction waits for. */
  let asked;

  function compacted(event) {
    const now = Date.now();
    const startTime = event.summarized > 0 ? (asked ?? now) : now;
    const step = event.summarized > 0 ? 'summarize' : 'prune';
    const about = { 'ebbline.cause': event.cause, 'ebbline.step': step, 'ebbline.profile': event.plan.profile };
    measures.compaction(about, event, now - startTime);
    span(startTime, {
      ...about,
      'gen_ai.conversation.compacted': true,
      'ebbline.pruned': event.pruned,
      'ebbline.summarized': event.summarized,
      'ebbline.tokens.before': event.tokensBefore,
      'ebbline.tokens.after': event.tokensAfter,
    })?.end();
    if (step === 'summarize') asked = undefined;
  }

  function failed({ cause, error, code }, startTime = Date.now()) {
    failing(span(startTime, { ...(cause && { 'ebbline.cause': cause }) }), code ?? typeOf(error))?.end();
  }

  const kinds = {
    compacted,
    summary_requested: ({ part = 1 }) => {
      if (part === 1) asked = Date.now();
    },
    summary_failed: (event) => {
      failed(event, asked);
      asked = undefined;
    },
    gave_up: (event) => failed(event),
  };

  return {
    onEvent(event) {
      measures.event(event);
      kinds[event.type]?.(event);
      onEvent?.(event);
    },
    summarize: (summarize, about) => observed(summarize, about, { tracer, measures, attributes }),
  };
}

/** The same function, whose calls are recorded as calls of a model. */
function observed(summarize, { model, provider } = {} as any, { tracer, measures, attributes }) {
  if (typeof summarize !== 'function')
    throw invalid('pass the function that writes summaries, as in `summarize: telemetry.summarize(summarize, { model })`');
  const about = {
    'gen_ai.operation.name': 'chat',
    ...(model !== undefined && { 'gen_ai.request.model': model }),
    ...(provider !== undefined && { 'gen_ai.provider.name': provider }),
  };
  return async (request, options) => {
    const ask = async (span) => {
      const began = performance.now();
      let failure;
      try {
        const answer = await summarize(request, options);
        const { inputTokens, outputTokens } = answer?.usage ?? {};
        if (inputTokens !== undefined) span?.setAttribute('gen_ai.usage.input_tokens', inputTokens);
        if (outputTokens !== undefined) span?.setAttribute('gen_ai.usage.output_tokens', outputTokens);
        measures.usage(about, { inputTokens, outputTokens });
        return answer;
      } catch (error) {
        failure = typeOf(error);
        failing(span, failure);
        throw error;
      } finally {
        measures.call({ ...about, ...(failure && { 'error.type': failure }) }, performance.now() - began);
        span?.end();
      }
    };
    if (tracer === undefined) return ask();
    const known = { ...attributes, ...about, 'gen_ai.request.max_tokens': request.maxTokens };
    return tracer.startActiveSpan(model === undefined ? 'chat' : `chat ${model}`, { kind: CLIENT, attributes: known }, ask);
  };
}

function failing(span, type) {
  span?.setAttribute('error.type', type);
  span?.setStatus({ code: ERROR });
  return span;
}

/** What an error is, without its words: they may repeat what was sent. */
function typeOf(error) {
  const { code, status, name } = error ?? {};
  if (typeof code === 'string') return code;
  if (typeof status === 'number') return String(status);
  return typeof name === 'string' ? name : '_OTHER';
}

function invalid(message) {
  return new EbblineError('invalid_option', message);
}
