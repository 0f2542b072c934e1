// Every decision of a generator is a number below a limit, and 0 is always the simplest. So a session is nothing but
// the list of the numbers that led to it, and a shorter list or smaller numbers make a simpler session.

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

  /** The numbers of `list` again. Where one is too large the largest possible is taken, after the last one 0. */
  static replay(list) {
    let at = 0;
    return new Choices((limit) => {
      const number = list[at] ?? 0;
      at += 1;
      return Math.min(number, limit - 1);
    });
  }

  /** A whole number from 0 to `limit - 1`. */
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

  /** What one of these functions makes. */
  make(...functions) {
    return this.pick(functions)();
  }

  /**
   * A list of up to `most` items, which ends after each with a chance of `ending` percent. The decision to go on stands
   * before its item, so that leaving out one stretch of the numbers leaves out one item.
   */
  list(most, ending, make) {
    const items = [];
    while (items.length < most && this.chance(100 - ending)) items.push(make(items.length));
    return items;
  }
}
