/** Whether an object is plain data: it inherits no members of its own class. */
export function isPlain(object: object) {
  return Object.getPrototypeOf(object) === Object.prototype;
}
