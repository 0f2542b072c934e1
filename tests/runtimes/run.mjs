// `node tests/runtimes/run.mjs TARBALL [WORD..]`: the packed package in every runtime, and a table at the end.
//
// A WORD restricts the rows to those whose name contains it; Node's always runs first. Each row has its own empty
// project, a copy of one into which the tarball was installed. `check.mjs` must give the same answers there as in Node.

import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { AFTER_INIT, AT_ONCE } from './check.mjs';
import { measureStart, sentence } from './start.mjs';
import { closeBrowser, noBrowser } from './pages.mjs';
import { emptyProject, manifestOf, tokenizersOf, workFolder } from './project.mjs';

const [named, ...words] = process.argv.slice(2);
if (!named) {
  console.error('Usage: node tests/runtimes/run.mjs TARBALL [WORD..]');
  process.exit(2);
}
const tarball = resolve(named);

/** Node first: the others are compared with it. */
const FILES = ['node', 'deno', 'bun', 'workerd', 'chromium', 'vite', 'webpack', 'esbuild', 'types', 'shape'];

const all = (await Promise.all(FILES.map((name) => import(`./on/${name}.mjs`)))).flatMap(({ rows }) => rows);
const [first] = all;
const wanted = (row) => row === first || words.length === 0 || words.some((word) => row.runtime.toLowerCase().includes(word.toLowerCase()));

/** The answers of Node. */
let expected;
const results = [];
try {
  for (const [at, row] of all.entries()) if (wanted(row)) results.push(await tried(row, at));
  await closeBrowser();
  print(results);
  if (words.length === 0) console.log(`\n${sentence(await measureStart(tarball))}`);
} finally {
  await closeBrowser();
  rmSync(workFolder, { recursive: true, force: true });
}
const count = (state) => results.filter((result) => result.state === state).length;
console.log(`\n${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
process.exitCode = count('failed') === 0 ? 0 : 1;

async function tried(row, at) {
  console.error(`trying ${row.runtime}`);
  if (row.browser && noBrowser) return { ...row, state: 'skipped', versionText: '', text: noBrowser };
  let versionText = '';
  try {
    versionText = await row.version();
    const folder = await emptyProject(tarball, `${at}-${row.runtime.toLowerCase().replaceAll(/\W+/g, '-')}`, row.files);
    if (row.page) writeFileSync(join(folder, 'index.html'), row.page(folder));
    const { checked, answers } = await row.run(folder, tarball);
    const wantedTexts = row.browser ? AFTER_INIT : AT_ONCE;
    if (answers !== undefined && !checked.includes(wantedTexts)) throw new Error(`it does not read ${wantedTexts}`);
    if (row === first) expected = JSON.stringify(answers);
    else if (answers !== undefined) compare(row, answers, tokenizersOf(manifestOf(folder)));
    return { ...row, state: 'passed', versionText, text: checked.join(', ') };
  } catch (error) {
    return { ...row, state: 'failed', versionText, text: error.stack ?? String(error) };
  }
}

/** A runtime must give all the answers of Node; a row may exclude those of the tokenizers. */
function compare({ tokenizers = true }, answers, names) {
  const inNode = JSON.parse(expected ?? '{}');
  const asked = Object.keys(inNode).filter((what) => tokenizers || !names.includes(what));
  for (const what of new Set([...asked, ...Object.keys(answers)])) {
    if (JSON.stringify(answers[what]) !== JSON.stringify(inNode[what])) throw new Error(`${what}: the answer is not that of Node`);
  }
}

function print(results) {
  const table = [['runtime', 'version', 'what was checked', 'ok']];
  for (const { runtime, versionText, state, text } of results) {
    const what = { passed: text, failed: 'see above', skipped: text }[state];
    table.push([runtime, versionText, what, { passed: '✔', failed: '✘', skipped: 'skipped' }[state]]);
    if (state === 'failed') console.log(`✘ ${runtime}: ${text}\n`);
  }
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const [head, ...body] = table;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  console.log([line(head), rule, ...body.map(line)].join('\n'));
}
