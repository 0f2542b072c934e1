// The plugin in a script of OpenCode's loop: stored messages are read anew for each request, handed to the hook, and what the hook leaves in
// the array is sent. The server itself cannot run here; tests/hosts/types/opencode.ts checks the hooks against the published types.

import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryFolder } from '../npm/package.mjs';
import { adapter, ebbline, requiredAdapter } from './adapter.mjs';

const { createCompactor } = ebbline;
const { ebblinePlugin } = await adapter('opencode');

const WINDOW = 16_000;
/** The tokens of the system prompt and the tools. */
const BESIDE = 3_000;
const STEPS = 200;
const SUMMARY = 'The agent reads files until it finds the fault of the login test.';
const CLEARED = '[Old tool result content cleared]';
const TRANSFORM = 'experimental.chat.messages.transform';
const COMPACTING = 'experimental.session.compacting';

/** A server with one session, whose model calls a tool and refuses what is larger than its window. */
class Server {
  stored = [];
  seen = { requests: 0, refused: 0, changes: 0, sent: [] };
  /** How many sentences the model says before a call. */
  words = 4;
  #before = [];
  #ids = 0;

  constructor(hooks, sessionID = 'ses_1') {
    this.hooks = hooks;
    this.sessionID = sessionID;
    this.model = { providerID: 'scripted', modelID: 'large' };
  }

  ask(text) {
    const id = this.#id('msg');
    const info = { id, sessionID: this.sessionID, role: 'user', time: { created: this.#ids }, agent: 'build', model: this.model };
    this.stored.push({ info, parts: [this.#part(id, { type: 'text', text })] });
  }

  /** The agent's loop, until the answer without a call. */
  async run(steps) {
    for (let step = 0; step <= steps; step += 1) {
      const messages = structuredClone(this.stored);
      await this.hooks[TRANSFORM]({}, { messages });
      const size = sizeOf(messages);
      if (size > WINDOW) return this.#refuse(size);
      this.#note(messages);
      this.#answer(size, step === steps);
    }
    return 'It is found.';
  }

  async #refuse(size) {
    this.seen.refused += 1;
    const message = `prompt is too long: ${size} tokens > ${WINDOW} maximum`;
    const properties = { sessionID: this.sessionID, error: { name: 'APIError', data: { message, statusCode: 400, isRetryable: false } } };
    await this.hooks.event({ event: { type: 'session.error', properties } });
    return message;
  }

  #note(messages) {
    this.seen.requests += 1;
    this.seen.sent.push(messages);
    const now = messages.map((message) => JSON.stringify(wordsOf(message)));
    if (this.#before.some((message, at) => message !== now[at])) this.seen.changes += 1;
    this.#before = now;
  }

  #answer(input, isLast) {
    const id = this.#id('msg');
    const created = this.#ids;
    const parentID = this.stored.findLast(({ info }) => info.role === 'user').info.id;
    const info = {
      ...{ id, sessionID: this.sessionID, role: 'assistant', time: { created, completed: created }, parentID, ...this.model },
      ...{ mode: 'build', agent: 'build', path: { cwd: '/', root: '/' }, cost: 0, finish: isLast ? 'stop' : 'tool-calls' },
      tokens: { input: 0, output: 90, reasoning: 0, cache: { read: input - 10, write: 10 } },
    };
    const text = isLast ? 'It is found.' : 'The fault may be in the next file, because the last one did not have it. '.repeat(this.words);
    const parts = [this.#part(id, { type: 'text', text })];
    if (!isLast) parts.push(this.#call(id));
    this.stored.push({ info, parts });
  }

  #call(id) {
    const at = this.seen.requests;
    const state = {
      ...{ status: 'completed', input: { at }, output: `line ${at} of the file\n`.repeat(60), title: 'read' },
      ...{ metadata: {}, time: { start: at, end: at } },
    };
    return this.#part(id, { type: 'tool', callID: `c${at}`, tool: 'read', state });
  }

  #part(messageID, rest) {
    return { id: this.#id('prt'), sessionID: this.sessionID, messageID, ...rest };
  }

  #id(kind) {
    this.#ids += 1;
    return `${kind}_${this.#ids.toString(16).padStart(12, '0')}abcdefghijklmn`;
  }
}

/** What OpenCode sends of a message. */
function wordsOf({ info, parts }) {
  return parts.map((part) => {
    if (part.type === 'text') return [info.role, part.text];
    if (part.type === 'compaction') return [info.role, 'What did we do so far?'];
    return [part.callID, part.tool, part.state.input, part.state.time.compacted ? CLEARED : part.state.output];
  });
}

/** The tokens of a request. */
function sizeOf(messages) {
  return Math.ceil(JSON.stringify(messages.flatMap(wordsOf)).length / 4) + BESIDE;
}

const LIMITS = {
  large: { context: WINDOW, output: 1_000 },
  small: { context: 9_000, output: 500 },
  wrong: { context: 32_000, output: 1_000 },
};

/** The plugin's hooks, and what its compactors told. `state`: the folder in which OpenCode keeps its state. */
async function started({ own = {}, limit = undefined, limits = LIMITS, state = undefined } = {}) {
  const told = { events: [], asked: 0, sessions: [], logged: [] };
  const plugin = ebblinePlugin(
    (options, { sessionID }) => {
      told.sessions.push(sessionID);
      const summarize = async () => {
        told.asked += 1;
        return SUMMARY;
      };
      return createCompactor({ ...options, summarize, onEvent: ({ type }) => told.events.push(type), ...own });
    },
    limit === undefined ? undefined : { limit },
  );
  const models = Object.fromEntries(Object.entries(limits).map(([id, known]) => [id, { limit: known }]));
  const client = {
    config: { providers: async () => ({ data: { providers: [{ id: 'scripted', models }], default: {} } }) },
    path: { get: async () => ({ data: { state } }) },
    app: { log: async ({ body }) => told.logged.push(body.message) },
  };
  const hooks = await plugin(/** @type {any} */ ({ client, directory: '/' }));
  return { plugin, hooks, told };
}

const count = (list, wanted) => list.filter((one) => one === wanted).length;

test('OpenCode: 200 steps in a small window, with few summaries and without a refusal', async () => {
  const { plugin, hooks, told } = await started();
  const server = new Server(hooks);
  server.ask('Mend the login test.');
  assert.equal(await server.run(STEPS), 'It is found.');
  const { seen } = server;
  assert.equal(seen.requests, STEPS + 1);
  assert.equal(seen.refused, 0);
  const compacted = count(told.events, 'compacted');
  assert.ok(compacted >= 5 && compacted <= 40, `${compacted} compactions`);
  assert.ok(told.asked >= 1 && told.asked <= 10, `${told.asked} summaries`);
  assert.equal(seen.changes, compacted);
  assert.deepEqual([...new Set(told.events)].sort(), ['compacted', 'summary_requested']);
  const { tokens } = plugin.compactor('ses_1').contextUsage();
  const size = sizeOf(seen.sent.at(-1));
  assert.ok(tokens > size * 0.9, `${tokens} for ${size}`);
  assert.match(plugin.compactor('ses_1').recall('c1'), /^line 1 of the file\n/);
});

test('a summary is sent in front of what is kept, and the rest is not sent', async () => {
  const { hooks, told } = await started();
  const server = new Server(hooks);
  server.ask('Mend the login test.');
  await server.run(STEPS);
  assert.ok(told.asked >= 2, `${told.asked}`);
  const [marker, summary, ...kept] = server.seen.sent.at(-1);
  assert.equal(marker.parts[0].type, 'compaction');
  assert.equal(summary.info.parentID, marker.info.id);
  assert.match(summary.parts[0].text, /^The agent reads files/);
  const ids = server.stored.map(({ info }) => info.id);
  const places = kept.map(({ info }) => ids.indexOf(info.id));
  assert.equal(places.includes(-1), false);
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  );
  assert.ok(kept.length < server.stored.length / 2);
});

test('what OpenCode stores is not changed, and the array of the hook stays the same', async () => {
  const { hooks } = await started();
  const server = new Server(hooks);
  server.ask('Mend the login test.');
  await server.run(60);
  assert.equal(JSON.stringify(server.stored).includes('compacted'), false);
  const messages = structuredClone(server.stored);
  const output = { messages };
  await hooks[TRANSFORM]({}, output);
  assert.equal(output.messages, messages);
  assert.ok(messages.some(({ parts }) => parts.some((part) => part.state?.time.compacted !== undefined)));
});

test('a plugin behind this one may change the messages that it gets', async () => {
  const { hooks, told } = await started();
  const server = new Server({
    ...hooks,
    [TRANSFORM]: async (input, output) => {
      await hooks[TRANSFORM](input, output);
      output.messages[0].parts.unshift({ type: 'text', text: 'A note.' });
    },
  });
  server.ask('Mend the login test.');
  await server.run(40);
  assert.equal(told.events.includes('edited'), false);
});

test('after an overflow, the next request is smaller', async () => {
  const { hooks, told } = await started();
  const server = new Server(hooks);
  server.model.modelID = 'wrong';
  server.ask('Mend the login test.');
  assert.match(await server.run(60), /prompt is too long/);
  server.ask('Go on.');
  assert.equal(await server.run(5), 'It is found.');
  assert.deepEqual(told.events.slice(0, 2), ['overflow', 'compacted']);
});

test('an error that is no overflow changes nothing', async () => {
  const { hooks, told } = await started();
  const server = new Server(hooks);
  server.ask('Mend the login test.');
  await server.run(3);
  const error = { name: 'APIError', data: { message: 'Invalid API key', statusCode: 401, isRetryable: false } };
  await hooks.event(/** @type {any} */ ({ event: { type: 'session.error', properties: { sessionID: 'ses_1', error } } }));
  server.ask('Go on.');
  assert.equal(await server.run(3), 'It is found.');
  assert.deepEqual(told.events, []);
});

test("the messages of OpenCode's own summary request are left alone", async () => {
  const { hooks, told } = await started();
  const server = new Server(hooks);
  server.ask('Mend the login test.');
  await server.run(60);
  const before = [...told.events];
  const head = structuredClone(server.stored.slice(0, 20));
  const output = { messages: [...head] };
  await hooks[COMPACTING]({ sessionID: 'ses_1' }, { context: [] });
  await hooks[TRANSFORM]({}, output);
  assert.deepEqual(output.messages, head);
  server.ask('Go on.');
  assert.equal(await server.run(2), 'It is found.');
  assert.equal(told.events.slice(before.length).includes('edited'), false);
});

test('each session has its own compactor, and a deleted one is forgotten', async () => {
  const { plugin, hooks, told } = await started({ limit: 2 });
  const servers = ['ses_1', 'ses_2'].map((id) => new Server(hooks, id));
  for (const server of servers) server.ask('Mend the login test.');
  for (let run = 0; run < 5; run += 1) for (const server of servers) await server.run(10);
  assert.deepEqual(told.sessions, ['ses_1', 'ses_2']);
  assert.ok(servers.every(({ seen }) => seen.refused === 0));
  assert.equal(told.events.includes('edited'), false);
  await hooks.event(/** @type {any} */ ({ event: { type: 'session.deleted', properties: { info: { id: 'ses_1' } } } }));
  assert.equal(plugin.compactor('ses_1'), undefined);
  assert.equal(plugin.forget('ses_1'), false);
  await hooks.dispose();
  assert.equal(plugin.compactor('ses_2'), undefined);
});

test('a model with a smaller window is compacted for', async () => {
  const { hooks, told } = await started();
  const server = new Server(hooks);
  server.ask('Mend the login test.');
  await server.run(15);
  assert.deepEqual(told.events, []);
  server.model = { providerID: 'scripted', modelID: 'small' };
  server.ask('And the next one.');
  assert.equal(await server.run(1), 'It is found.');
  const size = sizeOf(server.seen.sent.at(-1));
  assert.ok(size <= 9_000, `${size}`);
});

test('without the limits of the model, those of the compactor hold', async () => {
  const { hooks, told } = await started({ limits: {}, own: { model: { context: WINDOW, output: 1_000 } } });
  const server = new Server(hooks);
  server.ask('Mend the login test.');
  assert.equal(await server.run(60), 'It is found.');
  assert.ok(told.events.includes('compacted'));
  assert.equal(server.seen.refused, 0);
});

/** A session of four turns, each in a process of its own. Returns the server, what the last process told, and the first request of each. */
async function restarted(state) {
  const server = new Server(undefined);
  server.words = 8;
  const firsts = [];
  let last;
  for (let turn = 0; turn < 4; turn += 1) {
    last = await started({ state });
    server.hooks = last.hooks;
    server.ask('Mend the next test.');
    firsts.push(server.seen.sent.length);
    assert.equal(await server.run(8), 'It is found.', `turn ${turn}`);
  }
  return { server, firsts: firsts.map((at) => sizeOf(server.seen.sent[at])), ...last };
}

test('another process goes on with what was decided, until the session is deleted', async () => {
  const state = temporaryFolder('ebbline-opencode-');
  const { server, firsts, plugin, hooks, told } = await restarted(state);
  // Without a record, the usage of the last answer would be taken for that of all messages.
  assert.ok(sizeOf(server.stored.slice(0, 31)) > 0.85 * WINDOW);
  assert.ok(Math.max(...firsts) < 0.85 * WINDOW, `${firsts}`);
  assert.deepEqual(told.logged, []);
  assert.equal(readdirSync(join(state, 'ebbline')).length, 1);
  // What was taken back is taken back in the next process, too.
  while (plugin.compactor('ses_1').undo());
  await hooks[TRANSFORM]({}, { messages: structuredClone(server.stored) });
  const messages = structuredClone(server.stored);
  await (await started({ state })).hooks[TRANSFORM]({}, { messages });
  assert.deepEqual(messages, server.stored);
  await hooks.event(/** @type {any} */ ({ event: { type: 'session.deleted', properties: { info: { id: 'ses_1' } } } }));
  assert.deepEqual(readdirSync(join(state, 'ebbline')), []);
});

test('a record of messages that the user took back is not used', async () => {
  const state = temporaryFolder('ebbline-opencode-');
  const { server } = await restarted(state);
  server.stored = server.stored.map(({ info, parts }) => ({
    info,
    parts: parts.map((part) => (part.type === 'tool' ? { ...part, state: { ...part.state, output: 'Nothing.' } } : part)),
  }));
  const { plugin, hooks } = await started({ state });
  server.hooks = hooks;
  server.ask('Once more.');
  assert.equal(await server.run(5), 'It is found.');
  assert.match(plugin.compactor('ses_1').begunAnew, /is not the one that was compacted/);
});

test('where nothing can be stored, the session goes on and OpenCode hears why', async () => {
  const state = join(temporaryFolder('ebbline-opencode-'), 'file');
  writeFileSync(state, '');
  const { hooks, told } = await started({ state });
  const server = new Server(hooks);
  server.ask('Mend the login test.');
  assert.equal(await server.run(60), 'It is found.');
  assert.match(told.logged[0], /^the record of ses_1 was not stored: /);
});

test('wrong use is refused with a sentence', async () => {
  const each = 'pass a function that makes a compactor for each session, as in ebblinePlugin((options) => createCompactor(options))';
  const compactor = createCompactor();
  assert.throws(() => ebblinePlugin(/** @type {any} */ (compactor)), { code: 'invalid_option', message: each });
  const client = { config: { providers: async () => ({}) } };
  const run = async (make, sessions) => {
    const hooks = await ebblinePlugin(make)(/** @type {any} */ ({ client, directory: '/' }));
    for (const id of sessions) {
      const server = new Server(hooks, id);
      server.ask('Mend the login test.');
      await server.run(1);
    }
  };
  const nothing = 'the function must return a compactor, made with `createCompactor`';
  await assert.rejects(
    run(() => ({}), ['ses_1']),
    { code: 'invalid_option', message: nothing },
  );
  const shared = 'the function returned the compactor of another session: make one for each session';
  await assert.rejects(
    run(() => compactor, ['ses_1', 'ses_2']),
    { code: 'invalid_option', message: shared },
  );
});

test('the adapter can be required', () => {
  assert.equal(typeof requiredAdapter('opencode').ebblinePlugin(() => createCompactor()), 'function');
});
