// The same session gives the same records, whether its text is read by the engine or its live array is walked.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fixture, internal, lists } from './package.mjs';
import { makeSession } from './random-sessions.mjs';

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
  const recorder = new Recorder({ placeholder: PLACEHOLDER, wide: true });
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

for (const format of ['openai_chat', 'anthropic_messages', 'pi']) {
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

/** What a call gives, or the code of its error: both sides have to refuse the same sessions. */
function attempt(call) {
  try {
    return call();
  } catch (error) {
    return error.code ?? error;
  }
}
