// Finds the package under test and the fixtures. `cargo xtask test` installs the packed tarball into an empty project
// and names it in EBBLINE_PACKAGE; the default is the folder that `cargo xtask npm` writes.

import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fixtureFiles } from '../formats/fixtures.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');

/** The folder of the package: the content of `node_modules/ebbline`. */
export const packageFolder = findPackage();
/** A folder with a copy of every fixture, in which the program runs. */
export const fixtureFolder = copyOfFixtures();
export const schemaFolder = join(root, 'docs');
/** Data beside the project, which is not part of it. */
export const sharedFolder = join(root, '../shared');

export const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
export const cliPath = join(packageFolder, manifest.bin.ebbline);

/** The package for `import`. */
export const ebbline = await import(pathToFileURL(join(packageFolder, manifest.exports['.'].node.import.default)).href);
/** The package for `require`. */
export const required = createRequire(import.meta.url)(join(packageFolder, manifest.exports['.'].node.require.default));

/** A module of the package that is not an entry, in the engine that `web.js` loads. */
export async function internal(name) {
  const at = (file) => pathToFileURL(join(packageFolder, 'dist', file)).href;
  const { init } = await import(at('web.js'));
  const bytes = (name) => readFileSync(join(packageFolder, 'dist', name));
  await init({ engine: bytes('ebbline.wasm'), files: bytes('files.wasm') });
  return import(at(name));
}

/** How many of so many random cases a test tries: a third, or with EBBLINE_LONG=1 all of them. */
export const some = (cases) => (process.env.EBBLINE_LONG === '1' ? cases : Math.ceil(cases / 3));

/** Every third of a list, beginning with another one in each turn; with EBBLINE_LONG=1 all of it. */
export const inTurn = (list, turn) => list.filter((_, at) => process.env.EBBLINE_LONG === '1' || at % 3 === turn % 3);

export const fixtures = fixtureFiles.map(({ name }) => name);

export function fixture(name) {
  return readFileSync(join(fixtureFolder, name), 'utf8');
}

/** The fixtures that are arrays of live messages, with their format. */
export const lists = Object.fromEntries(
  fixtureFiles.flatMap(({ name, format, path }) => (isLiveList(readFileSync(path, 'utf8')) ? [[name, format]] : [])),
);

function isLiveList(text) {
  try {
    return text.startsWith('[') && ebbline.read(JSON.parse(text)).messages.length > 0;
  } catch {
    return false;
  }
}

/** A folder that is removed when the tests of a file are over; its name begins like this. */
export function temporaryFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), name));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function copyOfFixtures() {
  const folder = temporaryFolder('ebbline-fixtures-');
  for (const { name, path } of fixtureFiles) copyFileSync(path, join(folder, name));
  return folder;
}

function findPackage() {
  const named = process.env.EBBLINE_PACKAGE;
  const candidates = named ? [named, join(named, 'node_modules/ebbline')] : [join(root, 'target/npm/ebbline')];
  const found = candidates.find((folder) => existsSync(join(folder, 'dist/ebbline.wasm')));
  if (found === undefined) {
    throw new Error(`there is no package in ${candidates.join(' or ')}: run \`cargo xtask npm\` first`);
  }
  return found;
}
