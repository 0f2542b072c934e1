// Exact token counts: ebbline's tokenizers beside the others on npm. Each runs in its own processes, because caches
// make a tokenizer faster: every string of one session is counted once, with cold caches, as an agent counts them.
//
//     node tests/bench/tokenizers.mjs [--rounds 5] [--encoding o200k] [--only NAME,..] [--json]
//
// `EBBLINE_PACKAGE` is the package under test; by default the one that `cargo xtask npm` built. The program measures
// the processor time of the process; read the ratios rather than the times. A contender that runs longer than `LIMIT` by
// the clock is stopped, and the table says so.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { randomOf } from './corpus.mjs';
import { entries, take } from './sessions.mjs';

const here = dirname(fileURLToPath(import.meta.url));
/** The messages of a session of a thousand requests. */
const MESSAGES = 2_369;
/** The most milliseconds that a process may run, by the clock. */
const LIMIT = 45_000;
/** The length of a run without spaces. */
const RUN = 40_000;

/** Each loads itself and returns a function that counts. */
const CONTENDERS = {
  ebbline: async (encoding) => {
    const { load } = await import(pathToFileURL(join(packageFolder(), `dist/tokenizers/${encoding}-node.js`)));
    const tokenizer = await load();
    return (text) => tokenizer.count(text);
  },
  'ai-tokenizer': async (encoding) => {
    const { default: Tokenizer } = await import('ai-tokenizer');
    const data = await import(`ai-tokenizer/encoding/${encoding}_base`);
    const tokenizer = new Tokenizer(data);
    return (text) => tokenizer.count(text);
  },
  'gpt-tokenizer': async (encoding) => {
    const { countTokens } = await import(`gpt-tokenizer/encoding/${encoding}_base`);
    return (text) => countTokens(text, { disallowedSpecial: new Set() });
  },
  tiktoken: async (encoding) => {
    const { get_encoding: getEncoding } = await import('tiktoken');
    const tiktoken = getEncoding(`${encoding}_base`);
    return (text) => tiktoken.encode(text, [], []).length;
  },
  'js-tiktoken': async (encoding) => {
    const { Tiktoken } = await import('js-tiktoken/lite');
    const { default: ranks } = await import(`js-tiktoken/ranks/${encoding}_base`);
    const tiktoken = new Tiktoken(ranks);
    return (text) => tiktoken.encode(text, [], []).length;
  },
  // The vocabulary of Claude 2: other counts, the same work.
  '@anthropic-ai/tokenizer': async () => {
    const { getTokenizer } = await import('@anthropic-ai/tokenizer');
    const tokenizer = getTokenizer();
    return (text) => tokenizer.encode(text.normalize('NFKC'), 'all').length;
  },
};

/** The texts to count: those of a session, or one run without spaces. */
const TASKS = {
  session: () => take(entries(), MESSAGES).flatMap(textsOf),
  'one letter': () => ['x'.repeat(RUN)],
  CJK: () => [runOf((random) => String.fromCodePoint(0x4e00 + Math.floor(random() * 0x5000)))],
  mixed: () => [runOf((random) => 'abcdefghijklmnopqrstuvwxyzäöüßéèабвгд日本語中文한국어'[Math.floor(random() * 48)])],
};

function textsOf(entry) {
  const given = (entry.calls ?? []).flatMap((call) => call.given);
  return [entry.text, entry.thinking ?? '', ...given].filter((text) => text !== '');
}

function runOf(character) {
  const random = randomOf(7);
  return Array.from({ length: RUN }, () => character(random)).join('');
}

function packageFolder() {
  const named = process.env.EBBLINE_PACKAGE;
  const places = named ? [named, join(named, 'node_modules/ebbline')] : [join(here, '../../target/npm/ebbline')];
  const found = places.find((folder) => existsSync(join(folder, 'dist/tokenizers/tokenizer.wasm')));
  if (found === undefined) throw new Error(`there is no package in ${places.join(' or ')}: run \`cargo xtask npm\` first`);
  return found;
}

const now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Runs in its own process: loads one contender, counts, and reports the time. */
async function measureHere(name, task, encoding) {
  const texts = TASKS[task]();
  const began = now();
  const count = await CONTENDERS[name](encoding);
  count('hello world');
  const loaded = now();
  let tokens = 0;
  let worst = 0;
  for (const text of texts) {
    const before = performance.now();
    tokens += count(text);
    worst = Math.max(worst, performance.now() - before);
  }
  const counted = now() - loaded;
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  console.log(JSON.stringify({ load: loaded - began, counted, worst, tokens, bytes, memory: process.memoryUsage.rss() }));
}

function measure(name, task, encoding) {
  const file = fileURLToPath(import.meta.url);
  const done = spawnSync(process.execPath, [file, '--measure', name, '--task', task, '--encoding', encoding], {
    encoding: 'utf8',
    timeout: LIMIT,
  });
  if (done.error?.code === 'ETIMEDOUT') return undefined;
  if (done.status !== 0) throw new Error(`${name}: ${done.stderr}`);
  return JSON.parse(done.stdout);
}

/** Every contender at every task; each round in a new order. */
export function measureAll({ rounds, encoding, only = Object.keys(CONTENDERS) }) {
  const random = randomOf(11);
  const pairs = only.flatMap((name) => Object.keys(TASKS).map((task) => ({ name, task, samples: [] })));
  for (let round = 0; round < rounds; round += 1) {
    for (const pair of shuffled(pairs, random)) {
      // A contender that was stopped once is not run again.
      if (pair.samples.includes(undefined)) continue;
      pair.samples.push(measure(pair.name, pair.task, encoding));
    }
  }
  return pairs.map(({ name, task, samples }) => {
    if (samples.includes(undefined)) return { name, task, stopped: true };
    const middle = (key) => samples.map((sample) => sample[key]).sort((one, other) => one - other)[samples.length >> 1];
    const { tokens, bytes } = samples[0];
    return {
      name,
      task,
      tokens,
      bytes,
      load: middle('load'),
      counted: middle('counted'),
      worst: middle('worst'),
      memory: middle('memory'),
    };
  });
}

function shuffled(list, random) {
  const copy = [...list];
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [copy[at], copy[other]] = [copy[other], copy[at]];
  }
  return copy;
}

/** The figures as a table in Markdown; each time is followed by its ratio to ebbline's. */
export function tableOf(figures) {
  const of = (name, task) => figures.find((figure) => figure.name === name && figure.task === task);
  const time = (milliseconds) =>
    milliseconds < 1_000 ? `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms` : `${(milliseconds / 1_000).toFixed(2)} s`;
  const cell = (name, task) => {
    const figure = of(name, task);
    if (figure?.stopped) return `> ${LIMIT / 1_000} s`;
    if (figure === undefined) return '-';
    const ours = of('ebbline', task);
    const ratio = name === 'ebbline' || ours === undefined ? '' : ` (${(figure.counted / ours.counted).toFixed(1)}x)`;
    return time(figure.counted) + ratio;
  };
  const names = [...new Set(figures.map(({ name }) => name))];
  const { bytes } = figures.find(({ task, stopped }) => task === 'session' && !stopped) ?? {};
  const heads = Object.keys(TASKS).map((task) =>
    task === 'session'
      ? `a session, ${(bytes / 1e6).toFixed(1)} MB`
      : `40,000 ${task === 'one letter' ? 'times one letter' : `characters, ${task}`}`,
  );
  const rows = names.map((name) => {
    const session = of(name, 'session');
    const more = session?.stopped ? ['', ''] : [time(session.worst), time(session.load)];
    return `| ${name}${versionOf(name)} | ${Object.keys(TASKS)
      .map((task) => cell(name, task))
      .join(' | ')} | ${more.join(' | ')} |`;
  });
  return [`| | ${heads.join(' | ')} | slowest string | load, first count |`, `|${'---|'.repeat(heads.length + 3)}`, ...rows].join('\n');
}

function versionOf(name) {
  if (name === 'ebbline') return '';
  const require = createRequire(import.meta.url);
  const folder = require.resolve
    .paths(name)
    .map((place) => join(place, name))
    .find((place) => existsSync(join(place, 'package.json')));
  return folder === undefined ? '' : ` ${JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version}`;
}

async function main() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      encoding: { type: 'string', default: 'o200k' },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
      measure: { type: 'string' },
      task: { type: 'string', default: 'session' },
    },
  });
  const { encoding, task } = values;
  if (values.measure !== undefined) return measureHere(values.measure, task, encoding);
  const figures = measureAll({ rounds: Number(values.rounds), encoding, only: values.only?.split(',') });
  const sums = new Set(
    figures
      .filter(({ name, stopped }) => !stopped && name !== '@anthropic-ai/tokenizer')
      .map(({ task, tokens }) => `${task}: ${tokens} tokens`),
  );
  console.log(values.json ? JSON.stringify(figures, null, 2) : `${tableOf(figures)}\n\n${[...sums].join('\n')}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
