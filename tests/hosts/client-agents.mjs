// What the adapter of every client keeps: an agent that hands over its whole history stays inside a small window.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';

import { searching, startProvider } from './provider.mjs';
import { STEPS, WINDOW, assertCalm, counted } from './scripted-session.mjs';

/** Begins a client behind an adapter: the provider of a test, a compactor, and what the adapter gives. */
export function beginner(compacting, clientOf) {
  return async (t, { answer = () => ({ text: 'Yes.' }), ...provided } = {}, options = {}, more = undefined) => {
    const provider = await startProvider({ answer, ...provided });
    t.after(provider.close);
    const { compactor, told } = counted(options);
    t.after(() => compactor.free());
    const client = clientOf(provider);
    return { provider, compactor, told, client, create: compacting(client, compactor, more) };
  };
}

/** An agent that lives to its end: `run` gives its last words, over what the adapter gives. A stream may also refuse late. */
export function testAgent(name, begin, run, isStream) {
  test(`${name}: 200 steps in a small window, with few summaries and without a refusal`, async (t) => {
    const { provider, told, create } = await begin(t, { window: WINDOW, answer: searching(STEPS) });
    assert.equal((await run(create)).text, 'It is found.');
    assertCalm(provider.seen, told);
  });

  for (const isLate of isStream ? [false, true] : [false]) {
    test(`${name}: an overflow ${isLate ? 'inside the stream ' : ''}is recovered, and the agent goes on`, async (t) => {
      const limits = { model: { context: 64_000, output: 1_000 } };
      const { provider, told, create } = await begin(t, { window: WINDOW, answer: searching(60), isLate }, limits);
      assert.equal((await run(create)).text, 'It is found.');
      assert.ok(provider.seen.refused >= 1 && provider.seen.refused <= 10, `${provider.seen.refused} refusals`);
      assert.equal(told.events.filter((type) => type === 'overflow').length, provider.seen.refused);
      assert.deepEqual(provider.seen.violations, []);
    });
  }
}

/** One request: `ask` sends it over what the adapter gives, until the signal; `beside` are the tokens that are sent beside its messages. */
export function testRequest(name, begin, ask, [least, most], aborted) {
  test(`${name}: the tokens of the system prompt and the tools are learnt from usage`, async (t) => {
    const { compactor, create } = await begin(t);
    await ask(create);
    const { overhead } = compactor.contextUsage();
    assert.ok(overhead > least && overhead < most, `${overhead} beside the messages`);
  });

  test(`${name}: a cancelled request reaches the provider, and nothing is lost`, async (t) => {
    const stop = new AbortController();
    let cancelled;
    const answer = ({ signal }) => {
      if (stop.signal.aborted) return { text: 'Yes.' };
      cancelled = once(signal, 'abort');
      stop.abort();
      return cancelled.then(() => ({ text: 'No.' }));
    };
    const { provider, create } = await begin(t, { answer });
    await assert.rejects(ask(create, stop.signal), aborted);
    await cancelled;
    assert.equal(provider.seen.cancelled, 1);
    // A stream may give the answer in two pieces.
    assert.match(JSON.stringify(await ask(create)), /Ye.*s\./);
  });
}
