// The same session gives the same records, whether its text is read by the engine or its live array is walked.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { fixture, internal, lists, sharedFolder } from './package.mjs';
import { formats, makeSession } from './random-sessions.mjs';

const { Session } = await internal('core.js');
const { putText } = await internal('text.js');
const { walkerFor, detectLive } = await internal('live.js');
const { Recorder } = await internal('records.js');
const { detect } = await internal('api.js');

const PLACEHOLDER = '[cleared]';

function readRecords(text, format) {
  const { buffer, length } = putText(text);
  const session = new Session(buffer, length, format, PLACEHOLDER, false);
  const found = { words: [...session.records()], tools: session.tools() };
  session.free();
  return found;
}

function walkRecords(messages, format) {
  const { walker } = walkerFor(messages, format);
  const recorder = new Recorder({ placeholder: PLACEHOLDER, wide: true, classes: true, notation: true });
  walker.walk(messages, recorder);
  const found = { words: [...recorder.records], tools: recorder.tools };
  recorder.release();
  return found;
}

for (const [name, format] of Object.entries(lists)) {
  test(`${name}: text and live array give the same records`, () => {
    const messages = JSON.parse(fixture(name));
    assert.deepEqual(walkRecords(messages, format), readRecords(fixture(name), format));
    assert.deepEqual(detectLive(messages), detect(fixture(name)));
  });
}

for (const format of formats) {
  test(`400 random sessions of ${format}: text and live array give the same records`, () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const messages = makeSession(format, seed);
      const text = JSON.stringify(messages);
      const live = attempt(() => walkRecords(messages, format));
      const read = attempt(() => readRecords(text, format));
      assert.deepEqual(live, read, `seed ${seed}: ${text}`);
      assert.deepEqual(attempt(() => detectLive(messages).evidence), attempt(() => detect(text).evidence), `seed ${seed}`);
    }
  });
}

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
  [{ kwargs: {}, id: 'x' }],
  [{ kind: 'request', parts: [] }],
  [{ kind: 'response', parts: null }, { thought: 'x' }],
  [{ kind: 'request', parts: [] }, { role: 'user' }],
  [{ kind: 'other', parts: [] }],
  [{ traj: [] }, { role: 'user' }],
  [{ traj: {}, role: 'user' }],
  [{ info: {}, parts: [] }],
  [{ info: {} }, { parts: [] }],
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
  [{ role: 'tool_result' }],
  [{ role: 'user', content: [{ type: 'tool_call' }] }],
  [{ role: 'toolResult' }],
  [{ role: 'bashExecution' }],
  [{ role: 'user', content: [null, { type: 'toolCall' }] }],
  [{ type: 'function_call' }],
  [{ type: 'reasoning', role: 'user' }],
  [{ role: 'user', content: [{ type: 'input_text' }] }],
  [{ role: 'user', content: [{ type: 'tool-call' }] }],
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
    assert.deepEqual(attempt(() => sign(detectLive(messages))), attempt(() => sign(detect(text))), text);
  }
});

/** Messages of real sessions, where they lie beside the project. */
function realLists() {
  const sessions = join(sharedFolder, 'sessions');
  return Object.entries({ openai_chat: asList, anthropic_messages: asList, pi: piMessages }).flatMap(([format, messagesOf]) =>
    readdirSync(join(sessions, format)).map((name) => {
      const messages = messagesOf(readFileSync(join(sessions, format, name), 'utf8'));
      return { name: `${format}/${name}`, format, messages };
    }),
  );
}

function asList(text) {
  const root = JSON.parse(text);
  return Array.isArray(root) ? root : (root.messages ?? [root]);
}

function piMessages(text) {
  return text.split('\n').filter(Boolean).map((line) => JSON.parse(line).message).filter(Boolean);
}

const missing = existsSync(join(sharedFolder, 'sessions')) ? false : 'there are no sessions beside the project';

test('real sessions: text and live array give the same records', { skip: missing }, () => {
  for (const { name, format, messages } of realLists()) {
    assert.deepEqual(walkRecords(messages, format), readRecords(JSON.stringify(messages), format), name);
  }
});

/** What a call gives, or the code of its error: both sides have to refuse the same sessions. */
function attempt(call) {
  try {
    return call();
  } catch (error) {
    return error.code ?? error;
  }
}
