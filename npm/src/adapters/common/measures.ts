import type { Attributes, Counter, Histogram, Meter } from '@opentelemetry/api';

import type { Compaction, CompactorEvent } from '../../compaction.js';

/** The tokens of a request to a model, as far as the provider reports them. */
export interface Usage {
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
}

/** Boundaries that OpenTelemetry advises for tokens and for seconds. */
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/** The metrics of a compactor; none without a meter. */
export class Measures {
  #events: Counter | undefined;
  #tokens: Histogram | undefined;
  #duration: Histogram | undefined;
  #usage: Histogram | undefined;
  #calls: Histogram | undefined;

  constructor(meter: Meter | undefined) {
    if (meter === undefined) return;
    const histogram = (name: string, unit: string, description: string, explicitBucketBoundaries: number[]) =>
      meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries } });
    this.#events = meter.createCounter('ebbline.events', { unit: '{event}', description: 'What happened to the context, by its kind.' });
    this.#tokens = histogram('ebbline.context.tokens', '{token}', 'The size of the context before and after a compaction.', TOKENS);
    this.#duration = histogram('ebbline.compaction.duration', 's', 'How long a compaction took, with its summary.', SECONDS);
    this.#usage = histogram('gen_ai.client.token.usage', '{token}', 'Number of input and output tokens used.', TOKENS);
    this.#calls = histogram('gen_ai.client.operation.duration', 's', 'GenAI operation duration.', SECONDS);
  }

  event(event: CompactorEvent): void {
    const cause = 'cause' in event ? event.cause : undefined;
    const code = 'code' in event ? event.code : undefined;
    this.#events?.add(1, { 'ebbline.event': event.type, ...(cause && { 'ebbline.cause': cause }), ...(code && { 'error.type': code }) });
  }

  compaction(about: Attributes, { tokensBefore, tokensAfter }: Compaction, milliseconds: number): void {
    this.#tokens?.record(tokensBefore, { ...about, 'ebbline.moment': 'before' });
    this.#tokens?.record(tokensAfter, { ...about, 'ebbline.moment': 'after' });
    this.#duration?.record(milliseconds / 1_000, about);
  }

  usage(about: Attributes, { inputTokens, outputTokens }: Usage): void {
    if (inputTokens !== undefined) this.#usage?.record(inputTokens, { ...about, 'gen_ai.token.type': 'input' });
    if (outputTokens !== undefined) this.#usage?.record(outputTokens, { ...about, 'gen_ai.token.type': 'output' });
  }

  call(about: Attributes, milliseconds: number): void {
    this.#calls?.record(milliseconds / 1_000, about);
  }
}
