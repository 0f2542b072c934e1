/** How deep messages are compared. Nothing that is sent to a provider is nested as deeply. */
const DEEPEST = 64;

/**
 * Whether two messages are the same: one object, or one a copy of the other. Members that are `undefined` are as good as missing.
 *
 * @param {any} one
 * @param {any} other
 */
export function isSame(one, other, depth = 0) {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return Object.is(one, other);
  if (depth > DEEPEST) return false;
  if (Array.isArray(one)) return Array.isArray(other) && isSameList(one, other, depth);
  if (Array.isArray(other) || Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  if (ArrayBuffer.isView(one)) return isSameList(bytesOf(one), bytesOf(other), depth);
  if (one instanceof Date) return one.getTime() === other.getTime();
  if (one instanceof URL) return one.href === other.href;
  return isSameObject(one, other, depth);
}

/** How many of the first messages of `known` are also the first of the `length` messages. */
export function sameUntil(known, messages, length) {
  const shorter = Math.min(known.length, length);
  let at = 0;
  while (at < shorter && (known[at] === messages[at] || isSame(known[at], messages[at]))) at += 1;
  return at;
}

function isSameList(one, other, depth) {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) {
    if (!isSame(one[at], other[at], depth + 1)) return false;
  }
  return true;
}

function isSameObject(one, other, depth) {
  let count = 0;
  for (const key in one) {
    if (one[key] === undefined) continue;
    count += 1;
    if (!isSame(one[key], other[key], depth + 1)) return false;
  }
  for (const key in other) {
    if (other[key] !== undefined) count -= 1;
  }
  return count === 0;
}

/** @param {ArrayBufferView} view */
function bytesOf(view) {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}
