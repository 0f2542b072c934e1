import { Ledger, type Policy } from './core.js';
import { type Asked, pushWords } from './decision.js';
import { Tools } from './recorder.js';

/** How many tools' names, and words of records, a ledger may have seen to be used again. */
const MOST_TOOLS = 1000;
const MOST_WORDS = 1 << 20;

/** What asks a ledger about its decision; `figures` is the address of the decision's figures. */
type Use<T> = (ledger: Ledger, figures: number) => T;

/** Decides on whole arrays under a policy. One ledger, and the numbers of tools, serve many arrays. */
export class ArrayLedger {
  #handle: Policy;
  #ledger: Ledger | undefined;
  #figures = 0;
  #tools = new Tools();
  #toolsSent = 0;

  constructor(handle: Policy) {
    this.#handle = handle;
  }

  /** The tools that {@link decide} knows by their numbers. They may become others with every call of it. */
  get tools() {
    return this.#tools;
  }

  /** Decides on records, whose tools are numbered as `tools`, and hands ledger and figures to `use`. */
  decide<T>(words: Uint32Array, tools: readonly string[], asked: Asked, use: Use<T>): T {
    // Whoever planned in between may have left other tools behind than those that were numbered.
    if (tools !== this.#tools.names) return this.#decideApart(words, tools, asked, use);
    if (this.#ledger === undefined) {
      this.#ledger = new Ledger(this.#handle);
      this.#figures = this.#ledger.figures;
      this.#toolsSent = 0;
    }
    const ledger = this.#ledger;
    const { names } = this.#tools;
    try {
      for (; this.#toolsSent < names.length; this.#toolsSent += 1) ledger.tool(names[this.#toolsSent]);
      pushWords(ledger, words, 0, words.length);
      ledger.decide(...asked);
      return use(ledger, this.#figures);
    } finally {
      ledger.truncate(0);
      if (names.length > MOST_TOOLS || words.length > MOST_WORDS) this.drop();
    }
  }

  #decideApart<T>(words: Uint32Array, tools: readonly string[], asked: Asked, use: Use<T>): T {
    const ledger = new Ledger(this.#handle);
    try {
      for (const name of tools) ledger.tool(name);
      pushWords(ledger, words, 0, words.length);
      ledger.decide(...asked);
      return use(ledger, ledger.figures);
    } finally {
      ledger.free();
    }
  }

  /** Forgets the ledger and its tools. */
  drop() {
    this.#ledger?.free();
    this.#ledger = undefined;
    this.#tools = new Tools();
  }
}
