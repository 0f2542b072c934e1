import type { LiveFormat } from './formats/format.js';
import { LOOKED_AT } from './formats/signs.js';
import { looker } from './formats/table.js';
import { formatShown } from './live-format.js';

const NOTHING: readonly unknown[] = Object.freeze([]);

/** The format of a session's messages, by what they show. */
export class SessionFormat {
  /** The format; `undefined` until messages are read. */
  format: LiveFormat | undefined;
  /** The format that the caller wants. */
  readonly wanted: string | undefined;
  /** Which signs of a format each of the first messages shows, which the replaced ones showed, and which all show together. */
  #bits: number[] = [];
  #base = 0;
  #seen = 0;

  constructor(wanted: string | undefined) {
    this.wanted = wanted;
  }

  /** The format; that of an empty session where there is none. */
  get orOfNothing(): LiveFormat {
    return this.format ?? formatShown(NOTHING, 0, this.wanted).format;
  }

  /** What a snapshot says of the messages: what the replaced ones showed, and what each of the first ones shows. */
  get shown() {
    return { base: this.#base, bits: this.#bits };
  }

  /**
   * The format of the messages; the first `kept` of them were there before.
   *
   * @param isAnew whether they are walked from the beginning
   */
  of(messages: readonly unknown[], kept: number, isAnew: boolean): LiveFormat {
    const bits = this.#bits;
    const end = Math.min(messages.length, LOOKED_AT);
    const isCut = kept < bits.length || bits.length === 0 || isAnew;
    if (!isCut && bits.length >= end && this.format !== undefined) return this.format;
    let seen = this.#seen;
    if (isCut) {
      bits.length = Math.min(bits.length, kept);
      seen = this.#all();
    }
    for (let at = bits.length; at < end; at += 1) {
      bits.push(looker.at(messages[at]));
      seen |= bits[at];
    }
    if (!isCut && seen === this.#seen && this.format !== undefined) return this.format;
    this.#seen = seen;
    return formatShown(messages, seen, this.wanted).format;
  }

  /** Forgets what the messages behind the first `kept` show. */
  truncate(kept: number) {
    this.#bits.length = Math.min(this.#bits.length, kept);
  }

  /** The messages that showed the format may be gone now, but it is the same session. */
  goesOn() {
    this.#base = this.#all();
  }

  /** What goes back to the format as it is now. */
  saved() {
    const [format, seen] = [this.format, this.#seen];
    return () => {
      this.format = format;
      this.#seen = seen;
    };
  }

  /** Takes over what a snapshot says. */
  restore(base: number, bits: number[]) {
    this.#base = base;
    this.#bits = bits;
    this.#seen = this.#all();
  }

  #all() {
    return this.#bits.reduce((seen, bits) => seen | bits, this.#base);
  }
}
