import { MADE } from './apply.js';
import { isSame, isSystem, seenOf } from './equality.js';

/** From a place in the log, a message that was made or changed leads to a later place. */
interface Step {
  message: unknown;
  to: number;
  isMade: boolean;
  /** What a model sees of the message, once somebody asked. */
  seen?: string;
}

/**
 * What was ever sent instead of messages of the log. A history is followed from step to step, so any view that was ever given is
 * recognized, in one pass.
 */
export class Steps {
  /** by the place in the log from which they lead */
  #from: Map<number, Step[]> = new Map();

  /** Remembers the steps of a view. */
  learn(log: readonly unknown[], messages: readonly unknown[], origins: readonly number[]) {
    let place = 0;
    for (const [at, message] of messages.entries()) {
      const origin = origins[at];
      const isMade = origin === MADE;
      // Of several messages that were made, the last one stands for what is gone.
      const to = !isMade ? origin + 1 : origins[at + 1] === MADE ? place : (origins[at + 1] ?? log.length);
      if (isMade || origin !== place || message !== log[origin]) this.#add(place, { message, to, isMade });
      place = to;
    }
  }

  #add(place: number, step: Step) {
    const steps = this.#from.get(place);
    if (steps === undefined) this.#from.set(place, [step]);
    else if (!steps.some(({ message, to }) => message === step.message && to === step.to)) steps.push(step);
  }

  /** Forgets the steps behind a place in the log. */
  cut(length: number) {
    for (const [place, steps] of this.#from) {
      const left = steps.filter(({ to }) => to <= length);
      if (left.length === 0 || place > length) this.#from.delete(place);
      else this.#from.set(place, left);
    }
  }

  /**
   * Follows a history: `at` messages of it are known, up to the place `end` of the log. Of these, `renewed` are the same to the model as
   * those of the log, but other objects, and `given` were sent instead of messages of the log.
   *
   * @param length how many messages the history has
   */
  followed(log: readonly unknown[], history: readonly unknown[], length: number) {
    /** by the place in the log */
    const renewed: Map<number, unknown> = new Map();
    /** by the place in the log, or by what a model sees of a message that was made */
    const given: Map<number | string, unknown> = new Map();
    let at = 0;
    let place = 0;
    let isLeading = true;
    for (; at < length; at += 1) {
      const message = history[at];
      const own = log[place];
      const isOwn = place < log.length && isSame(own, message);
      const step = isOwn ? undefined : this.#step(place, message);
      if (step !== undefined) {
        given.set(step.isMade ? (step.seen ??= seenOf(step.message)) : step.to - 1, message);
        place = step.to;
        isLeading = false;
        continue;
      }
      if (place >= log.length) break;
      isLeading &&= isSystem(own) && isSystem(message);
      if (!isOwn && !isLeading && seenOf(own) !== seenOf(message)) break;
      if (!isOwn) renewed.set(place, message);
      place += 1;
    }
    return { at, end: place, renewed, given };
  }

  /** The step that a message is at a place. */
  #step(place: number, message: unknown) {
    const steps = this.#from.get(place);
    if (steps === undefined) return undefined;
    const known = steps.find((step) => step.message === message);
    if (known !== undefined) return known;
    const seen = seenOf(message);
    return steps.find((step) => (step.seen ??= seenOf(step.message)) === seen);
  }
}
