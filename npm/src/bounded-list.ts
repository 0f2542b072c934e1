import { EbblineError } from './errors.js';

/** The maximum length of a list: four times as many messages as the largest tested session has. */
export const MOST_ELEMENTS = 1 << 22;

/**
 * A copy of a list from an index on, as it is now: a getter of an element may change the list, and a proxy may return something
 * else each time.
 */
export function listOf(list: readonly unknown[], from = 0): unknown[] {
  const length = lengthOf(list);
  const copy = new Array<unknown>(Math.max(length - from, 0));
  for (let at = from; at < length; at += 1) copy[at - from] = list[at];
  return copy;
}

/** The length of a list; a list that is too long is refused. */
export function lengthOf({ length }: readonly unknown[]): number {
  if (!(Number.isSafeInteger(length) && length >= 0)) throw new EbblineError('unreadable', 'a list does not say how long it is');
  if (length > MOST_ELEMENTS) throw new EbblineError('too_large', `a list has more than ${MOST_ELEMENTS} elements`);
  return length;
}
