// Node: `import` and `require` must give the same classes.

import { PROGRAM, REQUIRING } from '../programs.mjs';
import { reportOf, run } from '../project.mjs';

const BOTH = `
import { createRequire } from 'node:module';
import * as imported from 'ebbline';
const required = createRequire(import.meta.url)('ebbline');
const names = Object.keys(required);
const own = Object.keys(imported).filter((name) => names.includes(name));
console.log(JSON.stringify({ names: names.length, own: own.length, same: names.filter((name) => imported[name] === required[name]).length }));
`;

const version = process.versions.node;

export const rows = [
  {
    runtime: 'Node, import',
    version: () => version,
    files: { 'main.mjs': PROGRAM },
    run: (folder) => reportOf(folder, process.execPath, ['main.mjs']),
  },
  {
    runtime: 'Node, require',
    version: () => version,
    files: { 'main.cjs': REQUIRING, 'both.mjs': BOTH },
    async run(folder) {
      const { stdout } = await run(folder, process.execPath, ['both.mjs']);
      const { names, own, same } = JSON.parse(stdout);
      if (names === 0 || own !== names || same !== names) throw new Error(`of ${names} exports ${same} are those of import`);
      const report = await reportOf(folder, process.execPath, ['main.cjs']);
      return { ...report, checked: [...report.checked, 'same classes as import'] };
    },
  },
];
