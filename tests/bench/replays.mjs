// What the replay of a recorded session costs, with its bill: `node replays.mjs LENGTH..`. Prints JSON.
//
// A comparison of several policies walks the messages once. So a replay is measured as the difference between a comparison of
// nine policies and one of a single policy.

import { median, processorTime } from './stopwatch.mjs';
import { PER_TURN, turnAt } from './turns.mjs';
import { ebbline } from '../npm/package.mjs';

const lengths = process.argv.slice(2).map(Number);
const PROFILES = ['ebbline@3', 'ebbline@2', 'ebbline@1', 'pi@1.5', 'opencode@2026-06'];
const WINDOWS = [0, 200_000];
const MORE = 8;
const SAMPLES = 7;

const rows = [];
for (const profile of PROFILES) {
  for (const context of WINDOWS) rows.push({ profile, context, times: lengths.map((length) => timeOf(length, profile, context)) });
}
console.log(JSON.stringify(rows));

function timeOf(length, profile, context) {
  const messages = [];
  for (let at = 0; at < length; at += PER_TURN) messages.push(...turnAt(at));
  const options = { format: 'pi', model: { context, output: 32_000 } };
  const timed = (count) => {
    const policies = Array.from({ length: count }, () => profile);
    const began = processorTime();
    ebbline.compare(messages, policies, options);
    return processorTime() - began;
  };
  const samples = Array.from({ length: SAMPLES }, () => (timed(1 + MORE) - timed(1)) / MORE);
  return Math.max(0, median(samples));
}
