const TYPES = [
  ...['human', 'human', 'ai', 'ai', 'ai', 'tool', 'tool', 'system', 'function', 'chat', 'remove'],
  ...['AIMessageChunk', 'generic'],
];
const CLASSES = [
  ...['HumanMessage', 'AIMessage', 'AIMessageChunk', 'ToolMessage', 'SystemMessage', 'RemoveMessage'],
  ...['FunctionMessage', 'ChatMessage'],
];

/** A message of LangChain in one of its spellings, or nearly one. */
export function makeMessage(t) {
  const type = t.pick(TYPES);
  const body = bodyOf(t);
  switch (t.upTo(4)) {
    case 0:
      return {
        lc: 1,
        type: 'constructor',
        id: t.field(() => ['langchain', 'schema', 'messages', t.pick(CLASSES)]),
        kwargs: t.field(() => body),
      };
    case 1:
      return { type: t.field(() => type), data: t.field(() => body) };
    case 2:
      return { ...body, type: undefined, role: t.pick(['user', 'assistant', 'system', 'tool', 'developer', 'narrator']) };
    default:
      return { ...body, type: t.field(() => type, 0.05) };
  }
}

function bodyOf(t) {
  const call = (args) =>
    t.field(
      () => ({
        name: t.field(t.name),
        args: t.field(args),
        id: t.field(t.id),
        extras: t.maybe(0.1, () => t.field(() => ({ signature: t.field(t.text) }))),
      }),
      0.05,
    );
  const made = () => t.field(() => ({ name: t.field(t.name), arguments: t.field(t.text) }));
  const raw = () => t.field(() => ({ id: t.field(t.id), function: made() }), 0.05);
  const extra = () =>
    t.field(() => ({
      tool_calls: t.maybe(0.3, () => t.field(() => t.list(3, raw))),
      function_call: t.maybe(0.1, made),
      reasoning: t.maybe(0.2, () => t.field(() => reasoning(t))),
      lc_source: t.maybe(0.2, () => t.pick(['summarization', 'other', null])),
      __gemini_function_call_thought_signatures__: t.maybe(0.2, () => t.field(() => ({ c1: t.field(t.text) }))),
    }));
  const usage = () => ({
    input_tokens: t.field(t.number),
    output_tokens: t.number(),
    total_tokens: t.maybe(0.5, t.number),
  });
  const contents = () =>
    t.pick([...[t.text(), t.text(), t.placeholder, [{ type: 'text', text: t.placeholder }]], t.list(5, () => block(t))]);
  return {
    content: t.field(contents),
    id: t.maybe(0.6, () => t.field(() => t.pick([t.id(), '__remove_all__']), 0.2)),
    type: t.pick(TYPES),
    role: t.maybe(0.2, () => t.field(() => t.pick(['user', 'assistant', 'remove', 'critic']))),
    name: t.maybe(0.3, () => t.field(t.name)),
    tool_calls: t.maybe(0.5, () => t.field(() => t.list(3, () => call(t.value)))),
    invalid_tool_calls: t.maybe(0.2, () => t.field(() => t.list(2, () => call(t.text)))),
    additional_kwargs: t.maybe(0.5, extra),
    usage_metadata: t.maybe(0.4, () => t.field(usage)),
    tool_call_id: t.field(t.id),
    status: t.maybe(0.5, () => t.pick(['success', 'error', null])),
    artifact: t.maybe(0.2, t.value),
  };
}

function reasoning(t) {
  const summary = () => t.field(() => ({ type: 'summary_text', text: t.field(t.text) }));
  return {
    type: 'reasoning',
    reasoning: t.maybe(0.5, () => t.field(t.text)),
    summary: t.maybe(0.4, () => t.field(() => t.list(3, summary))),
    encrypted_content: t.maybe(0.3, () => t.field(t.text)),
    extras: t.maybe(0.2, () => t.field(() => ({ signature: t.field(t.text) }))),
  };
}

function block(t) {
  const data = () => t.maybe(0.3, () => t.field(t.text, 0.2));
  const url = () => t.field(() => t.pick([{ url: t.field(t.text) }, t.text()]));
  return t.field(
    () =>
      t.pick([
        t.text(),
        {
          type: t.pick(['text', 'input_text', 'output_text']),
          text: t.field(t.text),
          signature: t.maybe(0.2, () => t.field(t.text)),
        },
        { text: t.field(t.text) },
        { type: 'thinking', thinking: t.field(t.text), signature: t.field(t.text) },
        { type: 'redacted_thinking', data: t.field(t.text) },
        reasoning(t),
        {
          type: 'reasoning_content',
          reasoning_content: t.field(() => ({ text: t.field(t.text), signature: t.field(t.text) })),
        },
        {
          type: t.pick(['tool_use', 'tool_call', 'function_call']),
          id: t.field(t.id),
          name: t.field(t.name),
          input: t.maybe(0.5, t.value),
          args: t.maybe(0.5, t.value),
        },
        { type: 'function_call', id: 'fc_1', call_id: t.field(t.id), name: t.name(), arguments: t.text() },
        { type: 'server_tool_call', id: t.field(t.id), name: t.field(t.name), args: t.value() },
        {
          type: t.pick(['tool_result', 'server_tool_result']),
          tool_call_id: t.maybe(0.5, () => t.field(t.id)),
          tool_use_id: t.id(),
          output: t.maybe(0.5, t.value),
          content: t.value(),
        },
        { type: 'web_search_tool_result', tool_use_id: t.field(t.id), content: t.value() },
        { type: t.pick(['image_url', 'input_image']), image_url: url() },
        {
          type: t.pick(['image', 'audio', 'file', 'video', 'text-plain', 'media']),
          base64: data(),
          data: data(),
          url: data(),
          file_id: data(),
          mime_type: t.field(() => t.pick(['image/png', 'audio/wav'])),
        },
        { type: 'file', file: t.field(() => ({ file_data: t.field(t.text) })) },
        { type: 'input_audio', input_audio: t.field(() => ({ data: t.field(t.text), format: 'wav' })) },
        {
          type: t.pick(['image', 'document', 'file']),
          source: t.field(() => ({ type: 'base64', data: t.field(t.text) })),
        },
        { type: 'refusal', refusal: t.field(t.text) },
        { type: 'non_standard', value: t.value() },
        { type: t.pick(['input_json_delta', 'invalid_tool_call', t.text()]), extra: t.value() },
      ]),
    0.05,
  );
}

/** A message of the person that may be a summary, where nothing but its text says so. */
export const summary = (content) => ({ type: 'human', data: { content } });
