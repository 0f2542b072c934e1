import { classedLength } from './classes.js';
import { EbblineError } from './errors.js';
import { escapesOf } from './escapes.js';
import { wordsOf } from './guard.js';

const PER_TOKEN = 64;
const MOST_REMEMBERED = 1 << 16;

/**
 * What texts cost, by one way of looking at their characters. It is remembered with the messages that hold them, so that
 * a text is looked at once.
 *
 * @typedef {object} Costs
 * @property {(text: string) => number} costOf
 * @property {number} shortest how long a text must be to be remembered
 * @property {WeakMap<object, { texts: string[], costs: number[] }>} known
 * @property {number} most of how many messages of a walk it is remembered: looking after what is remembered of a million costs
 *   more than to look at them again
 */

/** @type {Costs} in 64ths of a token by the kinds of characters */
export const classes = { costOf: classedLength, shortest: 48, known: new WeakMap(), most: MOST_REMEMBERED };

/** @type {Costs} in UTF-16 units that a text has more in JSON, without its quotes */
export const escapes = { costOf: escapesOf, shortest: 24, known: new WeakMap(), most: MOST_REMEMBERED };

/** @type {WeakMap<Function, Costs>} */
const counters = new WeakMap();

/** What a caller's own function counts, in 64ths of a token. */
export function countedBy(countTokens) {
  let costs = counters.get(countTokens);
  if (costs === undefined) {
    // What the caller counts is counted once, whatever it costs to remember it.
    costs = { costOf: (text) => counted(text, countTokens), shortest: 1, known: new WeakMap(), most: Infinity };
    counters.set(countTokens, costs);
  }
  return costs;
}

/** Looks up what the texts of a message cost, in the order in which they are measured. */
export class Recall {
  #costs;
  #entry;
  #next = 0;
  #isLasting = true;
  #left;

  /** @param {Costs} costs */
  constructor(costs) {
    this.#costs = costs;
    this.#left = costs.most;
  }

  /** Remembers nothing from now on. */
  forget() {
    this.#isLasting = false;
    this.#entry = undefined;
  }

  /** The texts that follow are those of `message`. */
  enter(message) {
    if (!this.#isLasting) return;
    this.#next = 0;
    this.#entry = undefined;
    if (this.#left === 0) return;
    this.#left -= 1;
    if (typeof message !== 'object' || message === null) return;
    const { known } = this.#costs;
    this.#entry = known.get(message);
    if (this.#entry !== undefined) return;
    this.#entry = { texts: [], costs: [] };
    known.set(message, this.#entry);
  }

  /** What a text costs. What was remembered counts only if it is the very same text. */
  of(text) {
    const { costOf, shortest } = this.#costs;
    const entry = this.#entry;
    if (entry === undefined || text.length < shortest) return costOf(text);
    const at = this.#next;
    this.#next += 1;
    if (entry.texts[at] === text) return entry.costs[at];
    const cost = costOf(text);
    entry.texts[at] = text;
    entry.costs[at] = cost;
    return cost;
  }
}

function counted(text, countTokens) {
  let tokens;
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
