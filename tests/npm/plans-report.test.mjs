// The report of every pull request: what changed between two builds in the plans of sessions.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { cliPath, temporaryFolder } from './package.mjs';

const program = fileURLToPath(new URL('../report/plans.mjs', import.meta.url));
const sessions = fileURLToPath(new URL('../formats/openai_chat', import.meta.url));

function report(...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('two equal builds change nothing', () => {
  const { status, stdout } = report(cliPath, cliPath, sessions);
  assert.equal(status, 0);
  assert.match(stdout, /^(\d+) plans: \1 as before, 0 changed\.$/m);
});

test('a build that decides otherwise is shown with both states', () => {
  const other = join(temporaryFolder('ebbline-report-'), 'other.mjs');
  const words = `[${JSON.stringify(cliPath)}, ...process.argv.slice(2), '--set', 'trigger.enabled=false', '--set', 'prune.minimum=0', '--force']`;
  writeFileSync(
    other,
    `import { spawnSync } from 'node:child_process';
const { status } = spawnSync(process.execPath, ${words}, { stdio: 'inherit' });
process.exit(status);\n`,
  );
  const { status, stdout, stderr } = report(cliPath, other, sessions);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^\| openai-chat\.json \| 200,000 \| .*\*\*.* → .*\*\* \|$/m);
  assert.doesNotMatch(stdout, / 0 changed/);
});

test('a program that does not start is an error, not a change', () => {
  assert.equal(report(cliPath, '/no/such/program', sessions).status, 1);
  assert.equal(report(cliPath).status, 2);
});
