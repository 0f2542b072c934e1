import { classTables } from './core.js';

// The estimate is documented, once, in crates/ebbline/src/length/classes.rs, and its tables come from there.
const WHOLE = 1024;
const BLOCK = 64;
const EIGHTHS = 8;
const UNITS = 0x1_0000;
const STATES = 28;
/** The binary logarithm of a row's width. */
const ROW = 5;
/** The state in which a text begins: that after a line break. */
const BEGINNING = 10;

/** What one character of JSON's own costs. */
export const STRUCTURE = 20;

/** @type {Uint8Array | undefined} */
let kinds;
let costs = new Uint8Array();
let next = costs;
let discounts = costs;

/** What a text costs by the kinds of its characters, in 64ths of a token: the engine's `Unit::Classes`. */
export function classedLength(text) {
  if (kinds === undefined) load();
  const reader = { state: BEGINNING, last: -1 };
  let settled = 0;
  let octave = WHOLE;
  let start = 0;
  let readTo = WHOLE;
  let end = WHOLE;
  for (;;) {
    const cost = read(text, start, Math.min(readTo, text.length), reader);
    const reached = Math.min(end, text.length);
    settled += reached <= readTo ? cost : Math.floor((cost * (reached - start)) / BLOCK);
    if (end >= text.length) return settled;
    start = end;
    if (start === octave * 2) octave = start;
    readTo = start + BLOCK;
    end = start + octave / EIGHTHS;
  }
}

/** What the units from `start` to `end` cost; `reader` remembers what stood before them. */
function read(text, start, end, reader) {
  let { state, last } = reader;
  let cost = 0;
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    const kind = kinds[unit];
    const cell = (state << ROW) | kind;
    cost += costs[cell];
    if (unit === last) cost -= discounts[kind];
    state = next[cell];
    last = unit;
  }
  reader.state = state;
  reader.last = last;
  return cost;
}

function load() {
  const tables = classTables();
  const cells = STATES << ROW;
  kinds = tables.subarray(0, UNITS);
  costs = tables.subarray(UNITS, UNITS + cells);
  next = tables.subarray(UNITS + cells, UNITS + cells * 2);
  discounts = tables.subarray(UNITS + cells * 2);
}
