import type { Attributes, Meter, Tracer } from "@opentelemetry/api";

import type { CompactorEvent } from "../index.js";
import type { Summarize } from "./summarize.js";

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
export function instrument(options: InstrumentOptions): Telemetry;

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
  summarize(this: void, summarize: Summarize, about?: { model?: string | undefined; provider?: string | undefined }): Summarize;
}
