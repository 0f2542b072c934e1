// Bun, which takes the condition `node`, with `import` and with `require`.

import { createRequire } from 'node:module';

import { PROGRAM, REQUIRING } from '../programs.mjs';
import { reportOf, versionOf } from '../project.mjs';

/** The program is in a separate package for each platform; npm's install scripts, which link it, do not run here. */
export function program() {
  const require = createRequire(import.meta.url);
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch;
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return require.resolve(`@oven/bun-${platform}-${arch}/bin/bun${platform === 'windows' ? '.exe' : ''}`);
}

export const rows = [
  { runtime: 'Bun, import', file: 'main.mjs', text: PROGRAM },
  { runtime: 'Bun, require', file: 'main.cjs', text: REQUIRING },
].map(({ runtime, file, text }) => ({
  runtime,
  version: () => versionOf('bun'),
  files: { [file]: text },
  run: (folder) => reportOf(folder, program(), ['run', '--no-install', file]),
}));
