import { classTables } from './core.js';

// crates/ebbline/src/length/classes.rs documents the estimate and provides its tables.
const WHOLE = 256;
const BLOCK = 24;
const WHOLE_OF_ARGUMENTS = 512;
const BLOCK_OF_ARGUMENTS = 128;
const PARTS = 4;
const NEWEST = 4;
const FRACTION = 256;
const UNITS = 0x1_0000;
const STATES = 32;
/** The binary logarithm of a row's width. */
const ROW = 5;
/** The state at the beginning of a text, which is that after a line break, as the offset of its row. */
const BEGINNING = 10 << ROW;
/** The state at the beginning of a string of JSON, which is that after a quote. */
const QUOTED = 29 << ROW;
const MINUS = 0x2d;
/** A value that no unit has. */
const NONE = UNITS;

/** The second half of the cells is for a unit that equals the one before it. */
const REPEATED = 1 << 10;
/** A cell contains the offset of the next row and, in this many lower bits, the cost; the bits are enough for the sum
 * of all units that are read together. */
const COST_BITS = 17;
const COST = (1 << COST_BITS) - 1;

/** The kinds of the units that are escaped in a string of JSON. */
const ESCAPED_BREAK = 22;
const ESCAPED_MARK = 23;
const CONTROL = 24;

export const TOKEN = 64;
/** The cost of one structural character of JSON. */
export const STRUCTURE = 20;
/** In the JSON that is sent: the cost of the punctuation before a key or value, what an array or object costs more, and
 * the cost of a literal. */
export const PUNCTUATION = 61;
export const CONTAINER = 24;
export const LITERAL = PUNCTUATION + TOKEN;

let isLoaded = false;
/** The kind of each unit. */
let kinds: Uint8Array = new Uint8Array();
/** The same in a string of JSON. */
let kindsInJson: Uint8Array = new Uint8Array();
/** Indexed by the row of the state before, the kind, and whether the unit is repeated. */
const cells = new Int32Array(2 * REPEATED);

/** The cost of a text by the kinds of its characters, in 64ths of a token: the engine's `Unit::Classes`. */
export function classedLength(text: string): number {
  if (!isLoaded) load();
  return lengthBy(kinds, BEGINNING, WHOLE, BLOCK, text);
}

/** The same for the text of a call's arguments, of which more is read. */
export function classedArguments(text: string): number {
  if (!isLoaded) load();
  return lengthBy(kinds, BEGINNING, WHOLE_OF_ARGUMENTS, BLOCK_OF_ARGUMENTS, text);
}

/** The same for a text that is sent as a string of JSON, without its quotes. */
export function classedInJson(text: string): number {
  if (!isLoaded) load();
  return lengthBy(kindsInJson, QUOTED, WHOLE_OF_ARGUMENTS, BLOCK_OF_ARGUMENTS, text);
}

/** The cost of a number in JSON and of the punctuation before it: three digits are a token, and so is a point. */
export function classedNumber(written: string): number {
  let tokens = 0;
  let digits = 0;
  for (let at = 0; at < written.length; at += 1) {
    const unit = written.charCodeAt(at);
    if (unit >= 0x30 && unit <= 0x39) {
      if (digits % 3 === 0) tokens += 1;
      digits += 1;
    } else {
      // The sign at the start belongs to the punctuation before it.
      if (unit !== MINUS || tokens > 0) tokens += 1;
      digits = 0;
    }
  }
  return PUNCTUATION + tokens * TOKEN;
}

function lengthBy(kindOf: Uint8Array, beginning: number, whole: number, block: number, text: string): number {
  const { length } = text;
  let read = readUnits(kindOf, text, 0, Math.min(length, whole), beginning, NONE);
  let total = read & COST;
  let pool = Math.floor((total * block * FRACTION) / whole);
  let octave = whole;
  for (let start = whole; start < length; ) {
    if (start === octave * 2) octave = start;
    const end = start + octave / PARTS;
    const before = text.charCodeAt(start - 1);
    const row = cells[(read >>> COST_BITS) | kindOf[before]] >>> COST_BITS;
    const readTo = Math.min(start + block, length);
    read = readUnits(kindOf, text, start, readTo, row, before);
    const cost = read & COST;
    total += cost;
    if (readTo < length) {
      pool += cost * (FRACTION / NEWEST) - Math.floor(pool / NEWEST);
      total += Math.floor((pool * (Math.min(end, length) - readTo)) / (block * FRACTION));
    }
    start = end;
  }
  return total;
}

/** The total cost of the units from `start` to `end` and, above it, the next row: laid out like a cell. */
function readUnits(kindOf: Uint8Array, text: string, start: number, end: number, rowBefore: number, unitBefore: number): number {
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

function load(): void {
  const tables = classTables();
  const size = STATES << ROW;
  kinds = tables.subarray(0, UNITS);
  kindsInJson = kinds.slice();
  kindsInJson.fill(CONTROL, 0, 0x20);
  for (const character of '\b\t\n\f\r') kindsInJson[character.charCodeAt(0)] = ESCAPED_BREAK;
  for (const character of '"\\') kindsInJson[character.charCodeAt(0)] = ESCAPED_MARK;
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
