/** An item of the OpenAI Agents SDK, or nearly one. */
export function makeMessage(t) {
  const url = () =>
    t.field(() => t.pick([`data:image/png;base64,${t.text()}`, t.text(), { id: t.text() }, { url: t.text() }, { data: t.field(t.text) }]));
  const providerData = () =>
    t.maybe(0.5, () =>
      t.field(() =>
        t.pick([
          {},
          { type: t.field(t.name), name: t.maybe(0.5, () => t.field(t.name)) },
          { call_id: t.maybe(0.5, t.id), callId: t.maybe(0.5, t.id), execution: 'client' },
          { encrypted_content: t.maybe(0.5, () => t.field(t.text)), encryptedContent: t.maybe(0.3, () => t.field(t.text)) },
          { content: t.field(() => t.list(3, thought)), extra: t.value() },
        ]),
      ),
    );
  const speech = () => t.pick([t.text(), t.text(), '<skill>x</skill>', '<turn_aborted', '[Compaction summary] x']);
  const thought = () => t.field(() => ({ type: 'input_text', text: t.field(t.text) }), 0.05);
  const block = () =>
    t.field(
      () =>
        t.pick([
          { type: 'input_text', text: t.field(speech) },
          { type: 'output_text', text: t.field(t.text), providerData: providerData() },
          { type: 'refusal', refusal: t.field(t.text) },
          { type: 'input_image', image: url(), imageUrl: t.maybe(0.3, url) },
          { type: 'input_file', file: t.maybe(0.7, url), fileData: t.maybe(0.3, url), fileId: t.maybe(0.3, url) },
          { type: t.pick(['audio', 'image', 'file']), audio: t.maybe(0.5, url), image: t.maybe(0.5, url), file: t.maybe(0.5, url) },
          { type: 'text', text: t.field(t.text) },
          { type: t.text(), extra: t.value(), encrypted_content: t.maybe(0.2, () => t.field(t.text)) },
        ]),
      0.05,
    );
  const printed = () =>
    t.field(
      () => ({
        stdout: t.field(t.text),
        stderr: t.maybe(0.8, () => t.field(t.text)),
        outcome: t.maybe(0.7, () => t.field(() => ({ type: 'exit', exitCode: 0 }))),
      }),
      0.05,
    );
  const output = () =>
    t.field(() =>
      t.pick([
        t.text(),
        t.placeholder,
        { type: 'text', text: t.field(t.text) },
        { type: 'text', text: t.placeholder },
        { type: t.pick(['image', 'file']), image: url(), file: t.maybe(0.5, url) },
        t.list(4, block),
        t.list(3, printed),
        [{ type: 'input_text', text: t.placeholder }],
        [{ stdout: t.placeholder, stderr: '' }],
      ]),
    );
  const log = () =>
    t.field(
      () =>
        t.pick([
          { type: 'logs', logs: t.field(t.text) },
          { type: 'image', url: t.field(t.text) },
        ]),
      0.05,
    );
  const hosted = () =>
    t.pick([
      'web_search_call',
      'mcp_call',
      'mcp_list_tools',
      'mcp_approval_request',
      'mcp_approval_response',
      'image_generation_call',
      '_call',
    ]);
  const calls = ['function_call', 'shell_call', 'apply_patch_call', 'computer_call', 'program', 'tool_search_call', 'custom_tool_call'];
  const outputs = [
    'function_call_result',
    'function_call_result',
    'function_call_result',
    'shell_call_output',
    'apply_patch_call_output',
    'program_output',
    'computer_call_result',
    'tool_search_output',
    'function_call_output',
  ];
  const made = () =>
    t.pick([
      { arguments: t.field(t.text) },
      { action: t.value(), actions: t.value() },
      { operation: t.value() },
      { code: t.field(t.text) },
      {},
    ]);
  const called = () => ({
    type: t.pick(calls),
    id: t.maybe(0.5, () => t.field(t.id)),
    callId: t.maybe(0.9, () => t.field(t.id)),
    call_id: t.maybe(0.1, () => t.field(t.id)),
    name: t.maybe(0.7, () => t.field(t.name)),
    providerData: providerData(),
    ...made(),
  });
  const answered = () => ({
    type: t.pick(outputs),
    id: t.maybe(0.3, () => t.field(t.id)),
    callId: t.field(t.id),
    output: output(),
    tools: t.maybe(0.1, t.value),
    status: t.maybe(0.2, () => t.pick(['failed', 'completed', null])),
    providerData: providerData(),
  });
  const message = () => ({
    type: t.maybe(0.8, () => t.field(() => 'message', 0.05)),
    role: t.field(() => t.pick(['user', 'user', 'assistant', 'assistant', 'system', 'tool']), 0.03),
    content: t.field(() => t.pick([speech(), t.list(4, block), [block()]])),
    providerData: providerData(),
  });
  const sealed = () => t.maybe(0.5, () => t.field(() => t.value()));
  return t.field(
    () =>
      t.pick([
        message(),
        message(),
        {
          type: 'reasoning',
          content: t.field(() => t.list(3, thought)),
          rawContent: t.maybe(0.3, () => t.field(() => t.list(2, thought))),
          providerData: providerData(),
        },
        called(),
        called(),
        answered(),
        answered(),
        answered(),
        {
          type: 'hosted_tool_call',
          id: t.maybe(0.5, t.id),
          name: t.field(hosted),
          arguments: t.maybe(0.3, () => t.field(t.text)),
          output: t.maybe(0.5, () => t.pick([t.text(), t.value()])),
          providerData: t.field(() => ({
            type: t.maybe(0.7, hosted),
            name: t.maybe(0.3, () => t.field(t.name)),
            error: sealed(),
            results: sealed(),
            result: t.maybe(0.3, () => t.field(t.text)),
            outputs: t.maybe(0.3, () => t.field(() => t.list(3, log))),
            ...made(),
          })),
        },
        t.pick([
          { type: 'compaction', encrypted_content: t.maybe(0.5, () => t.field(t.text)), encryptedContent: t.maybe(0.2, t.text) },
          { type: 'unknown', providerData: providerData() },
          { type: t.text(), extra: t.value(), providerData: providerData() },
        ]),
      ]),
    0.02,
  );
}

/** A message of the person that may be a summary, where nothing but its text says so. */
export const summary = (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }], providerData: {} });
