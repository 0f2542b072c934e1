import { fstatSync, readFileSync } from 'node:fs';

import { textOfBytes } from './engine.js';
import { FileError, whyOf } from './exit.js';

/** The bytes of a file, or of standard input for `-`. */
export async function readBytes(name) {
  try {
    return name === '-' ? await readStdin() : readFileSync(name);
  } catch (error) {
    throw new FileError(`cannot read ${nameOf(name)}: ${whyOf(error)}`);
  }
}

/** The text of a file, without a byte order mark; invalid UTF-8 is refused with its place. */
export async function readText(name) {
  const bytes = await readBytes(name);
  try {
    return textOfBytes(bytes).replace(/^\ufeff/, '');
  } catch (error) {
    throw new FileError(`cannot read ${nameOf(name)}: ${error.message}`);
  }
}

/** The name of a file in messages. */
export function nameOf(name) {
  return name === '-' ? 'standard input' : name;
}

async function readStdin() {
  // Node treats a folder like a stream at its end.
  if (fstatSync(process.stdin.fd).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}
