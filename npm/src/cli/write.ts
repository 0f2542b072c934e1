/**
 * Writes a file so that nothing is lost: at every moment the name refers either to the complete old content or to the
 * complete new content.
 *
 * The new content is written to a file beside it, flushed to the disk, and moved into place by a rename. Mode and, if
 * the system allows it, owner are preserved. A link stays a link, and its target is replaced. Other hard links keep
 * the old content, because a rename gives the name to a new file.
 */

import { type Stats, closeSync, constants, lstatSync, openSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, access, appendFile, open, rename } from 'node:fs/promises';

import { type Seen, jsonOf, stateOf } from './files.js';
import { Refused, refusalOf } from './refusal.js';

/** How many bytes are written at a time; in between, events such as Ctrl-C are handled. */
const CHUNK = 1 << 20;
/** The maximum number of links that the kernel follows. */
const MOST_LINKS = 40;
const DESCRIPTOR = /^\/(dev\/fd|proc\/[^/]+\/fd)$/;
/** The signals that end a program without a handler. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** What shows that a file is the same one, and was not written to. */
const SEEN = ['ino', 'dev', 'size', 'mtimeNs'] as const;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const isWindows = process.platform === 'win32';

/** @param seen the file that was read: it is not replaced if it has changed since */
export async function writeFileSafely(path: Buffer, bytes: Uint8Array, seen: Seen | undefined): Promise<void> {
  const found = statSync(path, { throwIfNoEntry: false });
  const target = found === undefined || found.isFile() ? targetOf(path) : undefined;
  if (target === undefined) await writeDirectly(path, bytes);
  else await replace(target, found, bytes, seen);
}

/** Refuses a file that was `seen` and has changed since. */
export function refuseChanged(path: Buffer, seen: Seen | undefined): void {
  const target = targetOf(path);
  if (target !== undefined) checkUnchanged(seen, target);
}

/** Refuses to write the file `target` if it is the one that was seen and has changed. */
function checkUnchanged(seen: Seen | undefined, target: Buffer): void {
  if (seen === undefined || !seen.path.equals(target)) return;
  const before = seen.state;
  const now = stateOf(target);
  if (SEEN.every((name) => now?.[name] === before[name])) return;
  const json = now === undefined ? null : jsonOf({ path: target, state: now });
  throw new Refused(`{"Changed":{"before":${jsonOf(seen)},"now":${json}}}`);
}

/** Replaces the file that was seen, and takes along what is appended between the check and the replacement. */
async function replacing(seen: Seen | undefined, target: Buffer, move: () => Promise<void>): Promise<void> {
  if (seen === undefined || !seen.path.equals(target)) return move();
  const old = openSync(target, 'r');
  try {
    checkUnchanged(seen, target);
    await move();
    const tail = readFileSync(old).subarray(Number(seen.state.size));
    if (tail.length > 0) await appendFile(target, tail);
  } finally {
    closeSync(old);
  }
}

/**
 * The path of the file itself, behind all links, whether it exists or not. `undefined` if the name can only be
 * opened: a descriptor of this process, or a name that means a folder.
 */
function targetOf(name: Buffer): Buffer | undefined {
  let path = name;
  for (let links = 0; links < MOST_LINKS; links += 1) {
    const { folder: above, last } = parted(path);
    if (last.length === 0) return undefined;
    const folder = realpathSync(above, { encoding: 'buffer' });
    if (DESCRIPTOR.test(folder.toString())) return undefined;
    path = joined(folder, last);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
    const next = readlinkSync(path, { encoding: 'buffer' });
    path = next[0] === SLASH ? next : joined(folder, next);
  }
  throw Object.assign(new Error(), { code: 'ELOOP' });
}

/** The folder of a path, and its last part: empty if the path means a folder. */
function parted(path: Buffer): { folder: Buffer; last: Buffer } {
  const at = Math.max(path.lastIndexOf(SLASH), isWindows ? path.lastIndexOf(BACKSLASH) : -1);
  const folder = at < 0 ? Buffer.from('.') : path.subarray(0, Math.max(at, 1));
  return { folder, last: path.subarray(at + 1) };
}

function joined(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat(folder.at(-1) === SLASH ? [folder, name] : [folder, Buffer.from('/'), name]);
}

/** Writes in place: a pipe or a device has no old content, and a file behind a descriptor must stay the same file. */
async function writeDirectly(name: Buffer, bytes: Uint8Array): Promise<void> {
  const file = await open(name, constants.O_WRONLY | constants.O_APPEND);
  try {
    await writeAll(file, bytes);
  } finally {
    await file.close();
  }
}

async function replace(target: Buffer, found: Stats | undefined, bytes: Uint8Array, seen: Seen | undefined): Promise<void> {
  // A file without write permission must not be replaced, even if its folder allows that.
  if (found !== undefined) await access(target, constants.W_OK);
  const { folder } = parted(target);
  // If the name exists already, opening the file fails.
  const beside = joined(folder, Buffer.from(`.ebbline-${process.pid}-${Math.random().toString(36).slice(2)}.tmp`));
  const remove = () => rmSync(beside, { force: true });
  const cleanUp = removedOnSignals(remove);
  try {
    const file = await openBeside(beside, folder, found);
    try {
      await writeAll(file, bytes);
      if (found !== undefined) await takeOver(file, found);
      await file.sync();
    } finally {
      await file.close();
    }
    await replacing(seen, target, () => rename(beside, target));
  } catch (error) {
    remove();
    throw error;
  } finally {
    cleanUp();
  }
  await syncFolder(folder);
}

async function openBeside(beside: Buffer, folder: Buffer, found: Stats | undefined): Promise<FileHandle> {
  try {
    // The replacement of a private file is private even before it gets the same mode.
    return await open(beside, 'wx', found === undefined ? 0o666 : 0o600);
  } catch (error) {
    throw new Refused(`{"Beside":{"folder":${JSON.stringify([...folder])},"why":${refusalOf(error)}}}`);
  }
}

/** Gives a file another file's mode and, if the system allows it, owner. */
async function takeOver(file: FileHandle, { mode, uid, gid }: Stats): Promise<void> {
  const own = await file.stat();
  let isSameOwner = own.uid === uid && own.gid === gid;
  if (!isSameOwner) {
    isSameOwner = await file.chown(uid, gid).then(
      () => true,
      () => false,
    );
  }
  // With another owner, the set-user-ID bit would grant that owner's rights.
  await file.chmod(mode & (isSameOwner ? 0o7777 : 0o777));
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, Math.min(CHUNK, bytes.length - at));
    at += bytesWritten;
  }
}

/** Flushes the folder, so that the name is on the disk. Some systems cannot do this, and the content is safe without
 * it. */
async function syncFolder(folder: Buffer): Promise<void> {
  try {
    const handle = await open(folder, constants.O_RDONLY);
    await handle.sync().finally(() => handle.close());
  } catch {
    // See above.
  }
}

/** Removes the partial file if a signal ends the program, until what it returns is called. */
function removedOnSignals(remove: () => void): () => void {
  const end = (signal: NodeJS.Signals) => {
    stop();
    remove();
    process.kill(process.pid, signal);
  };
  const stop = () => ENDING.forEach((signal) => process.off(signal, end));
  ENDING.forEach((signal) => process.on(signal, end));
  return stop;
}
