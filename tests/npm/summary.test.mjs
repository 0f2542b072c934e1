// The request for a summary, and the summary made of the answer, from texts, bytes and live arrays.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { ebbline, fixture, fixtures, lists } from './package.mjs';
import { makeSession } from './random-sessions.mjs';

const { EbblineError, Session, compact, finishSummary, plan, read, reviewSummary, summaryRequest } = ebbline;

const FORCED = { force: true, set: { 'retain.keep': 60 } };
/**
 * Too short for a summary: only one message or none is older than the window, the whole session is one answer, or a summary with
 * the user's words would be as long as the 48 tokens that it replaces.
 */
const SHORT = new Set([
  'plain-chat.json',
  'pi-v1.jsonl',
  'openai-responses-response.json',
  'claude-code-web.json',
  'claude-code-qwen.jsonl',
  'agent-framework-dotnet.json',
  'autogen-team.json',
  'cursor.jsonl',
  'droid.jsonl',
  'google-adk-compacted.json',
  'kimi-cli-compacted.jsonl',
  'semantic-kernel-dotnet.json',
  'sharegpt-roles.jsonl',
  'vscode-chat.jsonl',
]);

for (const name of fixtures.filter((file) => !SHORT.has(file))) {
  test(`${name}: text and bytes give the same request, for the same plan as ever`, () => {
    const text = fixture(name);
    const requested = summaryRequest(text, FORCED);
    assert.deepEqual(summaryRequest(new TextEncoder().encode(text), FORCED), requested);
    assert.deepEqual(requested.plan, plan(text, FORCED));
    const { system, messages, maxTokens, ...rest } = requested.request;
    assert.deepEqual([rest, maxTokens, messages.map(({ role }) => role)], [{}, 8_192, ['user']]);
    assert.match(system, /^You write/);
    assert.match(messages[0].content, /<conversation>\n[^]+\n<\/conversation>[^]+## Goal\n/);
    assert.equal(requested.context.replacedTokens, requested.plan.retain.summarized);
  });
}

for (const [name, format] of Object.entries(lists).filter(([file]) => !SHORT.has(file))) {
  test(`${name}: a live array gives the request of its text, and takes the summary of the answer`, () => {
    const messages = JSON.parse(fixture(name));
    const before = structuredClone(messages);
    const requested = summaryRequest(messages, FORCED);
    const { handle, ...rest } = requested;
    assert.equal(handle.messages, messages.length);
    assert.deepEqual(rest, summaryRequest(fixture(name), FORCED));
    assert.deepEqual(messages, before);

    const summary = finishSummary(JSON.parse(JSON.stringify(requested)), { text: '## Goal\nRound.', truncated: false });
    assert.match(summary, /^## Goal\nRound\.\n\n<read-files>\n[^]+<\/(read|modified)-files>(\n\n<identifiers>\n.+\n<\/identifiers>)?$/);
    const { messages: next, applied } = compact(messages, { ...FORCED, summary });
    assert.ok(applied.summarized > 0);
    assert.ok(next.includes(messages.at(-1)));
    assert.equal(read(next, { format }).counts.messages, next.length);

    // The next request updates the summary.
    const again = summaryRequest([...next, ...messages.slice(-4)], { ...FORCED, format, set: { 'retain.keep': 1 } });
    assert.match(
      again.request.messages[0].content,
      /^<previous-summary>\n## Goal\nRound\.\n+(<identifiers>\n.+\n<\/identifiers>\n)?<\/previous-summary>\n/,
    );
    assert.deepEqual(touched(again), touched(requested));
  });
}

/** The files of a request, without duplicates. */
function touched({ context: { files } }) {
  return [...new Set([...files.read, ...files.modified])].sort();
}

test('without old messages there is nothing to request', () => {
  for (const input of [[], fixture('plain-chat.json'), JSON.parse(fixture('openai-chat.json'))]) {
    assert.equal(summaryRequest(input), undefined);
  }
});

test('a request stays in its budget, whatever the session', () => {
  for (const format of Object.values(lists).slice(0, 3)) {
    for (let seed = 1; seed <= 60; seed += 1) {
      const messages = JSON.parse(JSON.stringify(makeSession(format, seed)));
      const budgetTokens = 2_500 + seed * 40;
      const requested = summaryRequest(messages, { ...FORCED, format, budgetTokens });
      if (requested === undefined) continue;
      const {
        system,
        messages: [{ content }],
      } = requested.request;
      assert.ok(Math.ceil(system.length / 4) + Math.ceil(content.length / 4) <= budgetTokens, `seed ${seed}`);
      assert.ok(content.isWellFormed?.() ?? true);
    }
  }
});

test('what must not take the place of history is refused', () => {
  const requested = summaryRequest(fixture('openai-chat.json'), FORCED);
  const refused = (answer, code) => assert.throws(() => finishSummary(requested, answer), { name: 'EbblineError', code });
  refused('', 'empty_summary');
  refused('## Goal\n(none)', 'empty_summary');
  refused('<think>The goal', 'truncated_summary');
  refused('<think>The goal</think>', 'empty_summary');
  refused({ text: '## Goal\nRou', truncated: true }, 'truncated_summary');
  refused(`## Goal\n${'word '.repeat(9_000)}`, 'larger_summary');
  for (const answer of [undefined, null, 5, {}, { text: 'x', truncated: 'yes' }]) refused(answer, 'invalid_option');
  for (const wrong of [undefined, {}, { context: {} }]) {
    assert.throws(() => finishSummary(wrong, '## Goal\nx'), { name: 'EbblineError', code: 'mismatch' });
  }
});

test('prose, other languages and reasoning in front are accepted, and what is unusual is said', () => {
  const requested = summaryRequest(fixture('openai-chat.json'), FORCED);
  const codes = (answer) => reviewSummary(requested, answer).warnings.map(({ code, text }) => (text.length > 20 ? code : text));
  const prose = 'The checkout was one cent off, because sums were floored. They are rounded now, and the tests pass. '.repeat(3).trim();
  assert.deepEqual(codes('## Goal\nRound.'), []);
  assert.deepEqual(codes(prose), ['no_headings']);
  assert.deepEqual(codes(`<think>\nHm.\n</think>\n## Ziel\n${prose}`), ['reasoning_removed', 'no_headings']);
  assert.ok(finishSummary(requested, `<think>Hm.</think>${prose}`).startsWith('The checkout'));
  assert.deepEqual(codes('I cannot do that.'), ['no_headings', ...(requested.context.replacedTokens > 250 ? ['very_short'] : [])]);
});

test('what cannot be requested is said in an error', () => {
  const text = fixture('openai-chat.json');
  assert.throws(() => summaryRequest(text, { ...FORCED, budgetTokens: 200 }), { code: 'budget_too_small' });
  assert.throws(() => summaryRequest(text, { focus: 5 }), { code: 'invalid_option' });
  assert.throws(() => summaryRequest(text, { budgetTokens: -1 }), { code: 'invalid_option' });
  // Only what a summary is made of must have JSON: a circle beside it does no harm, one in the arguments of a call does.
  const circle = {};
  circle.self = circle;
  const beside = [{ role: 'user', content: 'a', beside: circle }];
  assert.equal(summaryRequest(beside), undefined);
  const inside = [...beside, { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 't', input: circle }] }];
  assert.throws(
    () => summaryRequest(inside),
    (/** @type {any} */ error) => error instanceof EbblineError && error.code === 'too_deep',
  );
});

// tests/tests/blank_summaries.rs checks the engine with the same table.
const TABLE = JSON.parse(readFileSync(new URL('../blank-summaries.json', import.meta.url), 'utf8'));

test('a summary that shows nothing replaces nothing, in text, in an array and in a Session', () => {
  const text = fixture('openai-chat.json');
  const messages = JSON.parse(text);
  const session = (summary) => {
    const kept = new Session(FORCED);
    kept.push(messages);
    return kept.apply({ summary });
  };
  for (const summary of TABLE.blank) {
    assert.equal(compact(text, { ...FORCED, summary }).text, compact(text, FORCED).text, JSON.stringify(summary));
    for (const done of [compact(messages, { ...FORCED, summary }), session(summary)]) {
      assert.deepEqual([done.applied.summarized, done.summaryNeeded], [0, true], JSON.stringify(summary));
      assert.ok(messages.every((message) => done.messages.includes(message)));
    }
    assert.throws(() => finishSummary(summaryRequest(messages, FORCED), summary), { code: 'empty_summary' });
  }
  for (const summary of TABLE.words) {
    for (const done of [compact(text, { ...FORCED, summary }), compact(messages, { ...FORCED, summary }), session(summary)]) {
      assert.ok(done.applied.summarized > 0 && !done.summaryNeeded, JSON.stringify(summary));
    }
  }
});

test('without a moment, the same text gives the same bytes', async () => {
  const compacted = () => compact(fixture('pi-v3.jsonl'), { ...FORCED, summary: 'So far.' }).text;
  const first = compacted();
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(compacted(), first);
});
