// The extension in real sessions of pi, with a scripted provider that refuses what is larger than its window.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';

import { packageFolder, temporaryFolder } from '../npm/package.mjs';
import { adapter, ebbline, requiredAdapter } from './adapter.mjs';

// pi is made for Node 22. This function is all that its packages miss in Node 20.
createRequire(import.meta.url)('node:worker_threads').markAsUncloneable ??= () => {};
const pi = await import('@earendil-works/pi-coding-agent');
const { createAssistantMessageEventStream, createProvider } = await import('@earendil-works/pi-ai');

const { createCompactor } = ebbline;
const { ebblineExtension } = await adapter('pi');

const WINDOW = 16_000;
/** The tokens of the system prompt and the tools. */
const BESIDE = 3_000;
const STEPS = 200;
const SUMMARY = 'The agent reads files until it finds the fault of the login test.';
const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

const folder = temporaryFolder('ebbline-pi-host-');

/** A provider whose model calls a tool `steps` times for each prompt, and what it was sent. `fault` may refuse a request. */
function scripted({ steps, context, fault = (_requests) => undefined, summarize = async (_signal) => SUMMARY }) {
  const seen = { requests: 0, refused: 0, changes: 0, summaries: 0, sent: [] };
  let before = [];
  const said = (text, input, more = {}) => ({ content: [{ type: 'text', text }], stopReason: 'stop', usage: usage(input), ...more });
  const refused = (errorMessage) => ({ content: [], stopReason: 'error', errorMessage, usage: usage(0) });
  const answer = async ({ messages, tools }, signal) => {
    const size = Math.ceil(JSON.stringify(messages).length / 4) + BESIDE;
    if (!tools?.length) {
      seen.summaries += 1;
      return said(await summarize(signal), size);
    }
    const wrong = fault(seen.requests);
    if (wrong !== undefined) return refused(wrong);
    if (size > WINDOW) {
      seen.refused += 1;
      return refused(`prompt is too long: ${size} tokens > ${WINDOW} maximum`);
    }
    seen.requests += 1;
    seen.sent.push(messages);
    const now = messages.map((message) => JSON.stringify(message));
    if (before.some((message, at) => message !== now[at])) seen.changes += 1;
    before = now;
    if (seen.requests % (steps + 1) === 0) return said('It is found.', size);
    const text = 'The fault may be in the next file, because the last one did not have it. '.repeat(4);
    const call = { type: 'toolCall', id: `c${seen.requests}`, name: 'look', arguments: { at: seen.requests } };
    return { content: [{ type: 'text', text }, call], stopReason: 'toolUse', usage: usage(size) };
  };
  const streamSimple = (model, given, options) => {
    const stream = createAssistantMessageEventStream();
    const about = { role: 'assistant', api: model.api, provider: model.provider, model: model.id, timestamp: Date.now() };
    answer(given, options?.signal)
      .catch((error) => refused(error.message))
      .then((answered) => {
        const message = { ...about, ...answered };
        stream.push({ type: 'start', partial: { ...message, content: [] } });
        const isError = message.stopReason === 'error';
        stream.push(isError ? { type: 'error', reason: 'error', error: message } : { type: 'done', reason: message.stopReason, message });
        stream.end(message);
      });
    return stream;
  };
  const model = (id, contextWindow) => ({
    ...{ id, name: id, api: 'scripted', provider: 'scripted', baseUrl: 'http://localhost', contextWindow, maxTokens: 1_000 },
    ...{ reasoning: false, input: ['text'], cost: NO_COST },
  });
  const provider = createProvider({
    id: 'scripted',
    auth: { apiKey: { name: 'Scripted', resolve: async () => ({ auth: {} }) } },
    models: /** @type {any} */ ([model('first', context), model('smaller', 8_000)]),
    api: /** @type {any} */ ({ stream: streamSimple, streamSimple }),
  });
  return { provider, seen };
}

function usage(input) {
  return { input, output: 90, cacheRead: 0, cacheWrite: 0, totalTokens: input + 90, cost: NO_COST };
}

const look = pi.defineTool({
  ...{ name: 'look', label: 'look', description: 'Reads a file.' },
  parameters: /** @type {any} */ ({ type: 'object', properties: { at: { type: 'number' } } }),
  execute: async (_id, /** @type {any} */ { at }) => ({
    content: [{ type: 'text', text: `line ${at} of the file\n`.repeat(60) }],
    details: {},
  }),
});

/** A session of pi with the extension, and what was told. `own` changes the options of the compactor. */
async function started({
  steps = STEPS,
  context = WINDOW,
  manager = pi.SessionManager.inMemory(folder),
  own = {},
  compaction = {},
  ...script
} = {}) {
  const { provider, seen } = scripted({ steps, context, ...script });
  const told = { events: [], notes: [], ends: [], errors: [] };
  const extension = ebblineExtension((options) => {
    const onEvent = (event) => {
      told.events.push(event.type);
      options.onEvent(event);
    };
    return createCompactor({ ...options, onEvent, ...own });
  });
  const modelRuntime = await pi.ModelRuntime.create({ authPath: join(folder, 'auth.json'), modelsPath: null, refreshOnCreate: false });
  modelRuntime.registerNativeProvider(provider);
  const settingsManager = pi.SettingsManager.inMemory({
    retry: { enabled: false },
    compaction: { reserveTokens: 2_000, keepRecentTokens: 4_000, ...compaction },
  });
  const resourceLoader = new pi.DefaultResourceLoader({ cwd: folder, agentDir: folder, settingsManager, extensionFactories: [extension] });
  await resourceLoader.reload();
  const { session } = await pi.createAgentSession({
    ...{ cwd: folder, agentDir: folder, model: modelRuntime.getModel('scripted', 'first'), modelRuntime, settingsManager, resourceLoader },
    ...{ sessionManager: manager, noTools: 'builtin', customTools: [look] },
  });
  const uiContext = /** @type {any} */ ({ notify: (note) => told.notes.push(note) });
  await session.bindExtensions({ uiContext, mode: 'rpc', onError: ({ error }) => told.errors.push(error) });
  session.subscribe((event) => {
    if (event.type === 'compaction_end') told.ends.push(event);
  });
  return { session, seen, told, manager, modelRuntime };
}

const textOf = (message) => message.content.map(({ text }) => text).join('');
/** What a provider gets of messages. */
const sent = (messages) => messages.map(({ role, content }) => ({ role, content }));
const count = (list, wanted) => list.filter((one) => one === wanted).length;
const entriesOf = (manager, type) => manager.getBranch().filter((entry) => entry.type === type);

test('pi: 200 steps in a small window, with few summaries and without a refusal', async () => {
  const { session, seen, told, manager } = await started();
  await session.prompt('Mend the login test.');
  assert.equal(textOf(session.messages.at(-1)), 'It is found.');
  assert.equal(seen.requests, STEPS + 1);
  assert.equal(seen.refused, 0);
  const compacted = count(told.events, 'compacted');
  assert.ok(compacted >= 5 && compacted <= 40, `${compacted} compactions`);
  assert.ok(seen.summaries >= 1 && seen.summaries <= 10, `${seen.summaries} summaries`);
  assert.equal(seen.changes, compacted);
  assert.deepEqual([...new Set(told.events)].sort(), ['compacted', 'summary_requested']);
  assert.deepEqual(told.errors, []);
  assert.equal(session.messages.length, 2 * STEPS + 2);
  assert.deepEqual(entriesOf(manager, 'compaction'), []);
  assert.match(told.notes[0], /^ebbline: \d+ outputs cleared; \d+ tokens are now \d+$/);
  session.dispose();
});

test("pi's own compaction is cancelled while the view is small enough", async () => {
  const { session, seen, told, manager } = await started({ steps: 20, compaction: { reserveTokens: 8_000 } });
  for (let prompt = 0; prompt < 4; prompt += 1) await session.prompt('Mend the login test.');
  assert.equal(seen.refused, 0);
  assert.ok(told.ends.length >= 2, `${told.ends.length}`);
  assert.ok(told.ends.every(({ reason, aborted }) => reason === 'threshold' && aborted));
  assert.deepEqual(entriesOf(manager, 'compaction'), []);
  assert.equal(told.events.includes('edited'), false);
  session.dispose();
});

test('a request that the provider refused as too large is sent again, smaller, and pi stores no summary', async () => {
  const { session, seen, told, manager } = await started({ steps: 60, context: 32_000 });
  await session.prompt('Mend the login test.');
  assert.equal(textOf(session.messages.at(-1)), 'It is found.');
  assert.equal(seen.requests, 61);
  assert.ok(seen.refused >= 1 && seen.refused <= 6, `${seen.refused}`);
  assert.equal(count(told.events, 'overflow'), seen.refused);
  assert.equal(told.events.includes('edited'), false);
  assert.deepEqual(entriesOf(manager, 'compaction'), []);
  assert.equal(entriesOf(manager, 'custom_message').length, seen.refused);
  session.dispose();
});

test('after an overflow that pi does not ask about, the next request is smaller', async () => {
  const { session, seen, told } = await started({ steps: 30, context: 32_000, compaction: { keepRecentTokens: 100_000 } });
  await session.prompt('Mend the login test.');
  assert.equal(session.messages.at(-1).role, 'toolResult');
  assert.equal(seen.refused, 1);
  assert.deepEqual(told.ends, []);
  await session.prompt('Go on.');
  assert.equal(told.events[0], 'overflow');
  assert.ok(told.events.includes('compacted'));
  assert.equal(textOf(session.messages.at(-1)), 'It is found.');
  assert.equal(seen.refused, 1);
  session.dispose();
});

test('pi compacts by itself after an overflow that nothing can be done about', async () => {
  let isOver = false;
  const fault = (requests) => {
    const isNow = requests === 30 && !isOver;
    if (isNow) isOver = true;
    return isNow ? 'prompt is too long: 20000 tokens > 16000 maximum' : undefined;
  };
  const own = { summarize: undefined, set: { 'prune.enabled': false } };
  const { session, seen, told, manager } = await started({ steps: 40, context: 64_000, fault, own });
  await session.prompt('Mend the login test.');
  assert.deepEqual([...new Set(told.events)].sort(), ['edited', 'gave_up', 'overflow']);
  assert.ok(seen.summaries >= 1);
  const [{ summary, fromHook }] = entriesOf(manager, 'compaction');
  assert.match(summary, /The agent reads files/);
  assert.notEqual(fromHook, true);
  assert.equal(textOf(session.messages.at(-1)), 'It is found.');
  session.dispose();
});

test('an error that is no overflow changes nothing', async () => {
  const { session, told, manager } = await started({ steps: 3, fault: (requests) => (requests === 2 ? 'Invalid API key' : undefined) });
  await session.prompt('Mend the login test.');
  assert.equal(session.messages.at(-1).errorMessage, 'Invalid API key');
  assert.deepEqual(told, { events: [], notes: [], ends: [], errors: [] });
  assert.deepEqual(entriesOf(manager, 'compaction'), []);
  session.dispose();
});

test('/compact stores a summary and a cut of ours, and the session goes on', async () => {
  const { session, seen, told, manager } = await started({ steps: 20 });
  await session.prompt('Mend the login test.');
  const { summary, firstKeptEntryId } = await session.compact('the names of the files');
  assert.match(summary, /^The agent reads files/);
  assert.equal(seen.summaries, 1);
  const [compaction] = entriesOf(manager, 'compaction');
  assert.equal(compaction.fromHook, true);
  assert.equal(session.messages[0].role, 'compactionSummary');
  assert.ok(manager.getBranch().some(({ id, type }) => id === firstKeptEntryId && type === 'message'));
  assert.ok(session.messages.length < 42, `${session.messages.length}`);
  await session.prompt('And the next one.');
  assert.equal(textOf(session.messages.at(-1)), 'It is found.');
  assert.equal(seen.refused, 0);
  assert.equal(told.events.includes('edited'), false);
  session.dispose();
});

test('/compact cuts where the view does, also where all messages have the same time', async (context) => {
  context.mock.method(Date, 'now', () => 1_700_000_000_000);
  const { session, told } = await started({ steps: 20 });
  await session.prompt('Mend the login test.');
  await session.compact();
  await session.prompt('And the next one.');
  assert.equal(told.events.includes('edited'), false);
  session.dispose();
});

test('/compact is left to pi if no model writes summaries for the compactor', async () => {
  const { session, seen, manager } = await started({ steps: 30, context: 64_000, own: { summarize: undefined } });
  await session.prompt('Mend the login test.');
  await session.compact();
  assert.equal(seen.summaries, 1);
  assert.notEqual(entriesOf(manager, 'compaction')[0].fromHook, true);
  session.dispose();
});

test('/ebbline tells, compacts, takes back and makes again', async () => {
  const { session, told } = await started({ steps: 20, context: 64_000 });
  const answer = async (command) => {
    told.notes.length = 0;
    await session.prompt(command);
    return told.notes.at(-1);
  };
  assert.equal(await answer('/ebbline'), 'ebbline: nothing was sent yet');
  await session.prompt('Mend the login test.');
  assert.match(await answer('/ebbline'), /^ebbline: \d+ of 64000 \(\d+ %\) tokens; 41 messages are sent for 41$/);
  assert.equal(await answer('/ebbline undo'), 'ebbline: there is no compaction to take back');
  const full = Number(/\d+/.exec(await answer('/ebbline status'))[0]);
  const less = Number(/\d+/.exec(await answer('/ebbline compact the tests'))[0]);
  assert.ok(less < full, `${less} of ${full}`);
  assert.equal(Number(/\d+/.exec(await answer('/ebbline undo'))[0]), full);
  assert.equal(Number(/\d+/.exec(await answer('/ebbline redo'))[0]), less);
  assert.equal(await answer('/ebbline help'), 'ebbline: use status, compact, undo or redo');
  session.dispose();
});

test('a resumed session goes on with its record', async () => {
  const first = await started({ steps: 52, manager: pi.SessionManager.create(folder, folder) });
  await first.session.prompt('Mend the login test.');
  assert.ok(first.told.events.includes('compacted'));
  const file = first.manager.getSessionFile();
  first.session.dispose();
  const { session, seen, told } = await started({ steps: 0, manager: pi.SessionManager.open(file, folder) });
  await session.prompt('And the next one.');
  assert.equal(seen.refused, 0);
  assert.deepEqual(told.events, []);
  assert.equal(JSON.stringify(seen.sent[0]).includes('line 1 of the file\\nline 1 of'), false);
  const last = first.seen.sent.at(-1);
  assert.deepEqual(sent(seen.sent[0].slice(0, last.length)), sent(last));
  session.dispose();
});

test('a resumed session is not compacted by pi before its first request, and `/ebbline` knows it', async () => {
  const compaction = { reserveTokens: 12_000 };
  const first = await started({ steps: 52, compaction, manager: pi.SessionManager.create(folder, folder) });
  await first.session.prompt('Mend the login test.');
  const file = first.manager.getSessionFile();
  first.session.dispose();
  const { session, seen, told, manager } = await started({ steps: 0, compaction, manager: pi.SessionManager.open(file, folder) });
  await session.prompt('/ebbline');
  assert.match(told.notes[0], /^ebbline: \d+ of 16000 \(\d+ %\) tokens; \d+ messages are sent for 106$/);
  session.dispose();
  const again = await started({ steps: 0, compaction, manager: pi.SessionManager.open(file, folder) });
  await again.session.prompt('And the next one.');
  assert.deepEqual(entriesOf(again.manager, 'compaction'), entriesOf(manager, 'compaction'));
  assert.deepEqual(entriesOf(again.manager, 'compaction'), []);
  assert.equal(seen.summaries + again.seen.summaries, 0);
  again.session.dispose();
});

test('another branch of the session is no error', async () => {
  const { session, seen, told, manager } = await started({ steps: 25 });
  await session.prompt('Mend the login test.');
  await session.prompt('And the next one.');
  assert.ok(told.events.includes('compacted'));
  const early = manager.getBranch().filter(({ type }) => type === 'message')[3];
  await session.navigateTree(early.id);
  await session.prompt('Something else.');
  assert.deepEqual(told.errors, []);
  assert.equal(textOf(session.messages.at(-1)), 'It is found.');
  assert.equal(seen.refused, 0);
  session.dispose();
});

test('a model with a smaller window is compacted for', async () => {
  const { session, seen, modelRuntime } = await started({ steps: 15 });
  await session.prompt('Mend the login test.');
  await session.setModel(modelRuntime.getModel('scripted', 'smaller'));
  await session.prompt('And the next one.');
  const size = Math.ceil(JSON.stringify(seen.sent.at(-1)).length / 4) + BESIDE;
  assert.ok(size <= 8_000, `${size}`);
  session.dispose();
});

test('an abort cancels the summary, and nothing is told as an error', async () => {
  /** @type {any} */
  let running;
  const summarize = (signal) => {
    queueMicrotask(() => running.abort());
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  };
  const { session, seen, told } = await started({ summarize });
  running = session;
  await session.prompt('Mend the login test.');
  assert.equal(seen.summaries, 1);
  assert.equal(told.events.at(-1), 'summary_requested');
  assert.deepEqual(told.errors, []);
  session.dispose();
});

test('wrong use is refused with a sentence', async () => {
  const each = 'pass a function that makes a compactor for each session, as in ebblineExtension((options) => createCompactor(options))';
  assert.throws(() => ebblineExtension(/** @type {any} */ (createCompactor())), { code: 'invalid_option', message: each });
  const resourceLoader = new pi.DefaultResourceLoader({
    cwd: folder,
    agentDir: folder,
    extensionFactories: [ebblineExtension(/** @type {any} */ (() => ({})))],
  });
  await resourceLoader.reload();
  const handler = resourceLoader.getExtensions().extensions[0].handlers.get('context')[0];
  const ctx = { sessionManager: pi.SessionManager.inMemory(folder) };
  const nothing = 'the function must return a compactor, made with `createCompactor`';
  await assert.rejects(Promise.resolve(handler({ messages: [] }, /** @type {any} */ (ctx))), { code: 'invalid_option', message: nothing });
});

test('pi loads the extension from a file', async () => {
  const agentDir = mkdtempSync(join(folder, 'agent-'));
  const own = join(agentDir, 'extensions/ebbline');
  mkdirSync(join(own, 'node_modules'), { recursive: true });
  symlinkSync(packageFolder, join(own, 'node_modules/ebbline'), 'junction');
  const lines = ['import { createCompactor } from "ebbline";', 'import { ebblineExtension } from "ebbline/pi";'];
  writeFileSync(join(own, 'index.ts'), [...lines, 'export default ebblineExtension((options) => createCompactor(options));'].join('\n'));
  const resourceLoader = new pi.DefaultResourceLoader({ cwd: agentDir, agentDir, settingsManager: pi.SettingsManager.inMemory() });
  await resourceLoader.reload();
  const { extensions, errors } = resourceLoader.getExtensions();
  assert.deepEqual(errors, []);
  assert.deepEqual([...extensions[0].commands.keys()], ['ebbline']);
});

test('the adapter can be required', () => {
  assert.equal(typeof requiredAdapter('pi').ebblineExtension(() => createCompactor()), 'function');
});

test('a record of another branch is not used: the session starts over', async () => {
  const said = (text, at) => [
    { role: 'user', content: `${text} ${at}`, timestamp: 10 * at },
    {
      role: 'assistant',
      content: [{ type: 'text', text: `${text} is done ${at}` }],
      timestamp: 10 * at + 1,
      stopReason: 'stop',
      usage: usage(0),
    },
  ];
  const historyOf = (text) => Array.from({ length: 20 }, (_, at) => said(text.repeat(50), at)).flat();
  const before = createCompactor({ format: 'pi', model: { context: WINDOW }, summarize: async () => SUMMARY });
  await before.compactNow(historyOf('Read the next file. '));
  const record = JSON.parse(JSON.stringify(before.record));
  assert.ok(record.changes.length > 0);
  const hooks = {};
  const api = { on: (name, hook) => Object.assign(hooks, { [name]: hook }), registerCommand: () => {}, appendEntry: () => {} };
  const made = [];
  ebblineExtension((options) => {
    made.push(options);
    return createCompactor(options);
  })(api);
  const sessionManager = { getSessionId: () => 's', getBranch: () => [{ type: 'custom', customType: 'ebbline', data: record }] };
  const other = historyOf('Write the next file. ');
  const { messages } = await hooks.context(
    { messages: other },
    { sessionManager, model: { contextWindow: WINDOW }, ui: { notify: () => {} } },
  );
  assert.deepEqual(messages, other);
  assert.deepEqual(
    made.map((options) => options.record !== undefined),
    [true, false],
  );
});

test('without a model, `/ebbline` decides nothing', async () => {
  const made = [];
  let command;
  const api = { on: () => {}, registerCommand: (_, given) => (command = given), appendEntry: () => {} };
  ebblineExtension((options) => (made.push(options), createCompactor(options)))(api);
  const messages = [{ role: 'user', content: 'x '.repeat(900_000), timestamp: 1 }];
  const sessionManager = { getSessionId: () => 's', getBranch: () => [], buildSessionContext: () => ({ messages }) };
  const notes = [];
  await command.handler(
    '',
    /** @type {any} */ ({ sessionManager, ui: { notify: (text) => notes.push(text) }, waitForIdle: async () => {} }),
  );
  assert.deepEqual([made, notes], [[], ['ebbline: nothing was sent yet']]);
});
