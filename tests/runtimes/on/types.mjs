// TypeScript, with both ways of finding a package's declarations.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { run, versionOf } from '../project.mjs';

const here = import.meta.dirname;
const tests = join(here, '../..');

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

const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  target: 'es2022',
  types: [],
  skipLibCheck: false,
};
/** `using` wants the declaration of `Symbol.dispose`, which comes with any newer library or with Node's types. */
const LIB = ['es2022', 'dom', 'esnext.disposable'];

const KINDS = {
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

export const rows = Object.entries(KINDS).map(([kind, options]) => ({
  runtime: `tsc, ${kind}`,
  version: () => versionOf('typescript'),
  files: {
    'plain.ts': readFileSync(join(tests, 'npm/types.test-d.ts'), 'utf8'),
    'subpaths.ts': SUBPATHS,
    'required.cts': REQUIRED,
    'using.ts': USING,
  },
  async run(folder) {
    const declared = readFileSync(join(folder, 'node_modules/ebbline/dist/index.d.ts'), 'utf8');
    const sources = ['plain.ts', 'subpaths.ts'];
    const checked = ['the types’ own tests', 'subpaths'];
    if (kind === 'nodenext') {
      sources.push('required.cts');
      checked.push('require');
    }
    if (/class Session\b/.test(declared)) {
      sources.push('using.ts');
      checked.push('using');
    }
    const tsc = join(tests, 'node_modules/typescript/bin/tsc');
    const flags = Object.entries({ ...OPTIONS, ...options, lib: LIB }).flatMap(([name, value]) => [`--${name}`, String(value)]);
    await run(folder, process.execPath, [tsc, ...flags, ...sources]);
    return { checked };
  },
}));
