// Finds the adapters of the package under test.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ebbline, manifest, packageFolder } from '../npm/package.mjs';

export { ebbline };

/** The adapter of this name, as `import` gives it. */
export async function adapter(name) {
  return import(pathToFileURL(join(packageFolder, manifest.exports[`./${name}`].import.default)).href);
}

/** The adapter of this name, as `require` gives it. */
export function requiredAdapter(name) {
  return createRequire(import.meta.url)(join(packageFolder, manifest.exports[`./${name}`].require.default));
}
