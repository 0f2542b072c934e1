/** How many steps are remembered, and how many may follow one of them: messages have only a few shapes. */
const MOST_STEPS = 512;
const MOST_NEXT = 8;

/**
 * A step along the names of a message's members: `next` is the first name that may follow, `other` an alternative to
 * this one.
 */
interface Step {
  readonly name: string;
  next: Step | undefined;
  other: Step | undefined;
  /** the names up to here that have a test; `undefined` until a message has ended here */
  asked: readonly string[] | undefined;
}

/**
 * Finds the members of a message that have a test. Messages have few shapes, and comparing their names with those of
 * an earlier message costs a fraction of looking up each name.
 */
export class Shapes {
  readonly #isAsked: (name: string) => boolean;
  readonly #root = stepTo('');
  #left = MOST_STEPS;

  /** @param isAsked whether a member has a test */
  constructor(isAsked: (name: string) => boolean) {
    this.#isAsked = isAsked;
  }

  /** The names of the message's members that have a test. */
  askedOf(message: object): readonly string[] {
    let step = this.#root;
    for (const name in message) {
      let next = step.next;
      while (next !== undefined && next.name !== name) next = next.other;
      if (next === undefined) return this.#added(message);
      step = next;
    }
    return step.asked ?? this.#added(message);
  }

  /** The same for a message with an unknown shape, which is remembered if there is room. */
  #added(message: object): readonly string[] {
    const names: string[] = [];
    for (const name in message) names.push(name);
    const asked = names.filter(this.#isAsked);
    let step = this.#root;
    for (const name of names) {
      let next = step.next;
      let count = 0;
      for (; next !== undefined && next.name !== name; next = next.other) count += 1;
      if (next === undefined) {
        if (this.#left === 0 || count === MOST_NEXT) return asked;
        this.#left -= 1;
        next = stepTo(name);
        next.other = step.next;
        step.next = next;
      }
      step = next;
    }
    step.asked = asked;
    return asked;
  }
}

function stepTo(name: string): Step {
  return { name, next: undefined, other: undefined, asked: undefined };
}
