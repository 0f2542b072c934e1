// What is counted of what is no text, and how far reports are believed.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { createCompactor, plan } = ebbline;

const PDF = 'application/pdf';
/** Base64 of so many bytes that are nothing: what they are is said beside them. */
const encoded = (bytes) => 'Qx7a'.repeat(Math.floor(bytes / 3));
const inBytes = (bytes) => new Uint8Array(bytes).fill(7);

const user = (content) => ({ role: 'user', content });
const called = { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] };

/** For each format: messages with a file of a media type. */
const ENCLOSED = {
  anthropic_messages: (data, mime) => [user([{ type: 'document', source: { type: 'base64', media_type: mime, data } }])],
  openai_chat: (data, mime) => [
    user([{ type: 'file', file: { filename: 'a', file_data: `data:${mime};base64,${data}` } }]),
    called,
    { role: 'tool', tool_call_id: 'c', content: 'ok' },
  ],
  openai_responses: (data, mime) => [user([{ type: 'input_file', filename: 'a', file_data: `data:${mime};base64,${data}` }])],
  openai_agents: (data, mime) => [user([{ type: 'input_file', file: `data:${mime};base64,${data}` }])],
  gemini_contents: (data, mimeType) => [{ role: 'user', parts: [{ inlineData: { mimeType, data } }] }],
  bedrock_converse: (data, mime) => [user([{ document: { format: mime.split('/')[1], name: 'a', source: { bytes: data } } }])],
  vercel_model: (data, mediaType) => [user([{ type: 'file', data, mediaType }])],
  vercel_ui: (data, mediaType) => [
    { id: '1', role: 'user', parts: [{ type: 'file', mediaType, url: `data:${mediaType};base64,${data}` }] },
  ],
  langchain: (data, mime_type) => [{ type: 'human', content: [{ type: 'file', source_type: 'base64', mime_type, data }] }],
  opencode: undefined,
  pi: undefined,
  mastra: undefined,
};
const PAGE = { openai_chat: 2_000, openai_responses: 2_000, openai_agents: 2_000, gemini_contents: 258 };

const tokensOf = (messages, format, more = {}) => plan(messages, { format, ...more }).tokensBefore;
/** What a list costs, live and as text alike. */
function cost(messages, format) {
  const live = tokensOf(messages, format);
  assert.equal(tokensOf(JSON.stringify(messages), format), live, `${format}: as text`);
  return live;
}

for (const [format, enclosed] of Object.entries(ENCLOSED)) {
  if (enclosed === undefined) continue;
  test(`${format}: a document costs its pages, not its base64`, () => {
    const page = PAGE[format] ?? 3_000;
    const rest = cost(enclosed('', PDF), format);
    for (const [bytes, pages] of [
      [250_000, 3],
      [750_000, 8],
      [9_000_000, 50],
    ]) {
      const tokens = cost(enclosed(encoded(bytes), PDF), format) - rest;
      assert.ok(Math.abs(tokens - pages * page) < 40, `${bytes} bytes: ${tokens} tokens`);
    }
  });
}

test('audio and video cost their seconds, text its text', () => {
  for (const [format, messages, tokens] of /** @type {[string, any, number][]} */ ([
    ['openai_chat', [user([{ type: 'input_audio', input_audio: { data: encoded(160_000), format: 'mp3' } }]), called], 100],
    ['openai_chat', [user([{ type: 'video_url', video_url: { url: `data:video/mp4;base64,${encoded(2_500_000)}` } }]), called], 3_000],
    ['gemini_contents', ENCLOSED.gemini_contents(encoded(320_000), 'audio/wav'), 320],
    ['gemini_contents', ENCLOSED.gemini_contents(encoded(2_500_000), 'video/mp4'), 3_000],
    ['vercel_model', ENCLOSED.vercel_model(encoded(160_000), 'audio/mpeg'), 320],
    ['langchain', ENCLOSED.langchain(encoded(40_000), 'text/csv'), 10_000],
    ['bedrock_converse', [user([{ video: { format: 'mp4', source: { bytes: encoded(2_500_000) } } }])], 3_000],
  ])) {
    const counted = cost(messages, format);
    assert.ok(Math.abs(counted - tokens) < 30, `${format}: ${counted} instead of ${tokens}`);
  }
});

test('what is only named has a stated cost', () => {
  for (const [format, messages, tokens] of /** @type {[string, any, number][]} */ ([
    ['anthropic_messages', [user([{ type: 'document', source: { type: 'url', url: 'https://a.example/b' } }])], 9_000],
    ['anthropic_messages', [user([{ type: 'document', source: { type: 'file', file_id: 'file_011CNha8iCJcU1wXNR6q4V8w' } }])], 9_000],
    ['openai_chat', [user([{ type: 'file', file: { file_id: 'file-abc' } }]), called], 6_000],
    ['openai_responses', [user([{ type: 'input_file', file_url: 'https://a.example/b.pdf' }])], 6_000],
    ['gemini_contents', [{ role: 'user', parts: [{ fileData: { mimeType: 'video/mp4', fileUri: 'https://a.example/b' } }] }], 18_000],
    ['vercel_model', [user([{ type: 'file', data: 'https://a.example/b.pdf', mediaType: PDF }])], 9_000],
    ['bedrock_converse', [user([{ document: { format: 'pdf', name: 'a', source: { s3Location: { uri: 's3://a/b' } } } }])], 9_000],
  ])) {
    const counted = cost(messages, format);
    assert.ok(Math.abs(counted - tokens) < 30, `${format}: ${counted} instead of ${tokens}`);
  }
});

test('files in results, in bytes, and with pictures of their own', () => {
  const result = (content) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
    user([{ type: 'tool_result', tool_use_id: 't', content }]),
  ];
  const source = { type: 'base64', media_type: PDF, data: encoded(250_000) };
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: encoded(400_000) } };
  const page = { type: 'text', text: 'A page.' };
  const of = {
    result: cost(result([{ type: 'document', source }]), 'anthropic_messages'),
    own: cost([user([{ type: 'document', source: { type: 'content', content: [page, picture] } }])], 'anthropic_messages'),
    bytes: tokensOf([user([{ type: 'file', data: inBytes(250_000), mediaType: PDF }])], 'vercel_model'),
    told: tokensOf([user([{ type: 'file', data: { type: 'data', data: inBytes(250_000) }, mediaType: PDF }])], 'vercel_model'),
    url: tokensOf([user([{ type: 'file', data: new URL('https://a.example/b.pdf'), mediaType: PDF }])], 'vercel_model'),
  };
  for (const [what, tokens] of Object.entries({ result: 9_000, own: 1_200, bytes: 9_000, told: 9_000, url: 9_000 })) {
    assert.ok(Math.abs(of[what] - tokens) < 60, `${what}: ${of[what]}`);
  }
});

test('a counter of the caller counts no base64', () => {
  const seen = [];
  const countTokens = (text) => {
    seen.push(text.length);
    return text.length;
  };
  const tokens = tokensOf(ENCLOSED.anthropic_messages(encoded(250_000), PDF), 'anthropic_messages', { countTokens });
  assert.equal(tokens, 9_000);
  assert.ok(seen.every((length) => length < 1_000));
});

test('encrypted reasoning costs a token for four characters', () => {
  const encrypted = 'gAAAAA'.padEnd(4_000, 'Qx7');
  for (const [format, messages] of [
    ['openai_responses', [user('Mend it.'), { type: 'reasoning', id: 'r', summary: [], encrypted_content: encrypted }]],
    ['openai_agents', [user('Mend it.'), { type: 'reasoning', id: 'r', content: [], providerData: { encrypted_content: encrypted } }]],
    ['anthropic_messages', [user('Mend it.'), { role: 'assistant', content: [{ type: 'redacted_thinking', data: encrypted }] }]],
    ['anthropic_messages', [user('Mend it.'), { role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: encrypted }] }]],
    [
      'vercel_model',
      [
        user([{ type: 'text', text: 'Mend it.' }]),
        {
          role: 'assistant',
          content: [{ type: 'reasoning', text: '', providerOptions: { openai: { reasoningEncryptedContent: encrypted } } }],
        },
      ],
    ],
    [
      'bedrock_converse',
      [user([{ text: 'Mend it.' }]), { role: 'assistant', content: [{ reasoningContent: { redactedContent: encrypted } }] }],
    ],
  ]) {
    const tokens = cost(messages, format);
    assert.ok(Math.abs(tokens - 1_000) < 20, `${format}: ${tokens}`);
  }
});

const WORDS = 'alpha beta gamma delta file server token window count error value build test cargo module parser'.split(' ');
const prose = (words, from) => Array.from({ length: words }, (_, at) => WORDS[(at * 7 + from * 3) % WORDS.length]).join(' ');
/** A session of chat messages. */
function chat(steps, words) {
  const messages = [user('Mend the parser, please.')];
  for (let step = 0; step < steps; step += 1) {
    const id = `c${step}`;
    messages.push(
      { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: id, content: prose(words, step) },
    );
  }
  return messages;
}

test('what stands before a compaction of OpenAI is sent and counts', async () => {
  const pairs = (from, count) =>
    Array.from({ length: count }, (_, at) => [
      { type: 'function_call', call_id: `c${from + at}`, name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: `c${from + at}`, output: prose(900, at) },
    ]).flat();
  const list = [user('Mend it.'), ...pairs(0, 60), { type: 'compaction', id: 'k', encrypted_content: 'gAAA'.repeat(900) }, ...pairs(90, 4)];
  assert.ok(cost(list, 'openai_responses') > 50_000);
  const compactor = createCompactor({ format: 'openai_responses', model: { context: 64_000, output: 4_000 }, summarize: 'deterministic' });
  const view = await compactor.prepare(list);
  assert.ok(tokensOf(view, 'openai_responses') < 54_400);
});

test('what reports nothing teaches nothing and throws nothing', async () => {
  for (const usage of [
    undefined,
    null,
    Number.NaN,
    0,
    { prompt_tokens: 0, completion_tokens: 0 },
    { input_tokens: 0, cache_read_input_tokens: 0 },
    { inputTokens: undefined, outputTokens: undefined },
    { inputTokens: Number.NaN },
    { inputTokens: { total: undefined } },
    { prompt_tokens: null },
    { id: 'answer', usage: undefined },
  ]) {
    const compactor = createCompactor({ model: { context: 200_000 } });
    const history = chat(4, 200);
    await compactor.prepare(history);
    compactor.usage({ prompt_tokens: compactor.contextUsage().tokens + 9_000 });
    compactor.usage(/** @type {any} */ (usage));
    assert.equal(compactor.contextUsage().overhead, 9_000, JSON.stringify(usage));
  }
});

test('a report is believed only as far as it can be true', async () => {
  for (const [what, reports, overhead] of /** @type {[string, (size: number) => number[], number | null][]} */ ([
    ['more than the window', (size) => [size + 5_000, 640_000], 5_000],
    ['nothing but that', () => [640_000], null],
    ['less than half', (size) => [size + 5_000, Math.floor(size / 3)], 5_000],
    ['a smaller one later', (size) => [110_000, size + 5_000], 5_000],
  ])) {
    const compactor = createCompactor({ model: { context: 128_000, output: 8_000 }, summarize: 'deterministic' });
    const history = chat(12, 500);
    await compactor.prepare(history);
    const { tokens } = compactor.contextUsage();
    for (const reported of reports(tokens)) compactor.usage({ prompt_tokens: reported });
    assert.equal(compactor.contextUsage().overhead, overhead, what);
    history.push(user('Go on.'));
    assert.equal((await compactor.prepare(history)).length, history.length, what);
  }
});

test('nothing that is reported ends a session', async () => {
  for (const reported of [120_000, 127_999, 128_000, 140_000, 900_000]) {
    const compactor = createCompactor({ model: { context: 128_000 }, summarize: 'deterministic' });
    const history = [{ role: 'system', content: prose(900, 3) }, ...chat(8, 300)];
    await compactor.prepare(history);
    compactor.usage({ prompt_tokens: reported });
    for (let turn = 0; turn < 4; turn += 1) {
      history.push(user(`More, ${turn}.`));
      await compactor.prepare(history);
      if (turn > 1) compactor.usage({ prompt_tokens: 16_000 });
    }
    const { overhead } = compactor.contextUsage();
    assert.ok(overhead < 16_000, `${reported}: ${overhead}`);
    await compactor.compactNow(history);
  }
});

test('a report corrects downwards, too', async () => {
  const compactor = createCompactor({ model: { context: 200_000, output: 8_000 }, summarize: 'deterministic' });
  const history = [
    user([
      { type: 'document', source: { type: 'base64', media_type: PDF, data: encoded(6_000_000) } },
      { type: 'text', text: 'Who signs?' },
    ]),
    { role: 'assistant', content: 'Two parties.' },
    user('When?'),
  ];
  await compactor.prepare(history);
  compactor.usage({ input_tokens: 60_000 });
  assert.ok(Math.abs(compactor.contextUsage().tokens - 60_000) < 10);
  history.push({ role: 'assistant', content: 'In May.' }, user('Where?'));
  assert.deepEqual(await compactor.prepare(history), history);
});

test('usage in messages that belongs to another list is not believed', () => {
  const list = chat(40, 2_000).map((message, at) =>
    message.role === 'assistant'
      ? {
          type: 'ai',
          content: '',
          tool_calls: [{ id: message.tool_calls[0].id, name: 'read', args: {} }],
          usage_metadata: { input_tokens: Math.min(20_000, 500 + at * 1_100), output_tokens: 50, total_tokens: 0 },
        }
      : message.role === 'tool'
        ? { type: 'tool', tool_call_id: message.tool_call_id, content: message.content }
        : { type: 'human', content: message.content },
  );
  const { trigger, verdict } = plan(list, { format: 'langchain', model: { context: 32_000, output: 2_000 } });
  assert.ok(trigger.tokens > 32_000 || verdict !== 'noop', JSON.stringify(trigger));
  // More than the window, and more than the messages could be.
  const doubled = list
    .slice(0, 9)
    .map((message, at) =>
      message.usage_metadata
        ? { ...message, usage_metadata: { input_tokens: at === 7 ? 640_000 : 4_000 + at * 1_300, output_tokens: 1, total_tokens: 0 } }
        : message,
    );
  assert.equal(plan(doubled, { format: 'langchain', model: { context: 128_000 } }).verdict, 'noop');
});

test('where the provider counts a third more, no request exceeds the window', async () => {
  for (const context of [32_000, 64_000, 200_000]) {
    for (const reports of [true, false]) {
      const compactor = createCompactor({ model: { context, output: 4_000 }, summarize: 'deterministic' });
      const truth = (messages) => Math.round(tokensOf(messages, 'openai_chat') * 1.35) + 3_000;
      const history = chat(1, 100);
      for (let step = 0; step < 150; step += 1) {
        const id = `s${step}`;
        history.push(
          { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{}' } }] },
          { role: 'tool', tool_call_id: id, content: prose(100 + ((step * 7_919) % (context / 16)), step) },
        );
        const sent = await compactor.prepare(history);
        const size = truth(sent);
        const beside = reports ? 0 : 3_000;
        assert.ok(size - beside <= context, `${context}, step ${step}: ${size}`);
        if (reports) compactor.usage({ prompt_tokens: size });
      }
    }
  }
});

test('characters that control a terminal are a token each', () => {
  const spinner = Array.from({ length: 100 }, (_, at) => `${'|/-\\'[at % 4]}\b`).join('');
  for (const [text, tokens] of /** @type {[string, number][]} */ ([
    ['\b'.repeat(400), 400],
    [spinner, 200],
    ['\b \b'.repeat(200), 600],
    ['\r'.repeat(400), 200],
    ['\r'.repeat(9_000), 4_500],
    ['\r\n'.repeat(400), 100],
    ['\r100 %'.repeat(100), 300],
    ['\u001b[2K\u001b[1G'.repeat(100), 800],
    ['\u009b'.repeat(400), 800],
  ])) {
    const counted = cost([user(text), called], 'openai_chat');
    assert.ok(counted > tokens * 0.7 && counted < tokens * 1.3, `${JSON.stringify(text.slice(0, 9))}: ${counted} of ${tokens}`);
  }
});
