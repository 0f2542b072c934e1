// How long the package takes to start in Node: in new processes, so that only the disk cache is warm.

import { emptyProject, run } from './project.mjs';

/** Odd, so that one process is the median. */
const PROCESSES = 21;

/** Time by the clock and processor time: other load on the machine makes only the first one longer. */
const CLOCK = `
const clock = () => {
  const { user, system } = process.cpuUsage();
  return [performance.now(), (user + system) / 1000];
};
const since = (began) => clock().map((time, kind) => time - began[kind]);
`;
const WHOLE = `${CLOCK}
const began = clock();
await import('ebbline');
console.log(JSON.stringify(since(began)));
`;
const MODULE = `${CLOCK}
import { readFileSync } from 'node:fs';
const began = clock();
new WebAssembly.Module(readFileSync('node_modules/ebbline/dist/ebbline.wasm'));
console.log(JSON.stringify(since(began)));
`;

/** Medians in milliseconds, each as `[time, processor time]`: all of `import 'ebbline'`; reading and compiling the module. */
export async function measureStart(tarball) {
  const folder = await emptyProject(tarball, 'start', { 'whole.mjs': WHOLE, 'module.mjs': MODULE });
  const times = { whole: [], module: [] };
  for (let count = 0; count < PROCESSES; count += 1) {
    for (const [part, list] of Object.entries(times)) {
      const { stdout } = await run(folder, process.execPath, [`${part}.mjs`]);
      list.push(JSON.parse(stdout));
    }
  }
  const medians = (list) => [0, 1].map((kind) => median(list.map((pair) => pair[kind])));
  return { whole: medians(times.whole), module: medians(times.module) };
}

/** The medians in words. */
export function sentence({ whole, module }) {
  const said = ([time, processor]) => `${time.toFixed(1)} ms (${processor.toFixed(1)} ms of the processor)`;
  return (
    `Node: import 'ebbline' takes ${said(whole)}; ` +
    `of it, reading and compiling the module ${said(module)}. Medians of ${PROCESSES} new processes.`
  );
}

function median(times) {
  return times.toSorted((a, b) => a - b)[times.length >> 1];
}
