import type { Ledger } from './core.js';
import { engineMemory } from './engine.js';
import { decisionOf } from './generated/decision.js';
import type { DecisionOptions } from './session-options.js';

/** What a decision is asked for, as the engine takes it. What is not known is {@link UNKNOWN}. */
export type Asked = [force: boolean, knownTokens: number, overhead: number, idle: number, changedAt: number];

/** The options of a decision. */
export interface Asking extends DecisionOptions {
  /** How many messages the newest change left, if usage since then says how large the context is. */
  changedAt?: number;
}

/** The amount that says to the engine that an amount is not known. */
export const UNKNOWN = -1;

let doubles = new Float64Array();
let room = new Uint32Array();
/** From this many words on, copying them together is cheaper than one by one. */
const MANY = 256;

/** Adds the messages of the words from `first` to `end` (exclusive) to a ledger. */
export function pushWords(ledger: Ledger, from: Uint32Array, first: number, end: number) {
  const count = end - first;
  const at = ledger.room(count) >>> 2;
  // If the memory has grown, the view is empty.
  if (room.length === 0) room = new Uint32Array(engineMemory().buffer);
  if (count > MANY) room.set(from.subarray(first, end), at);
  else for (let word = 0; word < count; word += 1) room[at + word] = from[first + word];
  ledger.push(count);
}

/**
 * A ledger's last decision, as the members of a plan that do not concern single messages.
 *
 * @param pointer the address of the figures
 */
export function decisionAt(pointer: number, profile: string) {
  // If the memory has grown, the view is empty.
  if (doubles.length === 0) doubles = new Float64Array(engineMemory().buffer);
  return decisionOf(doubles, pointer >>> 3, profile);
}

/** The options of a decision, in the order of the engine's arguments. */
export function askedOf({ force = false, knownTokens = 0, overhead = UNKNOWN, idle = UNKNOWN, changedAt = UNKNOWN }: Asking): Asked {
  return [force, knownTokens, overhead, idle, changedAt];
}
