// The tokenizers of the package under test, as the entries of `exports` name them.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { manifest, packageFolder } from '../package.mjs';

/** The file of an entry: `import`, `require` or `browser`. */
export function entry(encoding, condition) {
  const entries = manifest.exports[`./tokenizers/${encoding}`];
  return join(packageFolder, (entries.node[condition] ?? entries[condition]).default);
}

/** A file of the tokenizers. */
export const file = (name) => join(packageFolder, manifest.exports[`./tokenizers/${name}`]);

/** The tokenizers for `import`. */
export const tokenizers = (encoding) => import(pathToFileURL(entry(encoding, 'import')).href);

/** The tokenizers for `require`. */
export const required = (encoding) => createRequire(import.meta.url)(entry(encoding, 'require'));
