import { CONTAINER, LITERAL, PUNCTUATION, STRUCTURE, TOKEN, classedNumber } from './classes.js';
import { EbblineError } from './errors.js';
import { Recall, classes as byClasses, countedBy, escapes, inJson, ofArguments } from './recall.js';

/** How deeply a value may be nested; the parser of texts has the same limit. */
const MAX_DEPTH = 1000;
/** How many values a part may contain; a value that occurs twice counts twice. */
const MOST_VALUES = 1 << 24;
/** How many more values the measured part may contain. */
let valuesLeft = MOST_VALUES;

/**
 * Sums the lengths of texts and values as the engine's readers do: always in UTF-16 units; in code points, bytes of
 * UTF-8 or by the kinds of characters only if the policy needs it, because that requires reading characters.
 */
export class Meter {
  /**
   * @param measured what else is measured; the rest stays 0
   * @param measured.wide code points and bytes
   * @param measured.classes 64ths of a token by the kinds of characters
   * @param measured.ofJson the same, and of values the JSON that is sent
   * @param measured.notation the length of what `JSON.stringify` writes
   * @param countTokens counts tokens instead of `classes`
   */
  constructor(
    { wide, classes, ofJson, notation }: { wide: boolean; classes: boolean; ofJson: boolean; notation: boolean },
    countTokens: (text: string) => number,
  ) {
    this.wide = wide;
    this.classes = classes;
    this.ofJson = ofJson;
    this.counts = countTokens !== undefined;
    this.costs = classes || ofJson ? new Recall(countTokens === undefined ? byClasses : countedBy(countTokens)) : undefined;
    this.costsOfArguments = ofJson ? new Recall(ofArguments) : undefined;
    this.costsInJson = ofJson ? new Recall(inJson) : undefined;
    this.escapes = notation ? new Recall(escapes) : undefined;
    this.isLooking = classes || ofJson || notation;
    /** Whether only UTF-16 units are measured. */
    this.isPlain = !wide && !classes && !ofJson;
    this.utf16 = 0;
    this.codePoints = 0;
    this.bytes = 0;
    this.classed = 0;
    this.classedJson = 0;
  }

  /** What is measured from now on belongs to `message`. */
  enter(message) {
    this.costs?.enter(message);
    this.costsOfArguments?.enter(message);
    this.costsInJson?.enter(message);
    this.escapes?.enter(message);
  }

  /** A session walks each message once, so only the caller's own counts are worth remembering. */
  forget() {
    if (!this.counts) this.costs?.forget();
    this.costsOfArguments?.forget();
    this.costsInJson?.forget();
    this.escapes?.forget();
  }

  reset() {
    this.utf16 = 0;
    this.codePoints = 0;
    this.bytes = 0;
    this.classed = 0;
    this.classedJson = 0;
    valuesLeft = MOST_VALUES;
  }

  /** Adds a text. */
  text(text) {
    this.#text(text, this.costs);
  }

  /** Adds a text whose classes of JSON are `costs`. */
  #text(text, costs) {
    this.utf16 += text.length;
    if (this.isPlain) return;
    if (this.wide) this.#characters(text);
    const classed = this.classes || costs === this.costs ? (this.costs?.of(text) ?? 0) : 0;
    if (this.classes) this.classed += classed;
    if (this.ofJson) this.classedJson += costs === this.costs ? classed : costs.of(text);
  }

  /** Adds the arguments of a call: a text unchanged, any other value as compact JSON. */
  args(value) {
    if (typeof value === 'string') this.#text(value, this.costsOfArguments);
    else this.value(value);
  }

  /** Adds a text unchanged, any other value as compact JSON. */
  value(value) {
    if (typeof value === 'string') this.text(value);
    else if (this.counts) this.#counted(value);
    else if (this.isPlain) this.utf16 += compactLength(value, 0);
    else this.compact(value, 0);
  }

  /** Adds the data of an image or file as sent: a text unchanged, bytes as their base64. */
  data(data) {
    if (typeof data === 'string') this.text(data);
    else if (isBytes(data) || typeof data?.toJSON !== 'function') this.#ascii(Math.ceil(bytesIn(data) / 3) * 4);
    else this.data(data.toJSON()); // a URL
  }

  /** Adds what `measure` adds, but for its cost: that of so many tokens. */
  priced(tokens, measure) {
    const { classes, ofJson, counts, costs, isPlain } = this;
    Object.assign(this, { classes: false, ofJson: false, counts: false, costs: undefined, isPlain: !this.wide });
    measure();
    Object.assign(this, { classes, ofJson, counts, costs, isPlain });
    if (classes) this.classed += tokens * TOKEN;
    if (ofJson) this.classedJson += tokens * TOKEN;
  }

  /** The exact length of what `JSON.stringify` writes; usually it is known without calling it. */
  written(value) {
    const length = this.escapes === undefined ? undefined : writtenLength(value, this.escapes);
    return length ?? jsonOf(value).length;
  }

  /**
   * Adds the length of what `JSON.stringify` would write, with every escape counted as the one character that it
   * represents. Calling `JSON.stringify` would cost more than everything else together.
   */
  compact(value, depth) {
    if (this.counts) return this.#counted(value);
    if (this.isPlain) {
      this.utf16 += compactLength(value, depth);
      return;
    }
    switch (typeof value) {
      case 'string':
        this.#ascii(2, PUNCTUATION);
        return this.#text(value, this.costsInJson);
      case 'number':
        // Up to three digits are one token, like a literal.
        if (!this.ofJson || isShort(value)) return this.#ascii(digitsOf(value), LITERAL);
        return Number.isFinite(value) ? this.#number(String(value)) : this.#ascii(4, LITERAL); // null
      case 'boolean':
        return this.#ascii(value ? 4 : 5, LITERAL);
      case 'bigint':
        return this.#number(String(value));
      case 'object':
        if (value !== null) return this.#container(value, depth);
    }
    this.#ascii(4, LITERAL); // null; in an array, also what has no JSON
  }

  /** A function that counts tokens gets a value as the text that is sent. */
  #counted(value) {
    this.utf16 += compactLength(value, 0);
    this.classed += this.costs.of(jsonOf(value));
  }

  #container(value, depth) {
    if (depth >= MAX_DEPTH) throw tooDeep();
    if (typeof value.toJSON === 'function') return this.compact(value.toJSON(), depth + 1);
    if (Array.isArray(value)) {
      const { length } = value;
      spend(length);
      for (let at = 0; at < length; at += 1) this.compact(value[at], depth + 1);
      return this.#ascii(2 + Math.max(length - 1, 0), CONTAINER);
    }
    let members = 0;
    const keys = Object.keys(value);
    spend(keys.length);
    for (const key of keys) {
      const member = value[key];
      if (!hasJson(member)) continue;
      members += 1;
      this.#text(key, this.costsInJson);
      this.compact(member, depth + 1);
    }
    // Braces; quotes and a colon for each member; commas between members.
    this.#ascii(2 + members * 3 + Math.max(members - 1, 0), CONTAINER + members * PUNCTUATION);
  }

  #number(written) {
    this.#ascii(written.length, classedNumber(written));
  }

  #ascii(count, classedJson = count * STRUCTURE) {
    this.utf16 += count;
    if (this.classes) this.classed += count * STRUCTURE;
    if (this.ofJson) this.classedJson += classedJson;
    if (!this.wide) return;
    this.codePoints += count;
    this.bytes += count;
  }

  #characters(text) {
    let points = text.length;
    let bytes = text.length;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit < 0x80) continue;
      bytes += unit < 0x800 ? 1 : 2;
      if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(at + 1))) {
        // Two units, one character, four bytes; an unpaired surrogate is one unit, one character and three bytes.
        at += 1;
        points -= 1;
      }
    }
    this.codePoints += points;
    this.bytes += bytes;
  }
}

/** The sum of {@link Meter.compact} in UTF-16 units only, which is what nearly every tool call needs. */
function compactLength(value, depth) {
  switch (typeof value) {
    case 'string':
      return value.length + 2;
    case 'number':
      return digitsOf(value);
    case 'boolean':
      return value ? 4 : 5;
    case 'bigint':
      return String(value).length;
    case 'object':
      if (value !== null) return containerLength(value, depth);
  }
  return 4;
}

function containerLength(value, depth) {
  if (depth >= MAX_DEPTH) throw tooDeep();
  if (typeof value.toJSON === 'function') return compactLength(value.toJSON(), depth + 1);
  if (Array.isArray(value)) {
    const count = value.length;
    spend(count);
    let length = 2 + Math.max(count - 1, 0);
    for (let at = 0; at < count; at += 1) length += compactLength(value[at], depth + 1);
    return length;
  }
  let length = 1;
  // Two lists are cheaper than reading members one by one from objects of many shapes.
  const keys = Object.keys(value);
  const members = Object.values(value);
  spend(keys.length);
  for (let at = 0; at < keys.length; at += 1) {
    const member = members[at];
    // Quotes, a colon, and a comma or the closing brace.
    if (hasJson(member)) length += keys[at].length + 4 + compactLength(member, depth + 1);
  }
  return Math.max(length, 2);
}

/** The length of what `JSON.stringify` writes; `undefined` if an object defines its own JSON. */
function writtenLength(value, escapes) {
  switch (typeof value) {
    case 'string':
      return value.length + 2 + escapes.of(value);
    case 'number':
      return digitsOf(value);
    case 'boolean':
      return value ? 4 : 5;
    case 'object':
      if (value !== null) return writtenContainer(value, escapes);
      return 4;
    case 'undefined':
      return 4; // in an array
    default:
      return undefined;
  }
}

function writtenContainer(value, escapes) {
  const prototype = Object.getPrototypeOf(value);
  if (typeof value.toJSON === 'function') return undefined;
  let length = 1;
  if (prototype === Array.prototype) {
    for (let at = 0; at < value.length; at += 1) {
      const written = writtenLength(value[at], escapes);
      if (written === undefined) return undefined;
      length += written + 1;
    }
    return Math.max(length, 2);
  }
  if (prototype !== Object.prototype) return undefined;
  const keys = Object.keys(value);
  const members = Object.values(value);
  for (let at = 0; at < keys.length; at += 1) {
    if (members[at] === undefined) continue;
    const written = writtenLength(members[at], escapes);
    if (written === undefined) return undefined;
    length += keys[at].length + 4 + written + escapes.of(keys[at]);
  }
  return Math.max(length, 2);
}

/** What `JSON.stringify` writes for a value; empty for a value without JSON. */
function jsonOf(value) {
  return JSON.stringify(value, (_, member) => (isBigInt(member) ? Number(member) : member)) ?? '';
}

function isShort(number) {
  return number >= 0 && number < 1000 && Math.trunc(number) === number;
}

/** The length of a number in JSON. */
function digitsOf(number) {
  if (number >= 0 && number < 10_000 && Math.trunc(number) === number) {
    return number < 100 ? (number < 10 ? 1 : 2) : number < 1000 ? 3 : 4;
  }
  return Number.isFinite(number) ? String(number).length : 4;
}

/** Counts the values of a part, and throws if there are too many. */
function spend(values) {
  valuesLeft -= values + 1;
  if (!(valuesLeft >= 0)) throw new EbblineError('too_large', `a part holds more than ${MOST_VALUES} values`);
}

function tooDeep() {
  return new EbblineError('too_deep', `a value is nested deeper than ${MAX_DEPTH} levels, or contains itself`);
}

export function isBytes(value) {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

/** The number of bytes: in memory, or in the form that JSON leaves, `{"0":137}` or `{"type":"Buffer","data":[137]}`. */
export function bytesIn(value) {
  if (isBytes(value)) return value.byteLength;
  const list = value?.type === 'Buffer' && hasJson(value.data) ? value.data : value;
  if (Array.isArray(list)) return list.length;
  if (typeof list !== 'object' || list === null) return 0;
  return Object.values(list).filter(hasJson).length;
}

/** Whether the value has a JSON form; `JSON.stringify` omits members without one. */
export function hasJson(value) {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

/** Whether a value is a number that JSON cannot represent, in an object or by itself. */
export function isBigInt(value) {
  return typeof value === 'bigint' || value instanceof BigInt;
}

function isLowSurrogate(unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}
