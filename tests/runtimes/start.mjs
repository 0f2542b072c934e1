// How long the package takes to start in Node: in new processes, so that nothing is warm but the disk.

import { run, emptyProject } from './project.mjs';

/** Odd, so that one process is the median. */
const PROCESSES = 21;

const PROGRAM = `
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
const began = performance.now();
await import('ebbline');
console.log(performance.now() - began);
`;
const PARTS = `
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
const began = performance.now();
const bytes = readFileSync('node_modules/ebbline/dist/ebbline.wasm');
const read = performance.now();
new WebAssembly.Module(bytes);
console.log(JSON.stringify([read - began, performance.now() - read]));
`;

/** Medians in milliseconds: all of `import 'ebbline'`, and of it reading the module and compiling it. */
export async function measureStart(tarball) {
  const folder = await emptyProject(tarball, 'start', { 'start.mjs': PROGRAM, 'parts.mjs': PARTS });
  const whole = [];
  const parts = [];
  const printed = async (file) => JSON.parse((await run(folder, process.execPath, [file])).stdout);
  for (let count = 0; count < PROCESSES; count += 1) {
    whole.push(await printed('start.mjs'));
    parts.push(await printed('parts.mjs'));
  }
  const [read, compile] = [0, 1].map((part) => median(parts.map((times) => times[part])));
  return { whole: median(whole), read, compile, processes: PROCESSES };
}

/** The medians in words. */
export function sentence({ whole, read, compile, processes }) {
  const ms = (time) => `${time.toFixed(1)} ms`;
  return `Node: import 'ebbline' takes ${ms(whole)}, of it ${ms(read)} to read the module and ${ms(compile)} to compile it (medians of ${processes} new processes).`;
}

function median(times) {
  return times.toSorted((a, b) => a - b)[times.length >> 1];
}
