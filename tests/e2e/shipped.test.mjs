// The page's files reveal nothing about the machine that built them. They are checked on the disk, without a browser.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

test('no file of the page names a folder of the machine that built it', () => {
  const files = readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(files.some(({ name }) => name.endsWith('.wasm')));
  const places = [root, `${homedir()}/`, '.cargo/registry', '.rustup', process.env.CARGO_HOME, process.env.RUSTUP_HOME];
  for (const { parentPath, path, name } of files) {
    const content = readFileSync(join(parentPath ?? path, name));
    for (const place of places.filter((place) => place?.length > 2)) assert.ok(!content.includes(place), `${name} holds ${place}`);
  }
});
