import { classTables } from './core.js';

// crates/ebbline/src/length/classes.rs documents the estimate and provides its tables.
const WHOLE = 256;
const BLOCK = 24;
const PARTS = 4;
const NEWEST = 4;
const FRACTION = 256;
const UNITS = 0x1_0000;
const STATES = 28;
/** The binary logarithm of a row's width. */
const ROW = 5;
/** The state at the beginning of a text, which is that after a line break, as the offset of its row. */
const BEGINNING = 10 << ROW;
/** A value that no unit has. */
const NONE = UNITS;

/** The second half of the cells is for a unit that equals the one before it. */
const REPEATED = 1 << 10;
/** A cell contains the offset of the next row and, in this many lower bits, the cost; the bits are enough for the sum
 * of all units that are read together. */
const COST_BITS = 15;
const COST = (1 << COST_BITS) - 1;

/** The cost of one structural character of JSON. */
export const STRUCTURE = 20;

let isLoaded = false;
/** The kind of each unit. */
let kinds = new Uint8Array();
/** Indexed by the row of the state before, the kind, and whether the unit is repeated. */
const cells = new Int32Array(2 * REPEATED);

/** The cost of a text by the kinds of its characters, in 64ths of a token: the engine's `Unit::Classes`. */
export function classedLength(text) {
  if (!isLoaded) load();
  const { length } = text;
  let read = readUnits(text, 0, Math.min(length, WHOLE), BEGINNING, NONE);
  let total = read & COST;
  let pool = total * BLOCK * (FRACTION / WHOLE);
  let octave = WHOLE;
  for (let start = WHOLE; start < length; ) {
    if (start === octave * 2) octave = start;
    const end = start + octave / PARTS;
    const before = text.charCodeAt(start - 1);
    const row = cells[(read >>> COST_BITS) | kinds[before]] >>> COST_BITS;
    const readTo = Math.min(start + BLOCK, length);
    read = readUnits(text, start, readTo, row, before);
    const cost = read & COST;
    total += cost;
    if (readTo < length) {
      pool += cost * (FRACTION / NEWEST) - Math.floor(pool / NEWEST);
      total += Math.floor((pool * (Math.min(end, length) - readTo)) / (BLOCK * FRACTION));
    }
    start = end;
  }
  return total;
}

/** The total cost of the units from `start` to `end` and, above it, the next row: laid out like a cell. */
function readUnits(text, start, end, rowBefore, unitBefore) {
  const kindOf = kinds;
  const cellAt = cells;
  let row = rowBefore;
  let last = unitBefore;
  let sum = 0;
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    // The difference of two units minus one has this bit only if they are equal. A branch would be mispredicted at
    // every double letter.
    const repeated = (((unit ^ last) - 1) >>> 21) & REPEATED;
    const cell = cellAt[row | kindOf[unit] | repeated];
    // The sum of the rows may overflow, but only the costs below them are used.
    sum = (sum + cell) | 0;
    row = cell >>> COST_BITS;
    last = unit;
  }
  return (row << COST_BITS) | (sum & COST);
}

function load() {
  const tables = classTables();
  const size = STATES << ROW;
  kinds = tables.subarray(0, UNITS);
  const costs = tables.subarray(UNITS, UNITS + size);
  const next = tables.subarray(UNITS + size, UNITS + size * 2);
  const discounts = tables.subarray(UNITS + size * 2);
  for (let at = 0; at < size; at += 1) {
    const row = next[at] << (ROW + COST_BITS);
    cells[at] = row | costs[at];
    // Only a unit of the same kind can be equal, so the other cells are never read.
    cells[REPEATED | at] = row | Math.max(costs[at] - discounts[at % (1 << ROW)], 0);
  }
  isLoaded = true;
}
