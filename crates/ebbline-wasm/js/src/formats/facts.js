/**
 * Facts about an array that records do not contain but for which a provider may refuse it: the counterpart of
 * `validate/facts.rs`.
 *
 * @param {import('./table.js').Format} format
 * @param {any[]} messages
 * @returns {{ emptyCalls: Uint32Array, cacheMarks: Uint32Array }} the messages with empty lists of calls, and those
 * that ask for caching, each as often as it does
 */
export function factsOf({ facts }, messages) {
  const emptyCalls = [];
  const cacheMarks = [];
  if (facts !== undefined) {
    messages.forEach((message, at) => {
      const found = facts(message);
      for (let left = found.emptyCalls ?? 0; left > 0; left -= 1) emptyCalls.push(at);
      for (let left = found.cacheMarks ?? 0; left > 0; left -= 1) cacheMarks.push(at);
    });
  }
  return { emptyCalls: Uint32Array.from(emptyCalls), cacheMarks: Uint32Array.from(cacheMarks) };
}
