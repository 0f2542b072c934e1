// The compactor inside running agents: whatever a hook keeps of what it gets, nothing is decided or paid for twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SHAPES, historyOf } from './agent.mjs';
import { ebbline } from './package.mjs';

const { EbblineError, createCompactor, plan, validate } = ebbline;
const MODEL = { context: 16_000, output: 2_000 };
const SUMMARIZES = { model: MODEL, set: { 'prune.enabled': false } };
const PRUNES = { model: MODEL };
const SUMMARY = 'The agent read some files. The fault is not found yet.';
const OVERFLOW = Object.assign(
  new Error("This model's maximum context length is 16000 tokens. However, your messages resulted in 17001 tokens."),
  {
    status: 400,
    code: 'context_length_exceeded',
  },
);

/**
 * A compactor whose summarizer counts its calls.
 *
 * @param {object} options
 * @param {(...given: any[]) => any} answer
 */
function counting(options, answer = () => SUMMARY) {
  const seen = { asked: 0, requests: [], events: [] };
  const summarize = async (request, how) => {
    seen.asked += 1;
    seen.requests.push(request);
    return answer(seen.asked, how, request);
  };
  return { seen, compactor: createCompactor({ summarize, onEvent: (event) => seen.events.push(event), ...options }) };
}

/**
 * What an agent's hook does with what it gets.
 *
 * @type {Record<string, { given: (history: any) => any, keeps?: boolean }>}
 */
const HOOKS = {
  'keeps nothing, and has the same objects each time': { given: (history) => history },
  'keeps nothing, and has copies each time': { given: (history) => structuredClone(history) },
  'keeps what it gets': { given: (history) => history, keeps: true },
  'keeps copies of what it gets': { given: (history) => structuredClone(history), keeps: true },
};

for (const [name, shape] of Object.entries(SHAPES)) {
  for (const [options, asks] of /** @type {[object, boolean][]} */ ([
    [PRUNES, false],
    [SUMMARIZES, true],
  ])) {
    test(`${name}: 150 steps with every kind of hook, ${asks ? 'summarized' : 'pruned'}`, async () => {
      let first;
      for (const [hook, { given, keeps = false }] of Object.entries(HOOKS)) {
        const { seen, compactor } = counting({ ...options, format: name });
        let history = historyOf(shape, 0);
        let before = [];
        let changes = 0;
        for (let step = 0; step < 150; step += 1) {
          const view = await compactor.prepare(given(history));
          assert.deepEqual(validate(view, { format: name }).violations, [], `${hook}, step ${step}`);
          assert.ok(plan(view, options).tokensBefore < MODEL.context, `${hook}, step ${step}`);
          // The same view again until something is decided, without another question.
          const again = await compactor.prepare(given(history));
          assert.deepEqual(again, view);
          const [was, is] = [before, view].map((messages) => messages.map((message) => JSON.stringify(message)));
          if (was.some((message, at) => message !== is[at])) changes += 1;
          before = view;
          const made = shape.step(`c${step}`, `line ${step} of the file\n`.repeat(90));
          history = [...(keeps ? view : history), ...made];
        }
        const compactions = seen.events.filter(({ type }) => type === 'compacted');
        assert.equal(changes, compactions.length, hook);
        assert.equal(seen.asked, asks ? compactions.length : 0, hook);
        assert.ok(compactions.length >= 3 && compactions.length <= 20, `${compactions.length}`);
        // The output of the first call can be had again, whatever became of it.
        if (!keeps) assert.match(compactor.recall('c0'), /^line 0 of the file\n/);
        // Every kind of hook is the same to it.
        const told = [seen.asked, compactions.length, JSON.stringify(before)];
        first ??= told;
        assert.deepEqual(told, first, hook);
        compactor.free();
      }
    });
  }
}

const SHAPE = SHAPES.anthropic_messages;
const FULL = historyOf(SHAPE, 40);
/** Above the threshold, and with room for a few steps in the window. */
const NEARLY = historyOf(SHAPE, 20);

test('a history that is not full comes back as it is, the very same array', async () => {
  const { seen, compactor } = counting(PRUNES);
  const history = historyOf(SHAPE, 3);
  assert.equal(await compactor.prepare(history), history);
  assert.deepEqual([seen.asked, seen.events], [0, []]);
});

test('switched off means off, until somebody asks or the context overflows', async () => {
  const { seen, compactor } = counting({ ...PRUNES, auto: false });
  assert.equal(await compactor.prepare(FULL), FULL);
  const asked = await compactor.compactNow(FULL);
  assert.ok(plan(asked, PRUNES).tokensBefore < plan(FULL, PRUNES).tokensBefore / 2);
  assert.deepEqual(
    seen.events.map(({ type, cause }) => [type, cause]),
    [
      ['over_window', undefined],
      ['compacted', 'asked'],
    ],
  );
});

test('a summarizer that fails leaves the history as it is, and after three failures it is left alone for ten requests', async () => {
  const fault = new Error('the model is down');
  const { seen, compactor } = counting({ ...SUMMARIZES, fallback: 'history' }, () => Promise.reject(fault));
  for (let request = 0; request < 13; request += 1) assert.equal(await compactor.prepare(FULL), FULL);
  assert.equal(seen.asked, 3);
  const failed = seen.events.filter(({ type }) => type === 'summary_failed');
  assert.deepEqual(
    failed.map(({ error }) => error),
    [fault, fault, fault],
  );
  await compactor.prepare(FULL);
  assert.equal(seen.asked, 4);
  // Where outputs may be pruned as well, they are.
  const both = counting({ model: MODEL, set: { 'prune.downTo': 0, 'prune.protect': 8_000 } }, () => Promise.reject(fault));
  const view = await both.compactor.prepare([...FULL, SHAPE.person('Go on. '.repeat(9_000))]);
  assert.ok(plan(view, PRUNES).tokensBefore < plan([...FULL, SHAPE.person('Go on. '.repeat(9_000))], PRUNES).tokensBefore);
});

test('an answer that must not replace history is asked for again once, with what is wrong', async () => {
  for (const [answer, reminded] of /** @type {[any, RegExp][]} */ ([
    [{ text: 'The agent', truncated: true }, /at most half as long/],
    [`${SUMMARY} `.repeat(9_000), /at most a quarter as long/],
  ])) {
    const { seen, compactor } = counting(SUMMARIZES, (asked) => (asked === 1 ? answer : SUMMARY));
    const view = await compactor.prepare(FULL);
    assert.ok(JSON.stringify(view).includes(SUMMARY));
    assert.equal(seen.asked, 2);
    assert.match(seen.requests[1].messages.at(-1).content, reminded);
    assert.deepEqual(seen.requests[1].messages.slice(0, -2), seen.requests[0].messages);
  }
  const silent = counting(SUMMARIZES, (asked) => (asked === 1 ? '' : SUMMARY));
  await silent.compactor.prepare(FULL);
  const [first, second] = silent.seen.requests.map(({ messages }) => messages.at(-1).content);
  assert.ok(second.startsWith(first) && second.endsWith('call no tool.'));
  for (const answer of ['', '<think>hm</think>', 7, undefined, { text: SUMMARY, truncated: true }]) {
    const { seen, compactor } = counting({ ...SUMMARIZES, fallback: 'history' }, () => answer);
    assert.equal(await compactor.prepare(FULL), FULL);
    assert.ok(seen.events.findLast(({ type }) => type === 'summary_failed').error instanceof EbblineError);
  }
});

test('what is cancelled leaves everything as it was, even when the summarizer does not listen', async () => {
  const never = () => new Promise(() => undefined);
  const { seen, compactor } = counting(SUMMARIZES, (asked) => (asked === 1 ? never() : SUMMARY));
  const stop = new AbortController();
  const running = compactor.prepare(FULL, { signal: stop.signal });
  await new Promise((resolve) => setImmediate(resolve));
  assert.throws(() => compactor.undo(), { code: 'busy' });
  const reason = new Error('the user pressed Escape');
  stop.abort(reason);
  await assert.rejects(running, reason);
  assert.deepEqual(
    seen.events.map(({ type }) => type),
    ['summary_requested'],
  );
  // Cancelled is not failed: the next request asks again.
  const view = await compactor.prepare(FULL);
  assert.ok(JSON.stringify(view).includes(SUMMARY));
  await assert.rejects(compactor.prepare(FULL, { signal: AbortSignal.abort(reason) }), reason);
});

test('calls that overlap wait for each other, or are refused', async () => {
  const slow = () => new Promise((resolve) => setTimeout(resolve, 20, SUMMARY));
  const waiting = counting(SUMMARIZES, slow);
  const views = await Promise.all([1, 2, 3].map(() => waiting.compactor.prepare(FULL)));
  assert.equal(waiting.seen.asked, 1);
  for (const view of views) assert.deepEqual(view, views[0]);
  const refusing = counting({ ...SUMMARIZES, overlap: 'refuse' }, slow);
  const first = refusing.compactor.prepare(FULL);
  await assert.rejects(refusing.compactor.prepare(FULL), { code: 'busy' });
  assert.deepEqual(await first, views[0]);
});

test('an overflow is recovered from once, and any other error is thrown again', async () => {
  const { seen, compactor } = counting({ model: { context: 200_000 } });
  assert.equal(await compactor.prepare(FULL), FULL);
  const fault = new Error('the key is wrong');
  await assert.rejects(compactor.recover(fault, FULL), fault);
  const view = await compactor.recover(OVERFLOW, FULL);
  assert.ok(plan(view, PRUNES).tokensBefore <= plan(FULL, PRUNES).tokensBefore / 2);
  assert.deepEqual(await compactor.prepare(FULL), view);
  await assert.rejects(compactor.recover(OVERFLOW, FULL), (/** @type {any} */ error) => {
    assert.equal(error.code, 'still_too_large');
    assert.equal(error.cause, OVERFLOW);
    return true;
  });
  assert.deepEqual(
    seen.events.map(({ type }) => type),
    ['overflow', 'compacted', 'overflow', 'gave_up'],
  );
  // An answer in between makes it another overflow.
  await compactor.prepare([...FULL, ...SHAPE.step('more', 'It is found.\n'.repeat(3_000))]);
  assert.ok((await compactor.recover(OVERFLOW, [...FULL, ...SHAPE.step('more', 'It is found.\n'.repeat(3_000))])).length > 0);
  // Nothing can be done about a single request of the user.
  const stuck = createCompactor({ model: MODEL });
  await assert.rejects(stuck.recover(OVERFLOW, [SHAPE.person('Read this. '.repeat(9_000))]), { code: 'nothing_to_compact' });
  // A text that only a summary would make smaller, and the summarizer fails.
  const down = counting({ ...SUMMARIZES, fallback: 'history' }, () => Promise.reject(new Error('down')));
  await assert.rejects(down.compactor.recover(OVERFLOW, FULL), { code: 'no_summary' });
});

test('what is sent beside the messages is learnt from usage in every spelling, and one that fills the window is an error', async () => {
  const history = historyOf(SHAPE, 10);
  const { tokensBefore } = plan(history, PRUNES);
  const input = tokensBefore + 5_000;
  for (const usage of [
    input,
    { prompt_tokens: input, completion_tokens: 7 },
    { input_tokens: 1_000, cache_read_input_tokens: input - 1_500, cache_creation_input_tokens: 500, output_tokens: 7 },
    { inputTokens: input, cachedInputTokens: 90, outputTokens: 7 },
    { inputTokens: { total: input }, outputTokens: { total: 7 } },
    { inputTokens: 1_000, cacheReadInputTokens: input - 1_000 },
    { promptTokenCount: input },
    { input_tokens: input, input_token_details: { cache_read: 90 } },
  ]) {
    const compactor = createCompactor(PRUNES);
    await compactor.prepare(history);
    compactor.usage(usage);
    const { overhead, tokens, window, threshold, sent, fits } = compactor.contextUsage();
    assert.deepEqual(
      { overhead, tokens, window, threshold, sent, fits },
      {
        overhead: 5_000,
        tokens: input,
        window: 16_000,
        threshold: 13_600,
        sent: 21,
        fits: true,
      },
    );
  }
  const compactor = createCompactor(PRUNES);
  for (const usage of [-1, '7', {}, { input_tokens: '7' }]) {
    assert.throws(() => compactor.usage(usage), { code: 'invalid_option' });
  }
  const filled = createCompactor({ ...PRUNES, overhead: 16_000 });
  await assert.rejects(filled.prepare(history), { code: 'overhead_fills_window' });
});

test('a compaction is taken back and made again exactly, and is not made again unasked', async () => {
  for (const options of [PRUNES, SUMMARIZES]) {
    const { seen, compactor } = counting(options);
    assert.deepEqual([compactor.undo(), compactor.redo()], [false, false]);
    const view = await compactor.prepare(FULL);
    assert.ok(compactor.undo());
    const back = await compactor.prepare(FULL);
    assert.deepEqual(back, FULL);
    back.forEach((message, at) => assert.equal(message, FULL[at]));
    assert.ok(compactor.redo());
    assert.deepEqual(await compactor.prepare(FULL), view);
    // With messages that came since.
    const grown = [...FULL, SHAPE.person('And the other test?')];
    assert.deepEqual(await compactor.prepare(grown), [...view, grown.at(-1)]);
    assert.ok(compactor.undo());
    assert.deepEqual(await compactor.prepare(grown), grown);
    assert.ok((await compactor.compactNow()).length <= view.length + 1);
    assert.equal(compactor.redo(), false);
    assert.deepEqual(
      seen.events.map(({ type }) => type).filter((type) => type.endsWith('done')),
      ['undone', 'redone', 'undone'],
    );
  }
});

test('an agent that keeps what it gets takes a compaction back as well', async () => {
  for (const options of [PRUNES, SUMMARIZES]) {
    const { seen, compactor } = counting(options);
    const kept = await compactor.prepare(FULL);
    assert.ok(compactor.undo());
    const since = SHAPE.person('And the other test?');
    assert.deepEqual(await compactor.prepare([...kept, since]), [...FULL, since]);
    assert.ok(compactor.redo());
    assert.deepEqual(await compactor.prepare([...FULL, since]), [...kept, since]);
    assert.ok(seen.events.every(({ type }) => type !== 'edited'));
  }
});

test('an agent that keeps what it gets takes several compactions back at once, and makes them again', async () => {
  for (const options of [PRUNES, SUMMARIZES]) {
    const { seen, compactor } = counting(options);
    const views = [await compactor.prepare(FULL)];
    const said = [...FULL];
    for (const from of [40, 80]) {
      const since = historyOf(SHAPE, 40, from);
      said.push(...since);
      views.push(await compactor.prepare([...views.at(-1), ...since]));
    }
    assert.ok(compactor.undo() && compactor.undo() && compactor.undo() && !compactor.undo());
    assert.deepEqual(await compactor.prepare(views[2]), said);
    assert.ok(compactor.redo() && compactor.redo() && compactor.redo());
    assert.deepEqual(await compactor.prepare(said), views[2]);
    assert.ok(compactor.undo() && compactor.undo() && compactor.redo() && compactor.redo());
    assert.deepEqual(await compactor.prepare(views[2]), views[2]);
    assert.ok(seen.events.every(({ type }) => type !== 'edited'));
  }
});

test('a summary that fills half of the window is refused, however much it replaces', async () => {
  const long = 'The agent read a file and found nothing. '.repeat(1_200);
  const huge = historyOf(SHAPE, 200);
  assert.ok(plan([SHAPE.person(long)], PRUNES).tokensBefore > MODEL.context / 2);
  const { seen, compactor } = counting(SUMMARIZES, (asked) => (asked === 1 ? long : SUMMARY));
  assert.ok(plan(await compactor.prepare(huge), PRUNES).tokensBefore < MODEL.context / 2);
  assert.match(seen.requests[1].messages.at(-1).content, /at most a quarter as long/);
  const stubborn = counting({ ...SUMMARIZES, fallback: 'history' }, () => long);
  assert.equal(await stubborn.compactor.prepare(huge), huge);
  const { error } = stubborn.seen.events.findLast(({ type }) => type === 'summary_failed');
  assert.deepEqual([error.code, error.message], ['larger_summary', 'the summary has more than 8000 tokens, half of the context window']);
});

test('an overflow is the first one again after the context became another one: taken back, compacted on demand, or edited', async () => {
  /** @type {Record<string, (compactor: any) => any>} */
  const changes = {
    'taken back': (compactor) => compactor.undo(),
    'compacted on demand': (compactor) => compactor.compactNow(FULL),
    edited: (compactor) => compactor.prepare(FULL.slice(0, -2)),
  };
  for (const [change, make] of Object.entries(changes)) {
    const { compactor } = counting({ model: { context: 200_000 } });
    await compactor.prepare(FULL);
    await compactor.recover(OVERFLOW, FULL);
    await assert.rejects(compactor.recover(OVERFLOW, FULL), { code: 'still_too_large' });
    await make(compactor);
    const history = change === 'edited' ? FULL.slice(0, -2) : FULL;
    const sent = await compactor.prepare(history);
    const again = await compactor.recover(OVERFLOW, history);
    assert.ok(plan(again, PRUNES).tokensBefore < plan(sent, PRUNES).tokensBefore, change);
  }
});

test('an overflow that could not be recovered from, because the summary failed, is recovered from once there is one', async () => {
  const { seen, compactor } = counting({ ...SUMMARIZES, fallback: 'history' }, (asked) =>
    asked === 1 ? Promise.reject(new Error('the model is down')) : SUMMARY,
  );
  await assert.rejects(compactor.recover(OVERFLOW, FULL), { code: 'no_summary' });
  assert.ok(plan(await compactor.recover(OVERFLOW, FULL), PRUNES).tokensBefore < plan(FULL, PRUNES).tokensBefore / 2);
  assert.equal(seen.asked, 2);
});

test('usage is that of what was sent, whatever was compacted since, and is refused before a request', async () => {
  const compactor = createCompactor({ ...PRUNES, auto: false });
  assert.throws(() => compactor.usage(1_000), { code: 'no_messages', message: /call `prepare` before it/ });
  await compactor.prepare(FULL);
  await compactor.compactNow(FULL);
  compactor.usage(plan(FULL, PRUNES).tokensBefore + 700);
  assert.equal(compactor.contextUsage().overhead, 700);
});

test('a listener may ask how full the context is', async () => {
  const told = [];
  const { compactor } = counting({ ...SUMMARIZES, onEvent: () => told.push(compactor.contextUsage().sent) });
  await compactor.prepare(FULL);
  assert.equal(told.length, 2);
  assert.ok(told[1] < told[0]);
});

test('an edit drops what it makes invalid and nothing else', async () => {
  const { seen, compactor } = counting(SUMMARIZES);
  const view = await compactor.prepare(FULL);
  const summarized = FULL.length - view.filter((message) => FULL.includes(message)).length;
  // Behind the summary: a message is another one, or the user went back to an earlier one.
  const last = FULL.length - 1;
  const edited = FULL.with(last, SHAPE.step('x', 'short')[1]);
  const after = await compactor.prepare(edited);
  assert.deepEqual(after, view.with(view.length - 1, edited[last]));
  assert.deepEqual(await compactor.prepare(FULL.slice(0, -2)), view.slice(0, -2));
  assert.equal(seen.asked, 1);
  // Inside what was summarized: the summary no longer stands for it.
  const rewritten = FULL.with(0, SHAPE.person('Mend the logout test.'));
  const anew = await compactor.prepare(rewritten);
  assert.equal(seen.asked, 2);
  assert.ok(JSON.stringify(anew).includes('logout'));
  assert.ok(!JSON.stringify(anew).includes('login test'));
  // Shorter than what was summarized: nothing of it is left.
  assert.ok(summarized > 9);
  assert.deepEqual(await compactor.prepare(FULL.slice(0, 9)), FULL.slice(0, 9));
  assert.deepEqual(seen.events.filter(({ type }) => type === 'edited').length, 4);
});

test('what is no history or no option is refused with a sentence, and nothing is lost by it', async () => {
  const { compactor } = counting(PRUNES);
  const view = await compactor.prepare(FULL);
  for (const history of [undefined, null, 'text', {}, { messages: FULL }]) {
    await assert.rejects(compactor.prepare(history), { code: 'no_messages' });
  }
  await assert.rejects(compactor.prepare([...FULL, { content: { format: 2, parts: [] }, id: 'm' }]), EbblineError);
  assert.deepEqual(await compactor.prepare(FULL), view);
  await assert.rejects(compactor.prepare(FULL, { force: true }), { code: 'invalid_option' });
  for (const options of [
    { summarise: () => SUMMARY },
    { summarize: 'gpt' },
    { auto: 1 },
    { failures: 0 },
    { overlap: 'queue' },
    { signal: {} },
    { summary: '' },
  ]) {
    assert.throws(() => createCompactor(options), { code: 'invalid_option' });
  }
  compactor.free();
  await assert.rejects(compactor.prepare(FULL), { code: 'freed' });
});

test('in the background, the agent goes on while the model writes, and what came meanwhile stays', async () => {
  let write;
  const { seen, compactor } = counting({ ...SUMMARIZES, background: true }, () => new Promise((resolve) => (write = resolve)));
  const history = [...NEARLY];
  assert.equal(await compactor.prepare(history), history);
  for (let step = 0; step < 3; step += 1) {
    history.push(...SHAPE.step(`late${step}`, 'It may be here.\n'));
    assert.equal(await compactor.prepare(history), history);
  }
  assert.equal(seen.asked, 1);
  write(SUMMARY);
  await new Promise((resolve) => setImmediate(resolve));
  history.push(...SHAPE.step('last', 'It is here.\n'));
  const view = await compactor.prepare(history);
  assert.ok(JSON.stringify(view[0]).includes(SUMMARY));
  assert.deepEqual(view.slice(-8), history.slice(-8));
  assert.deepEqual(validate(view).violations, []);
  // What an awaited summary would have made of the first request, with what came since behind it.
  const awaited = await counting(SUMMARIZES).compactor.prepare(NEARLY);
  assert.deepEqual(view.slice(1), [...awaited.slice(1), ...history.slice(NEARLY.length)]);
  assert.equal(seen.asked, 1);
});

test('in the background, a summary is waited for where there is no room left, and is dropped by an edit', async () => {
  const slow = () => new Promise((resolve) => setTimeout(resolve, 20, SUMMARY));
  const { seen, compactor } = counting({ ...SUMMARIZES, background: true }, slow);
  assert.equal(await compactor.prepare(NEARLY), NEARLY);
  const larger = [...NEARLY, ...historyOf(SHAPE, 30, 40)];
  assert.ok(plan(larger, SUMMARIZES).tokensBefore > MODEL.context);
  const view = await compactor.prepare(larger);
  assert.ok(view.length < larger.length);
  const edited = counting({ ...SUMMARIZES, background: true }, (asked, { signal }) => {
    if (asked > 1) return SUMMARY;
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  await edited.compactor.prepare(NEARLY);
  const other = NEARLY.with(0, SHAPE.person('Mend the logout test.'));
  assert.equal(await edited.compactor.prepare(other), other);
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(JSON.stringify(await edited.compactor.prepare(other)).includes('logout'));
  assert.deepEqual([seen.asked >= 1, edited.seen.asked], [true, 2]);
});

test('in the background, a context that exceeds the window when its summary is asked for waits for it', async () => {
  const slow = () => new Promise((resolve) => setTimeout(resolve, 20, SUMMARY));
  const { seen, compactor } = counting({ ...SUMMARIZES, background: true }, slow);
  const larger = historyOf(SHAPE, 60);
  assert.ok(plan(larger, SUMMARIZES).tokensBefore > MODEL.context);
  const view = await compactor.prepare(larger);
  assert.ok(plan(view, SUMMARIZES).tokensBefore < MODEL.context);
  assert.equal(seen.asked, 1);
});

test('in the background, an output that fills the window by itself is cut when the summary is taken over', async () => {
  const { seen, compactor } = counting({ model: MODEL, background: true, set: { 'prune.protect': 90_000, 'prune.downTo': 0 } });
  assert.equal(await compactor.prepare(NEARLY), NEARLY);
  const larger = [...NEARLY, ...SHAPE.step('huge', 'It may be here.\n'.repeat(9_000))];
  const view = await compactor.prepare(larger);
  assert.ok(plan(view, PRUNES).tokensBefore < MODEL.context);
  assert.ok(JSON.stringify(view[0]).includes(SUMMARY));
  assert.match(JSON.stringify(view.at(-1)), /characters are left out here/);
  assert.deepEqual([seen.asked, seen.events.map(({ type }) => type)], [1, ['summary_requested', 'compacted', 'compacted']]);
});

test('how full the context is: as it would be sent, whatever is due', async () => {
  const history = [...historyOf(SHAPE, 3), ...SHAPE.step('huge', 'It may be here.\n'.repeat(9_000))];
  const compactor = createCompactor({ model: MODEL, auto: false, overhead: 700 });
  assert.equal(await compactor.prepare(history), history);
  assert.equal(compactor.contextUsage().tokens, plan(history, PRUNES).tokensBefore + 700);
});

test('a switch to a model with a smaller window compacts at once', async () => {
  const { seen, compactor } = counting({ model: { context: 200_000 } });
  assert.equal(await compactor.prepare(FULL), FULL);
  const view = await compactor.prepare(FULL, { model: MODEL });
  assert.ok(plan(view, PRUNES).tokensBefore < 16_000);
  assert.equal(compactor.contextUsage().window, 16_000);
  assert.deepEqual(await compactor.prepare(FULL, { model: { ...MODEL } }), view);
  assert.deepEqual(await compactor.prepare(FULL, { model: { context: 200_000 } }), view);
  assert.equal(seen.events.length, 1);
});

test('a hook forbids a compaction, says what a summary should focus on, or writes it', async () => {
  for (const [options, step] of /** @type {[object, string][]} */ ([
    [PRUNES, 'prune'],
    [SUMMARIZES, 'summarize'],
  ])) {
    const told = [];
    const wishes = [false, undefined];
    const before = async (compaction) => {
      told.push(compaction);
      return wishes.shift();
    };
    const { seen, compactor } = counting({ ...options, hooks: { before } });
    assert.equal(await compactor.prepare(FULL), FULL);
    assert.equal(seen.asked, 0);
    assert.ok((await compactor.prepare(FULL)).length > 0);
    assert.deepEqual(
      told.map(({ cause, step: of }) => [cause, of]),
      [
        ['full', step],
        ['full', step],
      ],
    );
    assert.equal(told[0].plan.messages.length, FULL.length);
    assert.equal(seen.events.at(-1).type, 'compacted');
  }
  const focused = counting({ ...SUMMARIZES, hooks: { before: () => ({ focus: 'the clock of the container' }) } });
  await focused.compactor.prepare(FULL);
  assert.match(JSON.stringify(focused.seen.requests[0]), /the clock of the container/);
  const written = counting({ ...SUMMARIZES, hooks: { before: () => ({ summary: 'Written by hand.' }) } });
  assert.match(JSON.stringify(await written.compactor.prepare(FULL)), /Written by hand\./);
  assert.equal(written.seen.asked, 0);
  const fault = new Error('the hook failed');
  const failing = counting({ ...SUMMARIZES, hooks: { before: () => Promise.reject(fault) } });
  await assert.rejects(failing.compactor.prepare(FULL), fault);
  await assert.rejects(counting({ ...SUMMARIZES, hooks: { before: () => ({ sumary: '' }) } }).compactor.prepare(FULL), {
    code: 'invalid_option',
  });
  assert.throws(() => createCompactor({ hooks: { befor: () => false } }), { code: 'invalid_option' });
});

test('whoever listens cannot break the agent', async () => {
  const compactor = createCompactor({ ...PRUNES, onEvent: () => assert.fail('a listener failed') });
  assert.ok((await compactor.prepare(FULL)).length > 0);
});
