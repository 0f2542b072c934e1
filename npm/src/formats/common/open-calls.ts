import { isCount, isObject } from '../../values.js';

/** Open calls without ids: for each name, oldest first. They are plain data, so that a snapshot can contain them. */
export type OpenCalls = Record<string, { next: number; readonly ids: string[] }>;

/** Records a call with a name, which may be missing; `id` is its key. */
export function openCall(calls: OpenCalls, name: string | undefined, id: string): void {
  (calls[keyOf(name)] ??= { next: 0, ids: [] }).ids.push(id);
}

/** Closes the oldest open call with a name and returns its key; `undefined` if there is none. */
export function answerCall(calls: OpenCalls, name: string | undefined): string | undefined {
  const key = keyOf(name);
  const waiting = calls[key];
  if (waiting === undefined) return undefined;
  const id = waiting.ids[waiting.next];
  waiting.next += 1;
  if (waiting.next === waiting.ids.length) delete calls[key];
  return id;
}

/** Whether a value of a snapshot can be open calls. */
export function areOpenCalls(value: unknown): value is OpenCalls {
  if (!isObject(value)) return false;
  return Object.entries(value).every(
    ([key, waiting]) =>
      (key === '' || key.startsWith('$')) &&
      isObject(waiting) &&
      Array.isArray(waiting.ids) &&
      waiting.ids.every((id) => typeof id === 'string') &&
      isCount(waiting.next) &&
      waiting.next < waiting.ids.length,
  );
}

/** A prefix, so that no name equals a member that every object inherits. */
function keyOf(name: string | undefined): string {
  return name === undefined ? '' : `$${name}`;
}
