// Measures contenders side by side: every round runs each of them once, in a new order, so that other load on the
// machine affects all of them alike. It measures the processor time of the whole process, including garbage collection.

import { randomOf } from './corpus.mjs';

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {() => unknown} run makes one call, or `batch` calls; a promise is awaited
 * @property {number} [batch] how many calls one `run` makes; 1 by default
 * @property {() => void} [before] prepares what `run` needs; not measured
 */

/** How long each contender runs before it is measured, in samples: this warms up the compiler. */
const WARM_SAMPLES = 40;

/** The processor time of this process so far, in nanoseconds. */
export function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1_000;
}

/** The median. */
export function median(figures) {
  const sorted = [...figures].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The median time of a call of each contender, in nanoseconds.
 *
 * @param {Contender[]} contenders
 * @param {{ rounds: number, sample: number, most: number, seed?: number }} effort the rounds; the shortest sample and
 *   the most for all samples of one contender, in nanoseconds
 * @returns {Promise<Map<string, number>>}
 */
export async function measure(contenders, { rounds, sample, most, seed = 1 }) {
  const random = randomOf(seed);
  const runners = [];
  for (const contender of contenders) runners.push(await warm(contender, sample, most, rounds));
  for (let round = 0; round < rounds; round += 1) {
    globalThis.gc?.();
    for (const runner of shuffled(runners, random)) {
      // A slow contender is measured in fewer rounds, spread over all of them.
      if (round * runner.samples < runner.times.length * rounds) continue;
      runner.times.push(await once(runner));
    }
  }
  return new Map(runners.map(({ contender, times }) => [contender.name, median(times)]));
}

/** Warms a contender up, and determines how often it must run for one sample. */
async function warm(contender, sample, most, rounds) {
  const runner = { contender, repeats: 1, samples: rounds, times: [] };
  let perRun = await timeOf(runner);
  for (let spent = perRun, runs = 1; spent < sample * WARM_SAMPLES && runs < 5_000; runs += 1) {
    perRun = await timeOf(runner);
    spent += perRun;
  }
  runner.repeats = Math.min(Math.max(Math.ceil(sample / Math.max(perRun, 1)), 1), 10_000);
  runner.samples = Math.min(Math.max(Math.floor(most / (perRun * runner.repeats)), 3), rounds);
  return runner;
}

async function once(runner) {
  let time = 0;
  for (let repeat = 0; repeat < runner.repeats; repeat += 1) time += await timeOf(runner);
  return time / runner.repeats / (runner.contender.batch ?? 1);
}

async function timeOf({ contender }) {
  contender.before?.();
  const start = processorTime();
  const done = contender.run();
  if (typeof done?.then === 'function') await done;
  return Math.max(processorTime() - start - overhead, 0);
}

function shuffled(list, random) {
  const order = [...list];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/** The cost of reading the clock. */
const overhead = (() => {
  const pairs = 20_000;
  const start = processorTime();
  for (let pair = 0; pair < pairs; pair += 1) processorTime();
  return (processorTime() - start) / pairs;
})();
