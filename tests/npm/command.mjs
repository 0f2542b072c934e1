// Runs the command line as a person or a program runs it: that of the package, or the native one that EBBLINE_COMMAND names.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';

import { cliPath, fixtureFolder } from './package.mjs';

/** The native command line; without it, that of the package is run. */
const native = process.env.EBBLINE_COMMAND;
/** Whether the native command line is run. */
export const isNative = native !== undefined;
/** What the native command line has beside the commands of the package; it names them last. */
const NATIVE_COMMANDS = ', scan, completions, man';
/** The title of what its help says about them, at the end; and of what the help of the Python package says that it has not. */
const OWN_HELP = /\nOnly (the native program|in `npx ebbline` and the native program)\n/;

/** A text of the native command line without what the package has not: the commands of its own. */
export function asThePackage(text) {
  return text.split(OWN_HELP)[0].replaceAll(NATIVE_COMMANDS, '');
}

/** The program to be run, and its arguments. */
export function commandOf(args, cli = cliPath, asNative = isNative) {
  return asNative && cli === cliPath ? [native, ...args] : [process.execPath, cli, ...args];
}

/**
 * Runs the program in the folder of the fixtures.
 *
 * @param {string[]} args
 * @param {object} [how]
 * @param {string | Uint8Array} [how.input] standard input
 * @param {Record<string, string>} [how.env] in addition to the environment of the tests
 * @param {number} [how.read] after this many bytes of standard output the pipe is closed
 * @param {string} [how.cwd]
 * @param {string} [how.cli] another script for Node than the package's
 * @param {boolean} [how.isNative] whether the native command line is run
 * @param {string} [how.through] a shell script that runs the program as `"$@"`
 */
export function run(args, { input = '', read = Infinity, ...how } = {}) {
  return ended(start(args, how), input, read);
}

/** Starts the program and leaves it running. @param {string[]} args @param {Parameters<typeof run>[1]} [how] */
export function start(args, { env = {}, cwd = fixtureFolder, cli = cliPath, isNative: asNative = isNative, through } = {}) {
  const environment = { ...process.env, COLUMNS: '100', NO_COLOR: '', FORCE_COLOR: undefined, ...env };
  const command = commandOf(args, cli, asNative);
  const [program, ...rest] = through === undefined ? command : ['bash', '-c', through, 'bash', ...command];
  return spawn(program, rest, { cwd, env: environment });
}

/** The output of a started program, and how it ends. */
export function ended(child, /** @type {string | Uint8Array} */ input = '', read = Infinity) {
  return new Promise((resolve, reject) => {
    const out = [];
    const errors = [];
    let length = 0;
    child.stdout.on('data', (chunk) => {
      out.push(chunk);
      length += chunk.length;
      if (length > read) child.stdout.destroy();
    });
    child.stderr.on('data', (chunk) => errors.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ code, signal, bytes: Buffer.concat(out), out: String(Buffer.concat(out)), errors: String(Buffer.concat(errors)) }),
    );
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** Asserts that a program failed with one sentence and nothing else. */
export function assertSentence({ code, signal, errors }, exit, said) {
  assert.deepEqual([code, signal], [exit, null], errors);
  assert.match(errors, said);
  assert.match(errors, /^ebbline: [^\n]+\n(Try `ebbline --help`\.\n)?$/);
}
