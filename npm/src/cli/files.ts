// Files and folders. Names cross as the bytes that they have.

import { type BigIntStats, type Dirent, type Stats, fstatSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';

import { refusalOf } from './refusal.js';

/** The bytes of a name. */
export type Name = readonly number[];

/** What is in a folder. */
interface Entry {
  name: Name;
  kind: 'Folder' | { File: { size: number; number: string | null } };
}

/** The path of a name. */
export function pathOf(name: Name): Buffer {
  return Buffer.from(name);
}

/** Whether a name is that of standard input. */
export function isStdin(name: Name): boolean {
  return name.length === 1 && name[0] === 0x2d;
}

/** The bytes of a file. */
export function readFile(name: Name): Buffer {
  return readFileSync(pathOf(name));
}

/** The bytes of standard input. */
export async function readStdin(): Promise<Buffer> {
  // Node treats a folder like a stream at its end.
  if (fstatSync(process.stdin.fd).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What a name refers to, behind all links. */
export function kindOf(name: Name): 'Folder' | { File: number } | { Other: number } {
  const found = statOf(pathOf(name));
  if (found?.isDirectory()) return 'Folder';
  return found?.isFile() ? { File: found.size } : { Other: found?.size ?? 0 };
}

/** What a folder holds, or how large a file is. */
export function listingOf(name: Name): string {
  const path = pathOf(name);
  const found = statOf(path);
  if (!found?.isDirectory()) return JSON.stringify({ File: found?.size ?? 0 });
  try {
    return JSON.stringify({
      Folder: readdirSync(path, { withFileTypes: true, encoding: 'buffer' }).flatMap((entry) => entryOf(path, entry)),
    });
  } catch (error) {
    return `{"Unread":${refusalOf(error)}}`;
  }
}

/** What something in a folder is, in a list; nothing for what is neither file nor folder. */
function entryOf(folder: Buffer, entry: Dirent<Buffer>): Entry[] {
  const name = [...entry.name];
  if (entry.isDirectory()) return [{ name, kind: 'Folder' }];
  const isFile = entry.isFile() || entry.isSymbolicLink();
  const found = isFile ? statOf(Buffer.concat([folder, Buffer.from('/'), entry.name])) : undefined;
  // Windows numbers no files where it cannot.
  const number = found?.ino ? `${found.dev}:${found.ino}` : null;
  return found?.isFile() ? [{ name, kind: { File: { size: found.size, number } } }] : [];
}

function statOf(path: Buffer): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** A file as it is, which may be written to later. */
export interface Seen {
  path: Buffer;
  state: BigIntStats;
}

/** The file of a name; `undefined` for what is no file. */
export function seenOf(name: Name): Seen | undefined {
  try {
    const path = realpathSync(pathOf(name), { encoding: 'buffer' });
    const state = stateOf(path);
    return state?.isFile() ? { path, state } : undefined;
  } catch {
    return undefined;
  }
}

export function stateOf(path: Buffer): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/** The same in JSON: some of its numbers are larger than JavaScript's. */
export function jsonOf({ path, state: { size, mtimeNs, dev, ino } }: Seen): string {
  return `{"path":${JSON.stringify([...path])},"size":${size},"changed":${mtimeNs},"number":[${dev},${ino}]}`;
}
