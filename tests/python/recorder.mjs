// Records what the conformance tests ask the npm package, and what it answers: `node recorder.mjs golden|sessions DIR RECORD`.
//
// The tests of `tests/npm` compare the package with the vectors and the manifest. They run here with a package in front of it that
// writes every call down, one line of JSON each; test_conformance.py asks the component the same.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The functions of whole sessions that the component has, too. */
const ASKED = ['plan', 'read', 'compact', 'validate', 'repair', 'detect', 'summaryRequest', 'classifyError', 'replay'];
/** Longer texts are files of their own. */
const LONG = 2_000;
const { EBBLINE_RECORDED: behind, EBBLINE_RECORD: record } = process.env;

if (behind === undefined) {
  const [suite, folder, into] = process.argv.slice(2);
  process.exitCode = await recordSuite(suite, folder, into);
}

/** Runs a suite with a package in front of the package. */
async function recordSuite(suite, folder, into) {
  const { cliPath, ebbline, packageFolder } = await import('../npm/package.mjs');
  const front = mkdtempSync(join(tmpdir(), 'ebbline-front-'));
  mkdirSync(join(front, 'dist'));
  mkdirSync(into, { recursive: true });
  const names = Object.keys(ebbline).filter((name) => name !== 'default');
  const modules = `import { recorded } from ${JSON.stringify(import.meta.url)};\nexport const { ${names.join(', ')} } = recorded;\n`;
  writeFileSync(join(front, 'index.mjs'), modules);
  writeFileSync(join(front, 'index.cjs'), '');
  writeFileSync(join(front, 'dist/ebbline.wasm'), '');
  const exports = { '.': { node: { import: { default: './index.mjs' }, require: { default: './index.cjs' } } } };
  writeFileSync(join(front, 'package.json'), JSON.stringify({ bin: { ebbline: cliPath }, exports }));
  const env = { ...process.env, EBBLINE_PACKAGE: front, EBBLINE_RECORDED: packageFolder, EBBLINE_RECORD: into };
  const program = fileURLToPath(new URL(`../npm/${suite}.mjs`, import.meta.url));
  try {
    return spawnSync(process.execPath, [program, folder], { env, stdio: 'inherit' }).status ?? 1;
  } finally {
    rmSync(front, { recursive: true, force: true });
  }
}

/** The package with every call written down. */
export const recorded = behind === undefined ? undefined : await recording();

async function recording() {
  const manifest = JSON.parse(readFileSync(join(behind, 'package.json'), 'utf8'));
  const real = await import(pathToFileURL(join(behind, manifest.exports['.'].node.import.default)).href);
  // As the package writes data for the engine: JSON has no NaN and no infinity.
  const named = (_, value) => (typeof value === 'number' && !Number.isFinite(value) ? String(value) : value);
  const plain = (value) => JSON.parse(JSON.stringify(value, named) ?? 'null');
  const lines = [];
  const known = new Set();
  const flush = () => lines.length > 0 && appendFileSync(join(record, 'calls'), `${lines.splice(0).join('\n')}\n`);
  process.on('exit', flush);

  const told = (value) => {
    const isBytes = value instanceof Uint8Array;
    if (!isBytes && (typeof value !== 'string' || value.length < LONG || !value.isWellFormed())) return value;
    const bytes = isBytes ? value : Buffer.from(value);
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (!known.has(hash)) writeFileSync(join(record, hash), bytes);
    known.add(hash);
    return { $file: hash };
  };
  const answered = (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return told(value);
    const { text, bytes, ...rest } = value;
    return { ...rest, ...(text !== undefined && { text: told(text) }), ...(bytes !== undefined && { text: told(bytes) }) };
  };
  const wrapped =
    (name, call) =>
    (...given) => {
      const line = { name, given: given.map((value) => plain(told(value))) };
      try {
        const answer = call(...given);
        lines.push(JSON.stringify({ ...line, answer: answered(answer) ?? null }));
        return answer;
      } catch (error) {
        if (error instanceof real.EbblineError) lines.push(JSON.stringify({ ...line, code: error.code }));
        throw error;
      } finally {
        if (lines.length > 200) flush();
      }
    };

  const all = { ...real };
  for (const name of ASKED) all[name] = wrapped(name, real[name]);
  all.compat = {};
  for (const [system, questions] of Object.entries(real.compat)) {
    const asked = Object.entries(questions).map(([name, ask]) => [name, wrapped(`${system}.${name}`, ask)]);
    all.compat[system] = Object.fromEntries(asked);
  }
  return all;
}
