// The same session gives the same records, whether its text is read by the engine or its live array is walked.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { fixture, internal, lists, sharedFolder, some } from './package.mjs';
import { formats, makeSession } from './random-sessions.mjs';

const { detectLive } = await internal('live-format.js');
const { detect, read } = await internal('session-report.js');
const { summaryRequest } = await internal('summary-request.js');

const POLICY = { prune: { placeholder: '[cleared]' } };
/** Everything that can be summarized is. */
const SUMMARIZED = { force: true, policy: POLICY, set: { 'retain.keep': 1, 'retain.forcedKeepsNothing': true } };

/** What is recorded of a session: every figure of every message and part. */
function recordsOf(input, format) {
  const { counts, messages } = read(input, { format, policy: POLICY });
  return { counts, messages: messages.map(({ bytes: _, ...message }) => message) };
}

/** The request for a summary, and the plan that it is made for. */
function requestOf(input, format) {
  return attempt(() => {
    // Only live messages have a handle.
    const { handle: _, ...requested } = summaryRequest(input, { ...SUMMARIZED, format }) ?? {};
    return requested;
  });
}

for (const [name, format] of Object.entries(lists)) {
  test(`${name}: text and live array give the same records`, () => {
    const messages = JSON.parse(fixture(name));
    assert.deepEqual(recordsOf(messages, format), recordsOf(fixture(name), format));
    assert.deepEqual(requestOf(messages, format), requestOf(fixture(name), format));
    assert.deepEqual(detectLive(messages), detect(fixture(name)));
  });
}

for (const format of formats) {
  test(`${some(400)} random sessions of ${format}: text and live array give the same records`, () => {
    for (let seed = 1; seed <= some(400); seed += 1) {
      const messages = makeSession(format, seed);
      const text = JSON.stringify(messages);
      const live = attempt(() => recordsOf(messages, format));
      assert.deepEqual(
        live,
        attempt(() => recordsOf(text, format)),
        `seed ${seed}: ${text}`,
      );
      assert.deepEqual(requestOf(messages, format), requestOf(text, format), `seed ${seed}: ${text}`);
      assert.deepEqual(
        attempt(() => detectLive(messages).evidence),
        attempt(() => detect(text).evidence),
        `seed ${seed}`,
      );
    }
  });
}

test('images in memory are as long as what JSON leaves of them', () => {
  const bytes = new Uint8Array([137, 80, 78, 71, 13]);
  const url = 'https://ferries.example/timetable.png';
  for (const data of [bytes, Buffer.from(bytes), bytes.subarray(1, 3), url, new URL(url), 'iVBORw0=', undefined, null, 7]) {
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'image', image: data },
          { type: 'file', data, mediaType: 'image/png' },
        ],
      },
    ];
    assert.deepEqual(recordsOf(messages, 'vercel_model'), recordsOf(JSON.stringify(messages), 'vercel_model'));
  }
  const { messages } = recordsOf([{ role: 'user', content: [{ type: 'image', image: bytes.buffer }] }], 'vercel_model');
  assert.equal(messages[0].parts[0].length.utf16, Buffer.from(bytes).toString('base64').length, 'of an ArrayBuffer, JSON leaves nothing');
});

/** Arrays that show, or nearly show, each sign of each format. */
const SIGNS = [
  [],
  [null],
  ['text'],
  [{}],
  [{ lc: 1, type: 'constructor', id: [], kwargs: {} }],
  [{ type: 'human', data: { content: 'x' } }],
  [{ type: 'human', data: null, content: null }],
  [{ type: 'ai', content: '' }],
  [{ type: 'ai' }],
  [{ type: 'AIMessageChunk', content: '' }],
  [{ kwargs: {}, id: 'x' }],
  [{ kind: 'request', parts: [] }],
  [{ kind: 'response', parts: null }, { thought: 'x' }],
  [{ kind: 'request', parts: [] }, { role: 'user' }],
  [{ kind: 'other', parts: [] }],
  [{ traj: [] }, { role: 'user' }],
  [{ traj: {}, role: 'user' }],
  [{ info: {}, parts: [] }],
  [{ info: {} }, { parts: [] }],
  [{ id: 'ses_1' }, { id: 'prt_1', sessionID: 'ses_1', messageID: 'msg_1', type: 'text' }],
  [{ id: 'msg_1', session_id: 'ses_1', time_created: 1, data: '{}' }],
  [{ type: 'part', data: { id: 'prt_1', sessionID: 'ses_1' } }],
  [{ type: 'part', data: null }],
  [{ id: 'msg_1', type: 'user', time: {}, text: 'x' }],
  [{ id: 'msg_1', type: 'user', time: null, role: 'user' }],
  [{ source: 'agent', action: 'run' }],
  [{ source: 'agent', observation: null }],
  [{ source: 'agent', kind: 'MessageEvent' }],
  [{ source: 'agent', kind: 'Condensation' }],
  [{ kind: 'MessageEvent' }],
  [{ source: 'agent', step_id: 1 }],
  [{ source: 'agent', step_id: 1, observation: {} }],
  [{ role: 'user', parts: [{ type: 'text' }] }],
  [{ role: 'user', parts: [{ type: null }] }],
  [{ role: 'user', parts: [{ text: 'x' }] }],
  [{ role: null, parts: null }],
  [{ parts: [{ text: 'x' }] }],
  [{ parts: [7, 'x', null, { functionCall: null }] }],
  [{ parts: [{ inlineData: {} }] }],
  [{ parts: { text: 'x' } }],
  [{ role: 'tool_result' }],
  [{ role: 'user', content: [], compaction_summary: true }],
  [{ compaction_summary: true }],
  [{ role: 'user', content: [{ type: 'text', text: 'x', citations: null }] }],
  [{ role: 'tool', content: [{ type: 'text', text: 'x', citations: null }] }],
  [{ role: 'user', content: [{ type: 'mcp_tool_use' }] }],
  [{ role: 'assistant', content: [{ type: 'compaction' }] }],
  [{ role: 'user', content: [{ type: 'tool_call' }] }],
  [{ role: 'toolResult' }],
  [{ role: 'bashExecution' }],
  [{ role: 'user', content: [null, { type: 'toolCall' }] }],
  [{ type: 'function_call' }],
  [{ type: 'reasoning', role: 'user' }],
  [{ role: 'user', content: [{ type: 'input_text' }] }],
  [{ role: 'user', content: [{ type: 'input_text' }], providerData: {} }],
  [{ role: 'user', content: 'x', providerData: null }],
  [{ providerData: {} }],
  [{ type: 'function_call', callId: null }],
  [{ callId: 'c' }],
  [{ type: 'function_call_result' }],
  [{ type: 'reasoning' }, { type: 'hosted_tool_call' }],
  [{ role: 'user', content: { format: 2, parts: [] } }],
  [
    { role: 'user', content: { format: null, parts: null } },
    { role: 'user', parts: [{ type: 'text' }] },
  ],
  [{ content: { format: 2, parts: [] } }],
  [{ role: 'user', content: { parts: [] } }],
  [{ role: 'user', content: { format: 2 } }],
  [{ role: 'user', content: [{ type: 'tool-call' }] }],
  [{ role: 'user', content: [{ type: 'image', image: null }] }],
  [{ role: 'user', content: [{ type: 'file', data: '' }, { type: 'image' }] }],
  [{ role: 'user', content: [{ type: 'text', providerOptions: {} }] }],
  [{ role: 'user', content: [{ type: 'image', data: '', providerOptions: {} }] }],
  [{ role: 'user', toolInvocations: null }],
  [{ toolInvocations: [] }],
  [{ role: 'user', content: [{ type: 'tool_use' }] }],
  [{ role: 'tool', content: [{ type: 'tool_use' }] }],
  [{ role: 'user', content: [{ type: 'thinking' }] }],
  [{ role: 'tool', content: [{ type: 'thinking' }] }],
  [{ role: 'assistant', tool_calls: null }],
  [{ role: 'user' }, { role: 'system' }, { role: 'developer' }, { role: 'function' }],
  [{ role: 'user' }, { role: 'narrator' }],
  [{ role: 'user' }, null],
  [{ role: 'user', content: 'x' }, 7],
];

test('an array and its text are taken for the same format, for the same reason', () => {
  for (const messages of SIGNS) {
    const text = JSON.stringify(messages);
    const sign = ({ format, evidence }) => [format, evidence];
    assert.deepEqual(
      attempt(() => sign(detectLive(messages))),
      attempt(() => sign(detect(text))),
      text,
    );
  }
});

/** Messages of real sessions, if they exist beside the project. */
function realLists() {
  const sessions = join(sharedFolder, 'sessions');
  const readers = {
    openai_chat: asList,
    openai_responses: asList,
    anthropic_messages: asList,
    gemini_contents: asList,
    vercel_model: asList,
    vercel_ui: asList,
    langchain: asList,
    pi: piMessages,
    opencode: asList,
  };
  return Object.entries(readers).flatMap(([format, messagesOf]) =>
    readdirSync(join(sessions, format)).map((name) => {
      const messages = messagesOf(readFileSync(join(sessions, format, name), 'utf8'));
      return { name: `${format}/${name}`, format, messages };
    }),
  );
}

function asList(text) {
  const root = JSON.parse(text);
  return Array.isArray(root) ? root : (root.messages ?? root.contents ?? root.output ?? [root]);
}

function piMessages(text) {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).message)
    .filter(Boolean);
}

const missing = existsSync(join(sharedFolder, 'sessions')) ? false : 'there are no sessions beside the project';

test('real sessions: text and live array give the same records', { skip: missing }, () => {
  for (const { name, format, messages } of realLists()) {
    assert.deepEqual(recordsOf(messages, format), recordsOf(JSON.stringify(messages), format), name);
    assert.deepEqual(requestOf(messages, format), requestOf(JSON.stringify(messages), format), name);
  }
});

/** The result of a call, or the code of its error: both sides must refuse the same sessions. */
function attempt(call) {
  try {
    return call();
  } catch (error) {
    return error.code ?? error;
  }
}
