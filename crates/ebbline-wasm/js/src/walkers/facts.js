import { elements } from './content.js';

/**
 * What an array shows and no record holds, though a provider may refuse it for that: the counterpart of
 * `validate/facts.rs`.
 *
 * @param {string} format
 * @param {any[]} messages
 */
export function factsOf(format, messages) {
  const emptyCalls = [];
  const cacheMarks = [];
  for (let at = 0; at < messages.length; at += 1) {
    if (format === 'openai_chat') {
      const calls = messages[at]?.tool_calls;
      if (Array.isArray(calls) && calls.length === 0) emptyCalls.push(at);
    } else if (format === 'anthropic_messages') {
      for (let left = marksOf(messages[at]); left > 0; left -= 1) cacheMarks.push(at);
    }
  }
  return { emptyCalls: Uint32Array.from(emptyCalls), cacheMarks: Uint32Array.from(cacheMarks) };
}

/** How many blocks of a message ask for caching. */
function marksOf(message) {
  let marks = 0;
  for (const block of elements(message?.content)) {
    marks += Number(isMarked(block));
    for (const inner of elements(block?.content)) marks += Number(isMarked(inner));
  }
  return marks;
}

function isMarked(block) {
  return (block?.cache_control ?? undefined) !== undefined;
}
