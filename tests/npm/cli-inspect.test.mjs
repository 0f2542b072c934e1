// `inspect`: what a session is made of, and what is wrong with it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertSentence, run } from './command.mjs';
import { ebbline, fixture, fixtures } from './package.mjs';
import { matchesSnapshot } from './snapshot.mjs';

test('the table says what a session is made of', async () => {
  const { code, out } = await run(['inspect', 'openai-chat.json', 'claude-code-compacted.jsonl', 'langchain-flat.json']);
  assert.equal(code, 0);
  matchesSnapshot('inspect', out);
});

test('problems are listed, each with its place', async () => {
  const input = `[{"role":"user","content":"u"},
 {"role":"tool","tool_call_id":"c9","content":"x"},
 {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}}]}]`;
  const { out } = await run(['inspect', '-'], { input });
  matchesSnapshot('inspect-problems', out);
  const { problems } = JSON.parse((await run(['inspect', '--json', '-'], { input })).out);
  const { violations, pending } = ebbline.validate(input);
  assert.deepEqual(problems, { violations, pending, resultsWithoutCall: 1, callsWithoutResult: 1, unreadable: [] });
});

test('--json adds up to what plan and read say, for every fixture', async () => {
  const { code, out } = await run(['inspect', '--json', ...fixtures]);
  assert.equal(code, 0);
  const sum = (rows, member) => rows.reduce((all, row) => all + row[member], 0);
  for (const found of out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))) {
    const text = fixture(found.file);
    const { format, counts, messages } = ebbline.read(text);
    assert.deepEqual([found.format, found.messages, found.images], [format, counts.messages, counts.images]);
    assert.equal(found.tokens, ebbline.plan(text).tokensBefore, found.file);
    assert.equal(sum(found.roles, 'messages'), messages.filter(({ active }) => active).length, found.file);
    assert.equal(sum(found.kinds, 'tokens'), sum(found.roles, 'tokens'), found.file);
    assert.deepEqual(found.problems.violations, ebbline.validate(text).violations);
  }
});

test('the ids of the largest outputs are those that recall takes', async () => {
  const { largest } = JSON.parse((await run(['inspect', '--json', 'openai-chat.json'])).out);
  const [{ id, tokens }] = largest;
  assert.ok(typeof id === 'string' && largest.every((output) => output.tokens <= tokens));
  const { code, out } = await run(['recall', 'openai-chat.json', id]);
  const messages = JSON.parse(fixture('openai-chat.json'));
  assert.deepEqual([code, out], [0, messages.find((message) => message.tool_call_id === id).content]);
});

test('what is no session ends with a sentence', async () => {
  assertSentence(await run(['inspect', '-'], { input: '{}' }), 1, /standard input: /);
  assertSentence(await run(['inspect']), 2, /inspect needs a FILE/);
});
