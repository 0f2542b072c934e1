// Programs of examples/ in a project of their own, and the lines at their end, which say what they print.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { packageFolder, temporaryFolder } from './package.mjs';

/** A separate project with a folder of examples, in which `ebbline` is the package under test. */
export function projectOf(examples) {
  const project = temporaryFolder('ebbline-examples-');
  cpSync(examples, project, { recursive: true });
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(packageFolder, join(project, 'node_modules/ebbline'), 'junction');
  return project;
}

/** A program prints what it says; `file` is what runs, if it was compiled. */
export function testProgram(project, name, { file = name, skip = /** @type {string | false} */ (false) } = {}) {
  test(`${name} prints what it says`, { skip }, () => {
    const source = readFileSync(join(project, name), 'utf8');
    const expected = source
      .split('\n')
      .filter((line) => line.startsWith('// → '))
      .map((line) => line.slice('// → '.length));
    assert.ok(expected.length > 0, 'it says nothing');
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: project, encoding: 'utf8', timeout: 120_000 });
    assert.equal(stderr, '');
    assert.equal(status, 0);
    assert.deepEqual(stdout.trimEnd().split('\n'), expected);
  });
}
