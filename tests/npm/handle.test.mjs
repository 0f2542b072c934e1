// A summary is bound to the messages that it was asked for: what came since stays, and a handle that does not fit is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { Session, compact, finishSummary, plan, summaryRequest, validate } = ebbline;
const MODEL = { context: 16_000, output: 2_000 };
const SUMMARY = 'The login test failed because the clock of the container was wrong. It passes now.';

/** A step of an agent in the shape of each provider: a call and its result. */
const SHAPES = {
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

function history({ person, step }, steps, from = 0) {
  const output = (at) => `line ${at} of the file\n`.repeat(90);
  const made = Array.from({ length: steps }, (_, at) => step(`c${from + at}`, output(from + at))).flat();
  return from === 0 ? [person('Mend the login test.'), ...made] : made;
}

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`${name}: what came while the model wrote stays, and the summary stands for what it was asked for`, () => {
    for (const since of [0, 1, 8, 40]) {
      const options = { model: MODEL, profile: 'pi@1.5', format: name };
      const messages = history(shape, 30);
      const { request, context, handle, plan: asked } = summaryRequest(messages, options);
      assert.ok(asked.retain.applied && request.messages.length > 0, `${since}`);
      const grown = [...messages, ...history(shape, since, 30)];
      const summary = finishSummary({ context }, SUMMARY);
      const bound = compact(grown, { ...options, summary, handle: JSON.parse(JSON.stringify(handle)) });
      const alone = compact(messages, { ...options, summary });
      // Exactly what would have become of the messages of the request, and then the newer ones, untouched.
      assert.deepEqual(bound.messages.slice(0, alone.messages.length), alone.messages);
      assert.deepEqual(bound.messages.slice(alone.messages.length), grown.slice(messages.length));
      grown.slice(messages.length).forEach((message, at) => assert.equal(bound.messages[alone.messages.length + at], message));
      assert.deepEqual(validate(bound.messages, { format: name }).violations, []);
      assert.equal(bound.applied.summarised, asked.retain.messages);
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
  const options = { model: MODEL, profile: 'pi@1.5' };
  const messages = history(shape, 30);
  const { handle } = summaryRequest(messages, options);
  const how = { ...options, summary: SUMMARY, handle };
  const edited = (at, change) => messages.map((message, index) => (index === at ? { ...message, ...change } : message));
  const refusals = [
    [messages.slice(0, 20), how, /asked for when there were 61 messages, and now there are 20/],
    [edited(0, { content: 'Mend the logon test.' }), how, /the first 61 messages are not those/],
    [messages.toReversed().toReversed().with(0, { role: 'assistant', content: 'Mend the login test.' }), how, /are not those/],
    [messages, { ...how, model: { context: 32_000 } }, /under another policy/],
    [messages, { ...how, handle: { ...handle, version: 2 } }, /it is of version 2/],
    [messages, { ...how, handle: { ...handle, messages: -1 } }, /its member `messages` is damaged/],
    [messages, { ...how, handle: { ...handle, fingerprint: 7 } }, /its member `fingerprint` is damaged/],
    [messages, { ...how, handle: {} }, /it is of version undefined/],
  ];
  for (const [given, asked, why] of refusals) {
    assert.throws(() => compact(given, asked), { code: 'mismatch', message: why });
    const session = new Session({ model: asked.model, profile: 'pi@1.5' });
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
  const options = { model: { context: 200_000 } };
  const { handle, plan: asked } = summaryRequest(messages, { ...options, force: true, profile: 'pi@1.5' });
  const done = compact(messages, { ...options, profile: 'pi@1.5', summary: SUMMARY, handle });
  assert.equal(done.applied.summarised, asked.retain.messages);
  assert.ok(done.applied.summarised > 0);
});
