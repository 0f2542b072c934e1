// Cloudflare's workerd, in miniflare, from a bundle like wrangler's: the module stays a file beside it.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';

import { versionOf } from '../project.mjs';

/** Not newer than the workerd that miniflare brings. */
const COMPATIBILITY_DATE = '2026-04-01';
const WORKER = `
import * as ebbline from 'ebbline';
import { check } from './check.mjs';
import { tokenizers } from './tokenizers.mjs';
export default {
  async fetch() {
    try {
      return Response.json(await check(ebbline, { tokenizers }));
    } catch (error) {
      return Response.json({ error: String(error?.stack ?? error) });
    }
  },
};
`;

export const rows = [
  {
    runtime: 'workerd',
    version: () => `${versionOf('workerd')} (miniflare ${versionOf('miniflare')})`,
    files: { 'worker.mjs': WORKER },
    async run(folder) {
      const bundled = join(folder, 'bundled');
      await build({
        absWorkingDir: folder,
        entryPoints: ['worker.mjs'],
        outdir: bundled,
        bundle: true,
        format: 'esm',
        target: 'es2022',
        conditions: ['workerd', 'worker', 'browser'],
        loader: { '.wasm': 'copy', '.bin': 'copy' },
        logLevel: 'silent',
      });
      return answerOf(bundled);
    },
  },
];

async function answerOf(folder) {
  // An import of its own, for miniflare is slow to load and only this row needs it.
  const { Miniflare } = await import('miniflare');
  const contents = (path) => readFileSync(join(folder, path));
  const others = readdirSync(folder).filter((path) => path !== 'worker.js');
  const miniflare = new Miniflare({
    compatibilityDate: COMPATIBILITY_DATE,
    modules: [
      { type: 'ESModule', path: 'worker.js', contents: contents('worker.js') },
      ...others.map((path) => ({ type: path.endsWith('.wasm') ? 'CompiledWasm' : 'Data', path, contents: contents(path) })),
    ],
  });
  try {
    const report = await (await miniflare.dispatchFetch('http://localhost/')).json();
    if (report.error) throw new Error(report.error);
    return report;
  } finally {
    await miniflare.dispose();
  }
}
