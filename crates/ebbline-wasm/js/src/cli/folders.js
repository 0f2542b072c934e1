import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { FileError, whyOf } from './exit.js';

/**
 * A file to work on; one that was found in a folder may be no session at all.
 *
 * @typedef {{ name: string, isFound: boolean, size: number }} Listed
 */

/**
 * The files that names on the command line mean: a folder means every file below it, in the order of their names.
 *
 * @param {string[]} names
 * @param {(error: Error) => void} refuse takes what cannot be listed
 * @returns {Listed[]}
 */
export function listed(names, refuse) {
  /** A session is one, however many links lead to it. */
  const seen = new Set();
  const isNew = ({ number }) => number === undefined || (!seen.has(number) && seen.add(number));
  return names.flatMap((name) => {
    const found = name === '-' ? undefined : statSync(name, { throwIfNoEntry: false });
    if (!found?.isDirectory()) return [{ name, isFound: false, size: found?.size ?? 0 }];
    const files = [...below(name, refuse)];
    if (files.length === 0) refuse(new FileError(`${name} holds no file`));
    return files.filter(isNew).map(({ number: _, ...file }) => file);
  });
}

/**
 * The files below a folder. Links to files are followed, links to folders are not: they may lead back.
 *
 * @returns {Generator<Listed & { number?: string }>} with what is the same for all names of a file
 */
function* below(folder, refuse) {
  for (const entry of entriesOf(folder, refuse)) {
    const name = join(folder, entry.name);
    if (entry.isDirectory()) yield* below(name, refuse);
    const found = entry.isFile() || entry.isSymbolicLink() ? statSync(name, { throwIfNoEntry: false }) : undefined;
    // Windows numbers no files where it cannot.
    const number = found?.ino ? `${found.dev}:${found.ino}` : undefined;
    if (found?.isFile()) yield { name, isFound: true, size: found.size, number };
  }
}

function entriesOf(folder, refuse) {
  try {
    const order = (one, other) => (one.name < other.name ? -1 : 1);
    return readdirSync(folder, { withFileTypes: true }).sort(order);
  } catch (error) {
    refuse(new FileError(`cannot read ${folder}: ${whyOf(error)}`));
    return [];
  }
}
