// Deno, which reads the package from node_modules and takes the condition `deno`.

import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { PROGRAM } from '../programs.mjs';
import { reportOf, versionOf, workFolder } from '../project.mjs';

const WORDS = ['run', '--quiet', '--no-remote', '--node-modules-dir=manual', '--allow-read=node_modules/ebbline', 'main.mjs'];

/** The program is in a separate package for each platform; npm's install scripts, which link it, do not run here. */
function program() {
  const require = createRequire(import.meta.url);
  const { platform, arch } = process;
  const folder = `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`;
  return require.resolve(`${folder}/deno${platform === 'win32' ? '.exe' : ''}`);
}

export const rows = [
  {
    runtime: 'Deno',
    version: () => versionOf('deno'),
    files: { 'main.mjs': PROGRAM },
    run: (folder) => reportOf(folder, program(), WORDS, { DENO_DIR: mkdtempSync(join(workFolder, 'deno-')), DENO_NO_UPDATE_CHECK: '1' }),
  },
];
