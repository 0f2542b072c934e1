// Makes and checks what a release publishes, with the tools of the registries: `cargo xtask release --dry-run` has built the npm package
// and the component before. Usage: release.mjs VERSION PYTHON FOLDER; the last lines say what would be published.

import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [version, python, folder] = process.argv.slice(2);
const root = fileURLToPath(new URL('../..', import.meta.url));
const published = [];

function run(program, words, cwd = root) {
  const { error, status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (error !== undefined || status !== 0) {
    console.log(`${program} ${words.join(' ')}\n${stdout}${stderr}${error ?? ''}`);
    process.exit(1);
  }
  return stdout + stderr;
}

// npm: without its scripts, which it has none of.
const packed = run('npm', ['publish', '--dry-run', '--ignore-scripts', '--loglevel=notice'], join(root, 'target/npm/ebbline'));
const said = (name) => new RegExp(`${name}: +(.*)`).exec(packed)?.[1];
published.push(`npm    ebbline@${said('version')}, ${said('total files')} files, ${said('package size')}`);

// PyPI: the wheel is made of the sdist.
const archives = join(root, 'target/python');
rmSync(archives, { recursive: true, force: true });
run(python, ['-m', 'build', '--no-isolation', 'python', '--outdir', archives]);
const files = readdirSync(archives).sort();
run(python, ['-m', 'twine', 'check', '--strict', ...files.map((name) => join(archives, name))]);
for (const name of files) published.push(`PyPI   ${name}, ${(statSync(join(archives, name)).size / 1e6).toFixed(1)} MB`);

// crates.io: `--workspace` takes the crates that may be published, each after those that it needs, and compiles each from its archive.
const crates = run('cargo', ['publish', '--workspace', '--dry-run', '--allow-dirty', '--target-dir', folder]);
const names = [...crates.matchAll(/^ +Packaging (\S+ v\S+)/gm)].map(([, name]) => `crate  ${name}`);
published.push(...new Set(names.sort()));

const wrong = published.filter((line) => !line.includes(version));
if (wrong.length > 0) {
  console.log(`these have another version than ${version}; run \`cargo xtask gen\`:\n${wrong.join('\n')}`);
  process.exit(1);
}
for (const line of published) console.log(`would publish  ${line}`);
