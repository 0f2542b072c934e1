import { readFileSync, writeFileSync } from 'node:fs';

import { FileError } from './exit.js';

/** The bytes of a file, or of standard input for `-`. */
export async function readBytes(name) {
  try {
    return name === '-' ? await readStdin() : readFileSync(name);
  } catch (error) {
    throw new FileError(`cannot read ${nameOf(name)}: ${whyOf(error)}`);
  }
}

export function writeBytes(name, bytes) {
  try {
    writeFileSync(name, bytes);
  } catch (error) {
    throw new FileError(`cannot write ${name}: ${whyOf(error)}`);
  }
}

/** What a file is called in messages. */
export function nameOf(name) {
  return name === '-' ? 'standard input' : name;
}

async function readStdin() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function whyOf({ code, message }) {
  const reasons = { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'it is not allowed' };
  return reasons[code] ?? message;
}
