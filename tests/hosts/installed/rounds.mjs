// What else happens to sessions of OpenClaw: sub-agents, heartbeats, commands, wrong settings; each followed by another turn and by a
// new process. Run by hand: node tests/hosts/installed/rounds.mjs [--keep] [subagents|heartbeats|commands|settings].. ; see openclaw.mjs
import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { errands, read, send, spawn } from './errands.mjs';
import { Gateway, programs } from './gateway.mjs';
import { startProvider } from './provider.mjs';
import { startRegistry } from './registry.mjs';

const OUTPUT = 2_000;
const WINDOWS = { first: 36_000 };
const KEY = 'agent:main:main';
const FOCUS = 'Keep the codes of the houses.';

/** Waits for what is looked at, at most two minutes. */
async function until(isTrue, what) {
  for (let tries = 0; tries < 480; tries += 1) {
    if (isTrue()) return;
    await new Promise((done) => setTimeout(done, 250));
  }
  assert.fail(`it did not come: ${what}`);
}

class Round {
  figures = {};

  constructor(host, provider) {
    Object.assign(this, { host, provider });
  }

  get record() {
    return this.host.records.get(KEY);
  }

  /** A turn of the user, until its upkeep is over as well. */
  async turn(turn) {
    const { length = 0 } = this.record?.turns ?? {};
    assert.equal(await this.host.say(read(turn)), `The notes of turn ${turn} are read.`);
    await until(() => (this.record?.turns.length ?? 0) > length, 'the turn is committed');
  }

  async restart() {
    await this.host.stop();
    await this.host.start();
  }

  /** What a command answers. */
  async ask(command) {
    await this.host.typed(command, () => false, 8);
    const said = [...(await this.host.chat()).matchAll(/"text": "((?:ebbline:|⚙️)[^"]*)"/g)];
    return said.at(-1)?.[1];
  }

  /** How many references the newest request has. */
  get cleared() {
    const body = this.provider.seen.bodies.findLast(({ tools }) => tools?.length > 0);
    return JSON.stringify(body.messages).match(/\[ref [a-z]{8}\]/g)?.length ?? 0;
  }

  async subagents() {
    const { host, figures } = this;
    for (let turn = 1; turn <= 5; turn += 1) await this.turn(turn);
    const before = JSON.stringify(this.record.record.changes);
    const children = () => [...host.records.keys()].filter((key) => key.includes(':subagent:'));
    for (const [turn, context] of [
      [21, 'fork'],
      [22, 'isolated'],
    ]) {
      const known = children();
      await host.say(spawn(turn, { context }));
      await until(() => children().length > known.length, `the record of the child (${context})`);
    }
    figures.children = children().map((key) => [host.records.get(key).turns.length, host.records.get(key).record.changes?.length]);
    figures.parentIsSame = JSON.stringify(this.record.record.changes) === before;
    const [, isolated] = children();
    const turns = host.records.get(isolated).turns.length;
    await host.say(send(23, isolated));
    await until(() => host.records.get(isolated).turns.length > turns, 'another turn of a child that had ended');
    await this.turn(6);
    await this.restart();
    await host.say(send(24, isolated));
    await this.turn(7);
    figures.turnsOfChild = host.records.get(isolated).turns.length;
    for (const key of children()) await host.command('gateway', 'call', 'sessions.delete', '--params', JSON.stringify({ key }), '--json');
    await until(() => children().length === 0, 'the records of deleted sessions go');
    await host.say(spawn(25, { context: 'fork', cleanup: 'delete' }));
    await until(
      () => JSON.stringify(this.provider.seen.bodies).includes('notes/turn-25-10.txt'),
      'the last note of a child that is deleted',
    );
    await until(() => children().length === 0, 'its record goes');
  }

  async beat() {
    const { requests } = this.provider.seen;
    const turns = this.record.turns.length;
    await this.host.command('system', 'event', '--text', 'Look at the clock', '--mode', 'now');
    await until(() => this.provider.seen.requests > requests && this.record.turns.length > turns, 'the heartbeat');
  }

  async heartbeats() {
    const { host, provider, figures } = this;
    await this.turn(1);
    await this.beat();
    figures.idle = provider.seen.summaries;
    provider.state.failsSummaries = true;
    for (let turn = 2; provider.seen.failedSummaries === 0 && turn < 8; turn += 1) {
      await this.turn(turn);
      await new Promise((done) => setTimeout(done, 8_000));
    }
    provider.state.failsSummaries = false;
    const asked = () => provider.seen.summaries + provider.seen.failedSummaries;
    const before = asked();
    await this.beat();
    await new Promise((done) => setTimeout(done, 8_000));
    figures.overTheTrigger = asked() - before;
    for (let turn = 8; turn <= 11; turn += 1) {
      await this.turn(turn);
      if (turn === 9) await this.beat();
      await new Promise((done) => setTimeout(done, 6_000));
    }
    figures.summaries = provider.seen.summaries;
    await this.restart();
    await this.turn(12);
    figures.begunAnew = host.log.match(/the record does not fit/g)?.length ?? 0;
  }

  async commands() {
    const { provider, figures } = this;
    for (let turn = 1; turn <= 4; turn += 1) await this.turn(turn);
    const { summaries } = provider.seen;
    figures.compact = await this.ask(`/compact ${FOCUS}`);
    figures.focused = provider.seen.bodies.filter(({ messages }) => JSON.stringify(messages).includes(FOCUS)).length;
    figures.summaries = provider.seen.summaries - summaries;
    figures.status = await this.ask('/ebbline');
    await this.turn(5);
    figures.undone = await this.ask('/ebbline undo');
    await this.restart();
    figures.afterRestart = await this.ask('/ebbline');
    figures.redone = await this.ask('/ebbline compact');
    await this.turn(6);
    figures.wrong = await this.ask('/ebbline undoo');
    const rows = JSON.parse(await this.host.command('gateway', 'call', 'sessions.list', '--params', '{}', '--json'));
    figures.row = rows.sessions.find(({ key }) => key === KEY)?.pluginExtensions;
    // A folder that cannot be written.
    const folder = join(this.host.home, '.openclaw/ebbline');
    renameSync(folder, `${folder}-before`);
    writeFileSync(folder, '');
    const from = this.host.log.length;
    figures.unwritable = await this.host.say(read(7));
    await this.host.say(spawn(21, { context: 'fork' }));
    rmSync(folder);
    renameSync(`${folder}-before`, folder);
    await this.turn(8);
    figures.told = [
      ...new Set(this.host.log.slice(from).match(/ebbline: [^\n]*stored[^\n]*|\[context-engine\] (?!deferred|skipped)[^\n]*/g)),
    ];
  }
}

/** Settings that are wrong, and what OpenClaw says. */
const WRONG = {
  'an unknown knob': (entry) => (entry.config = { set: { 'prune.protec': 1 } }),
  'a wrong type': (entry) => (entry.config = { set: { 'prune.protect': 'many' } }),
  'no such profile': (entry) => (entry.config = { profile: 'ebbline@9' }),
  'no such setting': (entry) => (entry.config = { profil: 'ebbline@3' }),
  'not chosen': (_, plugins) => (plugins.slots = { contextEngine: 'legacy' }),
  'not enabled': (entry) => (entry.enabled = false),
};

async function settings(host) {
  const figures = {};
  const right = JSON.stringify(host.settings);
  for (const [name, spoil] of Object.entries(WRONG)) {
    const wrong = JSON.parse(right);
    spoil(wrong.plugins.entries.ebbline, wrong.plugins);
    host.settings = wrong;
    const from = host.log.length;
    await host.start();
    const answer = await host.say(read(1));
    await host.stop();
    const said = host.log.slice(from).match(/[^\n]*(?:ebbline|context-engine)[^\n]*/g) ?? [];
    figures[name] = { answer, said: said.filter((line) => !/http server listening|deferred turn|precheck/.test(line)) };
  }
  host.settings = JSON.parse(right);
  return figures;
}

const node = await programs();
const registry = await startRegistry();
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
try {
  for (const name of wanted.length > 0 ? wanted : ['subagents', 'heartbeats', 'commands', 'settings']) {
    const home = mkdtempSync(join(tmpdir(), `openclaw-${name}-`));
    const provider = await startProvider({ windows: WINDOWS, output: OUTPUT, script: errands });
    const host = new Gateway({ node, home, registry: registry.url, url: provider.url, windows: WINDOWS, output: OUTPUT, key: KEY });
    try {
      await host.configure({ heartbeat: { every: '30m', target: 'none' } });
      await host.command('plugins', 'install', 'ebbline', '--force', '--accept-capabilities');
      const round = new Round(host, provider);
      if (name === 'settings') round.figures = await settings(host);
      else {
        const now = host.settings;
        if (name !== 'subagents') now.plugins.entries.ebbline.config = { set: { 'prune.enabled': false } };
        host.settings = now;
        await host.start();
        await round[name]().catch((error) => {
          round.figures.error = error.message;
          process.exitCode = 1;
        });
      }
      const { bodies: _, ...seen } = provider.seen;
      console.log(JSON.stringify({ round: name, ...round.figures, ...seen }, null, 2));
      assert.deepEqual(seen.invalid, [], 'a request that the strict server refuses');
    } finally {
      await host.stop().catch(() => undefined);
      provider.close();
      writeFileSync(join(tmpdir(), `openclaw-${name}.log`), host.log);
      if (!process.argv.includes('--keep')) rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    }
  }
} finally {
  registry.close();
}
