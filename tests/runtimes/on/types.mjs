// TypeScript, with both ways of finding a package's declarations.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { manifestOf, run, tokenizersOf, versionOf } from '../project.mjs';

const tests = join(import.meta.dirname, '../..');

const SUBPATHS = `
import { plan } from "ebbline";
import { init, plan as fromInline } from "ebbline/inline";
import { plan as fromWeb } from "ebbline/web";
const same: typeof plan[] = [fromInline, fromWeb];
void same;
void init();
`;
const REQUIRED = `
import ebbline = require("ebbline");
const verdict: string = ebbline.plan("[]").verdict;
void verdict;
`;
const USING = `
import { Session } from "ebbline";
{
  using session = new Session();
  void session;
}
`;

/** The strictness of the types' own tests; where the package is, each project finds out itself. */
const { paths: _, ...OPTIONS } = JSON.parse(readFileSync(join(tests, 'npm/tsconfig.json'), 'utf8')).compilerOptions;
/** `using` wants `Symbol.dispose`, which comes with this library; without it, all else has to compile just the same. */
const DISPOSABLE = [...OPTIONS.lib, 'esnext.disposable'];

const KINDS = {
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

export const rows = Object.entries(KINDS).map(([kind, options]) => ({
  runtime: `tsc, ${kind}`,
  version: () => versionOf('typescript'),
  files: {
    'plain.ts': readFileSync(join(tests, 'npm/types.test-d.ts'), 'utf8'),
    'required.cts': REQUIRED,
    'using.ts': USING,
  },
  async run(folder) {
    const declared = readFileSync(join(folder, 'node_modules/ebbline/dist/index.d.ts'), 'utf8');
    const compile = async (files, more = {}) => {
      const compilerOptions = { ...OPTIONS, ...options, ...more };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      await run(folder, process.execPath, [join(tests, 'node_modules/typescript/bin/tsc'), '-p', '.']);
    };
    const imports = tokenizersOf(manifestOf(folder)).map(
      (name) => `import { load as ${name} } from "ebbline/tokenizers/${name}";\nvoid ${name};\n`,
    );
    writeFileSync(join(folder, 'subpaths.ts'), imports.join('') + SUBPATHS);
    const plain = ['plain.ts', 'subpaths.ts'];
    const checked = ['the types’ own tests', 'subpaths'];
    if (kind === 'nodenext') {
      plain.push('required.cts');
      checked.push('require');
    }
    await compile(plain);
    if (/\bSession\b/.test(declared)) {
      await compile([...plain, 'using.ts'], { lib: DISPOSABLE });
      checked.push('using');
    }
    return { checked };
  },
}));
