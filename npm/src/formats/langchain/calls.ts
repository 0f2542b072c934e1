// The calls of a LangChain answer; the counterpart of `format/langchain/calls.rs`.

import { wellFormed } from '../../recorder.js';
import { elements } from '../common/content.js';
import { isCall, walkReasoning } from './blocks.js';

/** Gemini's signatures of calls, by call id. */
const GEMINI_SIGNATURES = '__gemini_function_call_thought_signatures__';

/** The calls that a message lists. Calls whose arguments are not JSON have a separate list but are sent like the
 * others. */
function listed(body) {
  return [...elements(body.tool_calls), ...elements(body.invalid_tool_calls)];
}

function beside(body, key) {
  return body.additional_kwargs?.[key] ?? undefined;
}

/** The ids of the calls that a message lists. */
export function idsOf(body) {
  const ids = listed(body).map((call) => call?.id);
  return new Set(ids.filter((id) => typeof id === 'string').map(wellFormed));
}

/** Whether the answer contains calls. */
export function hasCalls(body) {
  if (listed(body).length > 0 || elements(body.content).some(isCall)) return true;
  return elements(beside(body, 'tool_calls')).length > 0 || beside(body, 'function_call') !== undefined;
}

/** Records the calls; `made` contains the ids of those found in the content. */
export function walkCalls(body, made, recorder) {
  const signatures = beside(body, GEMINI_SIGNATURES);
  const calls = listed(body);
  for (const call of calls) {
    recorder.call(call?.id, call?.name, call?.args);
    recorder.sign(signatures?.[call?.id]);
    recorder.sign(call?.extras?.signature);
  }
  // Older versions only stored the provider's form.
  if (calls.length > 0) return;
  for (const call of elements(beside(body, 'tool_calls'))) {
    const id = call?.id;
    if (typeof id === 'string' && made.has(wellFormed(id))) continue;
    recorder.call(id, call?.function?.name, call?.function?.arguments);
    recorder.sign(signatures?.[id]);
  }
  const legacy = beside(body, 'function_call');
  if (legacy !== undefined) recorder.call(undefined, legacy.name, legacy.arguments);
}

/** Records the reasoning of the Responses API, which must be sent back, if it is stored beside the content. */
export function walkReasoningBeside(body, recorder) {
  const reasoning = beside(body, 'reasoning');
  if (typeof reasoning === 'object' && !Array.isArray(reasoning)) walkReasoning(reasoning, recorder);
}
