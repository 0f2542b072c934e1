import { EbblineError } from './errors.js';

/** How many elements a list may have: four times as many messages as any session is tried with. */
export const MOST_ELEMENTS = 1 << 22;

/**
 * A list as it is now, from a place on: a getter of one of its elements may change it, and a proxy may say something else
 * each time.
 *
 * @param {readonly unknown[]} list
 * @param {number} [from]
 * @returns {unknown[]}
 */
export function listOf(list, from = 0) {
  const length = lengthOf(list);
  const copy = new Array(Math.max(length - from, 0));
  for (let at = from; at < length; at += 1) copy[at - from] = list[at];
  return copy;
}

/** How long a list is; refuses one that is too long for anything to come of it. */
export function lengthOf({ length }) {
  if (!(Number.isSafeInteger(length) && length >= 0)) throw new EbblineError('unreadable', 'a list does not say how long it is');
  if (length > MOST_ELEMENTS) throw new EbblineError('too_large', `a list has more than ${MOST_ELEMENTS} elements`);
  return length;
}
