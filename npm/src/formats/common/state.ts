import { type Members, isObject } from '../../values.js';

/** Whether a value of a snapshot can be the number of a message, or the number for none. */
export function isPlace(value: unknown, length: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= -1 && value < length;
}

/** Whether an object has exactly these members. */
export function hasMembers(value: unknown, ...names: readonly string[]): value is Members {
  if (!isObject(value)) return false;
  const found = Object.keys(value);
  return found.length === names.length && names.every((name) => found.includes(name));
}
