// `ebbline/otel` with the real SDK, whose spans and metrics stay in memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import OpenAI from 'openai';

import { adapter, ebbline, requiredAdapter } from './adapter.mjs';
import { startProvider } from './provider.mjs';

const { instrument } = await adapter('otel');
const { fromOpenAI } = await adapter('summarize');

const SUMMARY = 'The agent looks for the fault.';

/** A tracer and a meter, and what they recorded. */
function recording() {
  const spans = new InMemorySpanExporter();
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1_000_000 });
  const meters = new MeterProvider({ readers: [reader] });
  const points = async () => {
    await reader.forceFlush();
    const [{ scopeMetrics }] = exporter.getMetrics().slice(-1);
    return scopeMetrics.flatMap(({ metrics }) =>
      metrics.flatMap(({ descriptor, dataPoints }) =>
        dataPoints.map(({ attributes, value }) => ({ name: descriptor.name, unit: descriptor.unit, attributes, value })),
      ),
    );
  };
  return {
    tracer: tracers.getTracer('test'),
    meter: meters.getMeter('test'),
    spans: () => spans.getFinishedSpans(),
    points,
    shutdown: () => meters.shutdown(),
  };
}

const calling = (count, from = 0) =>
  Array.from({ length: count }, (_, at) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${from + at}`, type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: `c${from + at}`, content: `secret ${from + at} `.repeat(300) },
  ]).flat();
const HISTORY = [{ role: 'user', content: 'Find the secret.' }, ...calling(40)];
const TALK = Array.from({ length: 41 }, (_, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: `secret ${at} `.repeat(300) }));
const MODEL = { context: 16_000, output: 1_000 };

test('compactions, calls of the model, failures and overflows are recorded, and no text is', async (t) => {
  const { tracer, meter, spans, points, shutdown } = recording();
  t.after(shutdown);
  const provider = await startProvider({
    answer: ({ number }) => {
      if (number === 2) throw new Error('secret');
      return { text: SUMMARY };
    },
  });
  t.after(provider.close);
  const heard = [];
  const telemetry = instrument({ tracer, meter, attributes: { 'gen_ai.conversation.id': 'c1' }, onEvent: ({ type }) => heard.push(type) });
  const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none', maxRetries: 0 });
  const summarize = telemetry.summarize(fromOpenAI(client, { model: 'small' }), { model: 'small', provider: 'openai' });
  const options = { model: MODEL, onEvent: telemetry.onEvent, summarize };

  const pruning = ebbline.createCompactor(options);
  await pruning.prepare(HISTORY);
  const talking = ebbline.createCompactor(options);
  await talking.prepare(TALK);
  await talking.compactNow([...TALK, { role: 'assistant', content: 'Yes.' }, ...TALK]).catch(() => {});
  const overflow = Object.assign(new Error("This model's maximum context length is 100 tokens: secret"), {
    code: 'context_length_exceeded',
  });
  await pruning.recover(overflow, HISTORY);
  await assert.rejects(pruning.recover(overflow, HISTORY), { code: 'still_too_large' });
  pruning.undo();

  const all = spans();
  const named = (name) => all.filter((span) => span.name === name);
  const [call, failing] = named('chat small');
  assert.equal(call.kind, SpanKind.CLIENT);
  assert.equal(call.attributes['gen_ai.operation.name'], 'chat');
  assert.equal(call.attributes['gen_ai.request.model'], 'small');
  assert.equal(call.attributes['gen_ai.provider.name'], 'openai');
  assert.equal(call.attributes['gen_ai.conversation.id'], 'c1');
  assert.ok(Number(call.attributes['gen_ai.request.max_tokens']) > 0);
  assert.ok(Number(call.attributes['gen_ai.usage.input_tokens']) > 1_000);
  assert.equal(call.attributes['gen_ai.usage.output_tokens'], 90);
  assert.equal(failing.status.code, SpanStatusCode.ERROR);
  assert.equal(failing.attributes['error.type'], '500');

  const compactions = named('ebbline.compact').filter(({ status }) => status.code !== SpanStatusCode.ERROR);
  const [pruned, summarized] = compactions;
  assert.deepEqual(
    [pruned, summarized].map(({ attributes }) => attributes['ebbline.step']),
    ['prune', 'summarize'],
  );
  for (const { attributes, kind } of compactions) {
    assert.equal(kind, SpanKind.INTERNAL);
    assert.equal(attributes['gen_ai.conversation.compacted'], true);
    assert.equal(attributes['gen_ai.conversation.id'], 'c1');
    assert.ok(Number(attributes['ebbline.tokens.before']) > Number(attributes['ebbline.tokens.after']));
  }
  assert.ok(Number(pruned.attributes['ebbline.pruned']) > 0);
  assert.ok(Number(summarized.attributes['ebbline.summarized']) > 0);
  const failures = named('ebbline.compact').filter(({ status }) => status.code === SpanStatusCode.ERROR);
  assert.deepEqual([...new Set(failures.map(({ attributes }) => attributes['error.type']))].sort(), ['500', 'still_too_large']);

  const metrics = await points();
  const events = Object.fromEntries([...new Set(heard)].map((type) => [type, heard.filter((other) => other === type).length]));
  for (const [type, count] of Object.entries(events)) {
    const counted = metrics.filter(({ name, attributes }) => name === 'ebbline.events' && attributes['ebbline.event'] === type);
    assert.equal(
      counted.reduce((sum, { value }) => sum + value, 0),
      count,
      type,
    );
  }
  for (const type of ['compacted', 'summary_requested', 'summary_failed', 'overflow', 'gave_up', 'undone'])
    assert.ok(events[type] > 0, type);
  for (const [name, unit] of [
    ['ebbline.context.tokens', '{token}'],
    ['ebbline.compaction.duration', 's'],
    ['gen_ai.client.token.usage', '{token}'],
    ['gen_ai.client.operation.duration', 's'],
  ]) {
    const found = metrics.filter((point) => point.name === name);
    assert.ok(found.length > 0, name);
    for (const point of found) {
      assert.equal(point.unit, unit);
      assert.equal(point.attributes['gen_ai.conversation.id'], undefined);
    }
  }
  const recorded = JSON.stringify([all.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })), metrics]);
  assert.ok(!recorded.includes('secret') && !recorded.includes(SUMMARY));
  pruning.free();
  talking.free();
});

test('a tracer alone or a meter alone is enough, and a cancelled summary ends its span', async (t) => {
  for (const which of ['tracer', 'meter']) {
    const { [which]: only, spans, points, shutdown } = recording();
    t.after(shutdown);
    const stop = new AbortController();
    const telemetry = instrument({ [which]: only });
    const summarize = telemetry.summarize(async (_, { signal }) => {
      stop.abort();
      signal.throwIfAborted();
      return SUMMARY;
    });
    const compactor = ebbline.createCompactor({ model: MODEL, onEvent: telemetry.onEvent, summarize });
    await assert.rejects(compactor.prepare(TALK, { signal: stop.signal }), { name: 'AbortError' });
    await new Promise((done) => setImmediate(done));
    if (which === 'tracer') {
      assert.deepEqual(
        spans().map(({ name, attributes }) => [name, attributes['error.type']]),
        [['chat', 'AbortError']],
      );
    } else assert.ok((await points()).some(({ name }) => name === 'gen_ai.client.operation.duration'));
    compactor.free();
  }
});

test('what is used in a wrong way is refused with a sentence', () => {
  const invalid = (message) => ({ name: 'EbblineError', code: 'invalid_option', message });
  const { tracer } = recording();
  assert.throws(() => instrument(/** @type {any} */ (undefined)), invalid(/pass a `tracer`, a `meter` or both/));
  assert.throws(() => instrument({ tracer, onEvent: /** @type {any} */ (true) }), invalid(/`onEvent` must be a function/));
  assert.throws(() => instrument({ tracer }).summarize(/** @type {any} */ ({})), invalid(/pass the function that writes summaries/));
});

test('`require` gives the same', () => {
  assert.equal(typeof requiredAdapter('otel').instrument, 'function');
});
