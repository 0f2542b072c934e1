// All contenders over sessions of one length, in one process: `node size.mjs LENGTH ROUNDS MILLISECONDS [PATTERN]`. Prints
// JSON.
//
// MILLISECONDS: the most for all samples of one contender. PATTERN: only contenders whose names match.

import assert from 'node:assert/strict';

import { RunningSums, decideFromScratch, decidePacked, decidePackedAi, scanForPrune } from './floors.mjs';
import { ours } from './ours.mjs';
import { peers } from './peers.mjs';
import { entries as makeEntries, shapes, take, weigh } from './sessions.mjs';
import { measure } from './stopwatch.mjs';

const [length, rounds, most] = process.argv.slice(2, 5).map(Number);
const pattern = new RegExp(process.argv[5] ?? '', 'u');
const FOLLOWING = 4_096;

const source = makeEntries();
const entries = endingWithAnswer(take(source, length));
const following = take(source, FOLLOWING);
const sessions = Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, entries.map(shape)]));

const contenders = [
  ...ours(entries, following, shapes, sessions),
  ...floors(sessions),
  ...peers(sessions).filter(({ upTo = Infinity }) => length <= upTo),
].filter(({ name }) => pattern.test(name));
const times = await measure(contenders, { rounds, sample: 1e6, most: most * 1e6 });
console.log(JSON.stringify({ length, weight: weigh(entries), times: Object.fromEntries(times) }));

/** The session ends with an answer, which reports usage: results after it would have to be estimated. */
function endingWithAnswer(taken) {
  const last = taken.findLastIndex(({ role }) => role === 'assistant');
  return taken.slice(0, last + 1);
}

function floors({ pi, ai }) {
  const sums = new RunningSums();
  sums.push(pi);
  const { total, pruned, cut } = decidePacked(pi);
  const checked = sums.check();
  assert.deepEqual([checked.total, checked.pruned, checked.cut], [total, pruned, cut], 'the floors do not agree');
  const turns = 64;
  let next = [];
  let used = 0;
  return [
    { name: 'F0: scan for outputs to prune', run: () => scanForPrune(pi) },
    { name: 'F1: whole job, JSON.stringify', run: () => decideFromScratch(pi) },
    { name: 'd2: thin walk, whole job', run: () => decidePacked(pi) },
    { name: 'd2 over messages of the AI SDK', run: () => decidePackedAi(ai) },
    {
      name: 'F3s: running sums, a turn of two messages',
      batch: turns,
      before() {
        sums.truncate(pi.length);
        next = Array.from({ length: turns }, () => [0, 1].map(() => shapes.pi(following[(used += 1) % FOLLOWING])));
      },
      run() {
        for (const turn of next) {
          sums.push(turn);
          sums.check();
        }
      },
    },
  ];
}
