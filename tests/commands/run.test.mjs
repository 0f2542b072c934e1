// Every command line answers the cases of `cases/*.json` as recorded in `answers/*.txt`: standard output, standard error, exit
// code, and the files afterwards. `UPDATE_SNAPSHOTS=1` records again, and `EBBLINE_CASES=plan/widths` takes some of them.
//
// EBBLINE_COMMAND names the native program, EBBLINE_COMMAND_PYTHON a Python that has what the package needs; without both, the
// bin of the npm package is run. Record npm's answers first: those of the others are told by what differs, and the table says why.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { answer, Forks } from './answer.mjs';
import { changes } from './notation.mjs';
import { Answers } from './recorded.mjs';
import { tables } from './table.mjs';

/** How many cases run at once. */
const AT_ONCE = 2;
/** How many lines of a difference are shown. */
const SHOWN = 60;

const isRecording = Boolean(process.env.UPDATE_SNAPSHOTS);
const root = fileURLToPath(new URL('../../', import.meta.url));
const host = hostOf(process.env);
const counts = { cases: 0, runs: 0, differing: 0 };

function hostOf({ EBBLINE_COMMAND: native, EBBLINE_COMMAND_PYTHON: python, EBBLINE_PACKAGE: named, EBBLINE_CACHE }) {
  if (native !== undefined) return { name: 'native', command: [native], env: {} };
  if (python !== undefined) {
    const cache = EBBLINE_CACHE ?? mkdtempSync(join(tmpdir(), 'ebbline-cache-'));
    if (EBBLINE_CACHE === undefined) after(() => rmSync(cache, { recursive: true, force: true }));
    const env = { PYTHONPATH: join(root, 'python/src'), PYTHONDONTWRITEBYTECODE: '1', EBBLINE_CACHE: cache };
    // Elsewhere wasmtime refuses to run in a forked process, or nothing can be forked.
    const forks = process.platform === 'linux' ? new Forks(python, env) : undefined;
    after(() => forks?.close());
    return { name: 'python', command: [python, '-m', 'ebbline'], env, forks };
  }
  const folder = named ?? join(root, 'target/npm/ebbline');
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { name: 'npm', command: [process.execPath, join(folder, bin.ebbline)], env: {} };
}

process.umask(0o022);

/** A start of Node or Python is dear: of a case that is repeated they answer every third, or with EBBLINE_LONG=1 all. */
function isInTurn({ turn }) {
  const isWhole = process.env.EBBLINE_LONG === '1' || host.name === 'native' || (isRecording && host.name === 'npm');
  return isWhole || turn % 3 === 0;
}

for (const [topic, all] of tables()) {
  const own = all.filter(({ name, hosts }) => hosts.includes(host.name) && `${topic}/${name}`.includes(process.env.EBBLINE_CASES ?? ''));
  if (own.length === 0) continue;
  test(`${host.name}: ${topic}`, { concurrency: AT_ONCE }, async (t) => {
    const answers = new Answers(topic);
    await Promise.all(own.filter(isInTurn).map((one) => t.test(one.name, () => check(one, answers))));
    if (isRecording) answers.write(all);
    const names = all.map(({ name }) => name);
    const stale = new Answers(topic).names().filter((name) => !names.includes(name));
    assert.deepEqual(stale, [], 'recorded, but no longer in the table');
  });
}

async function check(one, answers) {
  const { name, hosts, differs, isRepeated, steps } = one;
  const lines = await answer(one, host);
  const isFirst = hosts[0] === host.name;
  if (isRecording) answers.set(name, host.name, isFirst, lines);
  const recorded = answers.of(name, host.name);
  assert.ok(recorded !== undefined, 'nothing is recorded: run with UPDATE_SNAPSHOTS=1');
  const told = changes(recorded.lines, lines).slice(0, SHOWN);
  assert.ok(recorded.lines.join('\n') === lines.join('\n'), `the answer is not the recorded one:\n${told.join('\n')}`);
  counts.cases += 1;
  counts.runs += steps.length;
  counts.differing += recorded.isOwn ? 1 : 0;
  if (recorded.isOwn) assert.ok(differs[host.name], `it differs from ${hosts[0]}: give a reason in the table`);
  else if (!isRepeated) assert.ok(isFirst || !differs[host.name], `it no longer differs from ${hosts[0]}: delete the reason`);
}

after(() => {
  const { cases, runs, differing } = counts;
  process.stdout.write(`# ${host.name}: ${cases} cases with ${runs} runs; ${differing} answers differ from the first program's\n`);
});
