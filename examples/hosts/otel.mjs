// What a compactor does, as spans of OpenTelemetry.

import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createCompactor } from 'ebbline';
import { instrument } from 'ebbline/otel';

// An application has a tracer: `trace.getTracer('agent')` of `@opentelemetry/api`, and a meter the same way.
const exporter = new InMemorySpanExporter();
const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer('agent');

const telemetry = instrument({ tracer, attributes: { 'gen_ai.conversation.id': 'c1' } });
const compactor = createCompactor({
  model: { context: 16_000, output: 1_000 },
  onEvent: telemetry.onEvent,
  summarize: telemetry.summarize(async () => 'All parts so far are sound.', { model: 'small', provider: 'openai' }),
});

const talk = Array.from({ length: 101 }, (_, at) => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: `Part ${at} is sound. `.repeat(60),
}));
await compactor.prepare(talk);

for (const { name, attributes } of exporter.getFinishedSpans()) {
  const of = (...names) => names.map((each) => `${each}=${attributes[each]}`).join(' ');
  console.log(
    `${name}: ${name === 'ebbline.compact' ? of('ebbline.cause', 'ebbline.step', 'gen_ai.conversation.id') : of('gen_ai.operation.name')}`,
  );
}
compactor.free();

// It prints:
// → chat small: gen_ai.operation.name=chat
// → ebbline.compact: ebbline.cause=full ebbline.step=summarize gen_ai.conversation.id=c1
