/** How many ids are kept between walks. */
const MOST_KEPT = 1 << 14;
const LARGEST_BASE = 1 << 30;
let kept: Calls | undefined;

/**
 * Numbers the calls of a session by their ids, from 1, in the order in which they appear. The ids stay known from one
 * walk to the next: the same session is usually walked again, and a known id costs a third of a new one.
 */
export class Calls {
  /** each id has a place, whatever its number is in this walk */
  #places = new Map<string, number>();
  #next = 0;
  /** By place; only numbers above `#base` belong to this walk. */
  #numbers = new Int32Array(64);
  #base = 0;
  /** How many calls have a number. */
  count = 0;
  /** By number of a call, the number of its tool. */
  readonly tools = [0];

  /** An empty instance, reused if possible; give it back with {@link release}. */
  static begin(): Calls {
    const calls = kept ?? new Calls();
    kept = undefined; // A getter of a message may plan, too.
    return calls;
  }

  release(): void {
    this.restart();
    if (this.#next <= MOST_KEPT && this.#base <= LARGEST_BASE) kept = this;
  }

  /** Restarts with the number 1. */
  restart(): void {
    this.#base += this.count;
    this.count = 0;
    this.tools.length = 1;
  }

  /** The number of an id; `undefined` if its place is not known. */
  known(id: string): number | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#numberAt(place);
  }

  /** The number of an id whose place is not known. */
  add(id: string): number {
    const place = this.#next;
    this.#next += 1;
    if (place === this.#numbers.length) {
      const larger = new Int32Array(place * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#places.set(id, place);
    return this.#numberAt(place);
  }

  /** The id of a number in this walk; `undefined` if there is none, or if the call has no id and pairs by place. */
  idOf(number: number): string | undefined {
    for (const [id, place] of this.#places) {
      if (this.#numbers[place] - this.#base === number) return id.startsWith('\0') ? undefined : id;
    }
    return undefined;
  }

  /** Forgets the ids that were numbered last. */
  forget(ids: readonly string[]): void {
    for (const id of ids) {
      const place = this.#places.get(id);
      if (place !== undefined) this.#numbers[place] = 0;
      this.#places.delete(id);
    }
    this.count -= ids.length;
  }

  #numberAt(place: number): number {
    const number = this.#numbers[place] - this.#base;
    if (number > 0) return number;
    this.count += 1;
    this.#numbers[place] = this.#base + this.count;
    return this.count;
  }
}
