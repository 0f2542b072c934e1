/**
 * Whether an object is plain data: it inherits no members of its own class.
 *
 * @param {object} object
 */
export function isPlain(object) {
  return Object.getPrototypeOf(object) === Object.prototype;
}
