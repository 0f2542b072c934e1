/** How many keys are compared before the map is used. */
const MOST = 6;

interface Entry<Value> {
  readonly key: unknown;
  readonly value: Value;
  readonly next: Entry<Value> | undefined;
}

/**
 * A map that is asked for the same few keys again and again: the keys asked for first are compared first. Comparing a
 * word with a handful of others is cheaper than a lookup.
 */
export class KeyCache<Value> {
  readonly #all: ReadonlyMap<unknown, Value>;
  #first: Entry<Value> | undefined;
  #count = 0;

  /** @param all must not change any more */
  constructor(all: ReadonlyMap<unknown, Value>) {
    this.#all = all;
  }

  get(key: unknown): Value | undefined {
    let entry = this.#first;
    while (entry !== undefined) {
      if (entry.key === key) return entry.value;
      entry = entry.next;
    }
    return this.#ask(key);
  }

  #ask(key: unknown): Value | undefined {
    const value = this.#all.get(key);
    if (value === undefined || this.#count === MOST) return value;
    this.#count += 1;
    this.#first = { key, value, next: this.#first };
    return value;
  }
}
