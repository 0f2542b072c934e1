/**
 * Writes a file so that nothing is lost: at every moment the name refers either to the complete old content or to the
 * complete new content.
 *
 * The new content is written to a file beside it, flushed to the disk, and moved into place by a rename. Mode and, if
 * the system allows it, owner are preserved. A link stays a link, and its target is replaced. Other hard links keep
 * the old content, because a rename gives the name to a new file.
 */

import { constants, lstatSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { access, open, rename } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';

import { FileError, whyOf } from './exit.js';
import { checkUnchanged, replacing } from './file-state.js';

/** How many bytes are written at a time; in between, events such as Ctrl-C are handled. */
const CHUNK = 1 << 20;
/** The maximum number of links that the kernel follows. */
const MOST_LINKS = 40;
const DESCRIPTOR = /^\/(dev\/fd|proc\/[^/]+\/fd)$/;
/** The signals that end a program without a handler. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * @param {string} name
 * @param {Uint8Array} bytes
 * @param {import('./file-state.js').Seen} [seen] the file that was read: it is not replaced if it has changed since
 */
export async function writeFileSafely(name, bytes, seen) {
  try {
    const found = statOf(name);
    const target = found === undefined || found.isFile() ? targetOf(name) : undefined;
    if (target === undefined) await writeDirectly(name, bytes);
    else await replace(target, found, bytes, seen);
  } catch (error) {
    throw cannotWrite(name, error);
  }
}

/** Refuses a file that was `seen` and has changed since. @param {import('./file-state.js').Seen | undefined} seen */
export function refuseChanged(name, seen) {
  try {
    checkUnchanged(seen, targetOf(name));
  } catch (error) {
    throw cannotWrite(name, error);
  }
}

function cannotWrite(name, error) {
  return new FileError(`cannot write ${name}: ${error instanceof FileError ? error.message : whyOf(error)}`);
}

/** The file that a name refers to, following links; `undefined` if it does not exist. */
function statOf(name) {
  return statSync(name, { throwIfNoEntry: false });
}

/**
 * The path of the file itself, behind all links, whether it exists or not. `undefined` if the name can only be
 * opened: a descriptor of this process, or a name that means a folder.
 */
function targetOf(name) {
  let path = name;
  for (let links = 0; links < MOST_LINKS; links += 1) {
    if (path.endsWith('/') || path.endsWith(sep)) return undefined;
    const folder = realpathSync(dirname(path));
    if (DESCRIPTOR.test(folder)) return undefined;
    path = join(folder, basename(path));
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
    const next = readlinkSync(path);
    path = isAbsolute(next) ? next : `${folder}${sep}${next}`;
  }
  throw new FileError('its links go round in a circle');
}

/** Writes in place: a pipe or a device has no old content, and a file behind a descriptor must stay the same file. */
async function writeDirectly(name, bytes) {
  const file = await open(name, constants.O_WRONLY | constants.O_APPEND);
  try {
    await writeAll(file, bytes);
  } finally {
    await file.close();
  }
}

async function replace(target, found, bytes, seen) {
  // A file without write permission must not be replaced, even if its folder allows that.
  if (found !== undefined) await access(target, constants.W_OK);
  const folder = dirname(target);
  // If the name exists already, opening the file fails.
  const beside = join(folder, `.ebbline-${process.pid}-${Math.random().toString(36).slice(2)}.tmp`);
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

async function openBeside(beside, folder, found) {
  try {
    // The replacement of a private file is private even before it gets the same mode.
    return await open(beside, 'wx', found === undefined ? 0o666 : 0o600);
  } catch (error) {
    throw new FileError(`no file can be made beside it, in ${folder}: ${whyOf(error)}`);
  }
}

/** Gives a file another file's mode and, if the system allows it, owner. */
async function takeOver(file, { mode, uid, gid }) {
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

async function writeAll(file, bytes) {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, Math.min(CHUNK, bytes.length - at));
    at += bytesWritten;
  }
}

/** Flushes the folder, so that the name is on the disk. Some systems cannot do this, and the content is safe without
 * it. */
async function syncFolder(folder) {
  try {
    const handle = await open(folder, constants.O_RDONLY);
    await handle.sync().finally(() => handle.close());
  } catch {
    // See above.
  }
}

/** Removes the partial file if a signal ends the program. @returns {() => void} removes the handlers */
function removedOnSignals(remove) {
  const end = (signal) => {
    stop();
    remove();
    process.kill(process.pid, signal);
  };
  const stop = () => ENDING.forEach((signal) => process.off(signal, end));
  ENDING.forEach((signal) => process.on(signal, end));
  return stop;
}
