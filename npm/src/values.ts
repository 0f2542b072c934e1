// What a value is that somebody else made.

/** An object that is no list, and of whose members nothing is known. */
export type Members = Readonly<Record<string, unknown>>;

/** Whether a value is an object that is no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a whole number of 0 or more. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Whether a value is a number of 0 or more that is exact. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

/** Whether a value is one of these words. */
export function isOneOf(words: readonly unknown[], value: unknown): boolean {
  return words.includes(value);
}

/** Whether the value has a JSON form; `JSON.stringify` omits members without one. */
export function hasJson(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

/** Whether a value is a number that JSON cannot represent, in an object or by itself. */
export function isBigInt(value: unknown): boolean {
  return typeof value === 'bigint' || value instanceof BigInt;
}

export function isBytes(value: unknown): value is ArrayBuffer | ArrayBufferView {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

/** The number of bytes: in memory, or in the form that JSON leaves, `{"0":137}` or `{"type":"Buffer","data":[137]}`. */
export function byteLengthOf(value: unknown): number {
  if (isBytes(value)) return value.byteLength;
  const stored = value as { readonly type?: unknown; readonly data?: unknown } | null | undefined;
  const list: unknown = stored?.type === 'Buffer' && hasJson(stored.data) ? stored.data : stored;
  if (Array.isArray(list)) return list.length;
  if (typeof list !== 'object' || list === null) return 0;
  return Object.values(list).filter(hasJson).length;
}
