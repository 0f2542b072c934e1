// Calls without ids that nothing has answered yet: by name, the oldest first. Plain data, so that a snapshot can hold it.

/** Notes a call of a name, which may be missing; `id` stands for it. */
export function openCall(calls, name, id) {
  (calls[keyOf(name)] ??= { next: 0, ids: [] }).ids.push(id);
}

/** What stands for the oldest open call of a name, which is open no more; `undefined` if there is none. */
export function answerCall(calls, name) {
  const key = keyOf(name);
  const waiting = calls[key];
  if (waiting === undefined) return undefined;
  const id = waiting.ids[waiting.next];
  waiting.next += 1;
  if (waiting.next === waiting.ids.length) delete calls[key];
  return id;
}

/** Whether a value of a snapshot can be such calls. */
export function areOpenCalls(value) {
  if (!isObject(value)) return false;
  return Object.entries(value).every(
    ([key, waiting]) =>
      (key === '' || key.startsWith('$')) &&
      isObject(waiting) &&
      Array.isArray(waiting.ids) &&
      waiting.ids.every((id) => typeof id === 'string') &&
      Number.isSafeInteger(waiting.next) &&
      waiting.next >= 0 &&
      waiting.next < waiting.ids.length,
  );
}

/** No name can be a member that every object has. */
function keyOf(name) {
  return name === undefined ? '' : `$${name}`;
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
