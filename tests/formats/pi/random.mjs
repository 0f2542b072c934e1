/** A message of pi, or nearly one. */
export function makeMessage(t) {
  const block = () =>
    t.field(
      () =>
        t.pick([
          { type: 'text', text: t.field(t.text), textSignature: t.maybe(0.3, () => t.field(t.text)) },
          { type: 'thinking', thinking: t.field(t.text), thinkingSignature: t.maybe(0.5, () => t.field(t.text)) },
          { type: 'image', data: t.field(t.text), mimeType: 'image/png' },
          {
            type: 'toolCall',
            id: t.field(t.id),
            name: t.field(t.name),
            arguments: t.field(t.value),
            thoughtSignature: t.maybe(0.3, () => t.field(t.text)),
          },
          { type: t.text(), extra: t.value() },
        ]),
      0.05,
    );
  const role = t.pick([
    'user',
    'assistant',
    'assistant',
    'toolResult',
    'toolResult',
    'bashExecution',
    'compactionSummary',
    'branchSummary',
    'custom',
    'hookMessage',
    'system',
  ]);
  return {
    role: t.field(() => role, 0.03),
    content: t.field(() => t.pick([t.text(), t.list(4, block), [{ type: 'text', text: t.placeholder }]])),
    stopReason: t.maybe(0.6, () => t.pick(['stop', 'toolUse', null])),
    toolCallId: t.field(t.id),
    toolName: t.field(t.name),
    isError: t.pick([true, false, undefined, null]),
    command: t.field(t.text),
    output: t.field(t.text),
    excludeFromContext: t.pick([true, false, undefined]),
    summary: t.field(t.text),
    timestamp: t.number(),
  };
}
