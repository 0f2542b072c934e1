import { listOf } from '../bounded-list.js';
import { disposeByFree } from '../dispose.js';
import { guardMembers } from '../guard.js';
import type { EncodeOptions, Tokenizer as LoadedTokenizer } from './loader.js';
import { memory } from './module.js';
import { EbblineError } from './tokenizer-error.js';
import { Tokenizer as Core } from './tokenizer-core.js';

const encoder = new TextEncoder();
// A byte order mark is part of the text.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Takes a part of a text that is in place. */
type Take = (length: number, isLast: boolean) => void;

/** Which special tokens are encoded as such, and whether others are refused. */
interface Wanted {
  special: 'none' | 'all' | readonly unknown[];
  strict: boolean;
}

/** How much of a text was put into the module's memory. */
interface Put {
  read: number;
  written: number;
}

/** A vocabulary in the module's memory, shared by all tokenizers of its encoding. */
export class Vocabulary {
  readonly core: Core;
  /** The bits of the special tokens, by name. */
  #bits: Map<string, number> = new Map();
  #text = new Uint8Array();
  #users = 0;
  #whenFree: () => void;

  /** @param whenFree called when no tokenizer uses it any more */
  constructor(encoding: string, ranks: Uint8Array, whenFree: () => void) {
    this.core = new Core(encoding, ranks);
    this.core.specialTokens().forEach((name, at) => this.#bits.set(name, 1 << at));
    this.#whenFree = whenFree;
  }

  borrow(): this {
    this.#users += 1;
    return this;
  }

  giveBack(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#whenFree();
    this.core.free();
  }

  count(text: string, special: number): number {
    const { core } = this;
    const first = this.#put(text, 0);
    if (first.read === text.length) return core.countPart(first.written, true, special);
    let count = 0;
    try {
      this.#inParts(text, first, (length, isLast) => {
        count += core.countPart(length, isLast, special);
      });
    } finally {
      core.clear();
    }
    return count;
  }

  encode(text: string, special: number): Uint32Array {
    const { core } = this;
    const first = this.#put(text, 0);
    try {
      if (first.read === text.length) core.encodePart(first.written, true, special);
      else this.#inParts(text, first, (length, isLast) => core.encodePart(length, isLast, special));
      return new Uint32Array(memory().buffer, core.tokensPointer, core.tokensLength).slice();
    } finally {
      core.clear();
    }
  }

  decode(tokens: Uint32Array): string {
    const bytes = this.core.decode(tokens);
    if (bytes === undefined) throw new EbblineError('invalid_option', 'not all of these numbers are tokens of the encoding');
    return decoder.decode(bytes);
  }

  /**
   * The requested special tokens as bits; with `strict`, refuses a text that contains others.
   */
  special(text: string, options: Wanted | undefined): number {
    if (options === undefined) return 0;
    const { special, strict } = options;
    const bits = this.#bitsOf(special);
    if (!strict) return bits;
    for (const [name, bit] of this.#bits) {
      if ((bits & bit) === 0 && text.includes(name)) {
        throw new EbblineError(
          'special_token',
          `the text has the special token ${name}: allow it, or leave \`strict\` out to take it for text`,
        );
      }
    }
    return bits;
  }

  #bitsOf(special: Wanted['special']): number {
    if (special === 'none') return 0;
    let bits = 0;
    for (const name of special === 'all' ? this.#bits.keys() : special) {
      const bit = typeof name === 'string' ? this.#bits.get(name) : undefined;
      if (bit === undefined) {
        const what = typeof name === 'string' ? JSON.stringify(name) : `a value of type ${typeof name}`;
        throw new EbblineError(
          'invalid_option',
          `${what} is no special token of this encoding: it has ${[...this.#bits.keys()].join(', ')}`,
        );
      }
      bits |= bit;
    }
    return bits;
  }

  /** Passes a long text to `take` in pieces; the first one is already in place. */
  #inParts(text: string, { read, written }: Put, take: Take): void {
    const { core } = this;
    let length = written;
    while (read < text.length) {
      take(length, false);
      // If little of it was settled, the text contains a long word, which must be encoded as a whole.
      if (core.rest * 2 > core.textLength) core.grow();
      const next = this.#put(text.slice(read), core.rest);
      read += next.read;
      length = core.rest + next.written;
    }
    take(length, true);
  }

  /** Encodes as much of a text as fits after the rest of the previous piece. */
  #put(text: string, rest: number): Put {
    const { core } = this;
    // The view becomes invalid when the memory grows, and the buffer moves when it grows itself.
    const { textPointer, textLength } = core;
    if (this.#text.byteOffset !== textPointer || this.#text.length !== textLength) {
      this.#text = new Uint8Array(memory().buffer, textPointer, textLength);
    }
    return encoder.encodeInto(text, rest === 0 ? this.#text : this.#text.subarray(rest));
  }
}

/** The result of `load`: a handle of a vocabulary. */
export class Tokenizer implements LoadedTokenizer {
  declare [Symbol.dispose]: () => void;
  readonly encoding: LoadedTokenizer['encoding'];
  #vocabulary: Vocabulary | undefined;

  constructor(encoding: LoadedTokenizer['encoding'], vocabulary: Vocabulary) {
    this.encoding = encoding;
    this.#vocabulary = vocabulary.borrow();
  }

  /** How many tokens a text has. */
  count(text: string, options?: EncodeOptions): number {
    // The options are read first, because one of their getters may free this tokenizer.
    const wanted = checked(options);
    const vocabulary = this.#inUse();
    return vocabulary.count(checkedText(text), vocabulary.special(text, wanted));
  }

  /** The tokens of a text. */
  encode(text: string, options?: EncodeOptions): Uint32Array {
    const wanted = checked(options);
    const vocabulary = this.#inUse();
    return vocabulary.encode(checkedText(text), vocabulary.special(text, wanted));
  }

  /** The text of tokens. */
  decode(tokens: Uint32Array | readonly number[]): string {
    const wanted = checkedTokens(tokens);
    return this.#inUse().decode(wanted);
  }

  /** Frees the memory if no other tokenizer of the encoding uses it. */
  free(): void {
    this.#vocabulary?.giveBack();
    this.#vocabulary = undefined;
  }

  #inUse(): Vocabulary {
    if (this.#vocabulary === undefined) throw new EbblineError('freed', 'this tokenizer was freed: load another one');
    return this.#vocabulary;
  }
}

guardMembers(Tokenizer.prototype);

disposeByFree(Tokenizer.prototype);

function checkedText(text: unknown): string {
  if (typeof text === 'string') return text;
  throw new EbblineError('invalid_option', `a text must be a string, not ${text === null ? 'null' : typeof text}`);
}

function checkedTokens(tokens: unknown): Uint32Array {
  if (ArrayBuffer.isView(tokens) && isOfTokens(tokens)) return tokens.slice();
  if (Array.isArray(tokens)) {
    const list = listOf(tokens);
    if (list.every(isToken)) return Uint32Array.from(list);
  }
  throw new EbblineError('invalid_option', 'tokens must be a Uint32Array or an array of whole numbers');
}

function isToken(token: unknown): token is number {
  return typeof token === 'number' && Number.isInteger(token) && token >= 0 && token < 2 ** 32;
}

function isOfTokens(view: ArrayBufferView): view is Uint32Array {
  return view instanceof Uint32Array && Object.getPrototypeOf(view) === Uint32Array.prototype;
}

/** The options, each read once. */
function checked(options: EncodeOptions | undefined): Wanted | undefined {
  if (options === undefined) return undefined;
  if (typeof options !== 'object' || options === null) {
    throw new EbblineError('invalid_option', 'the options must be an object { special, strict }');
  }
  for (const name of Object.keys(options)) {
    if (name !== 'special' && name !== 'strict') throw new EbblineError('invalid_option', `there is no option ${JSON.stringify(name)}`);
  }
  const { special = 'none', strict = false } = options;
  if (special !== 'none' && special !== 'all' && !Array.isArray(special)) {
    throw new EbblineError('invalid_option', '`special` must be "none", "all" or an array of special tokens');
  }
  if (typeof strict !== 'boolean') throw new EbblineError('invalid_option', '`strict` must be a boolean');
  return { special: Array.isArray(special) ? listOf(special) : special, strict };
}
