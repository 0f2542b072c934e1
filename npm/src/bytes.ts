// Reads bytes with the language's own accessors, because a value's own members may return anything.

const TypedArray = Object.getPrototypeOf(Uint8Array.prototype);
const OF_ARRAY = gettersOf(TypedArray);
const OF_VIEW = gettersOf(DataView.prototype);

/** The bytes of a view; `undefined` if its buffer was transferred and is detached. */
export function bytesOfView(view) {
  try {
    const { buffer, byteOffset, byteLength } = isTypedArray(view) ? OF_ARRAY : OF_VIEW;
    return new Uint8Array(buffer.call(view), byteOffset.call(view), byteLength.call(view));
  } catch {
    return undefined;
  }
}

/** The bytes of a buffer or a view; `undefined` for any other value. */
export function bytesIn(value) {
  if (ArrayBuffer.isView(value)) return bytesOfView(value);
  try {
    // Only a buffer's own accessor can tell whether something is a buffer: a proxy of one is not.
    return byteLength.call(value) >= 0 ? new Uint8Array(value) : undefined;
  } catch {
    return undefined;
  }
}

const byteLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength').get;

function isTypedArray(view) {
  return Object.getOwnPropertyDescriptor(TypedArray, Symbol.toStringTag).get.call(view) !== undefined;
}

function gettersOf(prototype) {
  const getter = (name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  return { buffer: getter('buffer'), byteOffset: getter('byteOffset'), byteLength: getter('byteLength') };
}
