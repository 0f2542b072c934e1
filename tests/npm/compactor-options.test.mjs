// What a compactor may be told: which summaries it accepts, what it does without one, when it compacts, where originals are kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SHAPES, historyOf } from './agent.mjs';
import { ebbline, internal } from './package.mjs';

const { createCompactor, plan, recallTool, validate } = ebbline;
const SHAPE = SHAPES.openai_chat;
const MODEL = { context: 16_000, output: 1_000 };
/** Everything is summarized, and nothing pruned. */
const SUMMARIZES = { model: MODEL, set: { 'prune.enabled': false } };
const FULL = historyOf(SHAPE, 45);
const OVERFLOW = { message: "This model's maximum context length is 16000 tokens. However, your messages resulted in 20000 tokens." };
const SUMMARY = 'The agent reads files until it finds the fault of the login test.';

function listening(options, answer) {
  const events = [];
  const requests = [];
  const summarize = async (request) => {
    requests.push(request);
    return answer(requests.length);
  };
  const compactor = createCompactor({ ...SUMMARIZES, ...(answer && { summarize }), onEvent: (event) => events.push(event), ...options });
  return { compactor, events, requests };
}

test('an answer that is no summary is asked for again, and then refused', async () => {
  for (const answer of [
    "I'm sorry, but I cannot help with that.",
    'Error: 529 overloaded',
    '{"name":"read","arguments":{"path":"src/a.rs"}}',
    '<tool_call>\nread\n</tool_call>',
  ]) {
    const { compactor, events, requests } = listening({ fallback: 'history' }, () => answer);
    assert.equal(await compactor.prepare(FULL), FULL);
    assert.equal(requests.length, 2, answer);
    assert.match(requests[1].messages.at(-1).content, /contains no summary/);
    assert.equal(events.findLast(({ type }) => type === 'summary_failed').error.code, 'refused_summary');
    assert.equal(events.at(-1).type, 'over_window');
  }
});

test('facts that an earlier summary states must not get lost, and the reminder names them', async () => {
  const history = [...FULL];
  // Otherwise they stand behind the answer, whatever the model says.
  const set = { ...SUMMARIZES.set, 'retain.names': 0 };
  const { compactor, requests } = listening({ set }, (asked) =>
    asked === 2 ? 'It goes on.' : 'The fault is in src/mail/queue.rs, error E4711, commit 8f2ff83a.',
  );
  await compactor.prepare(history);
  history.push(...historyOf(SHAPE, 45, 100));
  const view = await compactor.prepare(history);
  assert.equal(requests.length, 3);
  assert.match(requests[2].messages.at(-1).content, /leaves out.*src\/mail\/queue\.rs.*E4711/);
  assert.ok(JSON.stringify(view).includes('E4711'));
  const careless = listening({ set, accept: { facts: 0 } }, (asked) => (asked === 2 ? 'It goes on.' : 'The fault is E4711.'));
  await careless.compactor.prepare(FULL);
  await careless.compactor.prepare(history);
  assert.equal(careless.requests.length, 2);
});

test('a summary in another language than the user writes is asked for again', async () => {
  const history = [...FULL];
  history[0] = SHAPE.person(
    'Bitte repariere den Test der Anmeldung, der seit Montag nicht mehr läuft, und sage mir, woran es lag und wie das zu vermeiden ist.',
  );
  const english =
    'The agent reads the files and looks for the fault of the test that is not green, and it was not found in the first of them.';
  const german = 'Der Agent liest die Dateien und sucht den Fehler, der den Test der Anmeldung verhindert; er ist noch nicht gefunden.';
  const { compactor, requests } = listening({}, (asked) => (asked === 1 ? english : german));
  const view = await compactor.prepare(history);
  assert.match(requests[1].messages.at(-1).content, /German/);
  assert.ok(JSON.stringify(view).includes('noch nicht gefunden'));
});

test('a summary by rule takes the place of one that failed when the context would not fit, at once, or never', async () => {
  const down = () => Promise.reject(new Error('down'));
  const { compactor, events } = listening({}, down);
  for (let request = 0; request < 6; request += 1) {
    const view = await compactor.prepare([...FULL, ...historyOf(SHAPE, request * 20, 100).slice(0, request * 40)]);
    assert.ok(plan(view, SUMMARIZES).tokensBefore < MODEL.context, `request ${request}`);
    assert.deepEqual(validate(view, { format: 'openai_chat' }).violations, []);
  }
  const made = events.filter(({ type }) => type === 'compacted');
  assert.ok(made.length >= 2 && made.every(({ byRule }) => byRule === true));
  const nearly = [...Array(60).keys()]
    .map((steps) => historyOf(SHAPE, steps))
    .find((history) => plan(history, SUMMARIZES).verdict === 'summarize');
  assert.ok(plan(nearly, SUMMARIZES).tokensBefore < MODEL.context);
  assert.equal(await listening({}, down).compactor.prepare(nearly), nearly, 'it fits, so the history stays');
  assert.notEqual(await listening({ fallback: 'deterministic' }, down).compactor.prepare(nearly), nearly);
  assert.equal(await listening({ fallback: 'history' }, down).compactor.prepare(FULL), FULL);
  const recovered = await listening({}, down).compactor.recover(OVERFLOW, FULL);
  assert.ok(plan(recovered, SUMMARIZES).tokensBefore < plan(FULL, SUMMARIZES).tokensBefore / 2);
});

test('summaries by rule need no model: goal, commands and their outcome, files, newest request', async () => {
  const run = (id, command, output) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) } }],
    },
    { role: 'tool', tool_call_id: id, content: output },
  ];
  const history = [
    SHAPE.person('Mend the login test.'),
    ...run('a', 'cargo test login', `${'running\n'.repeat(900)}error[E0308]: mismatched types`),
    ...run('b', 'cargo deny check', 'command not found: cargo-deny'),
    ...historyOf(SHAPE, 40, 200),
    ...run('c', 'cargo test login', 'test result: ok. 3 passed'),
    { role: 'assistant', content: 'The login test passes.' },
    SHAPE.person('Now the logout test.'),
    ...historyOf(SHAPE, 12, 300),
  ];
  const { compactor } = listening({ summarize: 'deterministic' });
  const text = JSON.stringify(await compactor.prepare(history));
  for (const part of [
    '## Goal',
    'Mend the login test.',
    'cargo test login',
    'test result: ok. 3 passed',
    'Failed Attempts',
    'cargo deny check',
    '<read-files>',
    'src/c200.rs',
  ]) {
    assert.ok(text.includes(part), `${part}: ${text.slice(0, 1_500)}`);
  }
  const open = text.slice(text.indexOf('Failed Attempts')).split('<read-files>', 1)[0];
  assert.ok(open.includes('cargo deny check') && !open.includes('E0308'), 'what was mended is not open');
});

test("the caller's own triggers compact before the policy does, and not again without progress", async () => {
  const small = historyOf(SHAPE, 12);
  for (const [when, expected] of /** @type {[any, boolean][]} */ ([
    [{ messages: 20 }, true],
    [{ messages: 200 }, false],
    [{ tokens: 1_000 }, true],
    [{ share: 0.9 }, false],
    [{ reserve: 15_000 }, true],
    [{ turns: 1 }, true],
    [{ turns: 2 }, false],
    [{ any: [{ messages: 200 }, { all: [{ share: 0.1 }, { messages: 5 }] }] }, true],
    [{ share: 0.1, messages: 200 }, false],
    [{ idle: 60_000 }, false],
  ])) {
    const { compactor, events } = listening({ when }, () => SUMMARY);
    const view = await compactor.prepare(small);
    assert.equal(view !== small, expected, JSON.stringify(when));
    if (!expected) continue;
    assert.equal(events.at(-1).cause, 'triggered');
    await compactor.prepare(small);
    await compactor.prepare([...small, SHAPE.person('Go on.')]);
    assert.equal(events.filter(({ type }) => type === 'compacted').length, 1, JSON.stringify(when));
  }
  const idle = listening({ when: { idle: 60_000 } }, () => SUMMARY);
  assert.notEqual(await idle.compactor.prepare(small, { idle: 90_000 }), small);
  for (const when of [{}, { size: 3 }, { all: [] }, { share: 2 }, { messages: -1 }, { any: [{}] }, []]) {
    assert.throws(() => createCompactor({ when: /** @type {any} */ (when) }), { code: 'invalid_option' });
  }
});

test('with a store or originals in the record, an agent that kept only what it sent gets its whole history back', async () => {
  for (const [format, shape] of Object.entries(SHAPES)) {
    const texts = new Map();
    const stores = {
      store: { store: { get: async (key) => texts.get(key), put: async (key, text) => void texts.set(key, text) } },
      record: { originals: 'record' },
    };
    for (const [name, kept] of Object.entries(stores)) {
      const options = { model: MODEL, format, summarize: async () => SUMMARY, ...kept };
      const history = historyOf(shape, 60);
      const first = createCompactor(/** @type {any} */ (options));
      const view = await first.prepare(history);
      assert.notDeepEqual(view, history);
      const record = JSON.parse(JSON.stringify(first.record));
      first.free();
      // Another process, which has the view and the record.
      const second = createCompactor(/** @type {any} */ ({ ...options, record }));
      const added = [...structuredClone(view), ...shape.step('c99', 'It is found.')];
      assert.deepEqual(await second.prepare(added), added, `${format}, ${name}`);
      while (second.undo());
      assert.deepEqual(await second.prepare(added), [...history, ...shape.step('c99', 'It is found.')], `${format}, ${name}`);
      if (format !== 'gemini_contents') assert.equal(second.recall('c1'), 'line 1 of the file\n'.repeat(90));
      second.free();
    }
  }
});

test('what another process finds in the store is not put again, so a process that ends there cannot spoil it', async () => {
  const texts = new Map();
  const put = (key, text) => void texts.set(key, text);
  const first = createCompactor({ ...SUMMARIZES, summarize: async () => SUMMARY, store: { get: (key) => texts.get(key), put } });
  const view = await first.prepare(FULL);
  const known = new Set(texts.keys());
  assert.ok(known.size > 10);
  const again = [];
  const store = { get: (key) => texts.get(key), put: (key) => void again.push(key) };
  const second = createCompactor({ ...SUMMARIZES, summarize: async () => SUMMARY, record: first.record, store });
  await second.prepare([...view, ...FULL.slice(1)]);
  assert.equal(second.record.changes.length > first.record.changes.length, true);
  assert.ok(again.length > 0);
  assert.deepEqual(
    again.filter((key) => known.has(key)),
    [],
  );
  first.free();
  second.free();
});

test('a store that fails stops the compaction, and nothing is lost', async () => {
  const fault = new Error('the disk is full');
  const put = () => Promise.reject(fault);
  const { compactor, events } = listening({ store: { get: () => undefined, put } }, () => SUMMARY);
  await assert.rejects(compactor.prepare(FULL), fault);
  assert.equal(compactor.record.changes.length, 0);
  assert.ok(!events.some(({ type }) => type === 'compacted'));
});

test('a model gets an output back by the reference that it sees, with a tool in the spelling of its provider', async () => {
  const compactor = createCompactor({ model: MODEL });
  const view = await compactor.prepare(FULL);
  const cleared = view.find(({ content }) => typeof content === 'string' && content.includes('[ref '));
  const reference = /\[ref ([a-p]{8})\]/.exec(cleared.content)[1];
  assert.equal(compactor.recall(reference), compactor.recall(cleared.tool_call_id));
  assert.match(compactor.recall(reference), /^line \d+ of the file/);
  assert.equal(compactor.recall('nothing'), undefined);
  const other = createCompactor({ model: MODEL });
  await other.prepare(view);
  assert.deepEqual([other.recall(reference), other.recall(cleared.tool_call_id)], [undefined, undefined]);
  assert.equal(recallTool().function.name, 'recall_output');
  assert.equal(recallTool('anthropic_messages').input_schema.required[0], 'ref');
  assert.equal(recallTool('openai_responses').strict, true);
  assert.ok(recallTool('gemini_contents').functionDeclarations[0].parametersJsonSchema);
  assert.throws(() => recallTool(/** @type {any} */ ('cohere')), { code: 'invalid_option' });
});

test('the placeholder of another compactor is no output that a model gets back', async () => {
  const asked = (id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } });
  const history = [
    { role: 'user', content: 'Mend the login test.' },
    { role: 'assistant', content: null, tool_calls: [asked('a'), asked('b')] },
    { role: 'tool', tool_call_id: 'a', content: '[Old tool result content cleared]' },
    { role: 'tool', tool_call_id: 'b', content: 'line 1 of the file' },
  ];
  const compactor = createCompactor({ model: MODEL });
  await compactor.prepare(history);
  assert.deepEqual([compactor.recall('a'), compactor.recall('b')], [undefined, 'line 1 of the file']);
});

test('an output that OpenCode marked as cleared is there as long as its message has it', async () => {
  const part = (callID, output) => ({
    type: 'tool',
    callID,
    tool: 'read',
    state: { status: 'completed', input: {}, output, title: '', metadata: {}, time: { start: 1, end: 2, compacted: 3 } },
  });
  const parts = [part('a', 'line 1 of the file'), part('b', '[Old tool result content cleared]')];
  const history = [
    { info: { id: 'm1', role: 'user', time: { created: 1 } }, parts: [{ type: 'text', text: 'Mend the login test.' }] },
    { info: { id: 'm2', role: 'assistant', time: { created: 2 }, finish: 'stop' }, parts },
  ];
  const compactor = createCompactor({ model: MODEL, format: 'opencode' });
  await compactor.prepare(history);
  assert.deepEqual([compactor.recall('a'), compactor.recall('b')], ['line 1 of the file', undefined]);
});

test('hooks hear what was compacted and what failed, and are waited for', async () => {
  const heard = [];
  const hooks = {
    after: async ({ summarized, byRule }) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      heard.push(['after', summarized > 0, byRule]);
    },
    failed: async ({ error }) => heard.push(['failed', error.message]),
  };
  const { compactor } = listening({ hooks }, () => Promise.reject(new Error('down')));
  await compactor.prepare(FULL);
  assert.deepEqual(heard, [
    ['failed', 'down'],
    ['after', true, true],
  ]);
  const fault = new Error('the log is gone');
  const broken = listening({ hooks: { after: () => Promise.reject(fault) } }, () => SUMMARY);
  await assert.rejects(broken.compactor.prepare(FULL), fault);
  assert.ok((await broken.compactor.prepare(FULL)).length < FULL.length, 'the compaction stays');
});

test('a call that is cancelled while it waits for `after` has compacted, and returns its view', async () => {
  const repeated = [...FULL, ...SHAPE.step('again', FULL[2].content), ...SHAPE.step('newest', 'more')];
  const passes = { 'prune.repeated': true, 'prune.minimum': 1 };
  for (const [what, set] of Object.entries({ summary: { 'prune.enabled': false }, prune: {}, passes })) {
    for (const [how, listens] of Object.entries({ hangs: false, 'listens itself': true })) {
      const stop = new AbortController();
      const { signal } = stop;
      const reason = new Error('the user pressed Escape');
      const heard = [];
      const after = (compaction) => {
        heard.push(compaction);
        setImmediate(() => stop.abort(reason));
        return new Promise((_, reject) => listens && signal.addEventListener('abort', () => reject(signal.reason)));
      };
      const { compactor, events } = listening({ set, hooks: { after } }, () => SUMMARY);
      const given = what === 'passes' ? repeated : FULL;
      const view = await compactor.prepare(given, { signal });
      const told = events.filter(({ type }) => type === 'compacted');
      assert.equal(told.length, what === 'passes' ? 2 : 1, `${what}, ${how}`);
      assert.deepEqual([heard.length, compactor.record.changes.length], [told.length, told.length]);
      assert.notDeepEqual(view, given);
      // It is the view from now on, and nobody is asked again.
      assert.deepEqual(await compactor.prepare(given), view);
      assert.equal(events.filter(({ type }) => type === 'compacted').length, told.length);
    }
  }
});

test('an edit says for people how much is left, and what to pass if nothing is', async () => {
  const history = historyOf(SHAPE, 6);
  for (const [given, reason] of [
    [historyOf(SHAPE, 3, 50), /^none of the 13 known messages is in the history: pass the whole history at each call/],
    [[...history.slice(0, 5), SHAPE.person('Stop.')], /^the first 5 of 13 known messages are as they were/],
  ]) {
    const { compactor, events } = listening({});
    await compactor.prepare(history);
    assert.deepEqual(await compactor.prepare(/** @type {any} */ (given)), given);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['edited'],
    );
    assert.match(events[0].reason, /** @type {RegExp} */ (reason));
  }
});

test('a model that does not answer in time has failed', async () => {
  const { compactor, events } = listening({ timeout: 20, fallback: 'history' }, () => new Promise(() => undefined));
  // What a model's connection does.
  const connection = setInterval(() => undefined, 1_000);
  assert.equal(await compactor.prepare(FULL), FULL);
  clearInterval(connection);
  assert.deepEqual(
    events.slice(-2).map(({ type }) => type),
    ['summary_failed', 'over_window'],
  );
  assert.equal(events.at(-2).error.name, 'TimeoutError');
});

test('usage of an earlier request is refused if the answer says so', async () => {
  const compactor = createCompactor({ model: MODEL });
  const history = historyOf(SHAPE, 3);
  await compactor.prepare(history);
  const [answer, result] = SHAPE.step('next', 'more');
  compactor.usage(answer, { input_tokens: 9_000 });
  history.push(answer, result);
  await compactor.prepare(history);
  assert.throws(() => compactor.usage(answer, { input_tokens: 9_000 }), { code: 'invalid_option', message: /earlier request/ });
});

test('what is sent beside the messages does not shrink with the error of the estimate', async () => {
  const compactor = createCompactor({ model: { context: 64_000 } });
  const history = [];
  // The provider counts three quarters of the estimate, and 3,000 tokens of prompt and tools.
  for (let step = 1; step < 40; step += 1) {
    history.splice(0, history.length, ...historyOf(SHAPE, step));
    await compactor.prepare(history);
    const { tokensBefore } = plan(history, { model: { context: 64_000 } });
    compactor.usage(Math.round(tokensBefore * 0.75) + 3_000);
    const { overhead } = compactor.contextUsage();
    assert.ok(overhead > 2_500 && overhead <= 3_000, `step ${step}: ${overhead}`);
  }
});

test('where the messages report usage, usage that is told as well changes nothing', async () => {
  const shape = SHAPES.anthropic_messages;
  const history = [shape.person('Mend the login test.')];
  const compactor = createCompactor({ model: { context: 200_000 } });
  for (let step = 0; step < 10; step += 1) {
    await compactor.prepare(history);
    const [call, result] = shape.step(`c${step}`, 'line of the file\n'.repeat(90));
    const usage = { input_tokens: 3_000 + step * 300, output_tokens: 20 };
    history.push({ ...call, usage }, result);
    await compactor.prepare(history);
    const before = compactor.contextUsage().tokens;
    compactor.usage(usage);
    assert.equal(compactor.contextUsage().tokens, before);
  }
});

test('an overflow teaches the window that the provider names, in the words of each provider', async () => {
  for (const message of [
    "This model's maximum context length is 16000 tokens. However, your messages resulted in 20000 tokens.",
    'prompt is too long: 20000 tokens > 16000 maximum',
    'The input token count (20,000) exceeds the maximum number of tokens allowed (16,000).',
    'input length and `max_tokens` exceed context limit: 15000 + 5000 > 16000, decrease input length',
  ]) {
    // The window is told much too large.
    const compactor = createCompactor({ model: { context: 200_000 } });
    const history = historyOf(SHAPE, 45);
    assert.equal(await compactor.prepare(history), history);
    await compactor.recover({ message }, history);
    assert.equal(compactor.contextUsage().window, 16_000, message);
    const longer = historyOf(SHAPE, 90);
    assert.ok(plan(await compactor.prepare(longer), { model: { context: 200_000 } }).tokensBefore < 16_000);
  }
  // An agent that names its model at each request, as adapters do.
  const told = { context: 200_000 };
  const naming = createCompactor({ model: told });
  await naming.recover({ message: 'prompt is too long: 20000 tokens > 16000 maximum' }, historyOf(SHAPE, 45));
  await naming.prepare(historyOf(SHAPE, 50), { model: { ...told } });
  assert.equal(naming.contextUsage().window, 16_000);
  await naming.prepare(historyOf(SHAPE, 50), { model: { context: 64_000 } });
  assert.equal(naming.contextUsage().window, 64_000);
  const vague = createCompactor({ model: { context: 200_000 } });
  await vague.recover(
    { message: 'Your input exceeds the context window of this model.', code: 'context_length_exceeded' },
    historyOf(SHAPE, 45),
  );
  // A refusal without figures teaches that this size was too large, and the next process knows it.
  const { window } = vague.contextUsage();
  assert.ok(window < 200_000 && window > 10_000, String(window));
  const next = createCompactor({ model: { context: 200_000 }, record: structuredClone(vague.record) });
  await next.prepare(historyOf(SHAPE, 45));
  assert.equal(next.contextUsage().window, window);
  const other = createCompactor({ model: { context: 400_000 }, record: structuredClone(vague.record) });
  await other.prepare(historyOf(SHAPE, 45));
  assert.equal(other.contextUsage().window, 400_000);
});

test('what is called after free says so, and free may be called twice', async () => {
  const compactor = createCompactor({ model: MODEL });
  compactor.free();
  compactor.free();
  for (const call of [() => compactor.usage(1), () => compactor.undo(), () => compactor.contextUsage(), () => compactor.recall('a')]) {
    assert.throws(call, { code: 'freed' });
  }
  await assert.rejects(compactor.prepare([]), { code: 'freed' });
});

test('a store whose `get` fails says so itself, and what is no message counts as missing', async () => {
  const texts = new Map();
  const put = (key, text) => void texts.set(key, text);
  const first = createCompactor({ ...SUMMARIZES, summarize: async () => SUMMARY, store: { get: () => undefined, put } });
  const view = await first.prepare(FULL);
  const { record } = first;
  const fault = new Error('the disk is gone');
  const gone = () => {
    throw fault;
  };
  for (const get of [gone, () => Promise.reject(fault)]) {
    await assert.rejects(createCompactor({ ...SUMMARIZES, record, store: { get, put } }).prepare(view), fault);
  }
  for (const text of ['', '{"role":', 'null', '7', '[]', '{}', undefined, null, 7]) {
    const get = /** @type {any} */ (() => text);
    await assert.rejects(createCompactor({ ...SUMMARIZES, record, store: { get, put } }).prepare(view), { code: 'mismatch' }, `${text}`);
  }
});

test('a store that does not answer can be cancelled, and nothing was changed', async () => {
  const never = () => new Promise(() => undefined);
  const store = { get: never, put: never };
  const { compactor } = listening({ store }, () => SUMMARY);
  const cancel = new AbortController();
  const reason = new Error('cancelled');
  setTimeout(() => cancel.abort(reason), 20);
  await assert.rejects(compactor.prepare(FULL, { signal: cancel.signal }), reason);
  assert.deepEqual(compactor.record.changes, []);
});

test('a trigger that refers to itself, has holes or far too many tests is refused at once', () => {
  /** @type {any} */
  const circular = { any: [] };
  circular.any.push(...Array(10).fill(circular));
  let wide = /** @type {any} */ ({ messages: 1 });
  for (let level = 0; level < 16; level += 1) wide = { all: Array(10).fill(wide) };
  for (const when of [circular, wide, { any: Array(3) }]) {
    assert.throws(() => createCompactor({ when }), { code: 'invalid_option' });
  }
});

test('a record that speaks of more messages than there can be is refused, and takes no memory', async () => {
  const first = createCompactor({ ...SUMMARIZES, summarize: async () => SUMMARY, originals: 'record' });
  const view = await first.prepare(FULL);
  const { signed } = await internal('compactor-record.js');
  for (const messages of [1e9, 2 ** 32 - 1, Number.MAX_SAFE_INTEGER]) {
    const compactor = createCompactor({ ...SUMMARIZES, record: signed({ ...first.record, messages }) });
    await assert.rejects(compactor.prepare(view), { code: 'mismatch' });
  }
});

test('pins and system messages that fill the window are a typed error, and nothing is asked for in vain', async () => {
  const step = (id) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: id, content: 'a line of the licence\n'.repeat(300) },
  ];
  const history = [{ role: 'user', content: 'Read them.' }, ...Array.from({ length: 20 }, (_, at) => step(`c${at}`)).flat()];
  const events = [];
  let asked = 0;
  const summarize = () => {
    asked += 1;
    return 'It reads.';
  };
  const options = { model: { context: 16_000, output: 2_000 }, summarize, onEvent: (event) => events.push(event.type) };
  const pinned = createCompactor({ ...options, pins: [{ contains: 'licence' }] });
  await assert.rejects(pinned.prepare(history), { code: 'head_fills_window', message: /what is pinned take \d+ tokens/u });
  assert.deepEqual([asked, events], [0, ['gave_up']]);
  const spoken = createCompactor(options);
  const long = [
    { role: 'system', content: 'Mind the rules of the house. '.repeat(3_000) },
    { role: 'user', content: 'Go.' },
  ];
  await assert.rejects(spoken.prepare(long), { code: 'head_fills_window', message: /^System messages take/u });
  const off = createCompactor({ ...options, auto: false });
  assert.equal(await off.prepare(long), long, 'off means off');
  for (const compactor of [pinned, spoken, off]) compactor.free();
});

test('a recovery that was cancelled, or whose store failed, counts as none', async () => {
  const history = [{ role: 'user', content: 'Go.' }];
  for (let at = 0; at < 30; at += 1) {
    history.push(
      { role: 'assistant', content: null, tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'read', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: `c${at}`, content: 'a line\n'.repeat(300) },
    );
  }
  const overflow = new Error("This model's maximum context length is 16000 tokens.");
  let isFull = true;
  const put = () => {
    if (isFull) throw new Error('the disk is full');
  };
  const compactor = createCompactor({ model: { context: 200_000 }, store: { get: () => undefined, put } });
  await assert.rejects(compactor.recover(overflow, history), /the disk is full/u);
  isFull = false;
  assert.ok((await compactor.recover(overflow, history)).length > 0);
  await assert.rejects(compactor.recover(overflow, history), { code: 'still_too_large' });
  compactor.free();
});

test('as long as a compaction is taken back, nothing is decided unasked', async () => {
  const history = [{ role: 'user', content: 'Go.' }];
  let asked = 0;
  const summarize = () => `Round ${(asked += 1)} of reading files is done, and the fault is not found.`;
  const compactor = createCompactor({
    model: { context: 16_000, output: 1_000 },
    summarize,
    accept: false,
    set: { 'prune.enabled': false },
  });
  for (let round = 0; round < 3; round += 1) {
    for (let at = 0; at < 20; at += 1) {
      const id = `c${round}-${at}`;
      history.push(
        { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: id, content: 'a line of a file\n'.repeat(200) },
      );
    }
    await compactor.prepare(history);
  }
  const before = asked;
  let undone = 0;
  for (; compactor.undo(); undone += 1);
  assert.ok(undone > 1);
  await compactor.prepare(history);
  for (; undone > 0; undone -= 1) {
    assert.equal(compactor.redo(), true);
    await compactor.prepare(history);
  }
  assert.equal(asked, before);
  compactor.free();
});
