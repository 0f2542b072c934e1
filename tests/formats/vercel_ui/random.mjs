import { providerMetadata } from '../vercel_model/provider-metadata.mjs';

const STATES = [
  ...['input-streaming', 'input-available', 'approval-requested', 'approval-responded'],
  ...['output-available', 'output-available', 'output-error', 'output-denied'],
];

/** A UI message of the Vercel AI SDK, or nearly one; of its version 4, too. */
export function makeMessage(t) {
  const metadata = () => t.maybe(0.2, () => providerMetadata(t));
  const invocation = () =>
    t.field(
      () => ({
        state: t.field(() => t.pick(['partial-call', 'call', 'result', 'result'])),
        toolCallId: t.field(t.id),
        toolName: t.field(t.name),
        args: t.field(t.value),
        result: t.maybe(0.7, () => t.pick([t.value(), t.text(), t.placeholder])),
      }),
      0.05,
    );
  const tool = () => ({
    type: t.pick(['tool-bash', 'tool-read', 'tool-', 'tool-日本', 'dynamic-tool', 'tool-invocation']),
    toolName: t.maybe(0.5, () => t.field(t.name)),
    toolCallId: t.field(t.id),
    state: t.field(() => t.pick(STATES)),
    input: t.maybe(0.8, () => t.field(t.value)),
    rawInput: t.maybe(0.2, () => t.field(t.value)),
    output: t.maybe(0.8, () => t.pick([t.value(), t.text(), t.placeholder])),
    errorText: t.maybe(0.5, () => t.field(t.text)),
    approval: t.maybe(0.3, () => t.field(() => ({ reason: t.maybe(0.5, () => t.field(t.text)) }))),
    providerExecuted: t.maybe(0.2, () => t.pick([true, false, null])),
    callProviderMetadata: metadata(),
  });
  const detail = () => t.field(() => ({ signature: t.field(t.text), data: t.field(t.text) }));
  const part = () =>
    t.field(
      () =>
        t.pick([
          { type: 'text', text: t.field(t.text), providerMetadata: metadata() },
          {
            type: 'reasoning',
            text: t.maybe(0.7, () => t.field(t.text)),
            reasoning: t.maybe(0.3, () => t.field(t.text)),
            details: t.maybe(0.3, () => t.field(() => t.list(3, detail))),
            providerMetadata: metadata(),
          },
          {
            type: 'file',
            url: t.maybe(0.8, () => t.field(t.text)),
            data: t.maybe(0.3, () => t.field(t.text)),
            mediaType: t.field(() => 'image/png'),
          },
          tool(),
          tool(),
          { type: 'tool-invocation', toolInvocation: invocation() },
          { type: 'step-start' },
          { type: t.pick(['source-url', 'data-x', t.text()]), data: t.value() },
        ]),
      0.05,
    );
  const usage = () =>
    t.field(() => ({
      totalTokens: t.maybe(0.5, t.number),
      inputTokens: t.field(t.number),
      outputTokens: t.field(t.number),
    }));
  const attachment = () => t.field(() => ({ url: t.field(t.text), contentType: t.field(() => 'image/png') }));
  return {
    id: t.id(),
    role: t.field(() => t.pick(['system', 'user', 'assistant', 'assistant', 'assistant', 'data']), 0.03),
    content: t.maybe(0.4, () => t.field(t.text)),
    metadata: t.maybe(0.3, () => t.field(() => ({ usage: t.maybe(0.5, usage), totalUsage: t.maybe(0.5, usage) }))),
    parts: t.maybe(0.8, () => t.field(() => t.list(6, part))),
    toolInvocations: t.maybe(0.3, () => t.field(() => t.list(4, invocation))),
    experimental_attachments: t.maybe(0.2, () => t.field(() => t.list(3, attachment))),
  };
}

/** A message of the person that may be a summary, where nothing but its text says so. */
export const summary = (text) => ({ id: 'm', role: 'user', parts: [{ type: 'text', text }] });
