/**
 * Writes a file so that nothing is lost: whatever happens, under its name stands either all that was there before or all
 * that is new.
 *
 * The new content goes into a file beside it, reaches the disk, and takes its place by a rename. Mode and, where the
 * system allows it, owner stay. A link stays a link: what it points to is replaced. Other hard links keep the old content,
 * for a rename gives the name to a new file.
 */

import { constants, lstatSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { access, open, rename } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';

import { FileError, whyOf } from './exit.js';

/** So much is written between two looks at what else has happened, such as Ctrl-C. */
const CHUNK = 1 << 20;
/** The most links that the kernel follows. */
const MOST_LINKS = 40;
const DESCRIPTOR = /^\/(dev\/fd|proc\/[^/]+\/fd)$/;
/** What ends a program that has not asked to be told. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * @param {string} name
 * @param {Uint8Array} bytes
 */
export async function writeFileSafely(name, bytes) {
  try {
    const found = statOf(name);
    const target = found === undefined || found.isFile() ? targetOf(name) : undefined;
    if (target === undefined) await writeDirectly(name, bytes);
    else await replace(target, found, bytes);
  } catch (error) {
    throw new FileError(`cannot write ${name}: ${error instanceof FileError ? error.message : whyOf(error)}`);
  }
}

/** What stands under a name, links followed; nothing if there is nothing yet. */
function statOf(name) {
  return statSync(name, { throwIfNoEntry: false });
}

/**
 * The path of the file itself, behind all links, whether it is there or not. Nothing when it can only be opened: a
 * descriptor of this process, or a name that means a folder.
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

/** Of a pipe or a device there is nothing to keep. What is in a file that a descriptor is open on stays. */
async function writeDirectly(name, bytes) {
  const file = await open(name, constants.O_WRONLY | constants.O_APPEND);
  try {
    await writeAll(file, bytes);
  } finally {
    await file.close();
  }
}

async function replace(target, found, bytes) {
  // A file that may not be written is not to be replaced either, though its folder would allow it.
  if (found !== undefined) await access(target, constants.W_OK);
  const folder = dirname(target);
  // A name that is taken, by whatever accident, is refused when it is opened.
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
    await rename(beside, target);
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
    // What replaces a private file is private before it has the same mode.
    return await open(beside, 'wx', found === undefined ? 0o666 : 0o600);
  } catch (error) {
    throw new FileError(`no file can be made beside it, in ${folder}: ${whyOf(error)}`);
  }
}

/** Gives a file the owner, if the system allows it, and the mode of another. */
async function takeOver(file, { mode, uid, gid }) {
  const own = await file.stat();
  let isSameOwner = own.uid === uid && own.gid === gid;
  if (!isSameOwner) {
    isSameOwner = await file.chown(uid, gid).then(() => true, () => false);
  }
  // Whoever runs a program with the rights of its file's owner must not get those of another.
  await file.chmod(mode & (isSameOwner ? 0o7777 : 0o777));
}

async function writeAll(file, bytes) {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, Math.min(CHUNK, bytes.length - at));
    at += bytesWritten;
  }
}

/** The name is on the disk when its folder is. Some systems cannot do that, and the content is safe without it. */
async function syncFolder(folder) {
  try {
    const handle = await open(folder, constants.O_RDONLY);
    await handle.sync().finally(() => handle.close());
  } catch {
    // See above.
  }
}

/** Removes what is half written when a signal ends the program. @returns {() => void} what takes that back */
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
