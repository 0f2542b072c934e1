// Every decision of a generator is a number below a limit, and 0 is always the simplest choice. A session is
// therefore the list of numbers that led to it, and a shorter list or smaller numbers give a simpler session.

import { randomness } from '../random-sessions.mjs';

export class Choices {
  #next;
  /** The numbers that were chosen. */
  made = [];

  constructor(next) {
    this.#next = next;
  }

  /** New numbers; the same seed gives the same ones. */
  static from(seed) {
    const random = randomness(seed);
    return new Choices((limit) => Math.floor(random() * limit));
  }

  /** Replays the numbers of `list`. A number that is too large becomes the largest possible one; after the end of the
   * list, every number is 0. */
  static replay(list) {
    let at = 0;
    return new Choices((limit) => {
      const number = list[at] ?? 0;
      at += 1;
      return Math.min(number, limit - 1);
    });
  }

  /** An integer from 0 to `limit - 1`. */
  below(limit) {
    if (limit <= 1) return 0;
    const number = this.#next(limit);
    this.made.push(number);
    return number;
  }

  /** True in `percent` of all cases. */
  chance(percent) {
    return this.below(100) >= 100 - percent;
  }

  /** One of the list; the first is the simplest. */
  pick(list) {
    return list[this.below(list.length)];
  }

  /** The result of one of these functions. */
  make(...functions) {
    return this.pick(functions)();
  }

  /**
   * A list of up to `most` items that ends after each with a chance of `ending` percent. The decision to continue
   * precedes its item, so that removing one stretch of the numbers removes one item.
   */
  list(most, ending, make) {
    const items = [];
    while (items.length < most && this.chance(100 - ending)) items.push(make(items.length));
    return items;
  }
}
