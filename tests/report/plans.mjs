// What changed between two builds of the command line in the plans of sessions: verdicts, tokens, and what happens to each
// message. Usage: node plans.mjs BEFORE AFTER PATH.. ; a build is the native program or the `dist/cli.js` of the npm package.
// It prints Markdown. The exit code is 0 whatever has changed, and 1 if a program could not be run.

import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

const [before, after, ...paths] = process.argv.slice(2);
if (paths.length === 0) {
  console.error('Usage: node plans.mjs BEFORE AFTER PATH..');
  process.exit(2);
}

/** A window in which little is full, and one in which most is. */
const WINDOWS = [200_000, 32_000];

const filesBelow = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesBelow(join(path, name)))
    : /\.(jsonl?|md|txt|eval)$/.test(path)
      ? [path]
      : [];

/** What a build says about a file: its plan, or the sentence with which it refuses. */
function planOf(program, file, window) {
  const words = ['plan', '--json', '--context', String(window), file];
  const [name, ...first] = /\.[cm]?js$/.test(program) ? [process.execPath, program] : [program];
  const { error, status, stdout, stderr } = spawnSync(name, [...first, ...words], { encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (error !== undefined || status === null || status >= 4) throw error ?? new Error(`${program}: ${stderr}`);
  if (status === 1 || !stdout.startsWith('{')) return { verdict: 'refused', says: stderr.trim().split('\n')[0] };
  const plan = JSON.parse(stdout);
  const fates = {};
  for (const { fate } of plan.messages) fates[fate] = (fates[fate] ?? 0) + 1;
  return { verdict: `${plan.verdict}, ${plan.reason}`, tokens: plan.tokensBefore, left: plan.tokensAfter, fates, whole: stdout };
}

const shown = (value) => (typeof value === 'number' ? value.toLocaleString('en') : (value ?? ''));
const change = (from, to) => (from === to ? shown(to) : `**${shown(from)} → ${shown(to)}**`);
const counted = ({ fates, says }) =>
  says ??
  Object.entries(fates)
    .sort()
    .map(([fate, count]) => `${count} ${fate}`)
    .join(', ');

let same = 0;
const rows = [];
for (const file of paths.flatMap(filesBelow)) {
  for (const window of WINDOWS) {
    const [old, now] = [before, after].map((program) => planOf(program, file, window));
    const columns = ['verdict', 'tokens', 'left'].map((key) => change(old[key], now[key]));
    const fates = change(counted(old), counted(now));
    if ([...columns, fates].some((text) => text.startsWith('**'))) rows.push([basename(file), shown(window), ...columns, fates]);
    else if (old.whole !== now.whole) rows.push([basename(file), shown(window), ...columns, `${fates}; **other parts of the plan**`]);
    else same += 1;
  }
}

console.log(`## Plans of the sample sessions\n\n${same + rows.length} plans: ${same} as before, ${rows.length} changed.`);
if (rows.length > 0) {
  console.log('\n| session | window | verdict | tokens before | tokens after | messages |\n|---|---|---|---|---|---|');
  for (const row of rows) console.log(`| ${row.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`);
}
