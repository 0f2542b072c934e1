// How each provider writes answers, streams and refusals.

const usageOf = (size) => ({ prompt_tokens: size, completion_tokens: 90, total_tokens: size + 90 });

const chat = {
  format: 'openai_chat',
  faulty: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  path: /\/chat\/completions$/,
  isStream: (_, { stream }) => stream === true,
  messagesOf: ({ messages }) => messages,
  sent: ({ messages, tools }) => ({ messages, tools }),
  refused: (size, window) => ({
    error: {
      message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${size} tokens. Please reduce the length of the messages.`,
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
  }),
  refusedLate: (size, window) => [{ data: chat.refused(size, window) }],
  whole: ({ text = null, calls, stop }, { size, number }) => ({
    id: `chatcmpl_${number}`,
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null, ...(calls && { tool_calls: calls.map(toolCall) }) },
        finish_reason: stop ?? (calls ? 'tool_calls' : 'stop'),
        logprobs: null,
      },
    ],
    usage: usageOf(size),
  }),
  stream: ({ text = '', calls, stop }, { size, number, body }) => {
    const chunk = (delta, finish_reason = null) => ({
      data: {
        id: `chatcmpl_${number}`,
        object: 'chat.completion.chunk',
        created: 1,
        model: 'scripted',
        choices: [{ index: 0, delta, finish_reason }],
      },
    });
    const usage = { data: { ...chunk({}).data, choices: [], usage: usageOf(size) } };
    return [
      chunk({ role: 'assistant', content: '' }),
      ...halves(text).map((content) => chunk({ content })),
      ...(calls ?? []).map((call, index) => chunk({ tool_calls: [{ index, ...toolCall(call) }] })),
      chunk({}, stop ?? (calls ? 'tool_calls' : 'stop')),
      ...(body.stream_options?.include_usage ? [usage] : []),
      { data: '[DONE]' },
    ];
  },
};

const responses = {
  format: 'openai_responses',
  faulty: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  path: /\/responses$/,
  isStream: (_, { stream }) => stream === true,
  messagesOf: ({ input }) => (typeof input === 'string' ? [{ role: 'user', content: input }] : input),
  sent: ({ input, tools, instructions }) => ({ input, tools, instructions }),
  refused: () => ({ error: { ...tooLong, type: 'invalid_request_error', param: 'input' } }),
  refusedLate: () => {
    const response = { ...responses.whole({}, { size: 0, number: 0 }), output: [] };
    return numbered([
      { type: 'response.created', response: { ...response, status: 'in_progress' } },
      { type: 'response.in_progress', response: { ...response, status: 'in_progress' } },
      { type: 'response.failed', response: { ...response, status: 'failed', error: tooLong } },
    ]);
  },
  whole: ({ text, calls = [], stop }, { size, number }) => ({
    id: `resp_${number}`,
    object: 'response',
    created_at: 1,
    model: 'scripted',
    status: stop === undefined ? 'completed' : 'incomplete',
    incomplete_details: stop === undefined ? null : { reason: stop },
    error: null,
    output: [
      ...(text === undefined ? [] : [message(text, number)]),
      ...calls.map(({ id, name, arguments: given }) => ({
        type: 'function_call',
        id: `fc_${id}`,
        call_id: id,
        name,
        arguments: JSON.stringify(given),
        status: 'completed',
      })),
    ],
    usage: {
      input_tokens: size,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 90,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: size + 90,
    },
  }),
  stream: (said, about) => {
    const response = responses.whole(said, about);
    const begun = { ...response, status: 'in_progress', output: [], usage: null };
    const items = response.output.flatMap((item, output_index) => {
      const added = { type: 'response.output_item.added', output_index, item: begunItem(item) };
      const done = { type: 'response.output_item.done', output_index, item };
      if (item.type !== 'message') return [added, done];
      const at = { item_id: item.id, output_index, content_index: 0 };
      const { text } = item.content[0];
      return [
        added,
        { type: 'response.content_part.added', ...at, part: { type: 'output_text', text: '', annotations: [] } },
        ...halves(text).map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
        { type: 'response.output_text.done', ...at, text, logprobs: [] },
        { type: 'response.content_part.done', ...at, part: item.content[0] },
        done,
      ];
    });
    const last = response.status === 'completed' ? 'response.completed' : 'response.incomplete';
    return numbered([
      { type: 'response.created', response: begun },
      { type: 'response.in_progress', response: begun },
      ...items,
      { type: last, response },
    ]);
  },
};

const tooLong = {
  code: 'context_length_exceeded',
  message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
};

const anthropic = {
  format: 'anthropic_messages',
  faulty: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  path: /\/v1\/messages(\?beta=true)?$/,
  isStream: (_, { stream }) => stream === true,
  messagesOf: ({ messages }) => messages,
  sent: ({ messages, tools, system }) => ({ messages, tools, system }),
  refused: (size, window) => ({
    type: 'error',
    error: { type: 'invalid_request_error', message: `prompt is too long: ${size} tokens > ${window} maximum` },
    request_id: 'req_1',
  }),
  refusedLate: (size, window) => [{ event: 'error', data: anthropic.refused(size, window) }],
  whole: ({ text, calls, thinking, stop }, { size, number, cached }) => ({
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [
      ...(thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: `signed:${thinking}` }]),
      ...(text === undefined ? [] : [{ type: 'text', text, citations: null }]),
      ...(calls ?? []).map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input })),
    ],
    stop_reason: stop ?? (calls ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: {
      input_tokens: size - cached.read - cached.written,
      cache_read_input_tokens: cached.read,
      cache_creation_input_tokens: cached.written,
      output_tokens: 90,
    },
  }),
  stream: (said, about) => {
    const { content, stop_reason, usage, ...rest } = anthropic.whole(said, about);
    const blocks = content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: begunBlock(block) },
      ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]);
    const list = [
      { type: 'message_start', message: { ...rest, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } } },
      { type: 'ping' },
      ...blocks,
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 90 } },
      { type: 'message_stop' },
    ];
    return list.map((data) => ({ event: data.type, data }));
  },
};

const gemini = {
  format: 'gemini_contents',
  faulty: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  path: /:(generateContent|streamGenerateContent\?alt=sse)$/,
  isStream: ({ url }) => url.includes(':stream'),
  messagesOf: ({ contents }) => contents,
  sent: ({ contents, tools, systemInstruction }) => ({ contents, tools, systemInstruction }),
  refused: (size, window) => ({
    error: {
      code: 400,
      message: `The input token count (${size}) exceeds the maximum number of tokens allowed (${window}).`,
      status: 'INVALID_ARGUMENT',
    },
  }),
  refusedLate: (size, window) => [{ data: gemini.refused(size, window) }],
  whole: ({ text, calls, stop = 'STOP' }, { size, number }) => ({
    candidates: [
      {
        index: 0,
        content: {
          role: 'model',
          parts: [...(text === undefined ? [] : [{ text }]), ...(calls ?? []).map(functionCall)],
        },
        finishReason: stop,
      },
    ],
    usageMetadata: { promptTokenCount: size, candidatesTokenCount: 90, totalTokenCount: size + 90 },
    responseId: `resp_${number}`,
  }),
  stream: ({ text = '', calls = [], stop = 'STOP' }, { size }) => {
    const usageMetadata = { promptTokenCount: size, totalTokenCount: size };
    const chunk = (parts, finishReason) => ({
      data: { candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }], usageMetadata },
    });
    return [
      ...halves(text).map((half) => chunk([{ text: half }])),
      chunk(calls.length > 0 ? calls.map(functionCall) : [{ text: '' }], stop),
    ];
  },
};

export const WIRES = [chat, responses, anthropic, gemini];

function toolCall({ id, name, arguments: given }) {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(given) } };
}

function functionCall({ id, name, arguments: args }) {
  return { functionCall: { id, name, args } };
}

function halves(text) {
  return text === '' ? [] : [text.slice(0, text.length / 2), text.slice(text.length / 2)];
}

function message(text, number) {
  return {
    type: 'message',
    id: `msg_${number}`,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
}

function begunItem(item) {
  return item.type === 'message' ? { ...item, status: 'in_progress', content: [] } : { ...item, status: 'in_progress', arguments: '' };
}

function begunBlock(block) {
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
}

function deltasOf(block) {
  if (block.type === 'thinking') {
    const { thinking, signature } = block;
    return [
      { type: 'thinking_delta', thinking },
      { type: 'signature_delta', signature },
    ];
  }
  if (block.type === 'text') return halves(block.text).map((text) => ({ type: 'text_delta', text }));
  return halves(JSON.stringify(block.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}

function numbered(events) {
  return events.map((event, sequence_number) => ({ event: event.type, data: { ...event, sequence_number } }));
}
