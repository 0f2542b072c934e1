/** How many steps are remembered, and how many may follow one of them: messages have a handful of shapes. */
const MOST_STEPS = 512;
const MOST_NEXT = 8;

/**
 * A step on the way through the names of a message's members: `next` is the first that may follow, `other` another that may
 * stand in its place.
 *
 * @typedef {object} Step
 * @property {string} name
 * @property {Step | undefined} next
 * @property {Step | undefined} other
 * @property {readonly string[] | undefined} asked what of the names up to here is to be asked about; `undefined` until some
 *   message has ended here
 */

/**
 * Tells what is to be asked about a message with certain members. Messages have few shapes, and to compare their names with
 * those of a message before costs a fraction of looking each of them up.
 */
export class Shapes {
  /** @type {(name: string) => boolean} */
  #isAsked;
  /** @type {Step} */
  #root = stepTo('');
  #left = MOST_STEPS;

  /** @param {(name: string) => boolean} isAsked whether something is to be asked about a member */
  constructor(isAsked) {
    this.#isAsked = isAsked;
  }

  /**
   * The names among those of the message's members that something is to be asked about.
   *
   * @param {object} message
   * @returns {readonly string[]}
   */
  askedOf(message) {
    let step = this.#root;
    for (const name in message) {
      let next = step.next;
      while (next !== undefined && next.name !== name) next = next.other;
      if (next === undefined) return this.#added(message);
      step = next;
    }
    return step.asked ?? this.#added(message);
  }

  /** The same for a message of a shape that is not known. It is from now on, if there is room. */
  #added(message) {
    const names = [];
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

function stepTo(name) {
  return { name, next: undefined, other: undefined, asked: undefined };
}
