import { sealedCalls } from './carry-over.js';
import type { Pin } from './compactor-options.js';
import type { LiveFormatName } from './generated/words.js';
import { Pins } from './pins.js';

/** What is pinned in a history, which is searched for it once. */
export class PinnedOutputs {
  readonly pins: Pins | undefined;
  /** How many messages were searched, and the calls whose outputs must stay. */
  #searched = 0;
  #calls: ReadonlySet<unknown> = new Set();

  constructor(pins: readonly Pin[] | undefined) {
    this.pins = pins && new Pins(pins);
  }

  get calls() {
    return this.#calls;
  }

  /** Another message may stand where one was searched. */
  forget() {
    this.#searched = 0;
  }

  /** Looks for pinned outputs in new messages. Returns whether there are any. */
  search(log: unknown[], format: LiveFormatName | undefined) {
    if (this.pins === undefined || this.#searched === log.length) return false;
    const calls: ReadonlySet<unknown> = sealedCalls(this.pins, log, format);
    this.#searched = log.length;
    const isKnown = calls.size === this.#calls.size && [...calls].every((id) => this.#calls.has(id));
    if (!isKnown) this.#calls = calls;
    return !isKnown;
  }
}
