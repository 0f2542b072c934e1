// The gateway of OpenClaw in a home of its own, with a provider on loopback.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { furnish } from './story.mjs';

const VERSION = process.env.OPENCLAW_VERSION ?? '2026.9.6';
export const PROGRAMS = process.env.OPENCLAW_FOLDER ?? join(tmpdir(), `openclaw-${VERSION}`);
const TOKEN = 'a-token-of-the-test';

const run = promisify(execFile);

/** Installs OpenClaw and a Node for it, unless they are there. Returns what a program needs to run them. */
export async function programs() {
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

async function freePort() {
  const server = createServer();
  await new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((done) => server.close(done));
  return port;
}

/** OpenClaw in a home of its own. */
export class Gateway {
  #gateway;
  log = '';

  /**
   * @param {object} about
   * @param {NodeJS.ProcessEnv} about.node what finds the Node of OpenClaw
   * @param {string} about.home
   * @param {string} about.registry
   * @param {string} about.url the provider
   * @param {Record<string, number>} about.windows
   * @param {number} about.output
   * @param {string} about.key the session in which the user types
   */
  constructor({ node, home, registry, url, windows, output, key }) {
    Object.assign(this, { home, url, windows, output, key });
    this.workspace = join(home, 'workspace');
    this.env = { ...process.env, ...node, HOME: home, npm_config_registry: registry, NO_COLOR: '1', OPENCLAW_GATEWAY_TOKEN: TOKEN };
  }

  /** Writes the settings. `defaults`: what agents have beside their model. */
  async configure(defaults = {}) {
    this.port = await freePort();
    const common = { reasoning: false, input: ['text'], maxTokens: this.output };
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const models = Object.entries(this.windows).map(([id, contextWindow]) => ({ id, name: id, ...common, contextWindow, cost }));
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
        defaults: {
          model: { primary: 'scripted/first' },
          workspace: this.workspace,
          skipBootstrap: true,
          heartbeat: { every: '0m' },
          ...defaults,
        },
      },
    };
    mkdirSync(join(this.home, '.openclaw'), { recursive: true });
    this.settings = config;
    furnish(this.workspace);
  }

  get #settings() {
    return join(this.home, '.openclaw/openclaw.json');
  }

  /** What stands in `openclaw.json`. */
  get settings() {
    return JSON.parse(readFileSync(this.#settings, 'utf8'));
  }

  set settings(settings) {
    writeFileSync(this.#settings, JSON.stringify(settings, null, 2));
  }

  /** The records that ebbline keeps, by the keys of their sessions. */
  get records() {
    const folder = join(this.home, '.openclaw/ebbline');
    const files = existsSync(folder) ? readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))) : [];
    return new Map(files.map((file) => [file.sessionKey, file]));
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
  async typed(message, isDone, tries = 60) {
    const params = { sessionKey: this.key, message, idempotencyKey: `typed-${Math.random()}` };
    const told = await this.command('gateway', 'call', 'chat.send', '--params', JSON.stringify(params), '--json');
    for (let at = 0; at < tries && !isDone(); at += 1) await new Promise((done) => setTimeout(done, 250));
    return told;
  }

  /** The newest texts of the chat. */
  async chat() {
    return this.command('gateway', 'call', 'chat.history', '--params', JSON.stringify({ sessionKey: this.key, limit: 4 }), '--json');
  }

  async say(content, model = 'first') {
    const answer = await fetch(`http://127.0.0.1:${this.port}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        'x-openclaw-session-key': this.key,
        'x-openclaw-model': `scripted/${model}`,
      },
      body: JSON.stringify({ model: 'openclaw', messages: [{ role: 'user', content }] }),
    });
    const body = /** @type {any} */ (await answer.json());
    return body.choices?.[0]?.message?.content ?? JSON.stringify(body);
  }
}
