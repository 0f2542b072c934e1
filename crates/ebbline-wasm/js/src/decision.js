import * as core from './core.js';
import { engineMemory } from './engine.js';

/** @type {{ schema: string, verdicts: string[], reasons: string[], sources: string[] } | undefined} */
let words;
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
 * What a ledger decided last, as the members of a plan that say nothing of single messages. The order of the figures is
 * documented, once, in `crates/ebbline-wasm/src/ledger.rs`.
 *
 * @param {number} pointer where the figures lie
 * @param {string} profile
 */
export function decisionAt(pointer, profile) {
  words ??= JSON.parse(core.decisionWords());
  // When the memory grows, the view is left with nothing.
  if (doubles.length === 0) doubles = new Float64Array(engineMemory().buffer);
  const { schema, verdicts, reasons, sources } = words;
  const figures = doubles;
  const at = pointer >>> 3;
  return {
    schema,
    profile,
    verdict: verdicts[figures[at]],
    reason: reasons[figures[at + 1]],
    tokensBefore: figures[at + 2],
    tokensAfter: figures[at + 3],
    fits: figures[at + 4] === 1,
    summaryAllowance: figures[at + 5],
    trigger: {
      context: figures[at + 6],
      threshold: figures[at + 7],
      tokens: figures[at + 8],
      source: sources[figures[at + 9]],
      fires: figures[at + 10] === 1,
    },
    prune: {
      applied: figures[at + 11] === 1,
      reason: reasons[figures[at + 12]],
      boundary: figures[at + 13] < 0 ? null : { message: figures[at + 13], part: figures[at + 14] },
      counted: figures[at + 15],
      candidates: figures[at + 16],
      outputs: figures[at + 17],
      reclaimed: figures[at + 18],
    },
    retain: {
      applied: figures[at + 19] === 1,
      reason: reasons[figures[at + 20]],
      proposed: placeIn(figures[at + 21]),
      boundary: placeIn(figures[at + 22]),
      splitTurn: placeIn(figures[at + 23]),
      kept: figures[at + 24],
      summarised: figures[at + 25],
      messages: figures[at + 26],
    },
  };
}

function placeIn(figure) {
  return figure < 0 ? null : figure;
}
