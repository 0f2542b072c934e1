// webpack: a page and a worker of it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import webpack from 'webpack';

import { BOTH_PLACES, BUNDLED_WORKER } from '../programs.mjs';
import { versionOf } from '../project.mjs';
import { html, reportOfPage, served } from '../pages.mjs';

export const rows = [
  {
    runtime: 'webpack',
    version: () => versionOf('webpack'),
    browser: true,
    files: { 'main.mjs': BOTH_PLACES, 'worker.mjs': BUNDLED_WORKER },
    async run(folder) {
      const built = join(folder, 'built');
      const stats = await promised(
        webpack({ mode: 'production', context: folder, entry: './main.mjs', output: { path: built }, performance: false }),
      );
      if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString({ all: false, errors: true, warnings: true }));
      writeFileSync(join(built, 'index.html'), html('/main.js'));
      return served(built, reportOfPage);
    },
  },
];

const promised = (compiler) =>
  new Promise((resolve, reject) => {
    compiler.run((failure, stats) => compiler.close((late) => ((failure ?? late) ? reject(failure ?? late) : resolve(stats))));
  });
