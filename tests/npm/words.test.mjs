// A summary carries the user's own words, whoever wrote it: rounds of compactions of live messages and of texts.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { Session, compact, plan, summaryRequest } = ebbline;

const GOAL = 'Fix the login test in tests/login.spec.ts: it fails since Monday.';
const ORDER = 'Never touch the migrations folder, not even for formatting.';
const model = { context: 16_000 };

/** A step of an agent: talk that no pruning removes. */
const step = (at) => ({ role: 'assistant', content: `Step ${at}. ${`I looked at file ${at} and it seems fine. `.repeat(30)}` });

/** Messages of each live format that stores plain text, from `{role, content}`. */
const SHAPES = {
  openai_chat: (message) => message,
  anthropic_messages: ({ role, content }) => ({ role, content: [{ type: 'text', text: content }] }),
  vercel_model: ({ role, content }) => ({ role, content: role === 'user' ? content : [{ type: 'text', text: content }] }),
  gemini_contents: ({ role, content }) => ({ role: role === 'user' ? 'user' : 'model', parts: [{ text: content }] }),
  bedrock_converse: ({ role, content }) => ({ role, content: [{ text: content }] }),
  openai_agents: ({ role, content }) => ({ role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text: content }] }),
  mastra: ({ role, content }) => ({ role, content: { format: 2, parts: [{ type: 'text', text: content }] } }),
};

/** The texts in any message, wherever they stand. */
const textOf = (messages) => JSON.stringify(messages.map((message) => [message.content, message.parts])).replaceAll('\\n', '\n');

for (const [format, shape] of Object.entries(SHAPES)) {
  test(`the first goal and the newest words stay word for word over ten summaries: ${format}`, () => {
    let messages = [shape({ role: 'user', content: GOAL })];
    let request = GOAL;
    let rounds = 0;
    for (let at = 0; at < 400 && rounds < 10; at += 1) {
      if (at === 15) messages.push(shape({ role: 'user', content: ORDER }));
      if (at % 9 === 8) messages.push(shape({ role: 'user', content: (request = `Now look at part ${at} of the login.`) }));
      messages.push(shape(step(at)));
      if (plan(messages, { model, format }).verdict !== 'summarize') continue;
      const before = plan(messages, { model, format });
      const done = compact(messages, { model, format, summary: `Summary ${rounds}: all is well.` });
      rounds += 1;
      messages = done.messages;
      const text = textOf(messages);
      assert.ok(text.includes(GOAL), `the goal after round ${rounds}`);
      assert.ok(text.includes(request), `the running request after round ${rounds}`);
      if (at > 15 && rounds < 9) assert.ok(text.includes(ORDER), `an order after round ${rounds}`);
      assert.ok(plan(messages, { model, format }).tokensBefore <= before.tokensAfter + 40, 'no larger than planned');
      assert.ok(plan(messages, { model, format }).fits);
    }
    assert.equal(rounds, 10);
  });
}

test('a session, an array and its text carry the same words', () => {
  const messages = [{ role: 'user', content: GOAL }, ...Array.from({ length: 12 }, (_, at) => step(at)), { role: 'user', content: ORDER }];
  for (let at = 12; at < 60; at += 1) messages.push(step(at));
  const given = { model, format: 'openai_chat', summary: 'All is well.', now: 1 };
  const live = compact(messages, given).messages;
  const session = new Session({ model, format: 'openai_chat' });
  session.push(messages);
  assert.deepEqual(session.apply({ summary: 'All is well.', now: 1 }).messages, live);
  assert.deepEqual(JSON.parse(compact(JSON.stringify(messages), given).text), live);
  assert.ok(textOf(live).includes(ORDER));
});

test('the request for the next summary holds each of the words once', () => {
  let messages = [{ role: 'user', content: GOAL }];
  for (let at = 0; at < 60; at += 1) messages.push(step(at));
  messages = compact(messages, { model, force: true, summary: 'All is well.' }).messages;
  for (let at = 60; at < 110; at += 1) messages.push(step(at));
  const { request } = summaryRequest(messages, { model, force: true });
  const asked = JSON.stringify(request.messages);
  assert.equal(asked.split('What the user said before').length - 1, 0, 'the words are carried, not summarized');
  assert.ok(asked.includes('All is well.'));
});

test('a policy says whether words are carried, and how many', () => {
  const messages = [{ role: 'user', content: GOAL }, ...Array.from({ length: 60 }, (_, at) => step(at))];
  const summaryUnder = (options) => textOf(compact(messages, { model, force: true, summary: 'All is well.', ...options }).messages);
  assert.ok(!summaryUnder({ profile: 'ebbline@1' }).includes(GOAL));
  assert.ok(!summaryUnder({ set: { 'retain.userWords': 0 } }).includes(GOAL));
  assert.ok(summaryUnder({ profile: 'ebbline@1', set: { 'retain.userWords': 200 } }).includes(GOAL));
});
