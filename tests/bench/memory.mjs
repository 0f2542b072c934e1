// The memory of a session, without the messages, which the caller has anyway: `node --expose-gc memory.mjs PROFILE
// LENGTH`. Prints JSON: bytes per message in the heap of JavaScript and in the module.

import { wasmBytes } from './wasm-memory.mjs';
import { PER_TURN, turnAt } from './turns.mjs';

const { ebbline } = await import('../npm/package.mjs');
const [profile, length] = [process.argv[2], Number(process.argv[3])];
const model = { context: 200_000, output: 32_000 };

// A short session first: what all sessions share must not count for the measured one.
hold(turnsUpTo(2_000)).free();
const messages = turnsUpTo(length);
const before = weigh();
const session = hold(messages);
const after = weigh();
console.log(JSON.stringify({ profile, length, heap: (after.heap - before.heap) / length, wasm: (after.wasm - before.wasm) / length }));
session.free();

function turnsUpTo(count) {
  const made = [];
  for (let at = 0; at < count; at += PER_TURN) made.push(...turnAt(at));
  return made;
}

/** Pushed turn by turn, as an agent does. */
function hold(held) {
  const session = new ebbline.Session({ format: 'pi', profile, model });
  for (let at = 0; at < held.length; at += PER_TURN) {
    session.push(held.slice(at, at + PER_TURN));
    if (at % 1_000 === 0) session.check();
  }
  session.check();
  return session;
}

function weigh() {
  for (let round = 0; round < 4; round += 1) globalThis.gc();
  return { heap: process.memoryUsage().heapUsed, wasm: wasmBytes() };
}
