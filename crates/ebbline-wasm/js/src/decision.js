import { engineMemory } from './engine.js';
import { decisionOf } from './generated/decision.js';

let doubles = new Float64Array();
let room = new Uint32Array();
/** From so many words on, copying them together costs less than one by one. */
const MANY = 256;

/** Adds to a ledger the messages that the words from `first` up to, not including, `end` hold. */
export function pushWords(ledger, from, first, end) {
  const count = end - first;
  const at = ledger.room(count) >>> 2;
  // When the memory grows, the view is left with nothing.
  if (room.length === 0) room = new Uint32Array(engineMemory().buffer);
  if (count > MANY) room.set(from.subarray(first, end), at);
  else for (let word = 0; word < count; word += 1) room[at + word] = from[first + word];
  ledger.push(count);
}

/**
 * What a ledger decided last, as the members of a plan that say nothing of single messages.
 *
 * @param {number} pointer where the figures lie
 * @param {string} profile
 */
export function decisionAt(pointer, profile) {
  // When the memory grows, the view is left with nothing.
  if (doubles.length === 0) doubles = new Float64Array(engineMemory().buffer);
  return decisionOf(doubles, pointer >>> 3, profile);
}
