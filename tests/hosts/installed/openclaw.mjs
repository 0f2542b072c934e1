// OpenClaw from an empty home, with ebbline as its users install it, and beside it with its own compaction. Run by hand:
//   node tests/hosts/installed/openclaw.mjs [--keep] [ebbline|legacy]
// It needs the package (`cargo xtask npm`), 650 MB for OpenClaw, and a Node that OpenClaw takes (24.16), which npm brings.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { packageFolder } from '../../npm/package.mjs';
import { startProvider } from './provider.mjs';
import { startRegistry } from './registry.mjs';
import { Story, TURNS, askedIn, factOf, factsIn, furnish, isFlush } from './story.mjs';

const VERSION = process.env.OPENCLAW_VERSION ?? '2026.9.6';
const PROGRAMS = process.env.OPENCLAW_FOLDER ?? join(tmpdir(), `openclaw-${VERSION}`);
const OUTPUT = 2_000;
const WINDOWS = { first: 36_000, second: 30_000 };
const KEY = 'agent:main:story';
const TOKEN = 'a-token-of-the-test';
/** What goes wrong, and when. */
const RESTART = 15;
const SECOND_MODEL = 16;
const OVERFLOWS = [9, 22];
const FAILING = [6, 13];
const RECALL = 25;
const FOCUS = 'Keep the codes of the houses.';

const run = promisify(execFile);

/** Installs OpenClaw and a Node for it, unless they are there. Returns what a program needs to run them. */
async function programs() {
  const bin = join(PROGRAMS, 'node_modules/node/bin');
  const node = { PATH: [bin, process.env.PATH].join(delimiter) };
  if (!existsSync(join(bin, 'node'))) {
    mkdirSync(PROGRAMS, { recursive: true });
    writeFileSync(join(PROGRAMS, 'package.json'), '{ "private": true }\n');
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['install', ...quiet, 'node@24'], { cwd: PROGRAMS });
    await run('npm', ['install', ...quiet, `openclaw@${VERSION}`], { cwd: PROGRAMS, env: { ...process.env, ...node } });
  }
  return node;
}

/** Compiles the plug-in against the types of the OpenClaw that is installed. */
async function checkTypes() {
  const here = import.meta.dirname;
  const folder = mkdtempSync(join(tmpdir(), 'openclaw-types-'));
  const paths = {
    ebbline: [join(packageFolder, 'dist/index.d.ts')],
    'ebbline/openclaw': [join(packageFolder, 'dist/adapters/openclaw.d.ts')],
    'openclaw/plugin-sdk/plugin-entry': [join(PROGRAMS, 'node_modules/openclaw/dist/plugin-sdk/plugin-entry.d.ts')],
  };
  const how = { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', skipLibCheck: true, types: [], paths };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: how, files: [join(here, 'openclaw.ts')] }));
  await run(join(here, '../../node_modules/.bin/tsc'), ['--project', folder]).catch(({ stdout }) => assert.fail(stdout));
  rmSync(folder, { recursive: true });
}

async function freePort() {
  const server = createServer();
  await new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((done) => server.close(done));
  return port;
}

/** OpenClaw in a home of its own. */
class Host {
  #gateway;
  log = '';

  constructor(node, home, registry, url) {
    this.home = home;
    this.workspace = join(home, 'workspace');
    this.env = { ...process.env, ...node, HOME: home, npm_config_registry: registry, NO_COLOR: '1', OPENCLAW_GATEWAY_TOKEN: TOKEN };
    this.url = url;
  }

  async configure() {
    this.port = await freePort();
    const model = (id) => ({ id, name: id, reasoning: false, input: ['text'], contextWindow: WINDOWS[id], maxTokens: OUTPUT });
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const models = Object.keys(WINDOWS).map((id) => ({ ...model(id), cost }));
    const provider = { baseUrl: this.url, apiKey: 'none', api: 'openai-completions', models };
    const config = {
      gateway: {
        mode: 'local',
        port: this.port,
        auth: { mode: 'token', token: TOKEN },
        http: { endpoints: { chatCompletions: { enabled: true } } },
      },
      models: { mode: 'replace', providers: { scripted: provider } },
      // A review of its own would be asked of the same model, and disturb the script.
      skills: { workshop: { autonomous: { mode: 'off' } } },
      agents: {
        defaults: { model: { primary: 'scripted/first' }, workspace: this.workspace, skipBootstrap: true, heartbeat: { every: '0m' } },
      },
    };
    mkdirSync(join(this.home, '.openclaw'), { recursive: true });
    writeFileSync(join(this.home, '.openclaw/openclaw.json'), JSON.stringify(config, null, 2));
    furnish(this.workspace);
  }

  async command(...args) {
    const { stdout, stderr } = await run(join(PROGRAMS, 'node_modules/.bin/openclaw'), args, { env: this.env, maxBuffer: 1e8 });
    return stdout + stderr;
  }

  async start() {
    const args = ['gateway', 'run', '--port', String(this.port), '--bind', 'loopback'];
    this.#gateway = spawn(join(PROGRAMS, 'node_modules/.bin/openclaw'), args, { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#gateway.stdout, this.#gateway.stderr]) stream.setEncoding('utf8').on('data', (text) => (this.log += text));
    for (let tries = 0; ; tries += 1) {
      const answer = await fetch(`http://127.0.0.1:${this.port}/v1/models`, { headers: { authorization: `Bearer ${TOKEN}` } }).catch(
        () => undefined,
      );
      if (answer?.ok) return;
      assert.ok(tries < 240, `the gateway did not start:\n${this.log}`);
      await new Promise((done) => setTimeout(done, 500));
    }
  }

  async stop() {
    if (this.#gateway.exitCode !== null || this.#gateway.signalCode !== null) return;
    const gone = new Promise((done) => this.#gateway.once('exit', done));
    this.#gateway.kill('SIGTERM');
    await gone;
  }

  /** What the user types in a chat. Commands are answered there, and not to whoever sent them. */
  async typed(message, isDone) {
    const params = { sessionKey: KEY, message, idempotencyKey: `typed-${message}` };
    const told = await this.command('gateway', 'call', 'chat.send', '--params', JSON.stringify(params), '--json');
    for (let tries = 0; tries < 60 && !isDone(); tries += 1) await new Promise((done) => setTimeout(done, 250));
    return told;
  }

  /** The newest texts of the chat. */
  async chat() {
    return this.command('gateway', 'call', 'chat.history', '--params', JSON.stringify({ sessionKey: KEY, limit: 4 }), '--json');
  }

  async say(content, model = 'first') {
    const answer = await fetch(`http://127.0.0.1:${this.port}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        'x-openclaw-session-key': KEY,
        'x-openclaw-model': `scripted/${model}`,
      },
      body: JSON.stringify({ model: 'openclaw', messages: [{ role: 'user', content }] }),
    });
    const body = /** @type {any} */ (await answer.json());
    return body.choices?.[0]?.message?.content ?? JSON.stringify(body);
  }
}

async function lived(engine, node, registry) {
  const home = mkdtempSync(join(tmpdir(), `openclaw-home-${engine}-`));
  const story = new Story({ recall: engine === 'ebbline' ? RECALL : 0 });
  const provider = await startProvider({ windows: WINDOWS, output: OUTPUT, script: story });
  const host = new Host(node, home, registry, provider.url);
  const told = { engine, crashes: 0, unfinished: [], commands: {} };
  const begun = Date.now();
  try {
    await host.configure();
    if (engine === 'ebbline') {
      told.installed = await host.command('plugins', 'install', 'ebbline', '--force', '--accept-capabilities');
      told.installSeconds = Math.round((Date.now() - begun) / 1000);
    }
    await host.start();
    for (let turn = 1; turn <= TURNS; turn += 1) {
      if (turn === RESTART) {
        await host.stop();
        await host.start();
      }
      if (turn === TURNS - 1)
        told.commands.compact = await host.typed(`/compact ${FOCUS}`, () =>
          provider.seen.bodies.some(({ messages }) => JSON.stringify(messages).includes(FOCUS)),
        );
      story.begin(turn);
      provider.state.share = OVERFLOWS.includes(turn) ? 0.48 : 1;
      provider.state.failsSummaries = turn >= FAILING[0] && turn <= FAILING[1];
      const model = turn >= SECOND_MODEL ? 'second' : 'first';
      const said = await host.say(askedIn(turn), model).catch(async () => {
        // The gateway is gone: its supervisor would start it again, and the user would ask again.
        told.crashes += 1;
        await host.start();
        story.begin(turn);
        return host.say(askedIn(turn), model);
      });
      if (said !== `The notes of turn ${turn} are read.`) told.unfinished.push({ turn, said });
      process.stderr.write(
        `${engine} ${turn}: ${provider.seen.requests} requests, ${provider.seen.overflows} refused, ${provider.seen.summaries} summaries\n`,
      );
    }
    if (engine === 'ebbline') {
      await host.typed('/ebbline', () => false);
      [told.commands.status] = /ebbline: [^"]*/.exec(await host.chat()) ?? [];
    }
  } finally {
    await host.stop().catch(() => undefined);
    provider.close();
    writeFileSync(join(tmpdir(), `openclaw-${engine}.log`), host.log);
    writeFileSync(join(tmpdir(), `openclaw-${engine}.json`), JSON.stringify(provider.seen));
    if (!process.argv.includes('--keep')) rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    else told.home = home;
  }
  const { bodies, ...seen } = provider.seen;
  const last = bodies.findLast((body) => body.tools?.length > 0 && !isFlush(body));
  const facts = factsIn(last.messages);
  const kept = Array.from({ length: TURNS }, (_, at) => factOf(at + 1)).filter((fact) => facts.includes(fact)).length;
  const focused = bodies.filter(({ messages }) => JSON.stringify(messages).includes(FOCUS)).length;
  return { ...told, ...seen, kept, focused, recalled: story.recalled, seconds: Math.round((Date.now() - begun) / 1000) };
}

const node = await programs();
await checkTypes();
const registry = await startRegistry();
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const results = [];
try {
  for (const engine of wanted.length > 0 ? wanted : ['ebbline', 'legacy']) results.push(await lived(engine, node, registry.url));
} finally {
  registry.close();
}
console.log(JSON.stringify(results, null, 2));
const ours = results.find(({ engine }) => engine === 'ebbline');
if (ours !== undefined) {
  assert.deepEqual(ours.invalid, [], 'a request that the strict server refuses');
  assert.deepEqual(ours.unfinished, [], 'a turn that did not end');
  assert.equal(ours.kept, TURNS, 'a fact was lost');
  assert.equal(ours.recalled?.isWhole, true, 'the output did not come back');
}
