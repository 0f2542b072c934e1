// What hosts ask of one request (`tests/requests.json`): a target, a known size, a model that comes later, notes. Rust and Python run the
// same rows.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { createCompactor, plan } = ebbline;
const POOL = session(60);
const { rows } = JSON.parse(readFileSync(new URL('../requests.json', import.meta.url), 'utf8'));

/** A request, and so many steps of a call and its result: the same objects each time. */
function history(steps) {
  return POOL.slice(0, 1 + 2 * steps);
}

function session(steps) {
  const step = (at) => {
    const call = { id: `c${at}`, type: 'function', function: { name: 'read', arguments: '{}' } };
    return [
      { role: 'assistant', content: `I read file ${at}. ${'It may be this one. '.repeat(20)}`, tool_calls: [call] },
      { role: 'tool', tool_call_id: `c${at}`, content: `line ${at} of the file `.repeat(90) },
    ];
  };
  return [{ role: 'user', content: 'Mend the login test.' }, ...Array.from({ length: steps }, (_, at) => step(at)).flat()];
}

for (const { name, options, answer, calls } of rows) {
  test(name, async () => {
    const { summaries, ...others } = options;
    const asked = [];
    const summarize = (request) => {
      asked.push(request.messages[0].content);
      return answer;
    };
    const writes = { none: undefined, later: 'later' };
    const compactor = createCompactor({ ...others, warn: false, summarize: summaries === undefined ? summarize : writes[summaries] });
    for (const { do: way, steps, model, hosts, expect, ...about } of calls) {
      assert.ok(hosts?.includes('npm') ?? true);
      const given = history(steps);
      const how = { ...about, ...(model && { summarize }) };
      const done = way === 'prepare' ? compactor.prepare(given, how) : compactor.compactNow(given, how);
      if (expect.error !== undefined) {
        await assert.rejects(done, { code: expect.error });
        continue;
      }
      const view = await done;
      const message = JSON.stringify({ name, steps, ...about });
      if (expect.asked !== undefined) assert.equal(asked.length, expect.asked, message);
      if (expect.changed !== undefined) {
        assert.equal(
          view.some((one) => !given.some((known) => known === one)),
          expect.changed,
          message,
        );
      }
      if (expect.tokensAtMost !== undefined) {
        const { tokensBefore } = plan(view, { format: 'openai_chat' });
        assert.ok(tokensBefore <= expect.tokensAtMost, `${message}: ${tokensBefore}`);
      }
      for (const said of expect.said ?? []) assert.ok(asked.at(-1).includes(said), `${message}: ${said}`);
      for (const unsaid of expect.unsaid ?? []) assert.ok(!asked.at(-1).includes(unsaid), `${message}: ${unsaid}`);
    }
  });
}
