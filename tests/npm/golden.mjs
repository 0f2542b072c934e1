// Golden vectors with the npm package: `node golden.mjs DIR` prints one line of JSON per file, which `cargo xtask
// golden` reads to print a table. Each adapter calls the public functions with a case and compares their answers.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { throws } from './golden/compare.mjs';
import { opencodeV2 } from './golden/opencode-v2.mjs';
import { opencode } from './golden/opencode.mjs';
import { pi } from './golden/pi.mjs';
import { checkShapes } from './golden/shapes.mjs';
import { tunacode } from './golden/tunacode.mjs';
import { expand, member, parse } from './notation.mjs';

const SHOWN_FAILURES = 5;

/** The function that checks a case of `file`, and the version; `undefined` if the file is not covered yet. */
function adapterOf(file) {
  const [, system, version, name] = /^(pi|opencode-v2|opencode|tunacode)-(.*)-([^-]+)$/.exec(file) ?? [];
  const all = /^pi-all-(.*)$/.exec(file);
  if (all !== null) return pi[all[1]];
  switch (system) {
    case 'pi':
      return pi[name];
    case 'opencode':
      return opencode[`${version}-${name}`];
    case 'opencode-v2':
      return opencodeV2[`${version}-${name}`];
    case 'tunacode':
      return tunacode[`${version}-${name}`];
    default:
      return undefined;
  }
}

function runCase(file, node, adapter) {
  const raw = member(node, 'input');
  checkShapes(file, raw, member(node, 'expected'));
  const given = {
    file,
    version: /^[a-z]+-(?:v2-)?(.*)-[^-]+$/.exec(file)?.[1],
    raw,
    input: JSON.parse(expand(raw)),
    expected: JSON.parse(expand(member(node, 'expected'))),
    messages: member(raw, 'messages') && expand(member(raw, 'messages')),
  };
  if (given.expected.throws) throws(() => adapter(given));
  else adapter(given);
}

function runFile(folder, file) {
  const adapter = adapterOf(file.replace(/\.json$/, ''));
  const cases = member(parse(readFileSync(join(folder, file), 'utf8')), 'cases')?.elements ?? [];
  if (adapter === undefined) return { file, known: false, cases: cases.length };
  const failures = [];
  for (const node of cases) {
    try {
      runCase(file.replace(/\.json$/, ''), node, adapter);
    } catch (error) {
      failures.push(`${JSON.parse(member(node, 'name').raw)}: ${error.message}`);
    }
  }
  const failed = failures.length;
  return { file, known: true, cases: cases.length, passed: cases.length - failed, failed, failures: failures.slice(0, SHOWN_FAILURES) };
}

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: node golden.mjs DIR');
  process.exitCode = 2;
} else {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort();
  for (const file of files) console.log(JSON.stringify(runFile(folder, file)));
}
