/** Whether what a snapshot holds of a format's state can be the number of a message, or of none. */
export function isPlace(value, length) {
  return Number.isSafeInteger(value) && value >= -1 && value < length;
}

/** Whether it has these members and no others. */
export function hasMembers(value, ...names) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const found = Object.keys(value);
  return found.length === names.length && names.every((name) => found.includes(name));
}

/** Whether it can be how many there are of something. */
export function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0;
}
