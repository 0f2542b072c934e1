import { providerMetadata } from '../vercel_model/provider-metadata.mjs';

const STATES = ['partial-call', 'call', 'approval-requested', 'result', 'result', 'result', 'output-error', 'output-denied'];

/** A message of a Mastra store, or nearly one. */
export function makeMessage(t) {
  const told = () =>
    t.field(() =>
      t.pick([
        { type: 'text', value: t.field(t.text) },
        { type: 'text', value: t.placeholder },
        { type: 'json', value: t.value() },
        { type: 'error-text', value: t.text() },
        {
          type: 'content',
          value: t.list(3, () =>
            t.pick([
              { type: 'text', text: t.field(t.text) },
              { type: 'media', data: t.text() },
            ]),
          ),
        },
        t.text(),
      ]),
    );
  const metadata = () =>
    t.maybe(0.3, () =>
      t.pick([
        providerMetadata(t),
        { mastra: t.field(() => ({ modelOutput: t.maybe(0.8, told), other: 1 })), openai: { itemId: t.maybe(0.3, t.text) } },
      ]),
    );
  const invocation = () =>
    t.field(
      () => ({
        state: t.field(() => t.pick(STATES)),
        toolCallId: t.field(t.id),
        toolName: t.field(t.name),
        args: t.maybe(0.8, () => t.field(t.value)),
        rawInput: t.maybe(0.2, () => t.field(t.value)),
        result: t.maybe(0.8, () => t.pick([t.value(), t.text(), t.placeholder])),
        errorText: t.maybe(0.5, () => t.field(t.text)),
        isError: t.maybe(0.2, () => t.pick([true, false, null])),
        approval: t.maybe(0.3, () => t.field(() => ({ reason: t.maybe(0.5, () => t.field(t.text)) }))),
      }),
      0.05,
    );
  const detail = () => t.field(() => ({ type: 'text', text: t.field(t.text), signature: t.field(t.text), data: t.maybe(0.2, t.text) }));
  const tool = () => ({
    type: 'tool-invocation',
    toolInvocation: invocation(),
    providerExecuted: t.maybe(0.2, () => t.pick([true, false, null])),
    providerMetadata: metadata(),
  });
  const part = () =>
    t.field(
      () =>
        t.pick([
          { type: 'text', text: t.field(t.text), providerMetadata: metadata() },
          {
            type: 'reasoning',
            reasoning: t.maybe(0.7, () => t.field(t.text)),
            details: t.maybe(0.6, () => t.field(() => t.list(3, detail))),
            providerMetadata: metadata(),
          },
          { type: 'file', data: t.maybe(0.7, () => t.field(t.text)), url: t.maybe(0.3, t.text), mimeType: t.field(() => 'image/png') },
          tool(),
          tool(),
          tool(),
          { type: t.pick(['step-start', 'source', 'source-document', 'error', 'data-tool-call-suspended', 'tool-x', t.text()]) },
        ]),
      0.05,
    );
  const attachment = () => t.field(() => ({ url: t.field(t.text), contentType: t.field(() => 'image/png') }));
  const content = () => ({
    format: t.field(() => 2, 0.03),
    parts: t.maybe(0.9, () => t.field(() => t.list(8, part))),
    content: t.maybe(0.4, () => t.field(t.text)),
    reasoning: t.maybe(0.2, () => t.field(t.text)),
    toolInvocations: t.maybe(0.4, () => t.field(() => t.list(4, invocation))),
    experimental_attachments: t.maybe(0.2, () => t.field(() => t.list(3, attachment))),
    metadata: t.maybe(0.2, () =>
      t.field(() => ({ signal: t.field(() => ({ type: t.field(() => t.pick(['user', 'user-message', 'state'])) })) })),
    ),
  });
  return t.field(
    () => ({
      id: t.field(() => t.pick([t.id(), t.id(), 'compaction-c1'])),
      role: t.field(() => t.pick(['system', 'user', 'assistant', 'assistant', 'assistant', 'signal']), 0.03),
      createdAt: t.maybe(0.8, () => t.pick(['2026-01-01T00:00:00.000Z', t.text(), null, 7])),
      threadId: t.maybe(0.5, () => t.field(t.id)),
      resourceId: t.maybe(0.2, () => t.field(t.id)),
      type: t.maybe(0.3, () => t.pick(['v2', 'text', 'user'])),
      content: t.pick([
        content(),
        content(),
        content(),
        content(),
        content(),
        content(),
        t.text(),
        t.pick([null, 7, true, undefined, {}, { a: 1 }]),
      ]),
    }),
    0.02,
  );
}

/** A message of the person that may be a summary, where nothing but its text says so. */
export const summary = (text) => ({ id: 'm', role: 'user', content: { format: 2, parts: [{ type: 'text', text }] } });
