// Summaries of what does not fit into one request: written one part after the other, or part by part and then joined.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SHAPES } from './agent.mjs';
import { ebbline } from './package.mjs';

const { createCompactor, plan, summaryRequest, validate } = ebbline;
const BUDGET = 4_000;
const OPTIONS = { model: { context: 200_000 }, set: { 'prune.enabled': false, 'retain.keep': 2_000 } };

/** A history in which every step says its number. */
function sessionOf({ person, step }, steps = 120) {
  const messages = [person('Mend the login test.')];
  for (let at = 0; at < steps; at += 1) {
    if (at % 10 === 9) messages.push(person(`Request ${at}: go on with the next file.`));
    messages.push(...step(`c${at}`, `output ${at} of the test\n`.repeat(30)));
  }
  return messages;
}

/**
 * A compactor whose model answers with which steps it saw.
 *
 * @param {object} options
 * @param {(number: number, request?: any, how?: any) => any} answer
 */
function listening(options, answer = () => undefined) {
  const events = [];
  const requests = [];
  const summarize = async (request, how) => {
    requests.push(request.messages.map(({ content }) => content).join('\n'));
    return (await answer(requests.length, request, how)) ?? `Summary number ${requests.length}: the work goes on.`;
  };
  const compactor = createCompactor({
    ...OPTIONS,
    accept: { facts: 0 },
    budgetTokens: BUDGET,
    summarize,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { compactor, events, requests };
}

const asked = (events) => events.filter(({ type }) => type === 'summary_requested');
const stepsIn = (text) => [...text.matchAll(/src\/(c\d+)\.rs/g)].map(([, id]) => id);

for (const [format, shape] of Object.entries(SHAPES)) {
  for (const chunks of /** @type {const} */ (['rolling', 'map_reduce'])) {
    test(`${format}, ${chunks}: every step is in one request, no request is over the budget, and the view is valid`, async () => {
      const history = sessionOf(shape);
      const whole = plan(history, { ...OPTIONS, format, force: true });
      const { compactor, events, requests } = listening({ format, chunks });
      const view = await compactor.compactNow(history);
      assert.deepEqual(validate(view, { format }).violations, []);
      // The last request of this way joins summaries, which name what only their parts do.
      const parts = chunks === 'map_reduce' ? requests.slice(0, -1) : requests;
      const seen = parts.flatMap((text) => [...new Set(stepsIn(text))]);
      const replaced = history.slice(0, whole.retain.boundary ?? 0);
      assert.deepEqual(seen, [...new Set(stepsIn(JSON.stringify(replaced)))]);
      assert.ok(requests.length > 3, `${requests.length}`);
      const told = asked(events);
      assert.deepEqual(
        told.map(({ part, parts }) => [part, parts]),
        requests.map((_, at) => [at + 1, requests.length]),
      );
      const { summarized } = events.find(({ type }) => type === 'compacted');
      assert.equal(summarized, whole.retain.messages);
      assert.deepEqual(
        view.filter((message) => history.includes(message)),
        history.slice(whole.retain.boundary ?? 0),
      );
      for (const text of requests) {
        const tokens = plan([{ role: 'user', content: text }], { format: 'openai_chat' }).tokensBefore;
        assert.ok(tokens <= BUDGET, `${tokens}`);
      }
      assert.ok(JSON.stringify(view).includes(`Summary number ${requests.length}:`));
      assert.equal(compactor.undo(), true);
      assert.deepEqual(await compactor.prepare(history), history);
      compactor.free();
    });
  }
}

test('rolling hands each summary on to the next part; map-reduce joins all of them in order', async () => {
  const history = sessionOf(SHAPES.openai_chat);
  const rolling = listening({ chunks: 'rolling' });
  await rolling.compactor.compactNow(history, { focus: 'the mail queue' });
  rolling.requests.forEach((text, at) => {
    assert.equal(text.includes('<previous-summary>'), at > 0, `${at}`);
    if (at > 0) assert.ok(text.includes(`Summary number ${at}:`));
    assert.ok(!text.includes(`Summary number ${at - 1}:`));
    assert.match(text, /Dwell on this above all: the mail queue/);
  });
  const mapped = listening({ chunks: 'map_reduce' });
  await mapped.compactor.compactNow(history);
  const last = mapped.requests.pop();
  for (const text of mapped.requests) assert.ok(!text.includes('<previous-summary>') && !text.includes('Summary number'));
  assert.deepEqual(
    [...last.matchAll(/Summary of part (\d+) of (\d+)/g)].map(([, part, parts]) => [Number(part), Number(parts)]),
    mapped.requests.map((_, at) => [at + 1, mapped.requests.length]),
  );
  assert.deepEqual(
    [...last.matchAll(/Summary number (\d+)/g)].map(([, number]) => Number(number)),
    mapped.requests.map((_, at) => at + 1),
  );
});

test('an earlier summary is in the first part, and the files of all parts are in the final summary', async () => {
  for (const chunks of /** @type {const} */ (['rolling', 'map_reduce'])) {
    const { compactor, requests } = listening({ chunks });
    const history = sessionOf(SHAPES.openai_chat);
    await compactor.compactNow(history);
    const before = requests.length;
    history.push(...sessionOf(SHAPES.openai_chat).slice(1));
    const view = await compactor.compactNow(history);
    requests.slice(before).forEach((text, at, { length }) => {
      const isThere = text.includes(`Summary number ${before}:`);
      assert.equal(isThere, at === 0, `${chunks} ${at} of ${length}`);
    });
    const text = JSON.stringify(view[0]);
    assert.equal(text.split('<read-files>').length, 2);
    assert.ok(text.includes('src/c0.rs') && text.includes('src/c60.rs'));
  }
});

test('without the option, one request is made as long as it fits; where it does not, parts are summarized instead of failing', async () => {
  const history = sessionOf(SHAPES.openai_chat);
  const one = listening({});
  await one.compactor.compactNow(history);
  assert.equal(one.requests.length, 1);
  assert.deepEqual(
    asked(one.events).map(({ part, parts }) => [part, parts]),
    [[1, 1]],
  );
  assert.equal(one.requests[0], summaryRequest(history, { ...OPTIONS, force: true, budgetTokens: BUDGET }).request.messages[0].content);
  const small = listening({ chunks: 'rolling', budgetTokens: 60_000 });
  await small.compactor.compactNow(history);
  assert.equal(small.requests.length, 1, 'less than twice the budget');
  // What the user said is never left out, so that one request cannot shrink enough.
  const talking = Array.from({ length: 400 }, (_, at) => [
    { role: 'user', content: `Wish ${at}: ${'a word about the mail '.repeat(12)}` },
    { role: 'assistant', content: 'Done.' },
  ]).flat();
  assert.throws(() => summaryRequest(talking, { ...OPTIONS, force: true, budgetTokens: BUDGET }), { code: 'budget_too_small' });
  const { compactor, events, requests } = listening({});
  await compactor.compactNow(talking);
  assert.ok(requests.length > 2);
  assert.deepEqual(
    events.filter(({ type }) => type === 'summary_failed'),
    [],
  );
  assert.deepEqual(
    asked(events).map(({ part, parts }) => [part, parts]),
    requests.map((_, at) => [at + 1, requests.length]),
  );
});

test('a budget without room for anything fails as before, and a summary by rule needs none', async () => {
  const history = sessionOf(SHAPES.openai_chat);
  const { compactor, events, requests } = listening({ budgetTokens: 100, fallback: 'history' });
  assert.deepEqual(await compactor.compactNow(history), history);
  assert.equal(requests.length, 0);
  assert.equal(events.find(({ type }) => type === 'summary_failed').error.code, 'budget_too_small');
  const byRule = listening({ budgetTokens: 100, summarize: 'deterministic' });
  assert.notDeepEqual(await byRule.compactor.compactNow(history), history);
});

test('the failure of one part is the failure of the whole summary, and nothing of it stays', async () => {
  for (const chunks of /** @type {const} */ (['rolling', 'map_reduce'])) {
    const { compactor, events, requests } = listening({ chunks, fallback: 'history' }, (number) => {
      if (number === 3) throw new Error('overloaded');
    });
    const history = sessionOf(SHAPES.openai_chat);
    assert.deepEqual(await compactor.compactNow(history), history);
    assert.equal(requests.length, 3);
    assert.equal(events.filter(({ type }) => type === 'summary_failed').length, 1);
    assert.equal(compactor.record.changes.length, 0);
  }
});

test('each part is judged and asked for once more, with what is wrong', async () => {
  for (const chunks of /** @type {const} */ (['rolling', 'map_reduce'])) {
    const { compactor, events, requests } = listening({ chunks }, (number) => (number === 2 ? '' : undefined));
    const view = await compactor.compactNow(sessionOf(SHAPES.openai_chat));
    assert.match(requests[2], /contains no summary/);
    assert.equal(asked(events).length, requests.length - 1);
    assert.ok(JSON.stringify(view).includes(`Summary number ${requests.length}:`));
  }
});

test('cancelling between two parts or inside one leaves everything as it was, and no further model is asked', async () => {
  for (const chunks of /** @type {const} */ (['rolling', 'map_reduce'])) {
    for (const at of [1, 2, 4]) {
      const stop = new AbortController();
      const reason = new Error('stop');
      const { compactor, requests } = listening({ chunks }, (number) => {
        if (number === at) stop.abort(reason);
      });
      const history = sessionOf(SHAPES.openai_chat);
      await assert.rejects(compactor.compactNow(history, { signal: stop.signal }), reason);
      assert.equal(requests.length, at);
      assert.deepEqual(await compactor.prepare(history), history);
    }
  }
});

test('the time limit is that of one part', async () => {
  const late = listening({ chunks: 'rolling', timeout: 30, fallback: 'history' }, (number) =>
    number === 2 ? new Promise(() => undefined) : undefined,
  );
  const alive = setTimeout(() => undefined, 5_000);
  const history = sessionOf(SHAPES.openai_chat);
  assert.deepEqual(await late.compactor.compactNow(history), history);
  clearTimeout(alive);
  assert.equal(late.events.find(({ type }) => type === 'summary_failed').error.name, 'TimeoutError');
});

test('no more than 64 parts are asked for', async () => {
  const history = sessionOf(SHAPES.openai_chat, 1_500);
  const { compactor, requests } = listening({ chunks: 'rolling', model: { context: 2_000_000 } });
  await compactor.compactNow(history);
  assert.ok(requests.length > 32 && requests.length <= 64, `${requests.length}`);
});

test('other values of the option are refused', () => {
  for (const chunks of ['parts', true, 3, null]) {
    assert.throws(() => createCompactor(/** @type {any} */ ({ chunks })), { code: 'invalid_option', message: /'rolling' or 'map_reduce'/ });
  }
});
