/** A message of Bedrock's Converse, or nearly one. */
export function makeMessage(t) {
  const source = () =>
    t.field(() =>
      t.pick([
        { bytes: t.field(t.text) },
        { bytes: { 0: 137, 1: 80, 2: 78, 3: 71 } },
        { s3Location: t.field(() => ({ uri: t.field(t.text) })) },
        { bytes: null, s3Location: { uri: null }, text: t.text() },
        { content: t.value() },
      ]),
    );
  const media = () =>
    t.pick([
      { image: t.field(() => ({ format: 'png', source: source() })) },
      { document: t.field(() => ({ format: 'pdf', name: t.text(), source: source() })) },
      { video: { format: 'mp4', source: source() } },
      { audio: { format: 'mp3', source: source() } },
    ]);
  const piece = () =>
    t.field(
      () =>
        t.pick([
          { text: t.field(t.text) },
          { json: t.field(t.value) },
          media(),
          { searchResult: { source: 'https://example.org', title: t.text(), content: [{ text: t.text() }] } },
          { extra: t.value() },
        ]),
      0.05,
    );
  const block = () =>
    t.field(
      () =>
        t.pick([
          { text: t.field(t.text) },
          {
            reasoningContent: t.field(() =>
              t.pick([
                { reasoningText: t.field(() => ({ text: t.field(t.text), signature: t.field(t.text) })) },
                { redactedContent: t.field(t.text) },
                { redactedContent: { 0: 1, 1: 2 } },
              ]),
            ),
          },
          { toolUse: t.field(() => ({ toolUseId: t.field(t.id), name: t.field(t.name), input: t.field(t.value) })) },
          media(),
          {
            guardContent: t.field(() =>
              t.pick([
                { text: t.field(() => ({ text: t.field(t.text), qualifiers: [] })) },
                { image: { format: 'png', source: source() } },
              ]),
            ),
          },
          { citationsContent: { content: t.field(() => t.list(3, () => t.field(() => ({ text: t.field(t.text) })))), citations: [] } },
          { searchResult: { source: 'https://example.org', title: t.text(), content: t.field(t.value) } },
          { cachePoint: t.field(() => ({ type: 'default' })) },
          { extra: t.value() },
        ]),
      0.05,
    );
  const result = () => ({
    toolResult: t.field(() => ({
      toolUseId: t.field(t.id),
      content: t.field(() => t.pick([t.list(4, piece), [{ text: t.text() }], [{ text: t.placeholder }], undefined])),
      status: t.maybe(0.3, () => t.pick(['success', 'error', null])),
    })),
  });
  return {
    role: t.field(() => t.pick(['user', 'user', 'assistant', 'assistant', 'system']), 0.03),
    content: t.field(() => t.pick([t.list(5, block), t.list(4, result), [...t.list(3, result), ...t.list(2, block)], t.text()])),
  };
}

/** A message of the person that may be a summary, where nothing but its text says so. */
export const summary = (text) => ({ role: 'user', content: [{ text }] });
