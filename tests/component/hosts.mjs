// `node tests/component/hosts.mjs`: the component in every host there is, and a table at the end. Each host must give the answers of the npm package.
//
// Hosts that are not on this machine are skipped: EBBLINE_COMPONENT_PYTHON names a Python with wasmtime, EBBLINE_RUST_HOST the program
// of examples/component-rust, EBBLINE_GO_HOST and EBBLINE_DOTNET_HOST those of examples/component-go and -dotnet, CHROMIUM_PATH a browser, and `wasmtime` is looked for in that Python and on the PATH.

import { deepStrictEqual, match } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

import { serve } from '../e2e/serve.mjs';
import { ebbline, fixture } from '../npm/package.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const project = join(here, '../..');
const component = join(project, 'target/component/ebbline.wasm');
const JCO = join(here, 'node_modules/.bin/jco');
const JCO_VERSION = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')).devDependencies['@bytecodealliance/jco'];

const options = { model: { context: 2_000, output: 200 }, format: 'openai_chat' };
const text = fixture('openai-chat.json');
const { plan, messages: view } = ebbline.compact(JSON.parse(text), options);
const expected = { text, options: JSON.stringify(options), plan, view };
const answers = JSON.stringify(expected);

const folder = mkdtempSync(join(tmpdir(), 'ebbline-hosts-'));
const jco = (...words) => execFileSync(process.execPath, [JCO, ...words], { encoding: 'utf8' });
jco('transpile', component, '--quiet', '--out-dir', folder);
cpSync(join(here, 'asked.mjs'), join(folder, 'asked.js'));
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
writeFileSync(join(folder, 'answers.json'), answers);
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>The component</title>');
const BODY = `import { api } from './ebbline.js';
import { asked } from './asked.js';`;
writeFileSync(
  join(folder, 'run.mjs'),
  `import { readFileSync } from 'node:fs';
${BODY}
console.log(JSON.stringify(asked(api, JSON.parse(readFileSync(new URL('answers.json', import.meta.url), 'utf8')))));`,
);

/** Why a host is not tried; a row that throws it is skipped. */
class Absent extends Error {}

/** Runs a program and gives what it printed. */
function output(program, words, { input = '', env = {} } = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, words, { input, encoding: 'utf8', env: { ...process.env, ...env } });
  if (error || status !== 0) throw error ?? new Error(stderr.trim() || stdout.trim());
  return stdout.trim();
}

/** The command line of wasmtime: the one that the Python of the tests has, or the one on the PATH. */
function wasmtime() {
  const python = process.env.EBBLINE_COMPONENT_PYTHON;
  const asked = python && spawnSync(python, ['-c', 'import wasmtime_cli; print(wasmtime_cli.__path__[0])'], { encoding: 'utf8' });
  if (asked?.status === 0) {
    // `pip` unpacks it without the right to be run.
    const program = join(folder, 'wasmtime');
    cpSync(join(asked.stdout.trim(), 'wasmtime'), program);
    chmodSync(program, 0o755);
    return program;
  }
  if (spawnSync('wasmtime', ['--version']).error) throw new Absent('there is no `wasmtime` on the PATH');
  return 'wasmtime';
}

/** The messages that a view of the session says. */
const sentBy = (view) => view.map((entry) => (typeof entry === 'number' ? JSON.parse(text)[entry] : entry.message));

/** A text as the command line of wasmtime reads it, and back: JSON but for characters by their number. */
const toWave = (text) => JSON.stringify(text).replace(/\\u([0-9a-f]{4})/g, '\\u{$1}');
const ofWave = (text) =>
  JSON.parse(
    text
      .replaceAll("\\'", "'")
      .replace(/\\u\{([0-9a-f]+)\}/g, (_, hex) => JSON.stringify(String.fromCodePoint(Number.parseInt(hex, 16))).slice(1, -1)),
  );

/** One of the JavaScript runtimes that `cargo xtask runtimes` installs. */
function runtime(name) {
  const program = join(project, 'tests/runtimes/node_modules/.bin', name);
  if (!existsSync(program)) throw new Absent('`cargo xtask component --hosts` installs it');
  return program;
}

const through = (program, words) => JSON.parse(output(program, [...words, join(folder, 'run.mjs')]));

const ROWS = [
  {
    host: 'jco, the interface',
    run() {
      const world = jco('wit', component);
      if (/\bimport\b/.test(world)) throw new Error(`it imports:\n${world}`);
      if (!/export ebbline:engine\/api@/.test(world)) throw new Error(`it does not export its interface:\n${world}`);
      return { version: JCO_VERSION, checked: ['it is valid', 'no imports'] };
    },
  },
  { host: 'Node, jco', run: () => ({ version: process.versions.node, checked: through(process.execPath, []) }) },
  {
    host: 'Deno, jco',
    run() {
      const program = runtime('deno');
      return { version: output(program, ['--version']).split(/\s+/)[1], checked: through(program, ['run', '--quiet', '--allow-all']) };
    },
  },
  {
    host: 'Bun, jco',
    async run() {
      runtime('bun');
      const { program: find } = await import('../runtimes/on/bun.mjs');
      const program = find();
      return { version: output(program, ['--version']), checked: through(program, []) };
    },
  },
  { host: 'Chromium, jco', run: inChromium },
  {
    host: 'Python, wasmtime',
    run() {
      const python = process.env.EBBLINE_COMPONENT_PYTHON;
      if (!python) throw new Absent('EBBLINE_COMPONENT_PYTHON names no Python with wasmtime');
      const env = { PYTHONPATH: join(project, 'python/src'), PYTHONDONTWRITEBYTECODE: '1', EBBLINE_CACHE: folder };
      return JSON.parse(output(python, [join(here, 'asked.py')], { input: answers, env }));
    },
  },
  {
    host: 'Rust, wasmtime',
    run() {
      const program = process.env.EBBLINE_RUST_HOST;
      if (!program) throw new Absent('EBBLINE_RUST_HOST names no program of examples/component-rust, which takes minutes to build');
      return JSON.parse(output(program, [component], { input: answers }));
    },
  },
  {
    host: 'wasmtime, command line',
    run() {
      const program = wasmtime();
      const called = (name, ...texts) => output(program, ['run', '--invoke', `${name}(${texts.map(toWave).join(', ')})`, component]);
      const [, view, plan] = /^ok\(\{view: ("(?:[^"\\]|\\.)*"), plan: ("(?:[^"\\]|\\.)*")\}\)$/.exec(
        called('compact-messages', text, expected.options),
      );
      deepStrictEqual(JSON.parse(ofWave(plan)), expected.plan);
      deepStrictEqual(sentBy(JSON.parse(ofWave(view))), expected.view);
      match(called('plan', '{"a": tru}', '{}'), /^err\(\{code: "not_json", .*line: 1\b/);
      return { version: output(program, ['--version']).split(/\s+/)[1], checked: ['compact', 'errors'] };
    },
  },
  {
    host: 'Go, wasmtime’s C API',
    run() {
      const program = process.env.EBBLINE_GO_HOST;
      if (!program) throw new Absent('EBBLINE_GO_HOST names no program of examples/component-go: there is no Go');
      return JSON.parse(output(program, [component], { input: answers }));
    },
  },
  {
    host: '.NET (Mono), wasmtime’s C API',
    run() {
      const program = process.env.EBBLINE_DOTNET_HOST;
      if (!program) throw new Absent('EBBLINE_DOTNET_HOST names no program of examples/component-dotnet: there is no Mono');
      writeFileSync(join(folder, 'session.json'), text);
      writeFileSync(join(folder, 'options.json'), expected.options);
      const env = { LD_LIBRARY_PATH: join(process.env.EBBLINE_WASMTIME_C_API, 'lib') };
      const said = JSON.parse(output('mono', [program, component, join(folder, 'session.json'), join(folder, 'options.json')], { env }));
      deepStrictEqual(said.plan, expected.plan);
      deepStrictEqual(sentBy(said.view), expected.view);
      deepStrictEqual([said.failure, said.messages], ['not_json', JSON.parse(text).length]);
      deepStrictEqual(said.verdict.replaceAll('-', '_'), expected.plan.verdict);
      deepStrictEqual([said.sent.length > 0, said.report.sessions], [true, 1]);
      return { version: output('mono', ['--version']).split(/\s+/)[4], checked: ['compact', 'errors', 'session', 'compactor', 'sweep'] };
    },
  },
];

async function inChromium() {
  const path = process.env.CHROMIUM_PATH;
  if (!path) throw new Absent('CHROMIUM_PATH names no browser');
  const served = await serve({ folder: `${folder}/` });
  const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
  try {
    const page = await browser.newPage();
    await page.goto(served.url);
    const checked = await page.evaluate(async () => {
      const at = (name) => new URL(name, location.href).href;
      const [{ api }, { asked }, answers] = await Promise.all([
        import(at('ebbline.js')),
        import(at('asked.js')),
        fetch(at('answers.json')).then((response) => response.json()),
      ]);
      return asked(api, answers);
    });
    return { version: browser.version(), checked };
  } finally {
    await browser.close();
    await served.close();
  }
}

async function tried({ host, run }) {
  try {
    const { version, checked } = await run();
    return { host, version, text: checked.join(', '), mark: '✔' };
  } catch (error) {
    if (error instanceof Absent) return { host, version: '', text: error.message, mark: 'skipped' };
    console.log(`✘ ${host}: ${error.stack ?? error}\n`);
    return { host, version: '', text: 'see above', mark: '✘' };
  }
}

const results = [];
try {
  for (const row of ROWS) results.push(await tried(row));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const table = [
  ['host', 'version', 'what was checked', 'ok'],
  ...results.map(({ host, version, text, mark }) => [host, version, text, mark]),
];
const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
console.log([line(table[0]), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...table.slice(1).map(line)].join('\n'));

const count = (mark) => results.filter((result) => result.mark === mark).length;
console.log(`\n${count('✔')} passed, ${count('✘')} failed, ${count('skipped')} skipped`);
process.exitCode = count('✘') === 0 ? 0 : 1;
