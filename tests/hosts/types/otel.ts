import { metrics, trace } from '@opentelemetry/api';

import { createCompactor } from 'ebbline';
import { instrument } from 'ebbline/otel';

const telemetry = instrument({
  tracer: trace.getTracer('agent'),
  meter: metrics.getMeter('agent'),
  attributes: { 'gen_ai.conversation.id': 'c1' },
  onEvent: ({ type }) => type satisfies string,
});

export const compactor = createCompactor({
  onEvent: telemetry.onEvent,
  summarize: telemetry.summarize(async ({ messages }) => `${messages.length} messages`, { model: 'small', provider: 'openai' }),
});

// @ts-expect-error no tracer
instrument({ tracer: trace });
