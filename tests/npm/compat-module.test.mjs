// `compat` is a separate module, which is loaded with the first question and otherwise not at all.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { ebbline, packageFolder } from './package.mjs';

const { EbblineError, compat } = ebbline;

/** Runs a program in a new process, in which nothing is loaded. */
function run(program, folder = packageFolder) {
  const entry = JSON.stringify(join(folder, 'dist/node.cjs'));
  return execFileSync(process.execPath, ['-e', `const { compat, init, plan, EbblineError } = require(${entry});\n${program}`], {
    encoding: 'utf8',
  }).trim();
}

const MEMORIES = `
let instances = 0;
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance { constructor(...args) { super(...args); instances += 1; } };
const show = (value) => console.log(JSON.stringify([instances, value]));
`;

test('the first question loads the module, and no other', () => {
  const answer = run(`${MEMORIES}
    plan([{ role: 'user', content: 'hi' }]);
    show('planned');
    show(compat.pi.overflow({ role: 'assistant', stopReason: 'error', errorMessage: 'prompt is too long' }).isContextOverflow);
    compat.brutus.filterCompacted([]);
    init({ compat: true }).then(() => show('ready'));`);
  assert.deepEqual(
    answer.split('\n').map((line) => JSON.parse(line)),
    [
      [0, 'planned'],
      [1, true],
      [1, 'ready'],
    ],
  );
});

test('init loads it before the first question', () => {
  const answer = run(`${MEMORIES}
    init({ compat: true }).then(() => { show('ready'); compat.brutus.filterCompacted([]); show('asked'); });`);
  assert.deepEqual(
    answer.split('\n').map((line) => JSON.parse(line)),
    [
      [1, 'ready'],
      [1, 'asked'],
    ],
  );
});

test('its errors are of the one class', () => {
  for (const ask of [
    () => compat.pi.estimate('[', {}),
    () => compat.pi.estimate([], { version: 'no such' }),
    () => compat.pi.estimate('"\ud800"'),
  ]) {
    assert.throws(ask, (/** @type {any} */ error) => error instanceof EbblineError && error.code.length > 0 && error instanceof Error);
  }
});

test('whoever asks nothing needs no module; a question without one fails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ebbline-'));
  try {
    cpSync(packageFolder, folder, { recursive: true });
    rmSync(join(folder, 'dist/compat.wasm'));
    const answer = run(
      `console.log(plan([{ role: 'user', content: 'hi' }]).verdict);
      try { compat.pi.estimate([]); } catch (error) { console.log(error.code); }
      init({ compat: true }).catch((error) => console.log(error.code));`,
      folder,
    );
    assert.deepEqual(answer.split('\n'), ['noop', 'ENOENT', 'ENOENT']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
