// Bytes, whatever their class says of itself: its own members may be anything, what the language knows of it may not.

const TypedArray = Object.getPrototypeOf(Uint8Array.prototype);
const OF_ARRAY = gettersOf(TypedArray);
const OF_VIEW = gettersOf(DataView.prototype);

/** The bytes of a view; `undefined` when its buffer was handed over to somebody else and is gone. */
export function bytesOfView(view) {
  try {
    const { buffer, byteOffset, byteLength } = isTypedArray(view) ? OF_ARRAY : OF_VIEW;
    return new Uint8Array(buffer.call(view), byteOffset.call(view), byteLength.call(view));
  } catch {
    return undefined;
  }
}

/** The bytes of a buffer or a view; `undefined` of anything else. */
export function bytesIn(value) {
  if (ArrayBuffer.isView(value)) return bytesOfView(value);
  try {
    // Whether something is a buffer, only its constructor can tell: a proxy of one is none.
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
