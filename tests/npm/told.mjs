// The same session in every live format: the same texts, calls and outputs, so that the place of each text is known.

/**
 * @typedef {{ name: string, input: object, output: string, hasFailed?: boolean }} Call
 * @typedef {{ asks: string, says: string, calls: Call[], answers: string }} Round
 * @typedef {{ rules: string, rounds: Round[] }} Story
 */

/** Formats with a member that says what a summary is: no text alone is ever one. */
export const HAVE_A_MEMBER = new Set(['pi', 'opencode', 'goose']);

/** The messages of a story in each format; `idOf` names the call of a number. */
export const tellings = {
  openai_chat: (story, idOf) => [
    { role: 'system', content: story.rules },
    ...each(story, idOf, {
      asks: (text) => [{ role: 'user', content: text }],
      calls: (text, calls) => [
        {
          role: 'assistant',
          content: text,
          tool_calls: calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } })),
        },
        ...calls.map(({ id, output }) => ({ role: 'tool', tool_call_id: id, content: output })),
      ],
      answers: (text) => [{ role: 'assistant', content: text }],
    }),
  ],

  openai_responses: (story, idOf) => [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: story.rules }] },
    ...each(story, idOf, {
      asks: (text) => [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }],
      calls: (text, calls) => [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
        ...calls.map(({ id, name, input }) => ({ type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) })),
        ...calls.map(({ id, output }) => ({ type: 'function_call_output', call_id: id, output })),
      ],
      answers: (text) => [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
    }),
  ],

  openai_agents: (story, idOf) => [
    { role: 'system', content: story.rules },
    ...each(story, idOf, {
      asks: (text) => [{ role: 'user', content: [{ type: 'input_text', text }] }],
      calls: (text, calls) => [
        { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }], providerData: {} },
        ...calls.map(({ id, name, input }) => ({ type: 'function_call', callId: id, name, arguments: JSON.stringify(input) })),
        ...calls.map(({ id, name, output }) => ({
          type: 'function_call_result',
          callId: id,
          name,
          status: 'completed',
          output: { type: 'text', text: output },
        })),
      ],
      answers: (text) => [
        { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }], providerData: {} },
      ],
    }),
  ],

  anthropic_messages: (story, idOf) =>
    each(story, idOf, {
      asks: (text) => [{ role: 'user', content: text }],
      calls: (text, calls) => [
        {
          role: 'assistant',
          content: [{ type: 'text', text }, ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }))],
        },
        {
          role: 'user',
          content: calls.map(({ id, output, hasFailed }) => ({
            type: 'tool_result',
            tool_use_id: id,
            content: [{ type: 'text', text: output }],
            is_error: Boolean(hasFailed),
          })),
        },
      ],
      answers: (text) => [{ role: 'assistant', content: [{ type: 'text', text }] }],
    }),

  bedrock_converse: (story, idOf) =>
    each(story, idOf, {
      asks: (text) => [{ role: 'user', content: [{ text }] }],
      calls: (text, calls) => [
        {
          role: 'assistant',
          content: [{ text }, ...calls.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } }))],
        },
        {
          role: 'user',
          content: calls.map(({ id, output, hasFailed }) => ({
            toolResult: { toolUseId: id, content: [{ text: output }], status: hasFailed ? 'error' : 'success' },
          })),
        },
      ],
      answers: (text) => [{ role: 'assistant', content: [{ text }] }],
    }),

  gemini_contents: (story, idOf) =>
    each(story, idOf, {
      asks: (text) => [{ role: 'user', parts: [{ text }] }],
      calls: (text, calls) => [
        { role: 'model', parts: [{ text }, ...calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }))] },
        {
          role: 'user',
          parts: calls.map(({ id, name, output, hasFailed }) => ({
            functionResponse: { id, name, response: hasFailed ? { error: output } : { output } },
          })),
        },
      ],
      answers: (text) => [{ role: 'model', parts: [{ text }] }],
    }),

  vercel_model: (story, idOf) => [
    { role: 'system', content: story.rules },
    ...each(story, idOf, {
      asks: (text) => [{ role: 'user', content: [{ type: 'text', text }] }],
      calls: (text, calls) => [
        {
          role: 'assistant',
          content: [
            { type: 'text', text },
            ...calls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input })),
          ],
        },
        {
          role: 'tool',
          content: calls.map(({ id, name, output, hasFailed }) => ({
            type: 'tool-result',
            toolCallId: id,
            toolName: name,
            output: { type: hasFailed ? 'error-text' : 'text', value: output },
          })),
        },
      ],
      answers: (text) => [{ role: 'assistant', content: [{ type: 'text', text }] }],
    }),
  ],

  vercel_ui: (story, idOf) => [
    { id: 'rules', role: 'system', parts: [{ type: 'text', text: story.rules }] },
    ...each(story, idOf, {
      asks: (text, at) => [{ id: `asks-${at}`, role: 'user', parts: [{ type: 'text', text }] }],
      calls: (text, calls, at) => [
        {
          id: `calls-${at}`,
          role: 'assistant',
          parts: [
            { type: 'step-start' },
            { type: 'text', text },
            ...calls.map(({ id, name, input, output, hasFailed }) => ({
              type: 'dynamic-tool',
              toolName: name,
              toolCallId: id,
              input,
              ...(hasFailed ? { state: 'output-error', errorText: output } : { state: 'output-available', output }),
            })),
          ],
        },
      ],
      answers: (text, at) => [{ id: `answers-${at}`, role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text }] }],
    }),
  ],

  mastra: (story, idOf) => {
    const message = (role, name, at, parts) => ({
      id: `${name}-${at}`,
      role,
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString(),
      threadId: 'thread',
      content: { format: 2, parts },
    });
    return [
      message('system', 'rules', 0, [{ type: 'text', text: story.rules }]),
      ...each(story, idOf, {
        asks: (text, at) => [message('user', 'asks', at, [{ type: 'text', text }])],
        calls: (text, calls, at) => [
          message('assistant', 'calls', at, [
            { type: 'step-start' },
            { type: 'text', text },
            ...calls.map(({ id, name, input, output, hasFailed }) => ({
              type: 'tool-invocation',
              toolInvocation: {
                toolCallId: id,
                toolName: name,
                args: input,
                ...(hasFailed ? { state: 'output-error', errorText: output } : { state: 'result', result: output }),
              },
            })),
          ]),
        ],
        answers: (text, at) => [message('assistant', 'answers', at, [{ type: 'step-start' }, { type: 'text', text }])],
      }),
    ];
  },

  langchain: (story, idOf) => [
    { type: 'system', data: { content: story.rules } },
    ...each(story, idOf, {
      asks: (text) => [{ type: 'human', data: { content: text } }],
      calls: (text, calls) => [
        { type: 'ai', data: { content: text, tool_calls: calls.map(({ id, name, input }) => ({ id, name, args: input })) } },
        ...calls.map(({ id, name, output, hasFailed }) => ({
          type: 'tool',
          data: { content: output, tool_call_id: id, name, status: hasFailed ? 'error' : 'success' },
        })),
      ],
      answers: (text) => [{ type: 'ai', data: { content: text } }],
    }),
  ],

  pi: (story, idOf) =>
    each(story, idOf, {
      asks: (text, at) => [{ role: 'user', content: [{ type: 'text', text }], timestamp: at }],
      calls: (text, calls, at) => [
        {
          role: 'assistant',
          content: [{ type: 'text', text }, ...calls.map(({ id, name, input }) => ({ type: 'toolCall', id, name, arguments: input }))],
          stopReason: 'toolUse',
          timestamp: at,
        },
        ...calls.map(({ id, name, output, hasFailed }) => ({
          role: 'toolResult',
          toolCallId: id,
          toolName: name,
          content: [{ type: 'text', text: output }],
          isError: Boolean(hasFailed),
          timestamp: at,
        })),
      ],
      answers: (text, at) => [{ role: 'assistant', content: [{ type: 'text', text }], stopReason: 'stop', timestamp: at }],
    }),

  goose: (story, idOf) => {
    const message = (role, at, content) => ({ role, created: at, content, metadata: { userVisible: true, agentVisible: true } });
    return each(story, idOf, {
      asks: (text, at) => [message('user', at, [{ type: 'text', text }])],
      calls: (text, calls, at) => [
        message('assistant', at, [
          { type: 'text', text },
          ...calls.map(({ id, name, input }) => ({
            type: 'toolRequest',
            id,
            toolCall: { status: 'success', value: { name, arguments: input } },
          })),
        ]),
        message(
          'user',
          at,
          calls.map(({ id, output, hasFailed = false }) => ({
            type: 'toolResponse',
            id,
            toolResult: { status: 'success', value: { content: [{ type: 'text', text: output }], isError: hasFailed } },
          })),
        ),
      ],
      answers: (text, at) => [message('assistant', at, [{ type: 'text', text }])],
    });
  },

  opencode: (story, idOf) => {
    const message = (role, name, at, parts) => ({
      info: { id: `msg_${name}${at}`, sessionID: 'ses_1', role, time: { created: at } },
      parts: parts.map((part, place) => ({ id: `prt_${name}${at}_${place}`, sessionID: 'ses_1', messageID: `msg_${name}${at}`, ...part })),
    });
    return each(story, idOf, {
      asks: (text, at) => [message('user', 'a', at, [{ type: 'text', text }])],
      calls: (text, calls, at) => [
        message('assistant', 'b', at, [
          { type: 'text', text },
          ...calls.map(({ id, name, input, output, hasFailed }) => ({
            type: 'tool',
            callID: id,
            tool: name,
            state: hasFailed
              ? { status: 'error', input, error: output, time: { start: 1, end: 2 } }
              : { status: 'completed', input, output, title: '', metadata: {}, time: { start: 1, end: 2 } },
          })),
        ]),
      ],
      answers: (text, at) => [message('assistant', 'c', at, [{ type: 'text', text }])],
    });
  },
};

function each({ rounds }, idOf, { asks, calls, answers }) {
  let made = 0;
  return rounds.flatMap((round, at) => [
    ...asks(round.asks, at),
    ...calls(
      round.says,
      round.calls.map((call) => ({ ...call, id: idOf((made += 1)) })),
      at,
    ),
    ...answers(round.answers, at),
  ]);
}
