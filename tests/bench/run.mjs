// The benchmark: `node run.mjs [--quick]`, which is what `cargo xtask bench` runs. It starts a process for each part,
// prints the tables, and writes them into docs/performance.md; the quick run takes a minute and writes nothing, because
// its figures are rough. `--only PART` measures a single part.
//
// EBBLINE_PACKAGE names the package, EBBLINE_COUNTED the native program `examples/counted`.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus, freemem, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { write } from './document.mjs';
import { instructions } from './instructions.mjs';
import { PROFILES } from './ours.mjs';
import { PACKAGES, versionOf } from './peers.mjs';
import { digits, percent, short, size, table, time, timesByLength, whole } from './tables.mjs';
import { ebbline, manifest } from '../npm/package.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const isQuick = process.argv.includes('--quick');
const scratch = join(tmpdir(), 'ebbline-bench');
const counted = process.env.EBBLINE_COUNTED;

/** Rounds, and the most milliseconds for all samples of one contender. */
const EFFORT = isQuick
  ? new Map([
      [100, [5, 50]],
      [1_000, [5, 100]],
    ])
  : new Map([
      [100, [31, 600]],
      [1_000, [31, 1_200]],
      [10_000, [15, 3_000]],
      [100_000, [9, 8_000]],
    ]);
const REQUESTS = isQuick ? [200, 1] : [1_000, 5];
const MEGABYTES = isQuick ? [10, 3] : [50, 7];
const GROWTH = isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000];
const REPLAYED = isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000];
const only = process.argv[process.argv.indexOf('--only') + 1];
const WEIGHED = isQuick ? [10_000] : [100_000, 1_000_000];
/** Free memory that the longest session needs, with the messages of all contenders. */
const ROOM = 6e9;

const PUSH = `push + check, ${PROFILES[0]}`;
const FLOOR = 'd2: thin walk, whole job';
const PARTS = { sizes, requests, text, tokenizers, growth, replays, memory, instructions: counts };

const sections = new Map([['environment', environment()]]);
const failed = [];
for (const [name, part] of Object.entries(PARTS)) {
  if (process.argv.includes('--only') && name !== only) continue;
  try {
    for (const [section, content] of Object.entries(part() ?? {})) {
      sections.set(section, content);
      console.log(`\n## ${section}\n\n${content}`);
    }
  } catch (error) {
    failed.push(name);
    console.log(`\n${name} failed: ${error.message}`);
  }
}
if (isQuick) {
  console.log('\nA quick run: docs/performance.md stays as it is.');
} else {
  const homeless = write(sections);
  if (homeless.length > 0) throw new Error(`docs/performance.md has no place for ${homeless.join(', ')}`);
  console.log('\ndocs/performance.md: written');
}
process.exitCode = failed.length > 0 ? 1 : 0;

function environment() {
  const [{ model }] = cpus();
  const versions = PACKAGES.map((name) => `${name} ${versionOf(name)}`).join(', ');
  return (
    `ebbline ${manifest.version}, Node ${process.versions.node} (V8 ${process.versions.v8}), ${process.platform} ${process.arch}, ` +
    `${cpus().length} processors (${model.trim()}). Peers: ${versions}.`
  );
}

/** Every contender at every length. */
function sizes() {
  const measured = [];
  for (const [length, effort] of EFFORT) {
    if (length >= 100_000 && freemem() < ROOM) {
      console.log(`${short(length)} messages: left out, for there is not enough free memory`);
      continue;
    }
    measured.push(child('size.mjs', [length, ...effort]));
  }
  const names = Object.keys(measured[0].times);
  const isKept = (name) => /^(push|check|sync|F3s|pi: check)/u.test(name);
  const weights = measured.map(({ length, weight }) => [
    short(length),
    size(weight.bytes),
    percent(weight.results),
    percent(weight.given),
    percent(weight.wide),
  ]);
  const reference = names.includes(PUSH) ? PUSH : 'F3s: running sums, a turn of two messages';
  return {
    sessions: table(['messages', 'UTF-8', 'tool results', 'arguments of calls', 'results beyond Latin-1'], weights),
    kept: timesByLength(measured, names.filter(isKept), reference),
    'one call': timesByLength(
      measured,
      names.filter((name) => !isKept(name)),
      FLOOR,
    ),
  };
}

function requests() {
  const { requests: count, messages, weight, times } = child('requests.mjs', REQUESTS);
  const reference = times[PUSH] ?? times['F3s: running sums'];
  const rows = Object.entries(times)
    .sort(([, one], [, other]) => one - other)
    .map(([name, total]) => [name, time(total), time(total / count), digits(total / reference)]);
  const caption = `${whole(count)} requests; the session ends with ${whole(messages)} messages, ${size(weight.bytes)}.`;
  return { requests: `${caption}\n\n${table(['', 'all requests', 'one request', 'ratio'], rows)}` };
}

function text() {
  const { file, bytes, times } = child('text.mjs', [scratch, ...MEGABYTES]);
  const rows = Object.entries(times).map(([name, taken]) => [
    `WebAssembly: ${name}`.replace('WebAssembly: JavaScript', 'JavaScript'),
    time(taken),
    rate(bytes, taken),
  ]);
  for (const profile of counted === undefined ? [] : PROFILES) {
    const { nanoseconds } = JSON.parse(output(counted, ['read', file, String(MEGABYTES[1]), profile]));
    rows.push([`native: ${profile}`, time(nanoseconds), rate(bytes, nanoseconds)]);
  }
  return { text: `${size(bytes)} of JSON Lines, read and planned.\n\n${table(['', 'time', 'MB/s'], rows)}` };
}

function rate(bytes, nanoseconds) {
  return digits((bytes / nanoseconds) * 1e3);
}

/** The tokenizers have their own program, which prints its table. It takes minutes, so a quick run skips it. */
function tokenizers() {
  const program = join(here, 'tokenizers.mjs');
  if (isQuick || !existsSync(program)) return undefined;
  console.log('tokenizers.mjs');
  return { tokenizers: output(process.execPath, [program, '--rounds', '3']) };
}

function growth() {
  if (ebbline.Session === undefined) return undefined;
  const measured = PROFILES.map((profile) => child('growth.mjs', [profile, ...GROWTH]));
  const rows = measured.map(({ profile, rows: each }) => [profile, ...each.map(({ time: taken }) => time(taken))]);
  return { growth: table(['messages', ...GROWTH.map(short)], rows) };
}

function replays() {
  const measured = child('replays.mjs', REPLAYED);
  const rows = measured.map(({ profile, context, times }) => [profile, context === 0 ? 'endless' : short(context), ...times.map(time)]);
  return { replays: table(['', 'window', ...REPLAYED.map(short)], rows) };
}

function memory() {
  if (ebbline.Session === undefined) return undefined;
  const rows = PROFILES.flatMap((profile) =>
    WEIGHED.map((length) => {
      const { heap, wasm } = child('memory.mjs', [profile, length]);
      return [profile, short(length), `${whole(wasm)} B`, `${whole(heap)} B`];
    }),
  );
  return { memory: table(['', 'messages', 'module, a message', 'JavaScript heap, a message'], rows) };
}

function counts() {
  if (counted === undefined) return undefined;
  const made = child('text.mjs', [scratch, 2, 1]);
  const rows = instructions(counted, made.file, PROFILES, isQuick);
  if (rows === undefined) {
    console.log('\nvalgrind is not installed: instructions are not counted (Debian: apt-get install valgrind)');
    return undefined;
  }
  return { instructions: table(['', 'instructions'], rows) };
}

function child(program, words) {
  console.log(`${program} ${words.map(String).join(' ')}`);
  return JSON.parse(output(process.execPath, ['--expose-gc', '--max-old-space-size=12000', join(here, program), ...words.map(String)]));
}

function output(program, words) {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`${[program, ...words].join(' ')}: ${error?.message ?? stderr.trim()}`);
  return stdout;
}
