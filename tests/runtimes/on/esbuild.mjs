// esbuild, which leaves the module where it is: it is copied beside the bundle, or bundled as text (`ebbline/inline`).

import { copyFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { build } from 'esbuild';

import { PAGE, PAGE_INLINE } from '../programs.mjs';
import { reportOf, versionOf } from '../project.mjs';
import { html, reportOfPage, served } from '../pages.mjs';

const version = () => versionOf('esbuild');
const CODE = /\.(js|cjs|d\.ts|d\.cts)$/;

/** For Node: the package once imported and once required must be one instance. */
const BOTH = `
import * as imported from 'ebbline';
import { check } from './check.mjs';
const required = require('ebbline');
check(imported).then((report) => {
  if (required.EbblineError !== imported.EbblineError || required.plan !== imported.plan) throw new Error('there are two engines');
  console.log(JSON.stringify({ ...report, checked: [...report.checked, 'one engine'] }));
});
`;

const bundle = (folder, entry, options) =>
  build({
    absWorkingDir: folder,
    entryPoints: [entry],
    outdir: join(folder, 'built'),
    bundle: true,
    target: 'es2022',
    logLevel: 'silent',
    ...options,
  });

/** Copies what the package's programs load at run time, and nothing else. */
function copyAssets(folder, into) {
  const dist = join(folder, 'node_modules/ebbline/dist');
  const assets = readdirSync(dist, { recursive: true }).filter((path) => statSync(join(dist, path)).isFile() && !CODE.test(path));
  for (const path of assets) copyFileSync(join(dist, path), join(into, basename(path)));
}

async function page(folder) {
  const built = join(folder, 'built');
  writeFileSync(join(built, 'index.html'), html('/main.js'));
  return served(built, reportOfPage);
}

export const rows = [
  {
    runtime: 'esbuild, module copied',
    version,
    browser: true,
    files: { 'main.mjs': PAGE },
    async run(folder) {
      await bundle(folder, 'main.mjs', { format: 'esm' });
      copyAssets(folder, join(folder, 'built'));
      return page(folder);
    },
  },
  {
    runtime: 'esbuild, inline',
    tokenizers: false,
    version,
    browser: true,
    files: { 'main.mjs': PAGE_INLINE },
    async run(folder) {
      await bundle(folder, 'main.mjs', { format: 'iife' });
      return page(folder);
    },
  },
  {
    runtime: 'esbuild, for Node',
    tokenizers: false,
    version,
    files: { 'main.mjs': BOTH },
    async run(folder) {
      await bundle(folder, 'main.mjs', { format: 'cjs', platform: 'node', outExtension: { '.js': '.cjs' } });
      copyAssets(folder, join(folder, 'built'));
      return reportOf(folder, process.execPath, ['built/main.cjs']);
    },
  },
];
