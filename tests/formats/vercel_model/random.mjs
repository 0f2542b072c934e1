import { providerMetadata } from './provider-metadata.mjs';

/** A model message of the Vercel AI SDK, or nearly one; of its version 4, too. */
export function makeMessage(t) {
  const options = () => t.maybe(0.2, () => providerMetadata(t));
  const data = () => t.field(() => t.pick([t.text(), { 0: 137, 1: 80 }, { type: 'Buffer', data: t.list(5, () => 7) }]), 0.2);
  const media = () => ({
    type: t.pick(['media', 'file-data', 'image-data', 'image-url', 'file-url', 'file-id', 'image', 'custom', 'text']),
    data: t.maybe(0.5, data),
    url: t.maybe(0.3, () => t.field(t.text)),
    fileId: t.maybe(0.3, () => t.field(t.text)),
    mediaType: t.maybe(0.5, () => t.field(() => t.pick(['image/png', 'text/csv']))),
    mimeType: t.maybe(0.2, () => t.field(() => t.pick(['image/png', 'text/csv']))),
  });
  const inner = () => t.field(() => t.pick([{ type: 'text', text: t.field(t.text) }, media()]), 0.05);
  const contents = () => t.field(() => t.pick([t.list(4, inner), [{ type: 'text', text: t.placeholder }]]));
  const output = () =>
    t.field(() =>
      t.pick([
        { type: t.pick(['text', 'error-text']), value: t.field(t.text) },
        { type: t.pick(['json', 'error-json']), value: t.value() },
        { type: 'content', value: contents() },
        { type: 'execution-denied', reason: t.maybe(0.5, () => t.field(t.text)) },
        { type: t.field(t.text), value: t.value() },
      ]),
    );
  const result = () => ({
    type: 'tool-result',
    toolCallId: t.field(t.id),
    toolName: t.field(t.name),
    output: t.maybe(0.7, output),
    result: t.maybe(0.4, () => t.field(t.value)),
    isError: t.maybe(0.2, () => t.pick([true, false, null, 0, 1, ''])),
    experimental_content: t.maybe(0.1, contents),
  });
  const part = () =>
    t.field(
      () =>
        t.pick([
          { type: 'text', text: t.field(t.text), providerOptions: options() },
          { type: 'reasoning', text: t.field(t.text), providerOptions: options(), signature: t.maybe(0.2, () => t.field(t.text)) },
          { type: 'redacted-reasoning', data: t.field(t.text) },
          { type: 'image', image: data() },
          { type: 'file', data: data(), mediaType: t.field(() => t.pick(['image/png', 'application/pdf'])) },
          {
            type: 'tool-call',
            toolCallId: t.field(t.id),
            toolName: t.field(t.name),
            input: t.maybe(0.7, () => t.field(t.value)),
            args: t.maybe(0.4, () => t.field(t.value)),
            providerExecuted: t.maybe(0.2, () => t.pick([true, false, null])),
            providerOptions: options(),
          },
          result(),
          { type: t.pick(['tool-approval-request', 'tool-approval-response']), approvalId: t.id() },
          { type: t.text(), extra: t.value() },
        ]),
      0.05,
    );
  return {
    role: t.field(() => t.pick(['system', 'user', 'assistant', 'assistant', 'tool', 'tool']), 0.03),
    content: t.field(() => t.pick([t.text(), t.list(5, part), t.list(4, result), t.list(3, () => ({ type: 'tool-approval-response' }))])),
  };
}

/** A message of the person that may be a summary, where nothing but its text says so. */
export const summary = (content) => ({ role: 'user', content });
