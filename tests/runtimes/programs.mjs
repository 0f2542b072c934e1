// The programs that use the package: each has the few lines that a user would write, and one call of `check`.

import { leaving } from './pages.mjs';

/** For the command line, with `import`. */
export const PROGRAM = `
import * as ebbline from 'ebbline';
import { check } from './check.mjs';
import { tokenizers } from './tokenizers.mjs';
console.log(JSON.stringify(await check(ebbline, { tokenizers })));
`;

/** For the command line, with `require`. */
export const REQUIRING = `
const ebbline = require('ebbline');
(async () => {
  const { check } = await import('./check.mjs');
  const { tokenizers } = await import('./tokenizers.mjs');
  console.log(JSON.stringify(await check(ebbline, { tokenizers })));
})();
`;

const IMPORTS = `
import * as ebbline from 'ebbline';
import { check } from './check.mjs';
import { tokenizers } from './tokenizers.mjs';`;

/** For a page. */
export const PAGE = leaving(IMPORTS, 'check(ebbline, { tokenizers })');

/** For a page whose bundle has the module inside. */
export const PAGE_INLINE = leaving(`import * as ebbline from 'ebbline/inline';\nimport { check } from './check.mjs';`, 'check(ebbline)');

/** For a page with a worker in the same bundle: both must give the same answers. */
export const BOTH_PLACES = leaving(
  `${IMPORTS}
const inWorker = () => new Promise((resolve, reject) => {
  const worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = (event) => reject(new Error(event.message ?? 'the worker does not load'));
});
const together = (page, worker) => {
  if (worker.error) throw new Error(worker.error);
  if (JSON.stringify(worker.answers) !== JSON.stringify(page.answers)) throw new Error('the worker answers something else');
  return { ...page, checked: [...page.checked, 'the same in a worker'] };
};`,
  'together(await check(ebbline, { tokenizers }), await inWorker())',
);

/** The worker of that page. */
export const BUNDLED_WORKER = `${IMPORTS}
check(ebbline, { tokenizers }).then(postMessage, (error) => postMessage({ error: String(error?.stack ?? error) }));
`;
