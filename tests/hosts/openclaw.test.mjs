// The context engine with a script of OpenClaw's calls. tests/hosts/installed/openclaw.mjs runs it in OpenClaw itself.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryFolder } from '../npm/package.mjs';
import { adapter, ebbline, requiredAdapter } from './adapter.mjs';

globalThis.openclawTranscript = { kind: 'none' };
const { createCompactor, recallTool } = ebbline;
const { openclawPlugin } = await adapter('openclaw');

const WINDOW = 30_000;
/** What OpenClaw leaves for the messages at the beginning of a turn. */
const BUDGET = 12_000;
const SUMMARY = '## Goal\nFind the fault of the login test.\n\n## Progress\n- [x] The files that were read do not have it.';
const model = { complete: async () => ({ text: SUMMARY, stopReason: 'stop' }) };

/** The part of OpenClaw that reads transcripts. */
const sdk = 'export const readSessionTranscriptVisibleMessageDelta = () => globalThis.openclawTranscript';
const resolve = `export const resolve = (name, context, next) =>
  name.startsWith('openclaw/') ? { url: ${JSON.stringify(`data:text/javascript,${sdk}`)}, shortCircuit: true } : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(resolve)}`);

/** OpenClaw, as far as a plugin sees it. */
class Host {
  told = [];
  registered = {};

  constructor({ folder = temporaryFolder('ebbline-openclaw-'), config = undefined, make = (options) => createCompactor(options) } = {}) {
    this.folder = folder;
    // Each host stands for a process of its own.
    delete globalThis[Symbol.for('ebbline.openclaw')];
    const api = {
      pluginConfig: config,
      logger: { info: (text) => this.told.push(text), warn: (text) => this.told.push(text) },
      runtime: { state: { resolveStateDir: () => folder } },
      session: { state: { registerSessionExtension: (extension) => (this.registered.extension = extension) } },
      registerContextEngine: (id, factory) => (this.registered.engine = { id, engine: factory() }),
      registerTool: (factory, { names }) => (this.registered.tool = { factory, names }),
      registerCommand: (command) => (this.registered.command = command),
    };
    openclawPlugin(make, recallTool('mcp')).register(api);
    this.engine = this.registered.engine?.engine;
  }

  get files() {
    return readdirSync(join(this.folder, 'ebbline')).map((name) => JSON.parse(readFileSync(join(this.folder, 'ebbline', name), 'utf8')));
  }
}

/** A session of OpenClaw's, with turns of ten calls. */
class Session {
  stored = [];
  /** What OpenClaw gives of what it has stored. */
  given = (stored) => stored;
  seen = { sent: [], turns: 0 };

  constructor(host, { sessionKey = 'agent:main:one', sessionId = 'session-1' } = {}) {
    this.host = host;
    this.about = { sessionKey, sessionId };
  }

  at(whole, budget) {
    const limits = { promptTokenBudget: whole };
    return { ...this.about, tokenBudget: budget, runtimeSettings: { model: { provider: 'scripted', resolved: 'first' }, limits } };
  }

  async turn({ calls = 10, isHeartbeat = false } = {}) {
    this.seen.turns += 1;
    const { turns } = this.seen;
    const now = turns * 1_000;
    const begun = await this.host.engine.assemble({ ...this.at(BUDGET, BUDGET), messages: this.given([...this.stored]) });
    this.seen.sent.push(begun.messages);
    const said = [{ role: 'user', content: `Look at part ${turns}.`, timestamp: now }];
    for (let call = 1; call <= calls; call += 1) {
      const id = `c${turns}x${call}`;
      const content = [
        { type: 'text', text: 'The fault may be in the next file. '.repeat(6) },
        { type: 'toolCall', id, name: 'read', arguments: { turns, call } },
      ];
      said.push({ role: 'assistant', content, stopReason: 'toolUse', timestamp: now + 2 * call });
      const output = `line ${turns}.${call} of the file\n`.repeat(60);
      said.push({
        role: 'toolResult',
        toolCallId: id,
        toolName: 'read',
        content: [{ type: 'text', text: output }],
        isError: false,
        timestamp: now + 2 * call + 1,
      });
      const view = await this.host.engine.assemble({ ...this.at(WINDOW, WINDOW - 500 * call), messages: begun.messages });
      this.seen.sent.push(view.messages);
    }
    said.push({ role: 'assistant', content: [{ type: 'text', text: 'It is not there.' }], stopReason: 'stop', timestamp: now + 999 });
    this.stored.push(...said);
    const turn = { ...this.about, advancementKey: `turn-${turns}`, messages: said, isHeartbeat };
    assert.deepEqual(await this.host.engine.commitTurn(turn), { status: 'committed' });
    return turn;
  }

  maintain(llm = model) {
    return this.host.engine.maintain({ ...this.about, runtimeContext: { llm } });
  }
}

const ref = (messages) => /\[ref ([a-z]{8})\]/.exec(JSON.stringify(messages))?.[1];
const isSummary = ({ role }) => role === 'compactionSummary';
const sizeOf = (messages) => JSON.stringify(messages).length / 4;

test('OpenClaw: thirty turns stay in the room for messages, and nothing is thrown', async () => {
  const host = new Host();
  const session = new Session(host);
  for (let turn = 0; turn < 30; turn += 1) {
    await session.turn();
    assert.deepEqual(await session.maintain(), { changed: false, bytesFreed: 0, rewrittenEntries: 0 });
  }
  const sizes = session.seen.sent.map(sizeOf);
  assert.ok(Math.max(...sizes) < BUDGET * 1.3, `${Math.max(...sizes)}`);
  assert.ok(sizeOf(session.stored) > 10 * BUDGET);
  const last = session.seen.sent.at(-1);
  assert.ok(last.some(isSummary));
  const { tool, extension, command, engine } = host.registered;
  assert.deepEqual([engine.id, tool.names, extension.namespace, command.name], ['ebbline', ['recall_output'], 'context', 'ebbline']);
  const { details, content } = await tool.factory(session.about).execute('1', { ref: ref(session.seen.sent) });
  assert.equal(details.found, true);
  assert.match(content[0].text, /^line \d+\.\d+ of the file\n/);
  assert.equal(extension.project(session.about).history, session.stored.length - 22);
  assert.match((await command.handler(session.about)).text, /^ebbline: \d+ of 30000 \(\d+ %\) tokens; \d+ messages are sent for \d+$/);
});

test('a turn is committed once, and another process goes on with what was decided', async () => {
  const host = new Host();
  const session = new Session(host);
  for (let turn = 0; turn < 8; turn += 1) await session.turn();
  const last = await session.turn();
  assert.deepEqual(await host.engine.commitTurn(last), { status: 'duplicate' });
  const [file] = host.files;
  assert.equal(file.sessionKey, session.about.sessionKey);
  assert.equal(file.turns.length, 9);
  const before = await host.engine.assemble({ ...session.at(BUDGET, BUDGET), messages: session.stored });
  await host.engine.commitTurn({ ...last, advancementKey: 'turn-10', messages: [] });
  const again = new Host({ folder: host.folder });
  const after = await again.engine.assemble({ ...session.at(BUDGET, BUDGET), messages: session.stored });
  assert.deepEqual(after.messages, before.messages);
  assert.deepEqual(await again.engine.commitTurn(last), { status: 'duplicate' });
});

test('in a new process, a command knows the session before the first request', async () => {
  const host = new Host();
  const session = new Session(host);
  for (let turn = 0; turn < 9; turn += 1) await session.turn();
  await host.engine.assemble({ ...session.at(BUDGET, BUDGET), messages: session.stored });
  const asked = async (of, args) => (await of.registered.command.handler({ ...session.about, args })).text;
  const said = await asked(host, 'status');
  const again = new Host({ folder: host.folder });
  globalThis.openclawTranscript = { kind: 'page', entries: session.stored.map((message) => ({ message })), hasMore: false };
  try {
    assert.equal(await asked(again, 'status'), said);
    assert.notEqual(await asked(again, 'undo'), said);
    assert.equal(await asked(again, 'redo'), said);
  } finally {
    globalThis.openclawTranscript = { kind: 'none' };
  }
});

test('in a new process, `/ebbline` decides nothing for a window that it does not know', async () => {
  const host = new Host();
  const session = new Session(host);
  const stored = Array.from({ length: 9 }, (_, at) => [
    { role: 'user', content: 'x '.repeat(90_000), timestamp: 2 * at },
    { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }], stopReason: 'stop', timestamp: 2 * at + 1 },
  ]).flat();
  globalThis.openclawTranscript = { kind: 'page', entries: stored.map((message) => ({ message })), hasMore: false };
  try {
    const { text } = await host.registered.command.handler({ ...session.about, args: 'status' });
    assert.match(text, /^ebbline: \d+ tokens; 18 messages are sent for 18$/);
  } finally {
    globalThis.openclawTranscript = { kind: 'none' };
  }
  const large = await host.engine.assemble({ ...session.at(950_000, 950_000), messages: stored });
  assert.deepEqual(large.messages, stored);
  const small = await host.engine.assemble({ ...session.at(150_000, 150_000), messages: stored });
  assert.ok(small.messages.length < stored.length);
});

test('a heartbeat that OpenClaw joins with what the user says next is no other session after a restart', async () => {
  const host = new Host();
  const session = new Session(host);
  await session.turn();
  await session.turn({ calls: 0, isHeartbeat: true });
  session.given = (stored) => {
    const [poll, silent, next] = stored.splice(22, 3);
    if (next === undefined) return [...stored, ...[poll, silent].filter(Boolean)].slice(0, 22);
    const content = [poll, next].map(({ content: text }) => ({ type: 'text', text }));
    stored.splice(22, 0, { ...next, content });
    return stored;
  };
  for (let turn = 0; turn < 8; turn += 1) await session.turn();
  const given = session.given([...session.stored]);
  const before = await host.engine.assemble({ ...session.at(BUDGET, BUDGET), messages: given });
  await host.engine.commitTurn({ ...session.about, advancementKey: 'last', messages: [] });
  const again = new Host({ folder: host.folder });
  globalThis.openclawTranscript = { kind: 'page', entries: session.stored.map((message) => ({ message })), hasMore: false };
  try {
    // Of long sessions, OpenClaw gives only the newest messages.
    const after = await again.engine.assemble({ ...session.at(BUDGET, BUDGET), messages: given.slice(67) });
    assert.deepEqual(again.told, []);
    assert.deepEqual(after.messages, before.messages);
  } finally {
    globalThis.openclawTranscript = { kind: 'none' };
  }
});

test('what the user says twice in one moment, or without a time, stays in its place after a restart', async () => {
  const host = new Host();
  const session = new Session(host);
  await session.turn();
  const said = (texts, timestamp) =>
    texts.flatMap((content, at) => [
      { role: 'user', content, ...(timestamp && { timestamp }) },
      { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }], stopReason: 'stop', timestamp: 1_500 + (timestamp ?? 0) + at },
    ]);
  const texts = ['First of two.', 'Second of two.', 'First without a time.', 'Second without a time.'];
  session.stored.push(...said(texts.slice(0, 2), 100), ...said(texts.slice(2)));
  for (let turn = 0; turn < 8; turn += 1) await session.turn();
  const before = await host.engine.assemble({ ...session.at(BUDGET, BUDGET), messages: session.stored });
  await host.engine.commitTurn({ ...session.about, advancementKey: 'last', messages: [] });
  const again = new Host({ folder: host.folder });
  globalThis.openclawTranscript = { kind: 'page', entries: session.stored.map((message) => ({ message })), hasMore: false };
  try {
    const after = await again.engine.assemble({ ...session.at(BUDGET, BUDGET), messages: session.stored.slice(67) });
    assert.deepEqual(again.told, []);
    assert.deepEqual(after.messages, before.messages);
    const sent = JSON.stringify(after.messages);
    for (const text of texts) assert.equal(sent.split(text).length, 2, text);
    for (const { content } of session.stored.filter(({ role, timestamp }) => role === 'user' && (timestamp ?? 100) === 100)) {
      const from = session.stored.findIndex((message) => message.content === content);
      await again.engine.assemble({ ...session.at(BUDGET, BUDGET), messages: session.stored.slice(from) });
      assert.equal(again.registered.extension.project(session.about).history, session.stored.length);
    }
  } finally {
    globalThis.openclawTranscript = { kind: 'none' };
  }
});

test('messages that OpenClaw leaves out stay in the session', async () => {
  const host = new Host();
  const session = new Session(host);
  for (let turn = 0; turn < 6; turn += 1) await session.turn();
  const bootstrap = { role: 'user', content: '(session bootstrap)', timestamp: 99_999 };
  const given = [bootstrap, ...session.stored.slice(41)];
  const { messages } = await host.engine.assemble({ ...session.at(BUDGET, BUDGET), messages: given });
  assert.equal(messages.includes(bootstrap), false);
  assert.match(JSON.stringify(messages), /Look at part 1\./);
});

test('a compaction that is not needed says so in the words that OpenClaw knows, and one that is asked for has a focus', async () => {
  const host = new Host();
  const session = new Session(host);
  const asked = [];
  const llm = { complete: async (request) => (asked.push(request), { text: SUMMARY, stopReason: 'stop' }) };
  await session.turn();
  const about = { ...session.about, tokenBudget: WINDOW, runtimeContext: { llm, trigger: 'budget' } };
  assert.deepEqual(await host.engine.compact(about), { ok: true, compacted: false, reason: 'already under target' });
  for (let turn = 0; turn < 3; turn += 1) await session.turn();
  const { reason: _, ...done } = await host.engine.compact({
    ...about,
    currentTokenCount: WINDOW + 4_000,
    runtimeContext: { llm, trigger: 'overflow' },
  });
  assert.equal(done.compacted, true);
  assert.ok(done.result.tokensAfter < done.result.tokensBefore);
  for (let turn = 0; turn < 3; turn += 1) await session.turn();
  await host.engine.compact({ ...about, compactionTarget: 'threshold', customInstructions: 'the licence keys' });
  assert.match(JSON.stringify(asked.at(-1)), /the licence keys/);
});

test('a model that fails leaves the session as it is, and a heartbeat asks none', async () => {
  const host = new Host();
  const session = new Session(host);
  let asked = 0;
  const failing = {
    complete: async () => {
      asked += 1;
      throw new Error('429 too many requests');
    },
  };
  for (let turn = 0; turn < 12; turn += 1) {
    await session.turn({ isHeartbeat: true });
    await session.maintain(failing);
  }
  assert.equal(asked, 0);
  for (let turn = 0; turn < 6; turn += 1) {
    await session.turn();
    // OpenClaw's upkeep waits: a heartbeat may come before it.
    await session.turn({ calls: 0, isHeartbeat: true });
    await session.maintain(failing);
  }
  assert.ok(asked > 0);
  const before = asked;
  await session.turn({ calls: 0, isHeartbeat: true });
  await session.maintain(failing);
  assert.equal(asked, before);
  assert.ok(
    host.told.some((text) => text === 'ebbline: no summary was made (429 too many requests)'),
    host.told.join('\n'),
  );
  assert.ok(sizeOf(session.seen.sent.at(-1)) < BUDGET * 1.3);
});

test('a forked sub-agent begins with what was decided for its parent, and is forgotten when it ends', async () => {
  const host = new Host();
  const session = new Session(host);
  for (let turn = 0; turn < 9; turn += 1) await session.turn();
  const spawn = { parentSessionKey: session.about.sessionKey, childSessionKey: 'agent:main:subagent:1' };
  assert.equal(await host.engine.prepareSubagentSpawn({ ...spawn, contextMode: 'isolated' }), undefined);
  await host.engine.prepareSubagentSpawn({ ...spawn, contextMode: 'fork' });
  const child = new Session(host, { sessionKey: spawn.childSessionKey, sessionId: 'session-2' });
  const [of, other] = await Promise.all(
    [session, child].map((each) => host.engine.assemble({ ...each.at(BUDGET, BUDGET), messages: session.stored })),
  );
  assert.deepEqual(other.messages, of.messages);
  assert.equal(host.files.length, 2);
  const { childSessionKey } = spawn;
  // Its session goes on if somebody writes to it again.
  await child.turn({ calls: 1 });
  const before = await host.engine.assemble({ ...child.at(BUDGET, BUDGET), messages: child.stored });
  for (const reason of ['completed', 'released', 'swept']) await host.engine.onSubagentEnded({ childSessionKey, reason });
  const after = await host.engine.assemble({ ...child.at(BUDGET, BUDGET), messages: child.stored });
  assert.deepEqual(after.messages, before.messages);
  assert.equal(host.files.length, 2);
  await host.engine.onSubagentEnded({ childSessionKey, reason: 'deleted' });
  assert.equal(host.files.length, 1);
  const { rollback } = await host.engine.prepareSubagentSpawn({ ...spawn, contextMode: 'fork' });
  await rollback();
  assert.equal(host.files.length, 1);
});

test('a record that cannot be written ends nothing', async () => {
  const host = new Host();
  const session = new Session(host);
  for (let turn = 0; turn < 4; turn += 1) await session.turn();
  const folder = join(host.folder, 'ebbline');
  renameSync(folder, `${folder}-before`);
  writeFileSync(folder, 'a file in its place');
  const { messages } = await host.engine.assemble({ ...session.at(4_000, 4_000), messages: session.stored });
  assert.ok(sizeOf(messages) < sizeOf(session.stored) / 2);
  const unsaid = /^ebbline: the record is not stored \(E/;
  assert.match(host.told.at(-1), unsaid);
  for (const args of ['status', 'undo', 'redo', 'compact']) {
    host.told.length = 0;
    const { text } = await host.registered.command.handler({ ...session.about, args });
    assert.match(text, /^ebbline: \d+ of \d+ /);
    assert.match(host.told.at(-1), unsaid);
  }
  await assert.rejects(host.engine.commitTurn({ ...session.about, advancementKey: 'last', messages: [] }));
  rmSync(folder);
  renameSync(`${folder}-before`, folder);
  const spawn = { parentSessionKey: session.about.sessionKey, childSessionKey: 'agent:main:subagent:1' };
  // A folder in the place of the child's file.
  const name = createHash('sha256').update(spawn.childSessionKey).digest('hex').slice(0, 32);
  mkdirSync(join(folder, `${name}.json`));
  const { rollback } = await host.engine.prepareSubagentSpawn({ ...spawn, contextMode: 'fork' });
  await rollback();
  await host.engine.onSubagentEnded({ childSessionKey: spawn.childSessionKey, reason: 'deleted' });
});

test('settings are a policy, and a wrong one is refused with its place', () => {
  const refused = [
    [{ polcy: {} }, /^plugins\.entries\.ebbline\.config has no setting `polcy`; there are profile, policy, set, /],
    [{ profile: 'ebline@2' }, /^plugins\.entries\.ebbline\.config: .*ebline@2/],
    [{ set: { 'prune.protec': 3 } }, /^plugins\.entries\.ebbline\.config: .*prune\.protec/],
    [{ pins: [{ contain: 'x' }] }, /^plugins\.entries\.ebbline\.config: /],
  ];
  for (const [config, message] of refused) assert.throws(() => new Host({ config }), { code: 'invalid_option', message });
  const made = [];
  const host = new Host({ config: { profile: 'pi@0.84' }, make: (options) => (made.push(options), createCompactor(options)) });
  assert.equal(made[0].profile, 'pi@0.84');
  assert.equal(host.engine.info.ownsCompaction, true);
});

test('a compactor that fails ends no request', async () => {
  const host = new Host({
    make: (options) => Object.assign(createCompactor(options), { prepare: async () => assert.fail('it is broken') }),
  });
  const session = new Session(host);
  await session.turn({ calls: 1 });
  assert.deepEqual(session.seen.sent, [[], []]);
  assert.ok(host.told.includes('ebbline: it is broken'));
  const { ok, reason } = await host.engine.compact({ ...session.about, runtimeContext: { trigger: 'budget' } });
  assert.deepEqual([ok, reason], [false, 'it is broken']);
});

test('wrong use is refused with a sentence, and the adapter can be required', () => {
  const message =
    'pass a function that makes a compactor for each session, as in openclawPlugin((options) => createCompactor(options), recallTool("mcp"))';
  assert.throws(() => openclawPlugin(/** @type {any} */ (undefined), {}), { code: 'invalid_option', message });
  assert.equal(requiredAdapter('openclaw').openclawPlugin(() => createCompactor(), {}).id, 'ebbline');
});
