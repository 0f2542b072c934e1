// What a request costs as a session grows: `node growth.mjs PROFILE LENGTH..`. Prints JSON.

import { median, processorTime } from './stopwatch.mjs';
import { PER_TURN, turnAt } from './turns.mjs';
import { ebbline } from '../npm/package.mjs';

const [profile, ...lengths] = process.argv.slice(2);
/** Turns per sample, samples per length, and turns before the first sample that warm up the compiler. */
const TURNS = 64;
const SAMPLES = 31;
const WARMING = 4_000;
const model = { context: 200_000, output: 32_000 };

const warmed = begin();
for (let turn = 0; turn < WARMING; turn += 1) check(warmed, PER_TURN * turn);
warmed.free();
console.log(JSON.stringify({ profile, rows: growth() }));

function begin() {
  return new ebbline.Session({ format: 'pi', profile, model });
}

function growth() {
  const session = begin();
  const rows = [];
  let at = 0;
  for (const length of lengths.map(Number)) {
    for (; at < length; at += PER_TURN) session.push(turnAt(at));
    session.check();
    globalThis.gc?.();
    const samples = [];
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const turns = Array.from({ length: TURNS }, (_, turn) => turnAt(at + PER_TURN * turn));
      const start = processorTime();
      for (const turn of turns) {
        session.push(turn);
        session.check();
      }
      samples.push((processorTime() - start) / TURNS);
      session.truncate(at);
      session.check();
    }
    rows.push({ length, time: median(samples) });
  }
  session.free();
  return rows;
}

function check(session, at) {
  session.push(turnAt(at));
  return session.check();
}
