import { STRUCTURE, classedLength } from './classes.js';
import { EbblineError } from './errors.js';

/** How deeply a value may be nested; the reader of text stops at the same depth. */
const MAX_DEPTH = 1000;

/**
 * Adds up how long texts and values are, the way the engine's readers do: in UTF-16 units always; in code points and
 * bytes of UTF-8, and by the kinds of characters, only where a policy counts in them, because that means looking at
 * characters.
 */
export class Meter {
  /**
   * @param {object} measured what is measured besides; the rest stays 0
   * @param {boolean} measured.wide code points and bytes
   * @param {boolean} measured.classes 64ths of a token by the kinds of characters
   */
  constructor({ wide, classes }) {
    this.wide = wide;
    this.classes = classes;
    this.reset();
  }

  reset() {
    this.utf16 = 0;
    this.codePoints = 0;
    this.bytes = 0;
    this.classed = 0;
  }

  /** Adds a text. */
  text(text) {
    this.utf16 += text.length;
    if (this.wide) this.#characters(text);
    if (this.classes) this.classed += classedLength(text);
  }

  /** Adds a text as it is, anything else as compact JSON. */
  value(value) {
    if (typeof value === 'string') this.text(value);
    else this.compact(value, 0);
  }

  /** Adds the data of an image or file as it is sent: a text as it stands, bytes as the base64 that they become. */
  data(data) {
    if (typeof data === 'string') this.text(data);
    else if (isBytes(data) || typeof data?.toJSON !== 'function') this.#ascii(Math.ceil(bytesIn(data) / 3) * 4);
    else this.data(data.toJSON()); // a URL
  }

  /**
   * Adds what `JSON.stringify` would write, with every escape counted as the one character it stands for. Asking
   * `JSON.stringify` itself would cost more than everything else together.
   */
  compact(value, depth) {
    switch (typeof value) {
      case 'string':
        this.#ascii(2);
        return this.text(value);
      case 'number':
        return this.#ascii(Number.isFinite(value) ? String(value).length : 4);
      case 'boolean':
        return this.#ascii(value ? 4 : 5);
      case 'bigint':
        return this.#ascii(String(value).length);
      case 'object':
        if (value !== null) return this.#container(value, depth);
    }
    this.#ascii(4); // null; in an array, also what has no JSON
  }

  #container(value, depth) {
    if (depth >= MAX_DEPTH) {
      throw new EbblineError('too_deep', `a value is nested deeper than ${MAX_DEPTH} levels, or holds itself`);
    }
    if (typeof value.toJSON === 'function') return this.compact(value.toJSON(), depth + 1);
    if (Array.isArray(value)) {
      for (const element of value) this.compact(element, depth + 1);
      return this.#ascii(2 + Math.max(value.length - 1, 0));
    }
    let members = 0;
    for (const key of Object.keys(value)) {
      const member = value[key];
      if (!hasJson(member)) continue;
      members += 1;
      this.text(key);
      this.compact(member, depth + 1);
    }
    // Braces; for each member its quotes and colon; commas between members.
    this.#ascii(2 + members * 3 + Math.max(members - 1, 0));
  }

  #ascii(count) {
    this.utf16 += count;
    if (this.classes) this.classed += count * STRUCTURE;
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
        // Two units, one character, four bytes; an unpaired half is one of each, and three bytes.
        at += 1;
        points -= 1;
      }
    }
    this.codePoints += points;
    this.bytes += bytes;
  }
}

function isBytes(value) {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

/** How many bytes there are: in memory, or as JSON leaves them, `{"0":137}` or `{"type":"Buffer","data":[137]}`. */
function bytesIn(value) {
  if (isBytes(value)) return value.byteLength;
  const list = value?.type === 'Buffer' && hasJson(value.data) ? value.data : value;
  if (Array.isArray(list)) return list.length;
  if (typeof list !== 'object' || list === null) return 0;
  return Object.values(list).filter(hasJson).length;
}

/** Whether JSON has a spelling for the value; `JSON.stringify` leaves out members for which it has none. */
export function hasJson(value) {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function isLowSurrogate(unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}
