// Runs the steps of a case in a folder of its own, and tells what the program answered and which files it changed.

import { spawn } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { bytesOf, nameOf, notation } from './notation.mjs';
import { content } from './table.mjs';

/** A step that takes longer is ended. */
const LIMIT = 120_000;
/** Around a step if it says nothing else. */
const SURROUNDINGS = { COLUMNS: '100', LANG: 'C.UTF-8', TERM: 'xterm' };

function lay(folder, before) {
  for (const [name, what] of Object.entries(before)) {
    const given = typeof what === 'string' ? { text: what } : what;
    const path = Buffer.concat([Buffer.from(`${folder}/`), bytesOf(name)]);
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    if (given.link !== undefined) symlinkSync(given.link, path);
    else if (given.folder) mkdirSync(path, { recursive: true });
    else writeFileSync(path, content(given));
    if (given.mode !== undefined) chmodSync(path, Number.parseInt(given.mode, 8));
  }
}

/** What a folder holds: the content of each file, and what else there is to tell of it. */
function held(folder) {
  const read = (path) => steady(readFileSync(path), folder);
  const found = new Map();
  const look = (place, shown) => {
    for (const name of readdirSync(place, { encoding: 'buffer' }).sort(Buffer.compare)) {
      const path = Buffer.concat([place, Buffer.from('/'), name]);
      const label = `${shown}${nameOf(name)}`;
      const entry = lstatSync(path);
      if (entry.isDirectory()) {
        found.set(`${label}/`, { mode: undefined, kind: 'a folder' });
        look(path, `${label}/`);
      } else if (entry.isSymbolicLink()) found.set(label, { mode: undefined, kind: `a link to ${readlinkSync(path)}` });
      else if (entry.isFile()) found.set(label, { mode: (entry.mode & 0o7777).toString(8), bytes: read(path) });
      else found.set(label, { mode: undefined, kind: 'a pipe' });
    }
  };
  look(Buffer.from(folder), '');
  return found;
}

/** The contents of files by their names. @returns {[string, Buffer][]} */
function contents(files, when = '') {
  return [...files].flatMap(([name, { bytes }]) => (bytes === undefined ? [] : [[`${name}${when}`, bytes]]));
}

/** The lines about files that a step made, changed or removed. */
function filesAfter(before, after, others) {
  const lines = [];
  for (const [name, { mode, kind, bytes }] of after) {
    const old = before.get(name);
    const usual = old?.mode ?? '644';
    const modes = mode === undefined || mode === usual ? '' : `, mode ${mode}`;
    if (kind !== undefined) {
      if (old?.kind !== kind) lines.push(`file ${name}: ${kind}`);
    } else if (old?.bytes === undefined || !old.bytes.equals(bytes) || modes !== '') {
      lines.push(`file ${name}${modes}`, ...notation(bytes, others).map((line) => `  ${line}`));
    }
  }
  for (const name of before.keys()) if (!after.has(name)) lines.push(`file ${name} is gone`);
  return lines;
}

/** What varies from run to run: the folder, the number of the process, the version where it stands alone, and how long the work took. */
function steady(bytes, folder) {
  const text = bytes.toString('latin1');
  const known = text
    .replaceAll(folder, '<folder>')
    .replace(/\/proc\/\d+/g, '/proc/<process>')
    .replace(/^\d+\.\d+\.\d+\S*\n$/, '<version>\n')
    .replace(/"ebbline \d+\.\d+\.\d+\S*"/g, '"ebbline <version>"')
    .replace(/0x[0-9a-f]{16}/g, '0x<address>')
    .replace(/"milliseconds":\d+/g, '"milliseconds":0')
    .replace(/ in [\d.]+ m?s \([\d.,]+ .?B\/s\)/g, ' in <time>');
  return Buffer.from(known, 'latin1');
}

function ended(program, args, { cwd, env, stdin }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env });
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT);
    const [out, notes] = [[], []];
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (chunk) => notes.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, out: Buffer.concat(out), notes: Buffer.concat(notes) });
    });
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
  });
}

/** Runs commands of a host that forks: `fork.py` in a Python whose start is paid once. */
export class Forks {
  #server;
  #isOver = false;
  /** @type {Map<number, (ended: any) => void>} */
  #waiting = new Map();
  #count = 0;

  constructor(python, env) {
    const program = fileURLToPath(new URL('fork.py', import.meta.url));
    this.#server = spawn(python, [program], {
      env: { PATH: process.env.PATH, ...SURROUNDINGS, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const over = (/** @type {unknown} */ why) => {
      this.#isOver = true;
      for (const end of this.#waiting.values())
        end({ code: null, signal: null, out: Buffer.alloc(0), notes: Buffer.from(`fork.py is gone: ${why}`) });
      this.#waiting.clear();
    };
    this.#server.on('error', over);
    this.#server.on('exit', over);
    this.#server.stdin.on('error', () => {});
    createInterface(this.#server.stdout).on('line', (line) => {
      const { id, out, notes, ...how } = JSON.parse(line);
      this.#waiting.get(id)?.({ ...how, out: Buffer.from(out, 'base64'), notes: Buffer.from(notes, 'base64') });
      this.#waiting.delete(id);
    });
  }

  ended(args, { cwd, env, stdin }) {
    const id = (this.#count += 1);
    if (this.#isOver) return Promise.reject(new Error('fork.py is gone'));
    const asked = { id, args, cwd, env, stdin: Buffer.from(stdin).toString('base64'), limit: LIMIT / 1_000 };
    this.#server.stdin.write(`${JSON.stringify(asked)}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  close() {
    this.#server.stdin.end();
  }
}

const quoted = (word) => (/^[\w@$%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** How a step is told: as in its table. */
function asked({ written, env, stdin, through }) {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value} `);
  const input = stdin === '' ? '' : ` <<< ${typeof stdin === 'string' ? quoted(stdin) : JSON.stringify(stdin)}`;
  const lines = [`$ ${variables.join('')}ebbline ${written.map(quoted).join(' ')}${input}`];
  if (through !== undefined) lines.push(`  through ${through}`);
  return lines.map((line) => line.replaceAll('\n', '⏎'));
}

/**
 * The answer of a program to a case, in lines.
 *
 * @param {{ before: Record<string, any>, steps: any[] }} given
 * @param {{ command: string[], env: Record<string, string | undefined>, forks?: Forks }} host
 */
export async function answer({ before, steps }, { command, env: own, forks }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ebbline-case-')));
  try {
    lay(folder, before);
    const lines = [];
    let there = held(folder);
    const first = there;
    const outputs = new Map();
    let count = 0;
    for (const step of steps) {
      const { args, env, stdin, through } = step;
      const put = (text) => text.replaceAll('$FOLDER', folder);
      const surroundings = { PATH: process.env.PATH, HOME: folder, ...SURROUNDINGS, ...own };
      for (const [name, value] of Object.entries(env)) surroundings[name] = put(value);
      const [program, ...rest] = [...command, ...args.map(put)];
      const script = ['bash', ['-c', through, 'bash', program, ...rest]];
      const [called, given] = through === undefined ? [program, rest] : script;
      const input = content(stdin);
      const around = { cwd: folder, env: surroundings, stdin: input };
      const isForked = forks !== undefined && through === undefined;
      const { code, signal, out, notes } = await (isForked ? forks.ended(args.map(put), around) : ended(called, given, around));
      const after = held(folder);
      const others = new Map([['standard input', input], ...contents(there), ...contents(first, ' at first'), ...outputs]);
      const told = (bytes) => notation(steady(bytes, folder), others).map((line) => `  ${line}`);
      lines.push(...asked(step), ...told(out));
      outputs.set(`output ${(count += 1)}`, steady(out, folder));
      if (notes.length > 0) lines.push('errors', ...told(notes));
      if (code !== 0) lines.push(signal === null ? `exit ${code}` : `ended by ${signal}`);
      lines.push(...filesAfter(there, after, others));
      there = after;
    }
    return lines;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
