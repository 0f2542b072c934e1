/**
 * Facts about an array that records do not contain but for which a provider may refuse it: the counterpart of
 * `validate/facts.rs`.
 *
 * @returns the messages with empty
 * lists of calls, those that ask for caching and those with texts that say nothing, each as often as it does; and for each call that is
 * refused its message and what is wrong
 */
export function factsOf(
  { facts }: import('./table.js').Format,
  messages: any[],
): { emptyCalls: Uint32Array; cacheMarks: Uint32Array; blankTexts: Uint32Array; calls: Uint32Array } {
  const found = { emptyCalls: [], cacheMarks: [], blankTexts: [], calls: [] };
  if (facts !== undefined) {
    messages.forEach((message, at) => {
      const { calls = [], ...counts } = facts(message);
      for (const [name, count] of Object.entries(counts)) for (let left = count; left > 0; left -= 1) found[name].push(at);
      for (const wrong of calls) found.calls.push(at, wrong);
    });
  }
  return {
    emptyCalls: Uint32Array.from(found.emptyCalls),
    cacheMarks: Uint32Array.from(found.cacheMarks),
    blankTexts: Uint32Array.from(found.blankTexts),
    calls: Uint32Array.from(found.calls),
  };
}
