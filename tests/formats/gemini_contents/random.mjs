/** A content of the Gemini API, or nearly one. */
export function makeMessage(t) {
  /** A member in either spelling. */
  const spelled = (camel, snake, value) => ({ [t.pick([camel, camel, snake])]: value });
  const media = () =>
    t.field(() =>
      t.pick([
        {
          ...spelled(
            'mimeType',
            'mime_type',
            t.field(() => t.pick(['image/png', 'image/', 'text/plain'])),
          ),
          data: t.field(t.text),
        },
        { mimeType: 'application/pdf', ...spelled('fileUri', 'file_uri', t.field(t.text)) },
        { data: null, fileUri: t.text() },
      ]),
    );
  const inline = () => t.pick([spelled('inlineData', 'inline_data', media()), spelled('fileData', 'file_data', media())]);
  const id = () => t.maybe(0.5, () => t.field(t.id));
  const answer = () =>
    t.field(() =>
      t.pick([
        { output: t.field(t.text) },
        { output: t.placeholder },
        { output: `<tool_output_masked>\n${t.text()}` },
        { error: t.field(t.text) },
        { result: t.text() },
        { output: t.text(), exitCode: 1 },
        { output: t.text(), gone: undefined },
        t.value(),
      ]),
    );
  const call = () => t.field(() => ({ id: id(), name: t.field(t.name), args: t.field(t.value) }));
  const response = () =>
    t.field(() => ({
      id: id(),
      name: t.field(t.name),
      response: answer(),
      parts: t.maybe(0.2, () => t.field(() => t.list(3, () => t.field(inline)))),
    }));
  const signature = () => t.maybe(0.3, () => spelled('thoughtSignature', 'thought_signature', t.field(t.text)));
  const spoken = () =>
    t.pick([
      { text: t.field(t.text), thought: t.maybe(0.3, () => t.pick([true, false, null, 0, 1, '', 'yes', []])) },
      { text: t.pick(['[Compaction summary]\n\nbefore', '<state_snapshot>\nbefore\n</state_snapshot>']) },
      inline(),
      { executableCode: t.field(t.value) },
      spelled('codeExecutionResult', 'code_execution_result', t.field(t.value)),
      { extra: t.value() },
      {},
    ]);
  const called = () => spelled('functionCall', 'function_call', call());
  const answered = () => spelled('functionResponse', 'function_response', response());
  const part = (make) => () => t.field(() => (t.upTo(12) === 0 ? t.text() : { ...make(), ...signature() }), 0.05);
  const parts = () =>
    t.pick([
      t.list(4, part(spoken)),
      [...t.list(2, part(spoken)), ...t.list(4, part(called))],
      [
        ...t.list(4, part(answered)),
        ...t.list(
          3,
          part(() => t.pick([inline, spoken])()),
        ),
      ],
      t.list(
        5,
        part(() => t.pick([spoken, called, answered, inline])()),
      ),
      part(spoken)(),
      part(answered)(),
    ]);
  return {
    role: t.field(() => t.pick(['user', 'user', 'user', 'model', 'model', 'function', 'tool', 'system', undefined]), 0.03),
    parts: t.field(parts),
  };
}

/** A message of the person that may be a summary, where nothing but its text says so. */
export const summary = (text) => ({ role: 'user', parts: [{ text }] });
