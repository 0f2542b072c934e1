// Measures the native command line over a folder of sessions, beside jq and DuckDB on the same files, and writes the table
// into docs/performance.md: `node commands.mjs FOLDER [--quick]`, which is what `cargo xtask bench corpus` runs.
//
// EBBLINE_COMMAND names the program, EBBLINE_DUCKDB a Python with the package of tests/python/duckdb.txt.

import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';

import { write } from './document.mjs';
import { digits, size, table, time, whole } from './tables.mjs';

const [folder] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isQuick = process.argv.includes('--quick');
const command = process.env.EBBLINE_COMMAND;
const python = process.env.EBBLINE_DUCKDB;
const scratch = mkdtempSync(join(tmpdir(), 'ebbline-commands-'));
const rows = join(scratch, 'rows.jsonl');
/** How often the high-water mark of a process is read, in milliseconds. */
const OFTEN = 10;

const parts = readdirSync(folder)
  .sort()
  .map((name) => join(folder, name));
const everything = weigh(parts);
const all = join(scratch, 'files');
writeFileSync(all, everything.files.join('\0'));

/** The files of folders, and their size in bytes. */
function weigh(folders) {
  const files = folders.flatMap((path) => readdirSync(path).map((name) => join(path, name)));
  return { files, bytes: files.reduce((sum, path) => sum + statSync(path).size, 0) };
}

/**
 * Runs a program without its output: how long it takes, and the most memory that it had. `undefined` if it fails.
 *
 * @returns {Promise<{ nanoseconds: number, memory: number } | undefined>}
 */
function measure([program, ...args], input) {
  return new Promise((resolve) => {
    const stdin = input === undefined ? 'ignore' : openSync(input, 'r');
    const begun = process.hrtime.bigint();
    const child = spawn(program, args, { stdio: [stdin, 'ignore', 'pipe'] });
    let [memory, said] = [0, ''];
    const watch = setInterval(() => (memory = Math.max(memory, peakOf(child.pid))), OFTEN);
    child.stderr.on('data', (chunk) => (said += chunk));
    const end = (code) => {
      clearInterval(watch);
      if (typeof stdin === 'number') closeSync(stdin);
      if (code !== 0) console.log(`${program} ended with ${code}: ${said.trim().slice(-300)}`);
      resolve(code === 0 ? { nanoseconds: Number(process.hrtime.bigint() - begun), memory } : undefined);
    };
    child.on('error', ({ message }) => end(message));
    child.on('close', end);
  });
}

/** The most memory that a running process had, in bytes; 0 where the system does not say. */
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+) kB/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The best of several runs; the first also brings the files into the memory of the system. */
async function best(program, input) {
  const runs = [];
  for (let run = 0; run < (isQuick || everything.bytes > 1e8 ? 1 : 3); run += 1) runs.push(await measure(program, input));
  if (runs.includes(undefined)) return undefined;
  return { nanoseconds: Math.min(...runs.map(({ nanoseconds }) => nanoseconds)), memory: Math.max(...runs.map((run) => run.memory)) };
}

const duck = (query) => [
  python,
  '-c',
  'import sys, duckdb; c = duckdb.connect(); c.execute("SET threads = " + sys.argv[2]); print(c.execute(sys.argv[1]).fetchall())',
  query,
];
const objects = `SELECT count(*), sum(length(json::VARCHAR)) FROM read_json_objects('${folder}/**/*.json*', format = 'auto', maximum_object_size = 1000000000)`;
const ebbline = (...args) => [command, ...args, '--rows', rows];
const policies = ['--policies', 'ebbline@2'];
const CONTENDERS = [
  ['ebbline audit, 1 thread', ebbline('audit', folder, '--jobs', '1')],
  ['ebbline audit, 2 threads', ebbline('audit', folder, '--jobs', '2')],
  ['ebbline scan of one policy, 1 thread', ebbline('scan', folder, ...policies, '--jobs', '1')],
  ['ebbline scan of one policy, 2 threads', ebbline('scan', folder, ...policies, '--jobs', '2')],
  ['ebbline scan of all policies, 2 threads', ebbline('scan', folder, '--jobs', '2')],
  ['jq -c ., 1 process', ['xargs', '-0', '-n', '50', 'jq', '-c', '.'], all],
  ['jq -c ., 2 processes', ['xargs', '-0', '-n', '50', '-P', '2', 'jq', '-c', '.'], all],
  ['DuckDB read_json_objects, 1 thread', [...duck(objects), '1']],
  ['DuckDB read_json_objects, 2 threads', [...duck(objects), '2']],
];

const measured = [];
for (const [name, program, input] of CONTENDERS) {
  if (program[0] === undefined || (name.startsWith('jq') && spawnSync('jq', ['--version']).status !== 0)) {
    measured.push([name, 'not there', '–', '–']);
    continue;
  }
  const took = await best(program, input);
  // The memory of xargs is not that of jq.
  const memory = took?.memory > 0 && !name.startsWith('jq') ? size(took.memory) : '–';
  measured.push(took === undefined ? [name, 'failed', '–', '–'] : [name, time(took.nanoseconds), rate(everything.bytes, took), memory]);
}

const growth = [];
for (const share of [0.125, 0.25, 0.5, 1]) {
  const some = parts.slice(0, Math.max(1, Math.round(parts.length * share)));
  const { files, bytes } = weigh(some);
  const [one, two] = [await best(ebbline('audit', ...some, '--jobs', '1')), await best(ebbline('audit', ...some, '--jobs', '2'))];
  const cells = [one, two].map((took) => (took === undefined ? 'failed' : rate(bytes, took)));
  growth.push([whole(files.length), size(bytes), ...cells, two?.memory > 0 ? size(two.memory) : '–']);
}
rmSync(scratch, { recursive: true });

const largest = Math.max(...everything.files.map((path) => statSync(path).size));
const [{ model }] = cpus();
const about =
  `${whole(everything.files.length)} sessions, ${size(everything.bytes)}, the largest ${size(largest)}; ` +
  `${cpus().length} processors (${model.trim()}), the files in the memory of the system.`;
const content = [
  about,
  table(['', 'time', 'MB/s', 'peak memory'], measured),
  'How `ebbline audit` grows with files:',
  table(['files', 'size', 'MB/s, 1 thread', 'MB/s, 2 threads', 'peak memory'], growth),
].join('\n\n');
console.log(content);
if (!isQuick) {
  const homeless = write(new Map([['commands', content]]));
  if (homeless.length > 0) throw new Error(`docs/performance.md has no place for ${homeless.join(', ')}`);
}

function rate(bytes, { nanoseconds }) {
  return digits((bytes / nanoseconds) * 1e3);
}
