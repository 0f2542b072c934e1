// Passes: what gives way before the protection boundary is drawn, in live messages and in texts.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';
import { tellings } from './told.mjs';

const { Session, compact, createCompactor, plan, summaryRequest, validate } = ebbline;

const LONG = 'The first line of a file that is long enough to be cut.\n'.repeat(60);
const OTHER = 'Another file, which somebody wrote with care and nobody reads.\n'.repeat(60);
const call = (name, input, output) => ({ name, input, output });
const round = (asks, calls) => ({ asks, says: 'I look.', calls, answers: 'I have looked.' });

/** Files that are read again, written again, and written with a long text. */
const STORY = {
  rules: 'Be brief.',
  rounds: [
    round('Read a.rs.', [call('read', { path: 'a.rs' }, LONG), call('read', { path: 'b.rs', offset: 1 }, OTHER)]),
    round('Write c.rs.', [call('write', { path: 'c.rs', content: LONG }, 'written')]),
    round('Run it.', [call('bash', { command: `cat <<'E'\n${OTHER}E` }, 'done')]),
    round('Again.', [call('read', { path: 'a.rs' }, LONG), call('read', { path: 'b.rs', offset: 1 }, `${OTHER}!`)]),
    round('Write it again.', [call('write', { path: 'c.rs', content: OTHER }, 'written')]),
    round('Go on.', [call('bash', { command: 'make' }, 'ok')]),
  ],
};
const PASSES = { 'prune.repeated': true, 'prune.superseded': true, 'prune.thinking': 1, 'prune.arguments': 50, 'prune.images': 1 };
/** A window that the story fills, in which the passes are enough. */
const FULL = {
  'model.context': 3_000,
  'trigger.reserve': 0,
  'trigger.floor': 0,
  'prune.protect': 0,
  'prune.minimum': 100,
  'prune.downTo': 0,
  'prune.preview': 0,
  'retain.enabled': false,
};
const SET = { ...FULL, ...PASSES };
const REASONS = ['repeated', 'superseded', 'old_thinking', 'long_arguments', 'old_image'];
const reasonsOf = ({ messages }) =>
  messages.flatMap(({ parts }) => parts.filter(({ reason }) => REASONS.includes(reason)).map(({ reason }) => reason));

for (const [format, tell] of Object.entries(tellings)) {
  test(`${format}: what newer content makes needless gives way first, and the plan says why`, () => {
    const messages = tell(STORY, (number) => `call_${number}`);
    const options = { format, set: SET };
    const planned = plan(messages, options);
    assert.equal(planned.verdict, 'prune');
    const reasons = reasonsOf(planned);
    for (const reason of ['superseded', 'long_arguments']) assert.ok(reasons.includes(reason), `${reason}: ${reasons}`);
    assert.equal(planned.prune.applied, true);

    const before = structuredClone(messages);
    const done = compact(messages, options);
    assert.deepEqual(messages, before, 'the input stays');
    assert.equal(done.applied.pruned, planned.prune.outputs);
    assert.deepEqual(done.plan.messages, planned.messages);
    for (const [at, { fate }] of planned.messages.entries()) {
      if (fate === 'kept' && format !== 'opencode') assert.ok(messages.includes(done.messages[at]), `message ${at} is the same object`);
    }
    assert.ok(JSON.stringify(done.messages).length < JSON.stringify(messages).length * 0.7);
    assert.deepEqual(validate(done.messages, { format }).violations, validate(messages, { format }).violations);
    // What is written is what a plan of it measures, and nothing gives way twice.
    const again = plan(done.messages, { ...options, set: { ...SET, 'model.context': 1_000_000 } });
    assert.ok(again.tokensBefore <= planned.tokensAfter, `${again.tokensBefore} of ${planned.tokensAfter}`);
    assert.deepEqual(reasonsOf(plan(done.messages, { ...options, force: true })), []);
  });

  test(`${format}: a text and its live messages give the same plan and the same messages`, () => {
    const messages = tell(STORY, (number) => `call_${number}`);
    for (const set of [
      SET,
      { ...SET, 'prune.excerpt': 40, 'prune.placeholder': '[{tool} {argument}: {size} characters]' },
      { ...FULL, 'prune.excerpt': 40, 'prune.placeholder': '[{tool} {argument}: {size} characters]' },
    ]) {
      const options = { format, set, now: 7 };
      const text = JSON.stringify(messages);
      assert.deepEqual(structuredClone({ ...plan(messages, options) }), plan(text, options));
      for (const freeBytes of set === SET ? [false, true] : [false]) {
        const live = compact(messages, { ...options, freeBytes });
        const written = compact(text, { ...options, freeBytes });
        assert.deepEqual(JSON.parse(JSON.stringify(live.messages)), JSON.parse(written.text));
      }
    }
  });

  test(`${format}: a session gives the same answers, and a summary belongs to what the passes leave`, () => {
    const messages = tell(STORY, (number) => `call_${number}`);
    // So small a window that the passes are not enough.
    const set = {
      ...SET,
      'model.context': 250,
      'retain.enabled': true,
      'retain.keep': 100,
      'retain.summaryAllowance': 50,
      'retain.userWords': 0,
    };
    const options = { format, set };
    const session = new Session(options);
    session.push(messages);
    const planned = plan(messages, options);
    const { messages: _, ...decision } = planned;
    assert.deepEqual(session.check(), decision);
    assert.deepEqual(session.plan().messages, planned.messages);
    assert.equal(planned.verdict, 'prune_then_summarize');
    const requested = summaryRequest(messages, { ...options, budgetTokens: 2_000 });
    assert.deepEqual(session.summaryRequest({ budgetTokens: 2_000 }), requested);
    const summary = 'The agent read and wrote files.';
    const more = tell({ rules: '', rounds: [round('And?', [])] }, (number) => `later_${number}`).slice(format.startsWith('openai') ? 1 : 0);
    const later = [...messages, ...(format === 'opencode' ? [] : more)];
    const done = compact(later, { ...options, summary, handle: requested.handle });
    assert.ok(done.applied.summarized > 0);
    if (format !== 'opencode') assert.deepEqual(done.messages.slice(-1), later.slice(-1));
    const applied = session.apply({ summary, handle: requested.handle });
    assert.equal(applied.applied.summarized, done.applied.summarized);
    session.free();
  });
}

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/**
 * Messages with thinking and images, in formats that have both.
 *
 * @type {Record<string, (id: string, text: string) => any[]>}
 */
const SEEN = {
  anthropic_messages: (id, text) => [
    {
      role: 'user',
      content: [
        { type: 'text', text: `Look at ${id}.` },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: text, signature: 'sig' },
        { type: 'tool_use', id, name: 'look', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: id,
          content: [
            { type: 'text', text: 'See:' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          ],
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'Seen.' }] },
  ],
  bedrock_converse: (id, text) => [
    { role: 'user', content: [{ text: `Look at ${id}.` }, { image: { format: 'png', source: { bytes: new Uint8Array([1, 2, 3]) } } }] },
    {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text, signature: 'sig' } } },
        { toolUse: { toolUseId: id, name: 'look', input: {} } },
      ],
    },
    { role: 'user', content: [{ toolResult: { toolUseId: id, content: [{ text: 'See.' }] } }] },
    { role: 'assistant', content: [{ text: 'Seen.' }] },
  ],
  gemini_contents: (id, text) => [
    { role: 'user', parts: [{ text: `Look at ${id}.` }, { inlineData: { mimeType: 'image/png', data: PNG } }] },
    { role: 'model', parts: [{ text, thought: true }, { functionCall: { id, name: 'look', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { id, name: 'look', response: { output: 'See.' } } }] },
    { role: 'model', parts: [{ text: 'Seen.' }] },
  ],
  vercel_model: (id, text) => [
    {
      role: 'user',
      content: [
        { type: 'text', text: `Look at ${id}.` },
        { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2]) },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text },
        { type: 'tool-call', toolCallId: id, toolName: 'look', input: {} },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 'look', output: { type: 'text', value: 'See.' } }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Seen.' }] },
  ],
  pi: (id, text) => [
    {
      role: 'user',
      content: [
        { type: 'text', text: `Look at ${id}.` },
        { type: 'image', data: PNG, mimeType: 'image/png' },
      ],
      timestamp: 1,
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: text },
        { type: 'toolCall', id, name: 'look', arguments: {} },
      ],
      stopReason: 'toolUse',
      timestamp: 2,
    },
    { role: 'toolResult', toolCallId: id, toolName: 'look', content: [{ type: 'text', text: 'See.' }], isError: false, timestamp: 3 },
    { role: 'assistant', content: [{ type: 'text', text: 'Seen.' }], stopReason: 'stop', timestamp: 4 },
  ],
};

for (const [format, tell] of Object.entries(SEEN)) {
  test(`${format}: the newest thinking and the newest image stay`, () => {
    const thought = 'I wonder what that may be, and look at it from all sides. '.repeat(40);
    const messages = ['c1', 'c2', 'c3', 'c4'].flatMap((id) => tell(id, thought));
    const options = { format, set: { ...FULL, 'prune.thinking': 1, 'prune.images': 1, 'model.context': 2_000, 'prune.minimum': 10 } };
    const planned = plan(messages, options);
    const reasons = reasonsOf(planned);
    const images = messages.length / 4 + (format === 'anthropic_messages' ? 4 : 0);
    assert.equal(reasons.filter((reason) => reason === 'old_thinking').length, 3, String(reasons));
    assert.equal(reasons.filter((reason) => reason === 'old_image').length, images - 1, String(reasons));
    const done = compact(messages, options);
    const said = JSON.stringify(done.messages);
    assert.equal(said.split('I wonder').length - 1, 40);
    assert.equal(said.split('An image stood here').length - 1, images - 1);
    assert.equal(done.messages.length, messages.length);
    assert.deepEqual(validate(done.messages, { format }).violations, []);
    assert.deepEqual(done.messages.slice(-3), messages.slice(-3));
    assert.equal(done.messages.at(-1), messages.at(-1));
    const again = plan(done.messages, { ...options, set: { ...options.set, 'model.context': 1_000_000 } });
    assert.ok(again.tokensBefore <= planned.tokensAfter, `${again.tokensBefore} of ${planned.tokensAfter}`);
  });
}

test('a compactor takes passes before it prunes, and takes them back', async () => {
  const events = [];
  const compactor = createCompactor({
    model: { context: 8_000, output: 500 },
    set: { 'prune.superseded': true, 'prune.repeated': true, 'prune.arguments': 100 },
    onEvent: (event) => events.push(event),
  });
  const history = [{ role: 'user', content: 'Mend the test.' }];
  for (let step = 0; step < 120; step += 1) {
    const id = `c${step}`;
    const view = await compactor.prepare(history);
    assert.deepEqual(validate(view).violations, []);
    assert.ok(compactor.contextUsage().tokens <= 8_000);
    history.push(
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path: `src/${step % 4}.rs` }) } }],
      },
      { role: 'tool', tool_call_id: id, content: `${step % 3}: ${'fn main() { step(); }\n'.repeat(60)}` },
    );
  }
  const passes = events.filter(({ type, plan: made }) => type === 'compacted' && made.prune.reason === 'needless');
  assert.ok(passes.length > 3, `${passes.length} of ${events.length}`);
  const view = await compactor.prepare(history);
  assert.notDeepEqual(view, history);
  while (compactor.undo());
  assert.deepEqual(await compactor.prepare(history), history);
  compactor.free();
});

test('whoever forbids a compaction forbids its passes', async () => {
  const messages = tellings.openai_chat(STORY, (number) => `call_${number}`);
  let asked = 0;
  const compactor = createCompactor({
    model: { context: 3_000 },
    set: SET,
    hooks: {
      before: ({ plan: made }) => {
        asked += 1;
        assert.equal(made.prune.applied, true);
        return false;
      },
    },
  });
  assert.equal(await compactor.prepare(messages), messages);
  assert.equal(asked, 1);
  compactor.free();
});

test('a recovery in which passes alone make the context smaller is one', async () => {
  const read = (id, text) => [
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{"path":"a.rs"}' } }] },
    { role: 'tool', tool_call_id: id, content: text },
  ];
  const history = [{ role: 'user', content: 'Read it.' }, ...read('c1', LONG), ...read('c2', LONG)];
  const events = [];
  const compactor = createCompactor({
    model: { context: 200_000 },
    set: { 'prune.repeated': true, 'prune.preview': 0, 'prune.downTo': 0, 'retain.enabled': false },
    onEvent: ({ type }) => events.push(type),
  });
  const view = await compactor.recover(new Error("This model's maximum context length is 16000 tokens."), history);
  assert.ok(JSON.stringify(view).length < JSON.stringify(history).length);
  assert.deepEqual(events, ['overflow', 'compacted']);
  compactor.free();
});

/** A session in which passes make some room, but not enough, in a window that it fills. */
function crowded(hooks) {
  const events = [];
  const read = (id, path, text) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path }) } }],
    },
    { role: 'tool', tool_call_id: id, content: text },
  ];
  const others = Array.from({ length: 12 }, (_, at) => read(`o${at}`, `${at}.rs`, `${at}: ${OTHER}`)).flat();
  const history = [{ role: 'user', content: 'Read it.' }, ...read('c1', 'a.rs', LONG), ...others, ...read('c2', 'a.rs', LONG)];
  const compactor = createCompactor({
    model: { context: 8_000, output: 500 },
    set: { 'prune.repeated': true },
    hooks,
    onEvent: ({ type }) => events.push(type),
  });
  return { compactor, events, history };
}

test('what a hook throws keeps nobody from hearing of the rest', async () => {
  let told = 0;
  const after = async () => {
    told += 1;
    throw new Error(`number ${told}`);
  };
  const { compactor, events, history } = crowded({ after });
  await assert.rejects(compactor.prepare(history), { message: 'number 1' });
  assert.deepEqual(events, ['compacted', 'compacted']);
  assert.equal(told, 2);
  assert.equal(compactor.record.changes.length, 2);
  compactor.free();
});

test('a call that is cancelled before it does anything decides nothing, although hooks take their time', async () => {
  const later = () => new Promise((resolve) => setImmediate(resolve));
  for (const hooks of [{ after: later }, { before: async () => undefined, after: later }]) {
    const { compactor, events, history } = crowded(hooks);
    const stop = new AbortController();
    const reason = new Error('the user went on');
    const running = compactor.prepare(history, { signal: stop.signal });
    stop.abort(reason);
    await assert.rejects(running, reason);
    assert.deepEqual(events, []);
    assert.deepEqual(compactor.record.changes, []);
    compactor.free();
  }
});

test('a summary stays known when the thinking behind it is gone, and so do the words that it carries', async () => {
  const thinking = (text) => ({ type: 'thinking', thinking: `${text} `.repeat(60), signature: 'c2lnbmVk' });
  const turn = (at) => [
    { role: 'user', content: at === 0 ? 'Find the leak in pool.rs.' : `Go on with part ${at}.` },
    { role: 'assistant', content: [thinking(`I think of ${at}`), { type: 'text', text: `Read ${at}. `.repeat(40) }] },
  ];
  const history = Array.from({ length: 12 }, (_, at) => turn(at)).flat();
  const compactor = createCompactor({
    profile: 'ebbline@2',
    model: { context: 4_000 },
    set: { 'prune.thinking': 1 },
    summarize: async () => '## Goal\nFind the leak.\n\n## Next Steps\n1. Go on with pool.rs.',
    accept: false,
  });
  const first = await compactor.compactNow(history);
  assert.equal(ebbline.read(first).messages[0].summary, true);
  const kept = first[first.findIndex((message) => message.role === 'assistant')];
  // Here it is the caller who drops it; a pass does the same.
  const dropped = first.map((message) =>
    message === kept ? { ...kept, content: kept.content.filter(({ type }) => type !== 'thinking') } : message,
  );
  assert.equal(ebbline.read(dropped).messages[0].summary, true);

  for (let at = 12; at < 60; at += 1) history.push(...turn(at));
  for (let at = 0; at < 3; at += 1) {
    const view = await compactor.compactNow(history);
    assert.equal(ebbline.read(view).messages[0].summary, true);
    const said = JSON.stringify(view[0]);
    assert.ok(said.includes('\\nFind the leak in pool.rs.\\n'), said);
    assert.equal(said.split('[Compaction summary: ').length, 2);
    history.push(...turn(60 + at));
  }
  compactor.free();
});
