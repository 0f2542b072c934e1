/** A message of OpenCode with its parts, or nearly one. */
export function makeMessage(t) {
  const file = () =>
    t.field(
      () => ({
        type: 'file',
        mime: t.field(() => t.pick(['image/png', 'application/pdf', 'text/plain', 'application/x-directory', t.text()])),
        url: t.field(t.text),
      }),
      0.05,
    );
  const time = () =>
    t.field(() => ({ start: t.number(), end: t.number(), compacted: t.maybe(0.3, () => t.pick([0, 1, 7, null, '', 'x'])) }));
  const state = () =>
    t.pick([
      {
        status: 'completed',
        input: t.field(t.value),
        output: t.field(() => t.pick([t.text(), t.placeholder])),
        time: time(),
        attachments: t.maybe(0.3, () => t.field(() => t.list(3, file))),
      },
      { status: 'error', input: t.field(t.value), error: t.field(t.text), time: time() },
      { status: t.pick(['pending', 'running', t.text()]), input: t.field(t.value) },
    ]);
  const metadata = () =>
    t.maybe(0.4, () =>
      t.field(() => ({
        [t.name()]: t.field(() => ({ signature: t.maybe(0.5, () => t.field(t.text)), thoughtSignature: t.maybe(0.3, t.text) })),
      })),
    );
  const part = () =>
    t.field(
      () =>
        t.pick([
          {
            type: 'text',
            text: t.field(t.text),
            synthetic: t.maybe(0.3, () => t.field(() => true)),
            ignored: t.maybe(0.2, () => true),
            metadata: metadata(),
          },
          { type: 'reasoning', text: t.field(t.text), metadata: metadata() },
          { type: 'tool', callID: t.field(t.id), tool: t.field(t.name), state: t.field(state), metadata: metadata() },
          { type: 'tool', callID: t.id(), tool: t.name(), state: state() },
          { type: 'compaction', auto: true, tail_start_id: t.maybe(0.6, () => t.field(messageId)) },
          { type: t.pick(['step-start', 'step-finish', 'subtask', 'agent', 'retry', 'patch', t.text()]), text: t.text() },
          file(),
        ]),
      0.05,
    );
  const messageId = () => t.pick(['msg_1', 'msg_2', 'msg_3', 'msg_4', 'msg_5', '', '\ud83d']);
  const role = t.pick(['user', 'user', 'assistant', 'assistant']);
  const tokens = () => ({
    total: t.maybe(0.3, t.number),
    input: t.field(t.number),
    output: 5,
    cache: t.field(() => ({ read: t.number(), write: 2 })),
  });
  const info = () => ({
    id: t.field(messageId),
    role: t.field(() => role, 0.03),
    parentID: t.field(messageId),
    summary: t.maybe(0.4, () => t.field(() => true)),
    finish: t.maybe(0.7, () => t.field(() => 'stop')),
    error: t.maybe(0.1, () => t.field(() => ({ name: t.pick(['MessageAbortedError', 'APIError']) }))),
    tokens: t.field(tokens),
    time: t.field(() => ({ created: t.number() })),
  });
  return { info: t.field(info, 0.03), parts: t.field(() => t.list(5, part), 0.05) };
}
