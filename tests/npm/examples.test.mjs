// Every program in examples/ runs, and prints the lines at its end.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { packageFolder } from './package.mjs';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));

/** A separate project in which `ebbline` is the package under test. */
const project = mkdtempSync(join(tmpdir(), 'ebbline-examples-'));
after(() => rmSync(project, { recursive: true, force: true }));
cpSync(examples, project, { recursive: true });
mkdirSync(join(project, 'node_modules'));
symlinkSync(packageFolder, join(project, 'node_modules/ebbline'), 'junction');

/** The other programs import it. */
const SHARED = 'model.mjs';
const programs = readdirSync(examples).filter((name) => name.endsWith('.mjs') && name !== SHARED);

test('there are examples, and README.md names each of them', () => {
  const readme = readFileSync(join(examples, 'README.md'), 'utf8');
  assert.ok(programs.length >= 5);
  for (const name of programs) assert.ok(readme.includes(`| [${name}](${name}) |`), name);
});

for (const name of programs) {
  test(`${name} prints what it says`, () => {
    const source = readFileSync(join(examples, name), 'utf8');
    const expected = source
      .split('\n')
      .filter((line) => line.startsWith('// → '))
      .map((line) => line.slice('// → '.length));
    assert.ok(expected.length > 0, 'it says nothing');
    const { status, stdout, stderr } = spawnSync(process.execPath, [name], { cwd: project, encoding: 'utf8', timeout: 60_000 });
    assert.equal(stderr, '');
    assert.equal(status, 0);
    assert.deepEqual(stdout.trimEnd().split('\n'), expected);
  });
}
