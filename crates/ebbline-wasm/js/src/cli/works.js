// What the commands about many sessions do with one of them, in this thread or another: the results are plain data.

import { audit, compare, detect } from '../node.js';
import { swept } from './engine.js';
import { Exit, exitCodeOf } from './exit.js';
import { faultOf } from './fault.js';
import { readBytes } from './files.js';

/**
 * What became of a file: a value, nothing because no format recognises it, or a failure.
 *
 * @typedef {{ value: any, skipped?: undefined, failure?: undefined }
 *   | { skipped: string, value?: undefined, failure?: undefined }
 *   | { failure: { exit: number, message: string, isComplete: boolean }, value?: undefined, skipped?: undefined }} Done
 */

/** @type {Record<string, (bytes: Uint8Array, given: any) => any>} */
const WORKS = {
  audit: (bytes, { options }) => audit(bytes, options),
  compare: (bytes, { policies, options }) => compare(bytes, policies, options),
  sweep: (bytes, { grid, options }) => swept(grid, options, ({ weigh }) => weigh(bytes)),
};

/**
 * Does one command's work on one file.
 *
 * @param {string} kind
 * @param {any} given
 * @param {{ name: string, isFound: boolean }} file
 * @returns {Promise<Done>}
 */
export async function done(kind, given, { name, isFound }) {
  /** @type {Uint8Array | undefined} */
  let bytes;
  try {
    bytes = await readBytes(name);
    return { value: WORKS[kind](bytes, given) };
  } catch (error) {
    const skipped = isFound && bytes !== undefined ? whyNoSession(bytes) : undefined;
    if (skipped !== undefined) return { skipped };
    const exit = exitCodeOf(error);
    const message = exit === Exit.FAULT ? faultOf(error) : error.message;
    // The error of a file that cannot be read names the file; mistakes on the command line concern all files.
    return { failure: { exit, message, isComplete: bytes === undefined || exit === Exit.USAGE } };
  }
}

/** Why a file in a folder is no session to work on; `undefined` if it is one, and something else is wrong with it. */
function whyNoSession(bytes) {
  try {
    const { supported, title } = detect(bytes);
    return supported ? undefined : title;
  } catch {
    return '';
  }
}
