// The cost of a growing session: memory per message, nothing left by dropped sessions, and requests whose cost does
// not depend on the session's length. The tests compare bytes, reads, and times with each other; never a time with a
// figure.

import '../bench/wasm-memory.mjs'; // before the package, so that it sees the module's memory

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTask } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { median, processorTime } from '../bench/stopwatch.mjs';
import { PER_TURN, turnAt } from '../bench/turns.mjs';
import { wasmBytes } from '../bench/wasm-memory.mjs';
import { ebbline } from './package.mjs';

const { EbblineError, Session } = ebbline;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

const MODEL = { context: 200_000, output: 32_000 };
/**
 * The limit for a message of one or two parts: in the module including the spare capacity of its lists, and in the
 * heap of JavaScript. If a profile reads characters, its results are remembered with the message.
 */
const MOST_BYTES = {
  'ebbline@1': { wasm: 400, heap: 640 },
  'pi@1.5': { wasm: 400, heap: 480 },
  'opencode@2026-06': { wasm: 400, heap: 96 },
};
const PROFILES = Object.keys(MOST_BYTES);

function sessionOf(turns, profile = PROFILES[0]) {
  const session = new Session({ format: 'pi', profile, model: MODEL });
  for (let turn = 0; turn < turns; turn += 1) session.push(turnAt(turn * PER_TURN));
  session.check();
  return session;
}

/** Finalizers run as separate tasks, some time after the garbage collection that found their objects. */
async function settle() {
  for (let round = 0; round < 4; round += 1) {
    collect();
    await nextTask();
    await nextTask();
  }
}

test('ten thousand sessions that nobody frees leave memory flat', async () => {
  const after = [];
  for (let batch = 0; batch < 20; batch += 1) {
    for (let made = 0; made < 500; made += 1) sessionOf(20);
    await settle();
    after.push({ wasm: wasmBytes(), heap: process.memoryUsage().heapUsed });
  }
  const [early, last] = [after[3], after.at(-1)];
  assert.equal(last.wasm, early.wasm);
  assert.ok(last.heap < early.heap + 2e6, `${early.heap} bytes became ${last.heap}`);

  // Sessions that are kept do take memory, so the figures above would show it.
  const held = [];
  while (held.length < 3_000) held.push(sessionOf(20));
  assert.ok(wasmBytes() > last.wasm);
  held.forEach((session) => session.free());
});

for (const profile of PROFILES) {
  test(`${profile}: a message takes no more than is said`, async () => {
    const length = 200_000;
    const turns = Array.from({ length: length / PER_TURN }, (_, turn) => turnAt(turn * PER_TURN));
    await settle();
    const before = { wasm: wasmBytes(), heap: process.memoryUsage().heapUsed };
    const session = new Session({ format: 'pi', profile, model: MODEL });
    for (const turn of turns) session.push(turn);
    session.check();
    await settle();
    const wasm = (wasmBytes() - before.wasm) / length;
    const heap = (process.memoryUsage().heapUsed - before.heap) / length;
    assert.ok(wasm <= MOST_BYTES[profile].wasm, `${wasm} bytes a message in the module`);
    assert.ok(heap <= MOST_BYTES[profile].heap, `${heap} bytes a message in the heap`);
    session.free();
  });

  test(`${profile}: a request costs at 100,000 messages what it costs at 1,000`, () => {
    const session = sessionOf(500, profile);
    const short = costOf(session);
    for (let at = session.length; at < 100_000; at += PER_TURN) session.push(turnAt(at));
    const long = costOf(session);
    // Cold caches may make it a few times as much; a walk over all messages would make it a hundred times as much.
    assert.ok(long < short * 10, `${short} ns became ${long} ns`);
    session.free();
  });
}

/** The processor time of a turn and its decision, among many. */
function costOf(session) {
  const { length } = session;
  const samples = [];
  for (let sample = 0; sample < 60; sample += 1) {
    const turns = Array.from({ length: 32 }, (_, turn) => turnAt(length + turn * PER_TURN));
    const start = processorTime();
    for (const turn of turns) {
      session.push(turn);
      session.check();
    }
    samples.push(processorTime() - start);
    session.truncate(length);
    session.check();
  }
  return median(samples.slice(20)) / 32;
}

test('what was pushed is not read again', () => {
  const { session, counted, reads } = countedSession('last');
  session.push(turnAt(2_000));
  session.check();
  assert.equal(reads(), 0, 'by a push');
  session.sync([...counted, ...turnAt(2_000), ...turnAt(2_002)].slice(0, counted.length));
  session.check();
  assert.equal(reads(), 0, 'by a list that is shorter');
  session.sync([...counted, ...turnAt(2_002)]);
  session.check();
  assert.equal(reads(), 0, 'by a list that is longer');
});

test('of an edited history only what comes after the edit is read again', () => {
  const { session, counted, reads } = countedSession('all');
  const edited = [...counted];
  [edited[900], edited[901]] = turnAt(900);
  session.sync(edited);
  session.check();
  assert.ok(reads() <= 8 * 100, `${reads()} reads`);
});

/** A session of a thousand messages that count how often their content is read from now on. */
function countedSession(verify) {
  let count = 0;
  const counting = (message) => {
    const { content } = message;
    return Object.defineProperty(message, 'content', {
      get() {
        count += 1;
        return content;
      },
    });
  };
  const counted = [];
  for (let at = 0; at < 1_000; at += PER_TURN) counted.push(...turnAt(at).map(counting));
  const session = new Session({ format: 'pi', model: MODEL, verify });
  session.push(counted);
  session.check();
  assert.ok(count >= counted.length);
  count = 0;
  return { session, counted, reads: () => count };
}

test('a session that was freed answers with an error', () => {
  const uses = {
    push: (session) => session.push(turnAt(0)),
    sync: (session) => session.sync(turnAt(0)),
    check: (session) => session.check(),
    plan: (session) => session.plan(),
    apply: (session) => session.apply(),
    truncate: (session) => session.truncate(0),
  };
  const session = sessionOf(3);
  session.free();
  session.free(); // There is nothing left to do.
  for (const [name, use] of Object.entries(uses)) {
    assert.throws(
      () => use(session),
      (/** @type {any} */ error) => error instanceof EbblineError && error.code === 'freed',
      name,
    );
  }
});
