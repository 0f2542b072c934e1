/**
 * Whether an object is plain data: it has no members but its own.
 *
 * @param {object} object
 */
export function isPlain(object) {
  return Object.getPrototypeOf(object) === Object.prototype;
}
