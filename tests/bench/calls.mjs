// The same calls through every way into the engine, side by side: npm's bindings, the component by jco and by wasmtime in Python, and
// native Rust. `cargo xtask bench calls` runs it and writes the table into docs/performance.md.
//
// EBBLINE_PACKAGE names the npm package, EBBLINE_NATIVE the native program, EBBLINE_COMPONENT_PYTHON a Python with wasmtime.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { ebbline, manifest } from '../npm/package.mjs';
import { write } from './document.mjs';
import { table, time } from './tables.mjs';

const isQuick = process.argv.includes('--quick');
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
/** How long the session is before the turns, and how many turns are measured. */
const LENGTH = 1_000;
const TURNS = isQuick ? 60 : 400;
const PLANS = isQuick ? 15 : 60;
const SMALL = 10;
/** A window in which nothing is to be done. */
const MODEL = { context: 100_000_000 };
const ROUNDS = isQuick ? 1 : 3;

const scratch = mkdtempSync(join(tmpdir(), 'ebbline-calls-'));
const messages = Array.from({ length: (LENGTH + 2 * TURNS) / 2 }, (_, turn) => turnOf(turn)).flat();
const file = join(scratch, 'session.json');
writeFileSync(file, JSON.stringify(messages));

/** The messages of a turn: a call and its output of 0.2 to 16 kB; now and then a question and an answer. */
function turnOf(turn) {
  if (turn % 10 === 0) {
    return [
      { role: 'user', content: `Now mend part ${turn}. `.repeat(12) },
      { role: 'assistant', content: `Part ${turn} works now: the test waits for its lock. `.repeat(16) },
    ];
  }
  const id = `call_${turn}`;
  const args = JSON.stringify({ path: `src/part${turn}.py`, limit: turn });
  const line = (at) => `${at}: def f${(turn * at) % 977}(value): return value + ${at * turn}\n`;
  const output = Array.from({ length: 4 + ((turn * 7_919) % 316) }, (_, at) => line(at)).join('');
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: args } }] },
    { role: 'tool', tool_call_id: id, content: output },
  ];
}

const median = (times) => times.sort((one, other) => one - other)[times.length >> 1];

/** The median time of a call in nanoseconds. */
async function timed(count, call) {
  const times = [];
  for (let at = 0; at < count; at += 1) {
    const begun = process.hrtime.bigint();
    const pending = call(at);
    if (pending instanceof Promise) await pending;
    times.push(Number(process.hrtime.bigint() - begun));
  }
  return median(times);
}

const first = messages.slice(0, LENGTH);
const small = messages.slice(0, SMALL);
const turn = (at) => messages.slice(LENGTH + 2 * at, LENGTH + 2 * at + 2);

async function npm() {
  const options = { model: MODEL, format: 'openai_chat' };
  const session = new ebbline.Session(options);
  session.push(first);
  const compactor = ebbline.createCompactor(options);
  const history = [...first];
  await compactor.prepare(history);
  return {
    decision: await timed(TURNS, (at) => session.check({ knownTokens: 1_000 + at })),
    small: await timed(TURNS, () => ebbline.plan(small, options).messages),
    // A caller who plans anew has new objects: the package remembers the lengths of those that it has seen.
    plan: await timed(PLANS, () => ebbline.plan(structuredClone(first), options).messages),
    cloned: await timed(PLANS, () => structuredClone(first)),
    turn: await timed(TURNS, (at) => (session.push(turn(at)), session.check())),
    prepare: await timed(TURNS, (at) => (history.push(...turn(at)), compactor.prepare(history))),
  };
}

async function jco() {
  const component = path('../../target/component/ebbline.wasm');
  const program = path('../component/node_modules/.bin/jco');
  execFileSync(process.execPath, [program, 'transpile', component, '--quiet', '--out-dir', scratch]);
  writeFileSync(join(scratch, 'package.json'), '{"type":"module"}');
  const { api } = await import(pathToFileURL(join(scratch, 'ebbline.js')).href);
  const options = JSON.stringify({ model: MODEL, format: 'openai_chat' });
  const session = api.Session.open(options);
  session.push(JSON.stringify(first));
  const compactor = api.Compactor.open(options);
  compactor.prepare(0, JSON.stringify(first));
  const asking = { force: false };
  return {
    decision: await timed(TURNS, () => session.decide(asking)),
    small: await timed(TURNS, () => JSON.parse(api.plan(JSON.stringify(small), options))),
    plan: await timed(PLANS, () => JSON.parse(api.plan(JSON.stringify(first), options))),
    turn: await timed(TURNS, (at) => (session.push(JSON.stringify(turn(at))), session.decide(asking))),
    prepare: await timed(TURNS, (at) => compactor.prepare(compactor.known(), JSON.stringify(turn(at)))),
  };
}

/** What another program measures; its last line is JSON with nanoseconds. */
function said(program, words, more = {}) {
  if (program === undefined) return undefined;
  const env = { ...process.env, ...more };
  const said = execFileSync(program, [...words, file, String(LENGTH), String(TURNS), String(PLANS)], { encoding: 'utf8', env });
  return JSON.parse(said.trim().split('\n').at(-1));
}

const WAYS = {
  'native Rust': () => said(process.env.EBBLINE_NATIVE, []),
  'npm, Node': npm,
  'component, jco in Node': jco,
  'component, wasmtime in Python': () =>
    said(process.env.EBBLINE_COMPONENT_PYTHON, [path('calls.py')], { PYTHONPATH: path('../../python/src'), PYTHONDONTWRITEBYTECODE: '1' }),
};
const CALLS = {
  decision: 'a decision, nothing new',
  turn: '`Session`: two new messages and a decision',
  prepare: '`Compactor`: `prepare` with two new messages',
  small: `\`plan\` of ${SMALL} messages`,
  plan: `\`plan\` of ${LENGTH.toLocaleString('en')} messages`,
};

try {
  /** @type {Map<string, Record<string, number[]>>} */
  const found = new Map(Object.keys(WAYS).map((name) => [name, {}]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, measure] of Object.entries(WAYS)) {
      const times = (await measure()) ?? {};
      if (times.cloned !== undefined) times.plan -= times.cloned;
      for (const [call, nanoseconds] of Object.entries(times)) (found.get(name)[call] ??= []).push(nanoseconds);
    }
  }
  const cell = (name, call) => (found.get(name)[call] === undefined ? '–' : time(median(found.get(name)[call])));
  const rows = Object.entries(CALLS).map(([call, about]) => [about, ...Object.keys(WAYS).map((name) => cell(name, call))]);
  const [{ model }] = cpus();
  const text = `${(JSON.stringify(first).length / 1e6).toFixed(1)} MB`;
  const note = `ebbline ${manifest.version}, Node ${process.versions.node}, ${cpus().length} processors (${model}); ${LENGTH.toLocaleString('en')} messages have ${text}.`;
  const made = `${note}\n\n${table(['', ...Object.keys(WAYS)], rows)}`;
  console.log(made);
  if (!isQuick) for (const name of write(new Map([['calls', made]]))) console.log(`docs/performance.md has no place for ${name}`);
} finally {
  rmSync(scratch, { recursive: true });
}
