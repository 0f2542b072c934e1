// Texts for people, as last reviewed. `UPDATE_SNAPSHOTS=1` writes them again.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Asserts that a text equals `snapshots/name.txt`. */
export function matchesSnapshot(name, text) {
  const path = join(dirname(fileURLToPath(import.meta.url)), 'snapshots', `${name}.txt`);
  if (process.env.UPDATE_SNAPSHOTS) writeFileSync(path, text);
  assert.equal(text, readFileSync(path, 'utf8'));
}
