// Texts of providers and servers as they were reported in public, each with its reference: what they mean, and the window that they name.
// `sent` is the size that the text says was sent.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { classifyError } = ebbline;
const ROWS = JSON.parse(readFileSync(new URL('../errors/texts.json', import.meta.url), 'utf8'));

for (const { ref, who, error, kind, code, window } of ROWS) {
  const said = typeof error === 'string' ? error : (error.message ?? error.errorMessage ?? error.title ?? JSON.stringify(error));
  test(`${who} (${ref}): ${said.slice(0, 60)}`, () => {
    // As SDKs throw it: an error that has the members of the body.
    const thrown = typeof error === 'string' ? new Error(error) : Object.assign(new Error(error.message ?? ''), error);
    const found = classifyError(thrown);
    assert.equal(found.kind, kind, JSON.stringify(found.evidence));
    assert.equal(found.code, code);
    assert.equal(found.evidence?.window, window);
  });
}

test('there are three hundred texts of sixty providers and servers', () => {
  const servers = new Set(ROWS.map(({ who }) => who.replace(/ (?:\(|via |in |log).*$/, '')));
  assert.ok(ROWS.length >= 300, String(ROWS.length));
  assert.ok(servers.size >= 60, String(servers.size));
  assert.ok(
    ROWS.every(({ ref }) => /[#/.]/.test(ref)),
    'every text has its reference',
  );
});
