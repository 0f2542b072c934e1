// Where a session goes that a command has written: to a file, or to standard output.

import { UsageError } from './exit.js';
import { isStandardOutput } from './output.js';

/** Refuses options that leave no place for the session or the report. @returns {boolean} whether the session is printed */
export function isDelivered(command, values) {
  if (values.out === '') throw new UsageError('-o needs the name of a file, or - for standard output');
  const isPrinted = values.out === undefined || isStandardOutput(values.out);
  if (values.json && isPrinted) {
    throw new UsageError(`${command} --json needs -o OUT: standard output is either the session or the report`);
  }
  return isPrinted;
}

/**
 * Writes a session: the file is replaced as a whole or not at all.
 *
 * @param {Uint8Array} bytes
 * @param {{ out?: string }} values
 * @param {any} out
 * @param {import('./file-state.js').Seen} [seen] the file that was read
 */
export async function deliver(bytes, { out: name }, out, seen) {
  if (name === undefined || isStandardOutput(name)) {
    out.write(bytes);
    return;
  }
  // Most commands write no file and need not wait for this import.
  const { writeFileSafely } = await import('./write.js');
  await writeFileSafely(name, bytes, seen);
}
