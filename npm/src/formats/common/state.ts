/** Whether a value of a snapshot can be the number of a message, or the number for none. */
export function isPlace(value, length) {
  return Number.isSafeInteger(value) && value >= -1 && value < length;
}

/** Whether an object has exactly these members. */
export function hasMembers(value, ...names) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const found = Object.keys(value);
  return found.length === names.length && names.every((name) => found.includes(name));
}

/** Whether a value can be a count. */
export function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0;
}
