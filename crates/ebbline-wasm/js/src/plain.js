/**
 * Whether an object is plain data: what is not among its own members, it does not have.
 *
 * `__proto__` is compiled into a look at the object, `Object.getPrototypeOf` into a call where objects have several shapes.
 * Some runtimes are without it.
 *
 * @param {object} object
 */
export function isPlain(object) {
  return (object.__proto__ ?? Object.getPrototypeOf(object)) === Object.prototype;
}
