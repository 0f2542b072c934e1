import type { Attributes, Meter, Span, Tracer } from '@opentelemetry/api';

import type { Compaction, CompactionCause, CompactorEvent } from '../compaction.js';
import { Measures, type Usage } from './common/measures.js';
import { invalid } from './common/refusal.js';
import type { Summarize } from './common/summary-answer.js';

/** The numbers of OpenTelemetry's `SpanKind` and `SpanStatusCode`: what is passed in has no names for them. */
const INTERNAL = 0;
const CLIENT = 2;
const ERROR = 2;

const COMPACT = 'ebbline.compact';

export interface InstrumentOptions {
  tracer?: Tracer | undefined;
  meter?: Meter | undefined;
  /** Attributes for every span, such as `gen_ai.conversation.id`. Metrics do not get them: each value would be a series of its own. */
  attributes?: Attributes | undefined;
  /** A listener of your own, which hears every event as well. */
  onEvent?: ((event: CompactorEvent) => void) | undefined;
}

export interface Telemetry {
  /** For the option `onEvent` of a compactor. */
  onEvent(this: void, event: CompactorEvent): void;
  /**
   * The same function, whose calls are recorded as calls of a model. Usage is recorded if the answer has it, as those of
   * `ebbline/summarize` do.
   */
  summarize(this: void, summarize: Summarize, about?: ModelName): Summarize;
}

/** The names of a model and of its provider. */
export interface ModelName {
  model?: string | undefined;
  provider?: string | undefined;
}

/** What calls are recorded with. */
interface Recording {
  tracer: Tracer | undefined;
  measures: Measures;
  attributes: Attributes;
}

/** What went wrong, and why a compaction was made. */
interface Failure {
  cause?: CompactionCause;
  error: unknown;
  code?: string;
}

/**
 * Records what a compactor does as spans and metrics. Names follow OpenTelemetry's conventions for generative AI (`gen_ai.*`) where
 * they have one, and begin with `ebbline.` where they have none. Neither the texts of messages nor those of errors are recorded.
 *
 * @throws `EbblineError` `invalid_option` without a tracer and a meter
 *
 * @example
 * ```js
 * const telemetry = instrument({ tracer: trace.getTracer("agent"), meter: metrics.getMeter("agent") });
 * const compactor = createCompactor({ onEvent: telemetry.onEvent, summarize: telemetry.summarize(summarize, { model: "small" }) });
 * ```
 */
export function instrument(options: InstrumentOptions): Telemetry {
  const { tracer, meter, attributes = {}, onEvent } = options ?? {};
  if (typeof tracer?.startSpan !== 'function' && typeof meter?.createHistogram !== 'function') {
    throw invalid(
      'pass a `tracer`, a `meter` or both, from `@opentelemetry/api`, as in `instrument({ tracer: trace.getTracer("agent") })`',
    );
  }
  if (onEvent !== undefined && typeof onEvent !== 'function') throw invalid('`onEvent` must be a function of an event');
  const measures = new Measures(meter);
  const span = (startTime: number, about: Attributes) =>
    tracer?.startSpan(COMPACT, { kind: INTERNAL, startTime, attributes: { ...attributes, ...about } });
  /** When the summary was asked for that the next compaction waits for. */
  let asked: number | undefined;

  function compacted(event: Compaction): void {
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

  function failed({ cause, error, code }: Failure, startTime = Date.now()): void {
    failing(span(startTime, { ...(cause && { 'ebbline.cause': cause }) }), code ?? typeOf(error))?.end();
  }

  function recorded(event: CompactorEvent): void {
    if (event.type === 'compacted') compacted(event);
    else if (event.type === 'summary_requested' && (event.part ?? 1) === 1) asked = Date.now();
    else if (event.type === 'gave_up') failed(event);
    else if (event.type === 'summary_failed') {
      failed(event, asked);
      asked = undefined;
    }
  }

  return {
    onEvent(event) {
      measures.event(event);
      recorded(event);
      onEvent?.(event);
    },
    summarize: (summarize, about) => observed(summarize, about, { tracer, measures, attributes }),
  };
}

/** The same function, whose calls are recorded as calls of a model. */
function observed(summarize: Summarize, { model, provider }: ModelName = {}, { tracer, measures, attributes }: Recording): Summarize {
  if (typeof summarize !== 'function')
    throw invalid('pass the function that writes summaries, as in `summarize: telemetry.summarize(summarize, { model })`');
  const about: Attributes = {
    'gen_ai.operation.name': 'chat',
    ...(model !== undefined && { 'gen_ai.request.model': model }),
    ...(provider !== undefined && { 'gen_ai.provider.name': provider }),
  };
  return async (request, options) => {
    const ask = async (span?: Span) => {
      const began = performance.now();
      let failure: string | undefined;
      try {
        const answer = await summarize(request, options);
        const { inputTokens, outputTokens } = (answer as { usage?: Usage } | undefined)?.usage ?? {};
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

function failing(span: Span | undefined, type: string): Span | undefined {
  span?.setAttribute('error.type', type);
  span?.setStatus({ code: ERROR });
  return span;
}

/** What an error is, without its words: they may repeat what was sent. */
function typeOf(error: unknown): string {
  const { code, status, name } = (error ?? {}) as { code?: unknown; status?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  if (typeof status === 'number') return String(status);
  return typeof name === 'string' ? name : '_OTHER';
}
