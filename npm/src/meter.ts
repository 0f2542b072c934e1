import { CONTAINER, LITERAL, PUNCTUATION, STRUCTURE, TOKEN, classedNumber } from './character-costs.js';
import { EbblineError } from './errors.js';
import { Recall, classes as byClasses, countedBy, escapes, inJson, ofArguments } from './recall.js';
import { byteLengthOf, hasJson, isBigInt, isBytes } from './values.js';

/** How deeply a value may be nested; the parser of texts has the same limit. */
const MAX_DEPTH = 1000;
/** How many values a part may contain; a value that occurs twice counts twice. */
const MOST_VALUES = 1 << 24;
/** How many more values the measured part may contain. */
let valuesLeft = MOST_VALUES;

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/** What is measured beside UTF-16 units; the rest stays 0. */
export interface Measures {
  /** code points and bytes */
  readonly wide: boolean;
  /** 64ths of a token by the kinds of characters */
  readonly classes: boolean;
  /** the same, and of values the JSON that is sent */
  readonly ofJson: boolean;
  /** the length of what `JSON.stringify` writes */
  readonly notation: boolean;
  /** whether the data of an image is measured where a function counts tokens: a policy may count every image with the same size */
  readonly images?: boolean;
}

/** An object of which nothing is known. */
interface Valued {
  readonly [name: string]: unknown;
  readonly toJSON?: unknown;
}

/** The lengths of a part. */
class Lengths {
  utf16 = 0;
  codePoints = 0;
  bytes = 0;
  classed = 0;
  classedJson = 0;

  reset(): void {
    this.utf16 = 0;
    this.codePoints = 0;
    this.bytes = 0;
    this.classed = 0;
    this.classedJson = 0;
    valuesLeft = MOST_VALUES;
  }
}

/**
 * Sums the lengths of texts and values as the engine's readers do: always in UTF-16 units; in code points, bytes of
 * UTF-8 or by the kinds of characters only if the policy needs it, because that requires reading characters.
 */
export class Meter extends Lengths {
  readonly wide: boolean;
  classes: boolean;
  ofJson: boolean;
  /** Whether the data of an image is not measured: the policy counts every image with the same size. */
  readonly skipsImages: boolean;
  /** Whether only UTF-16 units are measured. */
  isPlain: boolean;
  #counts: boolean;
  #costs: Recall | undefined;
  readonly #costsOfArguments: Recall | undefined;
  readonly #costsInJson: Recall | undefined;
  readonly #escapes: Recall | undefined;

  /** @param countTokens counts tokens instead of `classes` */
  constructor({ wide, classes, ofJson, notation, images }: Measures, countTokens?: CountTokens) {
    super();
    this.wide = wide;
    this.classes = classes;
    this.ofJson = ofJson;
    this.skipsImages = countTokens !== undefined && !images;
    this.isPlain = !wide && !classes && !ofJson;
    this.#counts = countTokens !== undefined;
    this.#costs = classes || ofJson ? new Recall(countTokens === undefined ? byClasses : countedBy(countTokens)) : undefined;
    this.#costsOfArguments = ofJson ? new Recall(ofArguments) : undefined;
    this.#costsInJson = ofJson ? new Recall(inJson) : undefined;
    this.#escapes = notation ? new Recall(escapes) : undefined;
  }

  /** Whether costs of texts are remembered with their messages. */
  get isLooking(): boolean {
    return this.#costs !== undefined || this.#escapes !== undefined;
  }

  /** Whether the length of what `JSON.stringify` writes is measured. */
  get isNotation(): boolean {
    return this.#escapes !== undefined;
  }

  /** What is measured from now on belongs to `message`. */
  enter(message: unknown): void {
    this.#costs?.enter(message);
    this.#costsOfArguments?.enter(message);
    this.#costsInJson?.enter(message);
    this.#escapes?.enter(message);
  }

  /** A session walks each message once, so only the caller's own counts are worth remembering. */
  forget(): void {
    if (!this.#counts) this.#costs?.forget();
    this.#costsOfArguments?.forget();
    this.#costsInJson?.forget();
    this.#escapes?.forget();
  }

  /** Adds a text. */
  text(text: string): void {
    this.#text(text, this.#costs);
  }

  /** Adds a text whose classes of JSON are `costs`. */
  #text(text: string, costs: Recall | undefined): void {
    this.utf16 += text.length;
    if (this.isPlain) return;
    if (this.wide) this.#characters(text);
    const classed = this.classes || costs === this.#costs ? (this.#costs?.of(text) ?? 0) : 0;
    if (this.classes) this.classed += classed;
    if (this.ofJson) this.classedJson += costs === this.#costs ? classed : (costs?.of(text) ?? 0);
  }

  /** Adds the arguments of a call: a text unchanged, any other value as compact JSON. */
  args(value: unknown): void {
    if (typeof value === 'string') this.#text(value, this.#costsOfArguments);
    else this.value(value);
  }

  /** Adds a text unchanged, any other value as compact JSON. */
  value(value: unknown): void {
    if (typeof value === 'string') this.text(value);
    else if (this.#counts) this.#counted(value);
    else if (this.isPlain) this.utf16 += compactLength(value, 0);
    else this.compact(value, 0);
  }

  /** Adds the data of an image or file as sent: a text unchanged, bytes as their base64. */
  data(data: unknown) {
    if (typeof data === 'string') return this.text(data);
    const value = data as Valued | null | undefined;
    if (isBytes(value) || typeof value?.toJSON !== 'function') this.#ascii(Math.ceil(byteLengthOf(value) / 3) * 4);
    else this.data(value.toJSON()); // a URL
  }

  /** Adds what `measure` adds, but for its cost: that of so many tokens. */
  priced(tokens: number, measure: () => void): void {
    const { classes, ofJson, isPlain } = this;
    const counts = this.#counts;
    const costs = this.#costs;
    this.#measure(false, false, false, undefined, !this.wide);
    measure();
    this.#measure(classes, ofJson, counts, costs, isPlain);
    if (classes) this.classed += tokens * TOKEN;
    if (ofJson) this.classedJson += tokens * TOKEN;
  }

  #measure(classes: boolean, ofJson: boolean, counts: boolean, costs: Recall | undefined, isPlain: boolean): void {
    this.classes = classes;
    this.ofJson = ofJson;
    this.#counts = counts;
    this.#costs = costs;
    this.isPlain = isPlain;
  }

  /** The exact length of what `JSON.stringify` writes; usually it is known without calling it. */
  written(value: unknown): number {
    const length = this.#escapes === undefined ? undefined : writtenLength(value, this.#escapes);
    return length ?? jsonOf(value).length;
  }

  /**
   * Adds the length of what `JSON.stringify` would write, with every escape counted as the one character that it
   * represents. Calling `JSON.stringify` would cost more than everything else together.
   */
  compact(value: unknown, depth: number) {
    if (this.#counts) return this.#counted(value);
    if (this.isPlain) {
      this.utf16 += compactLength(value, depth);
      return;
    }
    switch (typeof value) {
      case 'string':
        this.#ascii(2, PUNCTUATION);
        return this.#text(value, this.#costsInJson);
      case 'number':
        // Up to three digits are one token, like a literal.
        if (!this.ofJson || isShort(value)) return this.#ascii(digitsOf(value), LITERAL);
        return Number.isFinite(value) ? this.#number(String(value)) : this.#ascii(4, LITERAL); // null
      case 'boolean':
        return this.#ascii(value ? 4 : 5, LITERAL);
      case 'bigint':
        return this.#number(String(value));
      case 'object':
        if (value !== null) return this.#container(value as Valued, depth);
    }
    this.#ascii(4, LITERAL); // null; in an array, also what has no JSON
  }

  /** A function that counts tokens gets a value as the text that is sent. */
  #counted(value: unknown): void {
    this.utf16 += compactLength(value, 0);
    this.classed += this.#costs?.of(jsonOf(value)) ?? 0;
  }

  #container(value: Valued, depth: number): void {
    if (depth >= MAX_DEPTH) throw tooDeep();
    if (typeof value.toJSON === 'function') {
      this.compact(value.toJSON(), depth + 1);
      return;
    }
    if (Array.isArray(value)) {
      const length: number = value.length;
      spend(length);
      for (let at = 0; at < length; at += 1) this.compact(value[at], depth + 1);
      this.#ascii(2 + Math.max(length - 1, 0), CONTAINER);
      return;
    }
    let members = 0;
    const keys = Object.keys(value);
    spend(keys.length);
    for (const key of keys) {
      const member = value[key];
      if (!hasJson(member)) continue;
      members += 1;
      this.#text(key, this.#costsInJson);
      this.compact(member, depth + 1);
    }
    // Braces; quotes and a colon for each member; commas between members.
    this.#ascii(2 + members * 3 + Math.max(members - 1, 0), CONTAINER + members * PUNCTUATION);
  }

  #number(written: string): void {
    this.#ascii(written.length, classedNumber(written));
  }

  #ascii(count: number, classedJson = count * STRUCTURE): void {
    this.utf16 += count;
    if (this.classes) this.classed += count * STRUCTURE;
    if (this.ofJson) this.classedJson += classedJson;
    if (!this.wide) return;
    this.codePoints += count;
    this.bytes += count;
  }

  #characters(text: string): void {
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
function compactLength(value: unknown, depth: number): number {
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
      if (value !== null) return containerLength(value as Valued, depth);
  }
  return 4;
}

function containerLength(value: Valued, depth: number): number {
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
function writtenLength(value: unknown, escapes: Recall): number | undefined {
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

function writtenContainer(value: object, escapes: Recall): number | undefined {
  const prototype = Object.getPrototypeOf(value);
  if (typeof (value as Valued).toJSON === 'function') return undefined;
  let length = 1;
  if (prototype === Array.prototype) {
    const list = value as ArrayLike<unknown>;
    for (let at = 0; at < list.length; at += 1) {
      const written = writtenLength(list[at], escapes);
      if (written === undefined) return undefined;
      length += written + 1;
    }
    return Math.max(length, 2);
  }
  if (prototype !== Object.prototype) return undefined;
  const keys = Object.keys(value);
  const members: unknown[] = Object.values(value);
  for (let at = 0; at < keys.length; at += 1) {
    if (members[at] === undefined) continue;
    const written = writtenLength(members[at], escapes);
    if (written === undefined) return undefined;
    length += keys[at].length + 4 + written + escapes.of(keys[at]);
  }
  return Math.max(length, 2);
}

/** What `JSON.stringify` writes for a value; empty for a value without JSON. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, member) => (isBigInt(member) ? Number(member) : member)) ?? '';
}

function isShort(number: number): boolean {
  return number >= 0 && number < 1000 && Math.trunc(number) === number;
}

/** The length of a number in JSON. */
function digitsOf(number: number): number {
  if (number >= 0 && number < 10_000 && Math.trunc(number) === number) {
    return number < 100 ? (number < 10 ? 1 : 2) : number < 1000 ? 3 : 4;
  }
  return Number.isFinite(number) ? String(number).length : 4;
}

/** Counts the values of a part, and throws if there are too many. */
function spend(values: number): void {
  valuesLeft -= values + 1;
  if (!(valuesLeft >= 0)) throw new EbblineError('too_large', `a part holds more than ${MOST_VALUES} values`);
}

function tooDeep(): EbblineError {
  return new EbblineError('too_deep', `a value is nested deeper than ${MAX_DEPTH} levels, or contains itself`);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
