// Every program in examples/hosts/ runs with the real libraries, and prints the lines at its end.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { projectOf, testProgram } from '../npm/example-programs.mjs';

const examples = fileURLToPath(new URL('../../examples/hosts', import.meta.url));
const libraries = fileURLToPath(new URL('node_modules', import.meta.url));

const project = projectOf(examples);
for (const name of readdirSync(libraries)) {
  if (!name.startsWith('.') && name !== 'ebbline') symlinkSync(join(libraries, name), join(project, 'node_modules', name), 'junction');
}
// pi is among the tools of the other tests.
const pi = '@earendil-works';
if (!existsSync(join(project, 'node_modules', pi))) {
  symlinkSync(join(libraries, '../../node_modules', pi), join(project, 'node_modules', pi), 'junction');
}

/** The other programs import it. */
const SHARED = 'server.mjs';
/** The oldest Node that a program runs in, if it is not the oldest that ebbline runs in. */
const OLDEST = { 'pi.mjs': 22 };
const [node] = process.versions.node.split('.').map(Number);

/** Compiled as it stands in a project with strict options, with the types of the real client. */
const STRICT = 'strict.ts';
for (const name of ['@types']) {
  if (!existsSync(join(project, 'node_modules', name))) {
    symlinkSync(join(libraries, '../../node_modules', name), join(project, 'node_modules', name), 'junction');
  }
}
writeFileSync(join(project, 'package.json'), '{ "type": "module" }\n');
const compiled = spawnSync(
  join(libraries, '../../node_modules/.bin/tsc'),
  [
    ...[
      '--strict',
      '--noUncheckedIndexedAccess',
      '--allowJs',
      '--skipLibCheck',
      '--preserveSymlinks',
      '--target',
      'es2023',
      '--types',
      'node',
    ],
    ...['--module', 'nodenext', '--moduleResolution', 'nodenext', '--outDir', 'compiled', STRICT],
  ],
  { cwd: project, encoding: 'utf8' },
);

test('the example in TypeScript compiles under strict options', () => {
  assert.equal(compiled.stdout, '');
  assert.equal(compiled.status, 0);
});

test('what the examples write in JavaScript has the types that the package declares', () => {
  const options = ['--noEmit', '--allowJs', '--checkJs', '--strict', '--noImplicitAny', 'false', '--skipLibCheck', '--preserveSymlinks'];
  const modern = ['--target', 'es2024', '--types', 'node', '--module', 'nodenext', '--moduleResolution', 'nodenext'];
  const loose = ['--strictNullChecks', 'false', '--useUnknownInCatchVariables', 'false'];
  const names = ['agent', 'file', 'model', 'overflow', 'plan', 'session', 'stores', 'tokens'].map((name) => `${name}.mjs`);
  for (const name of names) cpSync(join(examples, '..', name), join(project, name));
  const { stdout, status } = spawnSync(join(libraries, '../../node_modules/.bin/tsc'), [...options, ...modern, ...loose, ...names], {
    cwd: project,
    encoding: 'utf8',
  });
  assert.equal(stdout, '');
  assert.equal(status, 0);
});

for (const name of readdirSync(examples).filter((file) => (file.endsWith('.mjs') && file !== SHARED) || file === STRICT)) {
  const skip = node < (OLDEST[name] ?? 0) && `it needs Node ${OLDEST[name]}`;
  testProgram(project, name, { skip, ...(name === STRICT && { file: 'compiled/strict.js' }) });
}
