// The calls of a LangChain answer; the counterpart of `format/langchain/calls.rs`.

import { type Recorder, wellFormed } from '../../recorder.js';
import { elements } from '../common/content.js';
import { type Block, isCall, walkReasoning } from './blocks.js';
import { isObject } from '../../values.js';

/** The members of an answer that its calls are in. */
export interface CallsBody {
  readonly content?: unknown;
  readonly tool_calls?: unknown;
  readonly invalid_tool_calls?: unknown;
  readonly additional_kwargs?: { readonly [name: string]: unknown; readonly lc_source?: unknown } | null;
}

interface Call {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly args?: unknown;
  readonly extras?: { readonly signature?: unknown } | null;
  /** as the provider has it */
  readonly function?: FunctionCall | null;
}

interface FunctionCall {
  readonly name?: unknown;
  readonly arguments?: unknown;
}

/** Gemini's signatures of calls, by call id. */
const GEMINI_SIGNATURES = '__gemini_function_call_thought_signatures__';

/** The calls that a message lists. Calls whose arguments are not JSON have a separate list but are sent like the
 * others. */
function listed(body: CallsBody): readonly (Call | null | undefined)[] {
  return [...elements<Call>(body.tool_calls), ...elements<Call>(body.invalid_tool_calls)];
}

function beside(body: CallsBody, key: string): unknown {
  return body.additional_kwargs?.[key] ?? undefined;
}

/** The ids of the calls that a message lists. */
export function idsOf(body: CallsBody): ReadonlySet<string> {
  const ids = listed(body).map((call) => call?.id);
  return new Set(ids.filter((id) => typeof id === 'string').map(wellFormed));
}

/** Whether the answer contains calls. */
export function hasCalls(body: CallsBody): boolean {
  if (listed(body).length > 0 || elements<Block>(body.content).some(isCall)) return true;
  return elements(beside(body, 'tool_calls')).length > 0 || beside(body, 'function_call') !== undefined;
}

/** Records the calls; `made` contains the ids of those found in the content. */
export function walkCalls(body: CallsBody, made: ReadonlySet<string>, recorder: Recorder): void {
  const signatures = beside(body, GEMINI_SIGNATURES) as Readonly<Record<string, unknown>> | undefined;
  const signatureOf = (id: unknown) => signatures?.[String(id)];
  const calls = listed(body);
  for (const call of calls) {
    recorder.call(call?.id, call?.name, call?.args);
    recorder.sign(signatureOf(call?.id));
    recorder.sign(call?.extras?.signature);
  }
  // Older versions only stored the provider's form.
  if (calls.length > 0) return;
  for (const call of elements<Call>(beside(body, 'tool_calls'))) {
    const id = call?.id;
    if (typeof id === 'string' && made.has(wellFormed(id))) continue;
    recorder.call(id, call?.function?.name, call?.function?.arguments);
    recorder.sign(signatureOf(id));
  }
  const legacy = beside(body, 'function_call') as FunctionCall | undefined;
  if (legacy !== undefined) recorder.call(undefined, legacy.name, legacy.arguments);
}

/** Records the reasoning of the Responses API, which must be sent back, if it is stored beside the content. */
export function walkReasoningBeside(body: CallsBody, recorder: Recorder): void {
  const reasoning = beside(body, 'reasoning');
  if (isObject(reasoning)) walkReasoning(reasoning, recorder);
}
