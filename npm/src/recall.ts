import { classedArguments, classedInJson, classedLength } from './character-costs.js';
import { EbblineError } from './errors.js';
import { escapesOf } from './json-escapes.js';
import { wordsOf } from './guard.js';
import type { CountTokens } from './meter.js';

const PER_TOKEN = 64;
const MOST_REMEMBERED = 1 << 18;

/** The costs of the texts of a message or of a walk, in the order in which they are measured. */
interface KnownCosts {
  texts: string[];
  costs: number[];
}

/**
 * The costs of texts by one way of reading their characters. Those of a walk are remembered with its first message, so that each
 * text is read once: remembering each message by itself cost more than reading.
 */
export interface Costs {
  costOf: (text: string) => number;
  /** the length from which a text's cost is remembered */
  shortest: number;
  known: WeakMap<object, KnownCosts>;
  /** how many costs of a walk are remembered; without an end, each message remembers its own */
  most: number;
}

/** in 64ths of a token by the kinds of characters */
export const classes: Costs = { costOf: classedLength, shortest: 48, known: new WeakMap(), most: MOST_REMEMBERED };

/** the same for the texts of calls' arguments */
export const ofArguments: Costs = { ...classes, costOf: classedArguments, known: new WeakMap() };

/** the same for texts that are sent as strings of JSON */
export const inJson: Costs = { ...classes, costOf: classedInJson, known: new WeakMap() };

/** how many more UTF-16 units a text has in JSON, without its quotes */
export const escapes: Costs = { costOf: escapesOf, shortest: 24, known: new WeakMap(), most: MOST_REMEMBERED };

const counters = new WeakMap<CountTokens, Costs>();

/** The counts of a caller's own function, in 64ths of a token. */
export function countedBy(countTokens: CountTokens): Costs {
  let costs = counters.get(countTokens);
  if (costs === undefined) {
    // The caller's function is called once per text, whatever remembering costs, and whatever messages come and go.
    costs = { costOf: (text) => counted(text, countTokens), shortest: 1, known: new WeakMap(), most: Infinity };
    counters.set(countTokens, costs);
  }
  return costs;
}

/** Finds the costs of texts, in the order in which they are measured. */
export class Recall {
  readonly #costs: Costs;
  readonly #most: number;
  #entry: KnownCosts | undefined;
  #next = 0;
  #isLasting = true;

  constructor(costs: Costs) {
    this.#costs = costs;
    this.#most = costs.most;
  }

  /** Stops remembering. */
  forget() {
    this.#isLasting = false;
    this.#entry = undefined;
  }

  /** The next texts belong to `message`. */
  enter(message: unknown) {
    if (!this.#isLasting || (this.#entry !== undefined && this.#most < Infinity)) return;
    this.#next = 0;
    this.#entry = undefined;
    if (typeof message !== 'object' || message === null) return;
    const { known } = this.#costs;
    this.#entry = known.get(message);
    if (this.#entry !== undefined) return;
    this.#entry = { texts: [], costs: [] };
    known.set(message, this.#entry);
  }

  /** The cost of a text. A remembered cost only counts for the same text. */
  of(text: string): number {
    const { costOf, shortest } = this.#costs;
    const entry = this.#entry;
    if (entry === undefined || text.length < shortest || this.#next >= this.#most) return costOf(text);
    const at = this.#next;
    this.#next += 1;
    if (entry.texts[at] === text) return entry.costs[at];
    const cost = costOf(text);
    entry.texts[at] = text;
    entry.costs[at] = cost;
    return cost;
  }
}

function counted(text: string, countTokens: CountTokens) {
  let tokens: unknown;
  try {
    tokens = countTokens(text);
  } catch (error) {
    const refusal = new EbblineError('invalid_option', `the option countTokens threw an error: ${wordsOf(error)}`);
    refusal.cause = error;
    throw refusal;
  }
  if (typeof tokens !== 'number' || !(tokens >= 0) || tokens === Infinity) {
    const what = typeof tokens === 'number' ? tokens : `a value of type ${typeof tokens}`;
    throw new EbblineError('invalid_option', `the option countTokens must return a number of 0 or more, not ${what}`);
  }
  return Math.round(tokens * PER_TOKEN);
}
