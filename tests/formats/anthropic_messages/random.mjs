/** A message of Anthropic Messages, or nearly one. */
export function makeMessage(t) {
  const media = () =>
    t.field(() =>
      t.pick([
        { type: 'base64', data: t.field(t.text) },
        { type: 'url', url: t.text() },
        { data: null, url: null, file_id: t.text() },
        { type: 'content', content: t.value() },
      ]),
    );
  const inner = () =>
    t.field(
      () =>
        t.pick([
          { type: 'text', text: t.field(t.text) },
          { text: t.text() },
          { type: 'image', source: media() },
          { type: 'document', source: media() },
          { type: 'search_result', title: t.text() },
        ]),
      0.05,
    );
  const block = () =>
    t.field(
      () =>
        t.pick([
          { type: 'text', text: t.field(t.text) },
          { type: 'thinking', thinking: t.field(t.text), signature: t.field(t.text) },
          { type: 'redacted_thinking', data: t.field(t.text) },
          { type: 'tool_use', id: t.field(t.id), name: t.field(t.name), input: t.field(t.value) },
          { type: 'server_tool_use', id: t.id(), name: t.name(), input: t.value() },
          { type: 'web_search_tool_result', tool_use_id: t.field(t.id), content: t.value() },
          { type: 'image', source: media() },
          { type: 'document', source: media() },
          { type: 'search_result', source: 'https://example.org', title: t.text(), content: t.field(t.value) },
          { type: 'container_upload', file_id: t.field(t.text) },
          { type: 'compaction', content: t.field(t.text), encrypted_content: t.maybe(0.5, () => t.field(t.text)) },
          { type: t.text(), extra: t.value() },
        ]),
      0.05,
    );
  const result = () => ({
    type: 'tool_result',
    tool_use_id: t.field(t.id),
    content: t.field(() => t.pick([t.text(), t.list(4, inner), [{ type: 'text', text: t.placeholder }], undefined])),
    is_error: t.maybe(0.2, () => t.pick([true, false, null, 0, 1, '', 'yes'])),
    cache_control: t.maybe(0.1, () => ({ type: 'ephemeral' })),
  });
  return {
    role: t.field(() => t.pick(['user', 'user', 'assistant', 'assistant', 'system']), 0.03),
    content: t.field(() => t.pick([t.text(), t.list(5, block), t.list(4, result), [...t.list(3, result), ...t.list(2, block)]])),
    stop_reason: t.maybe(0.2, () => t.pick(['end_turn', 'tool_use', null])),
  };
}

/** A message of the person that may be a summary, where nothing but its text says so. */
export const summary = (content) => ({ role: 'user', content });
