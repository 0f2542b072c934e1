// A compaction that is asked for again and again makes the context smaller each time, or says why it does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { compact, finishSummary, plan, summaryRequest } = ebbline;

const ANSWER = `## Goal\nWork.\n\n${'Some facts that were found. '.repeat(70)}`;

/** Twelve turns of talk; every third one calls a tool whose output has `words` words. */
function talk(words) {
  return Array.from({ length: 12 }, (_, turn) => {
    const call = { id: `c${turn}`, type: 'function', function: { name: 'read', arguments: '{}' } };
    const work = [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content: 'word '.repeat(words) },
    ];
    return [
      { role: 'user', content: `Please do step ${turn} of the work. ${'word '.repeat(30)}` },
      ...(turn % 3 === 0 ? work : []),
      { role: 'assistant', content: `I did it. ${'details of the step '.repeat(40)}` },
    ];
  }).flat();
}

for (const profile of ['ebbline@1', 'ebbline@2']) {
  for (const [keep, words] of [
    [1_000, 0],
    [1_000, 400],
    [300, 50],
    [4_000, 2_000],
    [1, 5],
  ]) {
    test(`${profile} keeping ${keep}, with outputs of ${words} words`, () => {
      const options = { profile, model: { context: 32_000 }, set: { 'retain.keep': keep }, force: true };
      let messages = talk(words);
      let size = plan(messages, options).tokensBefore;
      for (let round = 0; round < 12; round += 1) {
        const planned = plan(messages, options);
        if (planned.verdict === 'refuse') return;
        assert.notEqual(planned.verdict, 'noop');
        const requested = summaryRequest(messages, options);
        let summary;
        try {
          summary = requested && finishSummary(requested, ANSWER);
        } catch (error) {
          assert.equal(error.code, 'larger_summary', 'an answer that would make the context larger is refused');
          return;
        }
        messages = compact(messages, { ...options, summary }).messages;
        const after = plan(messages, options).tokensBefore;
        assert.ok(after < size, `round ${round}: ${size} → ${after}`);
        size = after;
      }
    });
  }
}
