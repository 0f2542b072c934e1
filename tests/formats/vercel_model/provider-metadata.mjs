/** What the AI SDK keeps of providers with a part, or nearly that. */
export function providerMetadata(t) {
  const provider = () =>
    t.field(() => ({
      signature: t.maybe(0.3, () => t.field(t.text)),
      redactedData: t.maybe(0.2, () => t.field(t.text)),
      itemId: t.maybe(0.3, () => t.field(t.text)),
      reasoningEncryptedContent: t.maybe(0.2, () => t.field(t.text)),
      thoughtSignature: t.maybe(0.2, () => t.field(t.text)),
    }));
  return t.field(() => Object.fromEntries(t.list(3, () => [t.pick(['anthropic', 'openai', 'google']), provider()])));
}
