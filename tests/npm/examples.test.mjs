// Every program in examples/ runs, and prints the lines at its end.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { projectOf, testProgram } from './example-programs.mjs';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));

const project = projectOf(examples);

/** The other programs import it. */
const SHARED = 'model.mjs';
const programs = readdirSync(examples).filter((name) => name.endsWith('.mjs') && name !== SHARED);

test('there are examples, and README.md names each of them', () => {
  const readme = readFileSync(join(examples, 'README.md'), 'utf8');
  assert.ok(programs.length >= 5);
  for (const name of programs) assert.ok(readme.includes(`| [${name}](${name}) |`), name);
});

for (const name of programs) testProgram(project, name);
