// An empty project with the packed package installed, as a user would have it.

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
/** Every file of a run lies here, outside the repository, so that no module resolves to a folder above by mistake. */
export const workFolder = mkdtempSync(join(tmpdir(), 'ebbline-runtimes-'));
const PROGRAM_LIMIT = 180_000;

/** A subpath that counts tokens; its last part is the name that the programs use. */
const TOKENIZERS = /^\.\/tokenizers\/(\w+)$/;

/** The empty project into which npm installed the tarball: npm takes a second, a copy a tenth of it. */
let installed;

async function install(tarball) {
  const folder = join(workFolder, 'installed');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  await run(folder, 'npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball]);
  return folder;
}

/**
 * Makes an empty project with the tarball in it, and writes `files`. They can import `check.mjs` and
 * `tokenizers.mjs`, which exports the package's tokenizers.
 *
 * @param {string} tarball
 * @param {string} name
 * @param {Record<string, string>} files
 * @returns {Promise<string>} the project's folder
 */
export async function emptyProject(tarball, name, files) {
  const folder = join(workFolder, name);
  installed ??= install(tarball);
  mkdirSync(folder);
  cpSync(await installed, folder, { recursive: true, verbatimSymlinks: true });
  cpSync(join(here, 'check.mjs'), join(folder, 'check.mjs'));
  writeFileSync(join(folder, 'tokenizers.mjs'), importTokenizers(manifestOf(folder)));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  return folder;
}

/** The manifest of the package that is installed in a project. */
export const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'node_modules/ebbline/package.json'), 'utf8'));

/** The version of a package that is installed in tests/runtimes or in tests. */
export function versionOf(name) {
  for (const place of [here, dirname(here)]) {
    try {
      return JSON.parse(readFileSync(join(place, 'node_modules', name, 'package.json'), 'utf8')).version;
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`${name} is not installed: run \`npm ci\` in tests/runtimes`);
}

/** Runs a program and returns its output. */
export async function run(folder, program, words, environment = {}) {
  const env = { ...process.env, ...environment };
  delete env.NODE_OPTIONS;
  try {
    const { stdout, stderr } = await promisify(execFile)(program, words, { cwd: folder, env, timeout: PROGRAM_LIMIT, maxBuffer: 1 << 26 });
    return { stdout, stderr };
  } catch (error) {
    throw new Error(`${program} ${words.join(' ')}: ${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`);
  }
}

/** Runs a program whose last line is the report of `check`. */
export async function reportOf(folder, program, words, environment) {
  const { stdout } = await run(folder, program, words, environment);
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

/** The names of the tokenizers that the package has. */
export const tokenizersOf = (manifest) => Object.keys(manifest.exports).flatMap((path) => TOKENIZERS.exec(path)?.[1] ?? []);

function importTokenizers(manifest) {
  const names = tokenizersOf(manifest);
  const imports = names.map((name) => `import * as ${name} from 'ebbline/tokenizers/${name}';\n`);
  return `${imports.join('')}export const tokenizers = { ${names.join(', ')} };\n`;
}
