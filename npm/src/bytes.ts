// Reads bytes with the language's own accessors, because a value's own members may return anything.

/** The language's own accessors of a view. */
interface ViewGetters {
  readonly buffer: (this: unknown) => ArrayBufferLike;
  readonly byteOffset: (this: unknown) => number;
  readonly byteLength: (this: unknown) => number;
}

const TypedArray: object = Object.getPrototypeOf(Uint8Array.prototype);
const OF_ARRAY = gettersOf(TypedArray);
const OF_VIEW = gettersOf(DataView.prototype);

/** The bytes of a view; `undefined` if its buffer was transferred and is detached. */
export function bytesOfView(view: ArrayBufferView): Uint8Array | undefined {
  try {
    const { buffer, byteOffset, byteLength } = isTypedArray(view) ? OF_ARRAY : OF_VIEW;
    return new Uint8Array(buffer.call(view), byteOffset.call(view), byteLength.call(view));
  } catch {
    return undefined;
  }
}

/** The bytes of a buffer or a view; `undefined` for any other value. */
export function bytesIn(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return bytesOfView(value);
  try {
    // Only a buffer's own accessor can tell whether something is a buffer: a proxy of one is not.
    return lengthOfBuffer.call(value) >= 0 ? new Uint8Array(value as ArrayBuffer) : undefined;
  } catch {
    return undefined;
  }
}

const lengthOfBuffer = getter<number>(ArrayBuffer.prototype, 'byteLength');

function isTypedArray(view: ArrayBufferView): boolean {
  return getter<unknown>(TypedArray, Symbol.toStringTag).call(view) !== undefined;
}

function gettersOf(prototype: object): ViewGetters {
  return { buffer: getter(prototype, 'buffer'), byteOffset: getter(prototype, 'byteOffset'), byteLength: getter(prototype, 'byteLength') };
}

/** An accessor that the language defines, to be called on any value. */
function getter<Value>(prototype: object, name: string | symbol): (this: unknown) => Value {
  return Object.getOwnPropertyDescriptor(prototype, name)?.get as (this: unknown) => Value;
}
