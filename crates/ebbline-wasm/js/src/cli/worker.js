// A thread of the command line: it loads the package itself, and is sent one file after the other.

import { parentPort, workerData } from 'node:worker_threads';

import { done } from './works.js';

const { kind, given } = workerData;
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

port.on('message', async ({ at, file }) => {
  port.postMessage({ at, result: await done(kind, given, file) });
});
