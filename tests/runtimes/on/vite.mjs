// Vite: what it builds, and its server for development; a page and a worker of it.

import { build, createServer } from 'vite';

import { BOTH_PLACES, BUNDLED_WORKER } from '../programs.mjs';
import { versionOf } from '../project.mjs';
import { html, reportOfPage, served } from '../pages.mjs';

const common = (root) => ({ root, configFile: false, logLevel: 'silent', clearScreen: false, worker: { format: 'es' } });
const files = { 'main.mjs': BOTH_PLACES, 'worker.mjs': BUNDLED_WORKER };
const version = () => versionOf('vite');

export const rows = [
  {
    runtime: 'Vite, build',
    version,
    browser: true,
    files,
    page: () => html('/main.mjs'),
    async run(folder) {
      await build({ ...common(folder), build: { outDir: 'built' } });
      return served(`${folder}/built`, reportOfPage);
    },
  },
  {
    runtime: 'Vite, dev',
    version,
    browser: true,
    files,
    page: () => html('/main.mjs'),
    async run(folder) {
      const server = await createServer({ ...common(folder), server: { host: '127.0.0.1', port: 0, hmr: false, watch: null } });
      try {
        await server.listen();
        return await reportOfPage(`http://127.0.0.1:${server.httpServer.address().port}/`);
      } finally {
        await server.close();
      }
    },
  },
];
