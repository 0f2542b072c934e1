// Chromium without a bundler: an import map for the page; a module worker, which loads the engine itself or receives it
// compiled.

import { PAGE } from '../programs.mjs';
import { manifestOf } from '../project.mjs';
import { chromiumVersion, html, importMap, leaving, reportOfPage, served } from '../pages.mjs';

const ENTRY = '/node_modules/ebbline/dist/web.js';
const MODULE = '/node_modules/ebbline/dist/ebbline.wasm';

/** The worker imports files by path: import maps do not apply in workers. */
const WORKER = `
import * as ebbline from '${ENTRY}';
import { check } from './check.mjs';
onmessage = ({ data }) => check(ebbline, { source: data.module }).then(postMessage, (error) => postMessage({ error: String(error?.stack ?? error) }));
`;
/** A worker that loads the engine, or receives the page's compiled module. */
const ASKING = `
const answer = (module) => new Promise((resolve, reject) => {
  const worker = new Worker('/worker.mjs', { type: 'module' });
  worker.onmessage = ({ data }) => { worker.terminate(); resolve(data); };
  worker.onerror = (event) => reject(new Error(event.message));
  worker.postMessage({ module });
});`;
const COMPILED = `answer(await WebAssembly.compileStreaming(fetch('${MODULE}')))`;

async function pageIn(folder) {
  return served(folder, reportOfPage);
}

const loads = ({ requests }) => requests.filter((path) => path === MODULE).length;

function loadedOnce(report) {
  if (loads(report) !== 1) throw new Error(`the module was loaded ${loads(report)} times`);
  return report;
}

/** Where a page finds each entry of the package, from its manifest. */
function paths(manifest) {
  const target = (value) => (typeof value === 'string' ? value : target(value.browser ?? value.default ?? value.import));
  return Object.fromEntries(
    Object.entries(manifest.exports).map(([path, value]) => [`ebbline${path.slice(1)}`, `/node_modules/ebbline${target(value).slice(1)}`]),
  );
}

export const rows = [
  {
    runtime: 'Chromium, import map',
    version: chromiumVersion,
    browser: true,
    files: { 'main.mjs': PAGE },
    page: (folder) => html('/main.mjs', importMap(paths(manifestOf(folder)))),
    run: async (folder) => loadedOnce(await pageIn(folder)),
  },
  {
    runtime: 'Chromium, worker',
    tokenizers: false,
    version: chromiumVersion,
    browser: true,
    files: { 'worker.mjs': WORKER, 'main.mjs': leaving(ASKING, 'answer()') },
    page: () => html('/main.mjs'),
    run: async (folder) => loadedOnce(await pageIn(folder)),
  },
  {
    runtime: 'Chromium, worker',
    tokenizers: false,
    version: chromiumVersion,
    browser: true,
    files: { 'worker.mjs': WORKER, 'main.mjs': leaving(ASKING, COMPILED) },
    page: () => html('/main.mjs'),
    async run(folder) {
      const report = loadedOnce(await pageIn(folder));
      return { ...report, checked: [...report.checked, 'module compiled by the page'] };
    },
  },
];
