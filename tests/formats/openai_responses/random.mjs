/** An item of OpenAI Responses, or nearly one. */
export function makeMessage(t) {
  const url = () => t.field(() => t.pick([`data:image/png;base64,${t.text()}`, t.text()]));
  const speech = () =>
    t.pick([
      t.text(),
      t.text(),
      '<skill>x</skill>',
      ' \n# AGENTS.md instructions for /w',
      '<ENVIRONMENT_CONTEXT>',
      '<turn_aborted',
      'Another language model started to solve this problem: x',
      '[Compaction summary] x',
    ]);
  const block = () =>
    t.field(
      () =>
        t.pick([
          { type: 'input_text', text: t.field(speech) },
          { type: 'output_text', text: t.field(t.text), annotations: [] },
          { type: 'refusal', refusal: t.field(t.text) },
          { type: 'input_image', image_url: url(), file_id: t.maybe(0.3, () => t.field(t.text)) },
          { type: 'input_file', file_data: t.maybe(0.5, url), file_url: t.maybe(0.5, url), file_id: t.maybe(0.5, url) },
          { type: 'input_audio', input_audio: t.value() },
          { type: 'encrypted_content', encrypted_content: t.field(t.text) },
          { text: t.text() },
          { type: t.text(), extra: t.value() },
        ]),
      0.05,
    );
  const printed = () =>
    t.field(
      () => ({
        stdout: t.field(t.text),
        stderr: t.maybe(0.8, () => t.field(t.text)),
        outcome: t.maybe(0.7, () => t.field(() => ({ type: 'exit', exit_code: 0 }))),
      }),
      0.05,
    );
  const output = () =>
    t.field(() =>
      t.pick([
        t.text(),
        t.text(),
        t.placeholder,
        t.list(4, block),
        t.list(3, printed),
        { content: t.field(t.text), success: false },
        [{ type: 'input_text', text: t.placeholder }],
        [{ stdout: t.placeholder, stderr: '' }],
      ]),
    );
  const log = () =>
    t.field(
      () =>
        t.pick([
          { type: 'logs', logs: t.field(t.text) },
          { type: 'image', url: url() },
        ]),
      0.05,
    );
  const thought = () => t.field(() => ({ type: 'summary_text', text: t.field(t.text) }), 0.05);
  const calls = [
    'function_call',
    'custom_tool_call',
    'local_shell_call',
    'shell_call',
    'apply_patch_call',
    'computer_call',
    'tool_search_call',
  ];
  const served = ['mcp_call', 'web_search_call', 'file_search_call', 'code_interpreter_call', 'image_generation_call', '_call'];
  const outputs = [
    'function_call_output',
    'custom_tool_call_output',
    'shell_call_output',
    'local_shell_call_output',
    'apply_patch_call_output',
    'computer_call_output',
    'tool_search_output',
  ];
  const sealed = () => t.maybe(0.5, () => t.field(() => t.value()));
  const encrypted_content = t.maybe(0.5, () => t.field(t.text));
  const message = () => ({
    type: t.maybe(0.8, () => t.field(() => 'message', 0.05)),
    role: t.field(() => t.pick(['user', 'user', 'assistant', 'assistant', 'developer', 'system', 'tool']), 0.03),
    content: t.field(() => t.pick([speech(), t.list(4, block), [block()]])),
  });
  const called = () => ({
    type: t.pick(calls),
    id: t.maybe(0.5, () => t.field(t.id)),
    call_id: t.field(t.id),
    name: t.maybe(0.7, () => t.field(t.name)),
    ...t.pick([{ arguments: t.field(t.text) }, { input: t.field(t.text) }, { action: t.value() }, { operation: t.value() }, {}]),
  });
  const answered = () => ({
    type: t.pick(outputs),
    id: t.maybe(0.3, () => t.field(t.id)),
    call_id: t.field(t.id),
    output: output(),
    tools: t.maybe(0.1, t.value),
    status: t.maybe(0.2, () => t.pick(['failed', 'completed', null])),
  });
  return t.field(
    () =>
      t.pick([
        message(),
        message(),
        {
          type: 'reasoning',
          summary: t.field(() => t.list(3, thought)),
          content: t.field(() => t.list(2, thought)),
          encrypted_content,
        },
        called(),
        called(),
        answered(),
        answered(),
        answered(),
        {
          type: t.pick(served),
          id: t.maybe(0.5, t.id),
          name: t.maybe(0.5, () => t.field(t.name)),
          arguments: t.maybe(0.5, () => t.field(t.text)),
          queries: t.maybe(0.2, t.value),
          output: sealed(),
          error: sealed(),
          results: sealed(),
          outputs: t.maybe(0.3, () => t.field(() => t.list(3, log))),
          result: t.maybe(0.2, () => t.field(t.text)),
        },
        t.pick([
          { type: 'compaction', encrypted_content },
          { type: t.pick(['compaction_summary', 'context_compaction']) },
          { type: 'agent_message', author: t.text(), content: t.field(() => t.list(3, block)) },
          { type: t.pick(['mcp_list_tools', 'mcp_approval_request']), tools: t.value() },
          { type: t.pick(['ghost_snapshot', 'item_reference', 'compaction_trigger']), id: t.id() },
          { type: t.text(), extra: t.value(), encrypted_content },
        ]),
      ]),
    0.02,
  );
}

/** A message of the person that may be a summary, where nothing but its text says so. */
export const summary = (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
