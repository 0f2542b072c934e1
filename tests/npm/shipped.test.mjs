// The shipped package: every file is intended, reveals nothing about the machine that built it, and has its licences.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { manifest, packageFolder } from './package.mjs';
import { matchesSnapshot } from './snapshot.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const shipped = (name) => readFileSync(join(packageFolder, name), 'utf8');
const files = readdirSync(packageFolder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

test('npm packs exactly the files that are meant to be shipped', () => {
  const answer = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: packageFolder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ name, version, files: packed }] = JSON.parse(String(answer));
  assert.deepEqual([name, version], ['ebbline', manifest.version]);
  matchesSnapshot(
    'shipped-files',
    `${packed
      .map(({ path }) => path)
      .sort()
      .join('\n')}\n`,
  );
});

test('no file names a folder of the machine that built it', () => {
  const places = [
    root,
    `${homedir()}/`,
    '/root/',
    '/home/',
    '/Users/',
    '.cargo/registry',
    '.rustup',
    process.env.CARGO_HOME,
    process.env.RUSTUP_HOME,
  ];
  const bytes = places.filter((place) => place?.length > 2).map((place) => [place, Buffer.from(place)]);
  assert.ok(files.length > 40);
  for (const file of files) {
    const content = readFileSync(file);
    // A document may mention the place of a session, and a vocabulary contains every word, but a program has no
    // reason to.
    const isProse = /\.(md|d\.c?ts|bin)$/.test(file);
    for (const [place, sought] of bytes) assert.ok(isProse || !content.includes(sought), `${file} holds ${place}`);
  }
});

test('modules in JavaScript hold none, either', () => {
  for (const name of ['ebbline', 'compat']) {
    const [, base64] = /'([^']+)'/.exec(shipped(`dist/${name}.wasm.js`));
    assert.deepEqual(Buffer.from(base64, 'base64'), readFileSync(join(packageFolder, `dist/${name}.wasm`)));
  }
});

test('the licences are those of the project, and the manifest says where it lives', () => {
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE', 'CHANGELOG.md']) {
    assert.equal(shipped(name), readFileSync(join(root, name), 'utf8'), name);
  }
  const { license, repository, homepage, bugs } = manifest;
  assert.equal(license, 'MIT OR Apache-2.0');
  assert.match(repository.url, /^git\+https:\/\/.+\.git$/);
  assert.equal(repository.directory, 'npm');
  for (const address of [homepage, bugs.url]) assert.ok(address.startsWith(repository.url.slice(4, -4)), address);
});

const bill = JSON.parse(shipped('sbom.cdx.json'));

test('the bill of materials is CycloneDX, and names what is linked in', async () => {
  const { Spec, Validation } = await import('@cyclonedx/cyclonedx-library');
  assert.equal(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(shipped('sbom.cdx.json')), null);
  const { component } = bill.metadata;
  assert.deepEqual(
    [component.name, component.version, component.purl],
    ['ebbline', manifest.version, `pkg:npm/ebbline@${manifest.version}`],
  );
  const lock = readFileSync(join(root, 'Cargo.lock'), 'utf8');
  const crates = bill.components.filter(({ purl }) => purl?.startsWith('pkg:cargo/'));
  for (const { name, version, hashes } of crates) {
    assert.ok(lock.includes(`name = "${name}"\nversion = "${version}"\n`), name);
    assert.ok(lock.includes(`checksum = "${hashes[0].content}"`), name);
  }
  const names = crates.map(({ name }) => name);
  for (const name of ['js-sys', 'serde', 'serde_json', 'wasm-bindgen']) assert.ok(names.includes(name), name);
  for (const name of ['serde_derive', 'leptos', 'proptest', 'ebbline']) assert.ok(!names.includes(name), name);
  // The same package gives the same bill.
  assert.deepEqual([bill.serialNumber, bill.metadata.timestamp], [undefined, undefined]);
});

test('the notices hold a licence text for everything in the bill', () => {
  const notices = shipped('THIRD_PARTY_NOTICES');
  for (const { name, version, purl } of bill.components) {
    if (!purl) continue;
    assert.ok(notices.includes(`\n${name} ${version}: `), name);
    assert.match(notices, new RegExp(`\n-{80}\n\n([\\w-]+, )*${name}(, [\\w-]+)*\n\n`), `the text of ${name}`);
  }
  for (const words of ['The Rust standard library', 'Copyright (c) 2022 OpenAI', 'UNICODE LICENSE V3', 'Apache License', 'unlicense.org']) {
    assert.ok(notices.includes(words), words);
  }
});
