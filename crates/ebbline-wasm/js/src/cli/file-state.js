// A session file as it was when it was read: an agent may append to it while it is compacted. A file that changed since is not
// replaced, because what came since would be lost.

import { closeSync, openSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';

import { FileError } from './exit.js';
import { amount } from './style.js';

/** @typedef {{ path: string, state: import('node:fs').BigIntStats }} Seen */

/**
 * The file of this name; `undefined` for standard input and what is no file. It must be called before the file is read.
 *
 * @param {string} name
 * @returns {Seen | undefined}
 */
export function seenOf(name) {
  if (name === '-') return undefined;
  try {
    const path = realpathSync(name);
    const state = stateOf(path);
    return state?.isFile() ? { path, state } : undefined;
  } catch {
    return undefined;
  }
}

/** Refuses to write the file `target` if it is the one that was seen and has changed. @param {Seen | undefined} seen */
export function checkUnchanged(seen, target) {
  if (seen?.path !== target) return;
  const what = changeOf(seen.state, stateOf(target));
  if (what === undefined) return;
  throw new FileError(
    `${what} since it was read, and what came since would be lost; write to another file, or try again when nobody writes to it`,
  );
}

function changeOf(before, now) {
  if (now === undefined) return 'it is gone';
  if (now.ino !== before.ino || now.dev !== before.dev) return 'another file took its place';
  if (now.size !== before.size) return `it went from ${amount(Number(before.size))} to ${amount(Number(now.size))} bytes`;
  return now.mtimeNs === before.mtimeNs ? undefined : 'it was written to';
}

/**
 * Replaces the file that was seen, and takes along what is appended between the check and the replacement.
 *
 * @param {Seen | undefined} seen
 * @param {() => Promise<void>} rename
 */
export async function replacing(seen, target, rename) {
  if (seen?.path !== target) return rename();
  const old = openSync(target, 'r');
  try {
    checkUnchanged(seen, target);
    await rename();
    const tail = readFileSync(old).subarray(Number(seen.state.size));
    if (tail.length > 0) await appendFile(target, tail);
  } finally {
    closeSync(old);
  }
}

function stateOf(path) {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
