// pi and OpenCode from an empty home, with ebbline as their users install it. installed.test.mjs runs it; by hand:
//   node tests/hosts/installed/agents.mjs [pi|opencode]
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { startProvider } from './provider.mjs';
import { startRegistry } from './registry.mjs';
import { Story, askedIn, factOf, factsIn, furnish } from './story.mjs';

const run = promisify(execFile);
const PROGRAMS = process.env.AGENTS_FOLDER ?? join(tmpdir(), 'ebbline-installed-agents');
const OUTPUT = 2_000;
/** How many turns, each of which is a process of its own. */
const TURNS = 6;

const AGENTS = {
  pi: {
    package: '@earendil-works/pi-coding-agent',
    window: 14_000,
    argument: 'path',
    install: ['pi', ['install', 'npm:ebbline']],
    configure(home, url) {
      const models = [{ id: 'first', contextWindow: this.window, maxTokens: OUTPUT, reasoning: false, input: ['text'] }];
      const provider = { baseUrl: url, api: 'openai-completions', apiKey: 'none', models };
      write(join(home, '.pi/agent/models.json'), { providers: { scripted: provider } });
    },
    turn: (said, isFirst) => ['pi', ['-p', '--provider', 'scripted', '--model', 'first', ...(isFirst ? [] : ['--continue']), said]],
  },
  opencode: {
    package: 'opencode-ai',
    window: 32_000,
    argument: 'filePath',
    install: ['opencode', ['plugin', 'ebbline', '--global']],
    // The command may end while OpenCode installs packages of its own, and the next process waits a minute for that lock.
    leaves: ['.local/state/opencode/locks'],
    configure(home, url) {
      const models = { first: { name: 'first', limit: { context: this.window, output: OUTPUT }, tool_call: true } };
      const provider = { npm: '@ai-sdk/openai-compatible', options: { baseURL: url, apiKey: 'none' }, models };
      const config = {
        provider: { scripted: provider },
        model: 'scripted/first',
        small_model: 'scripted/first',
        autoupdate: false,
        share: 'disabled',
      };
      write(join(home, '.config/opencode/opencode.json'), config);
    },
    turn: (said, isFirst) => ['opencode', ['run', '--model', 'scripted/first', ...(isFirst ? [] : ['--continue']), said]],
  },
};

function write(path, value) {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, JSON.stringify(value, null, 2));
}

/** Runs a program to its end, and returns what it said and whether it failed. Its input is closed, because some wait for it. */
function ended(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (piece) => (text += piece));
    child.once('error', reject);
    child.once('exit', (code) => resolve({ text, hasFailed: code !== 0 }));
  });
}

async function tried(name, registry) {
  const agent = AGENTS[name];
  const home = mkdtempSync(join(tmpdir(), `ebbline-${name}-`));
  const workspace = join(home, 'work');
  furnish(workspace);
  const story = new Story({ recall: 0, argument: agent.argument });
  const provider = await startProvider({ windows: { first: agent.window }, output: OUTPUT, script: story });
  agent.configure(home, provider.url);
  const PATH = [join(PROGRAMS, 'node_modules/.bin'), join(PROGRAMS, 'node_modules/node/bin'), process.env.PATH].join(delimiter);
  const env = {
    ...process.env,
    PATH,
    HOME: home,
    npm_config_registry: registry,
    npm_config_userconfig: join(home, '.npmrc'),
    NO_COLOR: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    PWD: workspace,
  };
  for (const variable of ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME']) delete env[variable];
  writeFileSync(join(home, '.npmrc'), `registry=${registry}\n`);
  const begun = Date.now();
  try {
    const { text: installed, hasFailed } = await ended(...agent.install, { cwd: workspace, env });
    assert.equal(hasFailed, false, installed);
    for (const left of agent.leaves ?? []) rmSync(join(home, left), { recursive: true, force: true });
    let failed = 0;
    const seconds = Math.round((Date.now() - begun) / 1000);
    for (let turn = 1; turn <= TURNS; turn += 1) {
      story.begin(turn);
      const said = await ended(...agent.turn(askedIn(turn), turn === 1), { cwd: workspace, env });
      failed += Number(said.hasFailed);
      assert.match(said.text, new RegExp(`The notes of turn ${turn} are read\\.`));
      process.stderr.write(`${name} ${turn}: ${provider.seen.requests} requests, ${provider.seen.overflows} refused\n`);
    }
    const { bodies, ...seen } = provider.seen;
    const last = bodies.findLast(({ tools }) => tools?.length > 0);
    const cleared = JSON.stringify(last.messages).match(/\[ref [a-z]{8}\]|Old tool result content cleared/g)?.length ?? 0;
    const kept = Array.from({ length: TURNS }, (_, at) => factOf(at + 1)).filter((fact) => factsIn(last.messages).includes(fact)).length;
    return { agent: name, installed, installSeconds: seconds, failed, ...seen, cleared, kept };
  } finally {
    provider.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

const wanted = process.argv.slice(2);
const names = wanted.length > 0 ? wanted : Object.keys(AGENTS);
if (!existsSync(join(PROGRAMS, 'node_modules/node'))) {
  mkdirSync(PROGRAMS, { recursive: true });
  writeFileSync(join(PROGRAMS, 'package.json'), '{ "private": true }\n');
  const packages = Object.values(AGENTS).map(({ package: name }) => name);
  await run('npm', ['install', '--no-audit', '--no-fund', 'node@24', ...packages], { cwd: PROGRAMS });
}
const registry = await startRegistry();
try {
  for (const name of names) {
    const result = await tried(name, registry.url);
    console.log(JSON.stringify(result, null, 2));
    assert.deepEqual(result.invalid, []);
    assert.equal(result.overflows, 0, 'a request was refused');
    assert.equal(result.failed, 0, 'a process ended with an error');
    assert.equal(result.kept, TURNS, 'a fact is gone');
    assert.ok(result.cleared > 0, 'nothing was compacted');
  }
} finally {
  registry.close();
}
