// What is no summary never replaces history, and what is one does: one table of both for npm, Rust (`tests/tests/garbage.rs`) and Python
// (`tests/python/test_garbage.py`). The answers come from `summarize`, as a model's do.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { createCompactor } = ebbline;
const TABLE = JSON.parse(readFileSync(new URL('../summaries.json', import.meta.url), 'utf8'));

/** The messages of a story: who says what how often; what is no role is a tool. */
function messagesOf(story) {
  return story.flatMap(([role, said, ...more], at) => {
    if (role === 'user' || role === 'assistant') return [{ role, content: said }];
    const call = { id: `c${at}`, type: 'function', function: { name: role, arguments: JSON.stringify({ command: said }) } };
    const [output, times] = more;
    return [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: `c${at}`, content: output.repeat(times) },
    ];
  });
}

/** Why a summary is refused; `undefined` if it is taken. */
async function refused(story, answer) {
  let why;
  const compactor = createCompactor({
    model: { context: 100_000 },
    set: { 'retain.keep': 1, 'prune.enabled': false },
    fallback: 'history',
    summarize: (request) => answer(request),
    onEvent: ({ type, error }) => type === 'summary_failed' && (why = error),
  });
  const messages = messagesOf(story);
  const view = await compactor.compactNow(messages).catch((error) => (why ??= error));
  if (why === undefined) assert.ok(view.length < messages.length);
  compactor.free();
  return why;
}

const said = ({ system, messages: [{ content }] }, text) => text.replace('$SYSTEM', system).replace('$REQUEST', () => content);

test('the table is long enough', () => {
  assert.ok(Object.keys(TABLE.garbage).length >= 50);
  assert.ok(Object.values(TABLE.honest).flat().length >= 40);
});

for (const [language, story] of Object.entries(TABLE.sessions)) {
  test(`${language}: no garbage is taken`, async () => {
    const passed = [];
    for (const [what, text] of Object.entries(TABLE.garbage)) {
      if ((await refused(story, (request) => said(request, text))) === undefined) passed.push(what);
    }
    assert.deepEqual(passed, []);
  });

  test(`${language}: no honest summary is refused`, async () => {
    const faults = [];
    for (const text of TABLE.honest[language]) {
      const why = await refused(story, () => text);
      if (why !== undefined) faults.push(`${text}: ${why.message}`);
    }
    assert.deepEqual(faults, []);
  });
}
