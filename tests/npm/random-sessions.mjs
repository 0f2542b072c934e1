// Sessions that nobody would write: every combination of fields that the live formats allow, and some that they do not.

/** The same seed gives the same numbers (mulberry32). */
export function randomness(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const PLACEHOLDER = '[Old tool result content cleared]';
const TEXTS = [
  '', ' ', '\n\t ', '\u0085', '\ufeff', '\u2028', 'x', 'plain words', '"quoted" \\ back\\slash', 'tab\tline\nbreak\u0000\u001f',
  'déjà vu', '日本語のテキスト', '👩‍👩‍👧‍👦', 'flag 🇪🇺 end', '\ud83d', '\ude00\ud83d', 'a\ud83d\ud83d\ude00b\ude00', '\uffff\ud7ff\ue000',
  PLACEHOLDER, `${PLACEHOLDER} `, '[Compaction summary]\n\nearlier',
];
const NUMBERS = [0, -0, 1, 29.0, -1.5, 0.1, 1e21, 1e-7, 123456789012345680, 2 ** 53, 5e-324, 1.7976931348623157e308, -7];

export function makeSession(format, seed) {
  const random = randomness(seed);
  const tools = { random, ...pickers(random) };
  const makeMessage = { openai_chat: openaiMessage, anthropic_messages: anthropicMessage, pi: piMessage }[format];
  return Array.from({ length: tools.upTo(12) + 1 }, () => makeMessage(tools));
}

function pickers(random) {
  const upTo = (limit) => Math.floor(random() * limit);
  const pick = (list) => list[upTo(list.length)];
  const maybe = (chance, make) => (random() < chance ? make() : undefined);
  const text = () => (random() < 0.1 ? pick(TEXTS).repeat(1 + upTo(400)) : pick(TEXTS) + (random() < 0.5 ? pick(TEXTS) : ''));
  const list = (limit, make) => Array.from({ length: upTo(limit) }, make);
  const value = (depth = 0) => {
    const kind = upTo(depth > 4 ? 5 : 7);
    if (kind === 0) return text();
    if (kind === 1) return pick(depth > 1 ? [...NUMBERS, NaN, Infinity] : NUMBERS);
    if (kind === 2) return pick([true, false, null]);
    // Messages are plain data; inside arguments there may be anything that has a `toJSON`.
    if (kind === 3) return depth > 1 ? pick([undefined, () => 1, Symbol('none'), new Date(0)]) : undefined;
    if (kind === 4) return pick([[], {}, '']);
    if (kind === 5) return list(4, () => value(depth + 1));
    return Object.fromEntries(list(4, () => [pick(['a', 'b', 'path', 'é', '\ud83d', text()]), value(depth + 1)]));
  };
  /** A field that is sometimes of another type, null, or missing. */
  const field = (make, chance = 0.1) => (random() < chance ? pick([undefined, null, 7, true, {}, [], value()]) : make());
  const id = () => pick(['c1', 'c2', 'c3', 'call_4|fc_4', '', '\ud83d', '\ufffd', 'é']);
  const name = () => pick(['bash', 'read', 'skill', '', '日本', '\ude00', 'bash ']);
  return { upTo, pick, maybe, text, list, value, field, id, name };
}

function openaiMessage(t) {
  const role = t.pick(['system', 'developer', 'user', 'user', 'assistant', 'assistant', 'tool', 'tool', 'function']);
  const block = () => t.field(() => t.pick([
    { type: 'text', text: t.field(t.text) },
    { type: 'image_url', image_url: t.field(() => t.pick([{ url: t.field(t.text) }, t.text()])) },
    { type: 'input_audio', input_audio: { data: t.text() } },
    { type: 'file', file: t.value() },
    { type: 'refusal', refusal: t.field(t.text) },
    { text: t.text() },
    { type: t.text(), extra: t.value() },
  ]), 0.05);
  const call = () => t.field(() => ({
    id: t.field(t.id),
    extra_content: t.maybe(0.1, () => t.field(() => ({ google: t.field(() => ({ thought_signature: t.field(t.text) })) }))),
    ...(t.random() < 0.8
      ? { type: 'function', function: t.field(() => ({ name: t.field(t.name), arguments: t.field(t.text) })) }
      : { type: 'custom', custom: { name: t.field(t.name), input: t.field(t.text) } }),
  }), 0.05);
  return {
    role: t.field(() => role, 0.03),
    content: t.field(() => (t.random() < 0.6 ? t.text() : t.list(4, block))),
    reasoning_content: t.maybe(0.1, () => t.field(t.text)),
    reasoning: t.maybe(0.1, () => t.field(t.text)),
    reasoning_details: t.maybe(0.1, () => t.field(() => t.list(3, () => t.field(() => ({
      signature: t.maybe(0.5, () => t.field(t.text)),
      data: t.maybe(0.5, () => t.field(t.text)),
    }))))),
    refusal: t.maybe(0.1, () => t.field(t.text)),
    tool_calls: role === 'assistant' ? t.maybe(0.6, () => t.field(() => t.list(4, call))) : undefined,
    function_call: t.maybe(0.05, () => t.field(() => ({ name: t.field(t.name), arguments: t.field(t.text) }))),
    tool_call_id: role === 'tool' ? t.field(t.id) : undefined,
    name: t.maybe(0.2, () => t.field(t.name)),
  };
}

function anthropicMessage(t) {
  const media = () => t.field(() => t.pick([
    { type: 'base64', data: t.field(t.text) },
    { type: 'url', url: t.text() },
    { data: null, url: null, file_id: t.text() },
    { type: 'content', content: t.value() },
  ]));
  const inner = () => t.field(() => t.pick([
    { type: 'text', text: t.field(t.text) },
    { text: t.text() },
    { type: 'image', source: media() },
    { type: 'document', source: media() },
    { type: 'search_result', title: t.text() },
  ]), 0.05);
  const block = () => t.field(() => t.pick([
    { type: 'text', text: t.field(t.text) },
    { type: 'thinking', thinking: t.field(t.text), signature: t.field(t.text) },
    { type: 'redacted_thinking', data: t.field(t.text) },
    { type: 'tool_use', id: t.field(t.id), name: t.field(t.name), input: t.field(t.value) },
    { type: 'server_tool_use', id: t.id(), name: t.name(), input: t.value() },
    { type: 'web_search_tool_result', tool_use_id: t.field(t.id), content: t.value() },
    { type: 'image', source: media() },
    { type: 'document', source: media() },
    { type: 'compaction', content: t.field(t.text), encrypted_content: t.maybe(0.5, () => t.field(t.text)) },
    { type: t.text(), extra: t.value() },
  ]), 0.05);
  const result = () => ({
    type: 'tool_result',
    tool_use_id: t.field(t.id),
    content: t.field(() => t.pick([t.text(), t.list(4, inner), [{ type: 'text', text: PLACEHOLDER }], undefined])),
    is_error: t.maybe(0.2, () => t.pick([true, false, null, 0, 1, '', 'yes'])),
    cache_control: t.maybe(0.1, () => ({ type: 'ephemeral' })),
  });
  return {
    role: t.field(() => t.pick(['user', 'user', 'assistant', 'assistant', 'system']), 0.03),
    content: t.field(() => t.pick([t.text(), t.list(5, block), t.list(4, result), [...t.list(3, result), ...t.list(2, block)]])),
    stop_reason: t.maybe(0.2, () => t.pick(['end_turn', 'tool_use', null])),
  };
}

function piMessage(t) {
  const block = () => t.field(() => t.pick([
    { type: 'text', text: t.field(t.text), textSignature: t.maybe(0.3, () => t.field(t.text)) },
    { type: 'thinking', thinking: t.field(t.text), thinkingSignature: t.maybe(0.5, () => t.field(t.text)) },
    { type: 'image', data: t.field(t.text), mimeType: 'image/png' },
    {
      type: 'toolCall',
      id: t.field(t.id),
      name: t.field(t.name),
      arguments: t.field(t.value),
      thoughtSignature: t.maybe(0.3, () => t.field(t.text)),
    },
    { type: t.text(), extra: t.value() },
  ]), 0.05);
  const role = t.pick(['user', 'assistant', 'assistant', 'toolResult', 'toolResult', 'bashExecution', 'compactionSummary',
    'branchSummary', 'custom', 'hookMessage', 'system']);
  return {
    role: t.field(() => role, 0.03),
    content: t.field(() => t.pick([t.text(), t.list(4, block), [{ type: 'text', text: PLACEHOLDER }]])),
    stopReason: t.maybe(0.6, () => t.pick(['stop', 'toolUse', null])),
    toolCallId: t.field(t.id),
    toolName: t.field(t.name),
    isError: t.pick([true, false, undefined, null]),
    command: t.field(t.text),
    output: t.field(t.text),
    excludeFromContext: t.pick([true, false, undefined]),
    summary: t.field(t.text),
    timestamp: t.pick(NUMBERS),
  };
}
