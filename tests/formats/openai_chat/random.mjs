/** A message of OpenAI Chat, or nearly one. */
export function makeMessage(t) {
  const role = t.pick(['system', 'developer', 'user', 'user', 'assistant', 'assistant', 'tool', 'tool', 'function']);
  const block = () =>
    t.field(
      () =>
        t.pick([
          { type: 'text', text: t.field(t.text) },
          { type: 'image_url', image_url: t.field(() => t.pick([{ url: t.field(t.text) }, t.text()])) },
          { type: 'input_audio', input_audio: { data: t.text() } },
          { type: 'file', file: t.value() },
          { type: 'refusal', refusal: t.field(t.text) },
          { text: t.text() },
          { type: t.text(), extra: t.value() },
        ]),
      0.05,
    );
  const call = () =>
    t.field(
      () => ({
        id: t.field(t.id),
        extra_content: t.maybe(0.1, () => t.field(() => ({ google: t.field(() => ({ thought_signature: t.field(t.text) })) }))),
        ...(t.random() < 0.8
          ? { type: 'function', function: t.field(() => ({ name: t.field(t.name), arguments: t.field(t.text) })) }
          : { type: 'custom', custom: { name: t.field(t.name), input: t.field(t.text) } }),
      }),
      0.05,
    );
  return {
    role: t.field(() => role, 0.03),
    content: t.field(() => (t.random() < 0.6 ? t.text() : t.list(4, block))),
    reasoning_content: t.maybe(0.1, () => t.field(t.text)),
    reasoning: t.maybe(0.1, () => t.field(t.text)),
    reasoning_details: t.maybe(0.2, () =>
      t.field(() =>
        t.list(3, () =>
          t.field(() => ({
            signature: t.maybe(0.5, () => t.field(t.text)),
            data: t.maybe(0.5, () => t.field(t.text)),
            text: t.maybe(0.5, () => t.field(t.text)),
            summary: t.maybe(0.3, () => t.field(t.text)),
          })),
        ),
      ),
    ),
    refusal: t.maybe(0.1, () => t.field(t.text)),
    tool_calls: role === 'assistant' ? t.maybe(0.6, () => t.field(() => t.list(4, call))) : undefined,
    function_call: t.maybe(0.15, () => t.field(() => ({ name: t.field(t.name), arguments: t.field(t.text) }))),
    tool_call_id: role === 'tool' ? t.field(t.id) : undefined,
    name: t.maybe(0.2, () => t.field(t.name)),
  };
}

/** A message of the person that may be a summary, where nothing but its text says so. */
export const summary = (content) => ({ role: 'user', content });
