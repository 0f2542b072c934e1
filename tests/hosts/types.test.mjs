// The types of the adapters against those of the real libraries: every program in types/ compiles, and what it marks as a mistake is one.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { packageFolder, temporaryFolder } from '../npm/package.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const libraries = join(here, 'node_modules');
const tools = join(here, '../node_modules');

/** A project in which the package lies beside the libraries: from elsewhere, their types would silently be `any`. */
const project = temporaryFolder('ebbline-host-types-');
const modules = join(project, 'node_modules');
mkdirSync(modules);
symlinkSync(packageFolder, join(modules, 'ebbline'), 'junction');
for (const name of readdirSync(libraries)) {
  if (!name.startsWith('.') && name !== 'ebbline') symlinkSync(join(libraries, name), join(modules, name), 'junction');
}
for (const name of ['@earendil-works', '@types']) {
  rmSync(join(modules, name), { force: true });
  symlinkSync(join(tools, name), join(modules, name), 'junction');
}
writeFileSync(join(project, 'package.json'), '{ "type": "module" }\n');

const programs = readdirSync(join(here, 'types')).filter((name) => name.endsWith('.ts'));
for (const name of programs) copyFileSync(join(here, 'types', name), join(project, name));

// What documents show first: complete programs with real clients and libraries.
const SHOWN = ['README.md', 'npm/README.md', 'docs/start.md', 'docs/hosts/ai-sdk.md', 'docs/hosts/langchain.md'];
for (const path of SHOWN) {
  const text = readFileSync(join(here, '../..', path), 'utf8');
  const [, first] = /```ts\n(import [\s\S]*?)```/.exec(text) ?? [];
  const name = `${path.replaceAll('/', '-')}.ts`;
  // The providers' packages here are those of version 7 of the AI SDK.
  writeFileSync(join(project, name), first.replace('from "ai"', 'from "ai7"'));
  programs.push(name);
}

test('every adapter has the types of its library', () => {
  assert.ok(programs.length >= 11);
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--preserveSymlinks', '--target', 'es2023', '--types', 'node'];
  const modern = [
    '--lib',
    'es2024,dom,dom.iterable,dom.asynciterable,esnext.disposable',
    '--module',
    'nodenext',
    '--moduleResolution',
    'nodenext',
  ];
  const { status, stdout } = spawnSync(join(tools, '.bin/tsc'), [...options, ...modern, ...programs], { cwd: project, encoding: 'utf8' });
  assert.equal(stdout, '');
  assert.equal(status, 0);
});
