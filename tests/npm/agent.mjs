// An agent for tests: what it writes in the format of each provider.

/** A step of an agent in the shape of each provider: a call and its result. */
export const SHAPES = {
  anthropic_messages: {
    person: (text) => ({ role: 'user', content: text }),
    step: (id, output) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: { path: `src/${id}.rs` } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output }] },
    ],
  },
  openai_chat: {
    person: (text) => ({ role: 'user', content: text }),
    step: (id, output) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: `{"path":"src/${id}.rs"}` } }],
      },
      { role: 'tool', tool_call_id: id, content: output },
    ],
  },
  openai_responses: {
    person: (text) => ({ role: 'user', content: [{ type: 'input_text', text }] }),
    step: (id, output) => [
      { type: 'function_call', call_id: id, name: 'read', arguments: `{"path":"src/${id}.rs"}` },
      { type: 'function_call_output', call_id: id, output },
    ],
  },
  openai_agents: {
    person: (text) => ({ role: 'user', content: text }),
    step: (id, output) => [
      { type: 'function_call', callId: id, name: 'read', arguments: `{"path":"src/${id}.rs"}`, status: 'completed', providerData: {} },
      { type: 'function_call_result', callId: id, name: 'read', status: 'completed', output: { type: 'text', text: output } },
    ],
  },
  mastra: {
    person: (text) => ({
      id: 'm-0',
      role: 'user',
      createdAt: new Date(0),
      threadId: 't',
      content: { format: 2, parts: [{ type: 'text', text }] },
    }),
    step: (id, output) => [
      {
        id: `m-${id}`,
        role: 'assistant',
        createdAt: new Date(1000 * (1 + Number(id.slice(1)))),
        threadId: 't',
        content: {
          format: 2,
          parts: [
            { type: 'step-start' },
            {
              type: 'tool-invocation',
              toolInvocation: { state: 'result', toolCallId: id, toolName: 'read', args: { path: `src/${id}.rs` }, result: output },
            },
          ],
        },
      },
    ],
  },
  gemini_contents: {
    person: (text) => ({ role: 'user', parts: [{ text }] }),
    step: (id, output) => [
      { role: 'model', parts: [{ functionCall: { id, name: 'read', args: { path: `src/${id}.rs` } } }] },
      { role: 'user', parts: [{ functionResponse: { id, name: 'read', response: { output } } }] },
    ],
  },
  vercel_model: {
    person: (text) => ({ role: 'user', content: text }),
    step: (id, output) => [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: 'read', input: { path: `src/${id}.rs` } }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: id, toolName: 'read', output: { type: 'text', value: output } }],
      },
    ],
  },
};

/** A history of a request and so many steps, each a call and its output of about `lines` lines; `from`: only those from then on. */
export function historyOf({ person, step }, steps, from = 0, lines = 90) {
  const output = (at) => `line ${at} of the file\n`.repeat(lines);
  const made = Array.from({ length: steps }, (_, at) => step(`c${from + at}`, output(from + at))).flat();
  return from === 0 ? [person('Mend the login test.'), ...made] : made;
}
