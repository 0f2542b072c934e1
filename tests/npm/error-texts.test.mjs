// Texts of providers and servers as they were reported in public, each with its reference: what they mean, and the window that they name.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { classifyError } = ebbline;
const ROWS = JSON.parse(readFileSync(new URL('../errors/texts.json', import.meta.url), 'utf8'));

for (const { ref, who, error, kind, window } of ROWS) {
  test(`${who} (${ref}): ${error.slice(0, 60)}`, () => {
    const found = classifyError(new Error(error));
    assert.equal(found.kind, kind, JSON.stringify(found.evidence));
    assert.equal(found.evidence?.window, window);
  });
}
