/** How many keys are tried before the map is asked. */
const MOST = 6;

/**
 * A map of which a session asks for few keys, over and over: those that were asked for first are tried first. To compare a word
 * with a handful of others costs less than to look it up.
 *
 * @template V
 */
export class Few {
  /** @type {Map<unknown, V>} */
  #all;
  #first = undefined;
  #count = 0;

  /** @param {Map<unknown, V>} all which stays as it is from now on */
  constructor(all) {
    this.#all = all;
  }

  /** @returns {V | undefined} */
  get(key) {
    let entry = this.#first;
    while (entry !== undefined) {
      if (entry.key === key) return entry.value;
      entry = entry.next;
    }
    return this.#ask(key);
  }

  #ask(key) {
    const value = this.#all.get(key);
    if (value === undefined || this.#count === MOST) return value;
    this.#count += 1;
    this.#first = { key, value, next: this.#first };
    return value;
  }
}
