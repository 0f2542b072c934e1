/** Boundaries that OpenTelemetry advises for tokens and for seconds. */
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/** The metrics of a compactor; none without a meter. */
export class Measures {
  #events;
  #tokens;
  #duration;
  #usage;
  #calls;

  constructor(meter: any) {
    if (meter === undefined) return;
    const histogram = (name, unit, description, explicitBucketBoundaries) =>
      meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries } });
    this.#events = meter.createCounter('ebbline.events', { unit: '{event}', description: 'What happened to the context, by its kind.' });
    this.#tokens = histogram('ebbline.context.tokens', '{token}', 'The size of the context before and after a compaction.', TOKENS);
    this.#duration = histogram('ebbline.compaction.duration', 's', 'How long a compaction took, with its summary.', SECONDS);
    this.#usage = histogram('gen_ai.client.token.usage', '{token}', 'Number of input and output tokens used.', TOKENS);
    this.#calls = histogram('gen_ai.client.operation.duration', 's', 'GenAI operation duration.', SECONDS);
  }

  event({ type, cause, code }) {
    this.#events?.add(1, { 'ebbline.event': type, ...(cause && { 'ebbline.cause': cause }), ...(code && { 'error.type': code }) });
  }

  compaction(about, { tokensBefore, tokensAfter }, milliseconds) {
    this.#tokens?.record(tokensBefore, { ...about, 'ebbline.moment': 'before' });
    this.#tokens?.record(tokensAfter, { ...about, 'ebbline.moment': 'after' });
    this.#duration?.record(milliseconds / 1_000, about);
  }

  usage(about, { inputTokens, outputTokens }) {
    if (inputTokens !== undefined) this.#usage?.record(inputTokens, { ...about, 'gen_ai.token.type': 'input' });
    if (outputTokens !== undefined) this.#usage?.record(outputTokens, { ...about, 'gen_ai.token.type': 'output' });
  }

  call(about, milliseconds) {
    this.#calls?.record(milliseconds / 1_000, about);
  }
}
