// A summary is bound to the messages that it was asked for: what came since stays, and a handle that does not fit is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SHAPES, historyOf as history } from './agent.mjs';
import { ebbline } from './package.mjs';

const { Session, compact, finishSummary, plan, summaryRequest, validate } = ebbline;
const MODEL = { context: 16_000, output: 2_000 };
const SUMMARIZES = { model: MODEL, set: { 'prune.enabled': false } };
const SUMMARY = 'The login test failed because the clock of the container was wrong. It passes now.';

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`${name}: what came while the model wrote stays, and the summary stands for what it was asked for`, () => {
    for (const since of [0, 1, 8, 40]) {
      const options = { ...SUMMARIZES, format: name };
      const messages = history(shape, 30);
      const { request, context, handle, plan: asked } = summaryRequest(messages, options);
      assert.ok(asked.retain.applied && request.messages.length > 0, `${since}`);
      const grown = [...messages, ...history(shape, since, 30)];
      const summary = finishSummary({ context }, SUMMARY);
      const bound = compact(grown, { ...options, summary, handle: JSON.parse(JSON.stringify(handle)) });
      const alone = compact(messages, { ...options, summary });
      // What would have become of the messages of the request, and then the newer ones, untouched. Only the number of
      // messages behind the summary differs, which the summary says.
      const kept = (list) => list.filter((message) => grown.includes(message));
      assert.deepEqual(kept(bound.messages), [...kept(alone.messages), ...grown.slice(messages.length)]);
      const told = (list) => JSON.stringify(list.filter((message) => !grown.includes(message)));
      const plain = (text) => text.replace(/the next \d+ are|\[ref \w+\]/g, '…');
      assert.equal(plain(told(bound.messages)), plain(told(alone.messages)));
      assert.ok(told(bound.messages).includes(SUMMARY));
      assert.deepEqual(validate(bound.messages, { format: name }).violations, []);
      assert.equal(bound.applied.summarized, asked.retain.messages);
      // A session does the same, and what it decides afterwards is what a new one decides.
      const session = new Session(options);
      session.push(messages);
      const mine = session.summaryRequest();
      assert.deepEqual(mine.handle, handle);
      session.push(grown.slice(messages.length));
      const done = session.apply({ summary, handle: mine.handle });
      assert.deepEqual(done.messages, bound.messages);
      assert.deepEqual(session.check().tokensBefore, plan(bound.messages, options).tokensBefore);
    }
  });
}

test('a handle that does not fit is refused with the reason, and nothing changes', () => {
  const shape = SHAPES.anthropic_messages;
  const options = SUMMARIZES;
  const messages = history(shape, 30);
  const { handle } = summaryRequest(messages, options);
  const how = { ...options, summary: SUMMARY, handle };
  const edited = (at, change) => messages.map((message, index) => (index === at ? { ...message, ...change } : message));
  /** @type {[any[], any, RegExp][]} */
  const refusals = [
    [messages.slice(0, 20), how, /asked for when there were 61 messages, and now there are 20/],
    [edited(0, { content: 'Mend the logon test.' }), how, /the first 61 messages are not those/],
    [messages.toReversed().toReversed().with(0, { role: 'assistant', content: 'Mend the login test.' }), how, /are not those/],
    [messages, { ...how, model: { context: 32_000 } }, /under another policy/],
    [messages, { ...how, handle: { ...handle, version: 3 } }, /it is of version 3/],
    [messages, { ...how, handle: { ...handle, messages: -1 } }, /its member `messages` is damaged/],
    [messages, { ...how, handle: { ...handle, fingerprint: 7 } }, /its member `fingerprint` is damaged/],
    [messages, { ...how, handle: {} }, /it is of version undefined/],
  ];
  for (const [given, asked, why] of refusals) {
    assert.throws(() => compact(given, asked), { code: 'mismatch', message: why });
    const session = new Session({ ...SUMMARIZES, model: asked.model });
    session.push(given);
    assert.throws(() => session.apply({ summary: SUMMARY, handle: asked.handle }), { code: 'mismatch', message: why });
    assert.deepEqual(session.messages, given);
  }
  assert.throws(() => compact(messages, { ...options, handle }), { code: 'invalid_option', message: /a handle comes with the summary/ });
  const text = JSON.stringify(messages);
  assert.throws(() => compact(text, how), { code: 'invalid_option', message: /a handle is of live messages/ });
});

test('a forced request and an unforced apply stand for the same messages', () => {
  const messages = history(SHAPES.anthropic_messages, 12);
  const options = { ...SUMMARIZES, model: { context: 200_000 } };
  const { handle, plan: asked } = summaryRequest(messages, { ...options, force: true });
  const done = compact(messages, { ...options, summary: SUMMARY, handle });
  assert.equal(done.applied.summarized, asked.retain.messages);
  assert.ok(done.applied.summarized > 0);
});
