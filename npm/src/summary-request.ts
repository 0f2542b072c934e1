import type { CompactorOptions } from './compactor-options.js';
import * as core from './core.js';
import { type Asked, askedOf } from './decision.js';
import { engineMemory } from './engine.js';
import { checkText, jsonFor } from './engine-json.js';
import { files } from './files.js';
import * as filesCore from './files-core.js';
import type { LiveFormat } from './formats/format.js';
import type { Plan } from './generated/plan.js';
import type { ErrorCode } from './generated/words.js';
import { guarded } from './guard.js';
import { type SummaryHandle, handleOf } from './handle.js';
import { type LiveOptions, checkedFormat, passedOf, planOf, walkAs } from './live-plan.js';
import { invalid } from './option-checks.js';
import { checked } from './options.js';
import type { SummaryRequestOptions } from './plan-options.js';
import { type ReadyPolicy, policyOf } from './ready-policy.js';
import type { ModelRequest, RequestedSummary, ReviewedSummary, SummaryAnswer, SummaryContext } from './requested-summary.js';
import { type SessionInput, sourceOf } from './session-source.js';
import { planText, readText, refuseCounting } from './text-session.js';
import type { TextBuffer } from './core.js';
import { TextRecorder } from './text-recorder.js';

/**
 * A request for a summary of live messages.
 *
 * @internal
 */
export type LiveRequest = RequestedSummary & { handle: SummaryHandle };

/**
 * What an answer is judged by, and what a second request for it may say.
 *
 * @internal
 */
export interface JudgedAnswer {
  answer: SummaryAnswer;
  wanted: { context: SummaryContext; accept: CompactorOptions['accept'] };
  /** What was sent, and the most tokens of a request. */
  sent: string;
  budget: number;
}

/**
 * The summary of an answer, or why it must not replace history, and what the model is shown of its answer and told, if it is asked again.
 *
 * @internal
 */
export type Judgement = { summary: string } | { summary?: undefined; code: ErrorCode; message: string; again?: [string, string] };

/**
 * Returns the request for a summary of the messages that the plan under these options summarizes; `undefined` if the plan
 * summarizes nothing, or only an earlier summary.
 *
 * The request contains the old messages as a transcript, within `budgetTokens`: tool output, arguments, reasoning and answers
 * are shortened in the middle until the request fits, and the user's words are shortened last. It contains no message that is
 * kept. An earlier summary is included once, so that the model updates it.
 *
 * For an array of live messages, the texts are passed to the engine once, as JSON; {@link plan} and {@link compact} pass only lengths.
 *
 * @throws {@link EbblineError} `budget_too_small` if the request does not fit even after everything was shortened
 *
 * @example
 * ```js
 * const requested = summaryRequest(messages, options);
 * if (requested) {
 *   const answer = await askYourModel(requested.request); // messages may be added meanwhile
 *   const summary = finishSummary(requested, answer);
 *   messages = compact(messages, { ...options, summary, handle: requested.handle }).messages;
 * }
 * ```
 */
export const summaryRequest = guarded(function summaryRequest(
  input: SessionInput,
  options?: SummaryRequestOptions,
): RequestedSummary | undefined {
  const given = checked(options);
  const policy = policyOf(given);
  const source = sourceOf(input);
  if (Array.isArray(source)) return requestOfLive(source, checkedFormat(source, given).format, given, policy);
  refuseCounting(given);
  return readText(source, given, policy, (session) =>
    planText(session, given, policy, (planned, plan) => {
      const json = session.summaryRequest(planned, given.focus, given.notes, given.budgetTokens);
      return json === undefined ? undefined : requested(JSON.parse(json), plan);
    }),
  );
});

/**
 * A walk records only lengths, but a summary needs the words themselves: a second recorder keeps them.
 *
 * @internal
 */
export function requestOfLive(messages: unknown[], format: LiveFormat, given: LiveOptions, policy: ReadyPolicy): LiveRequest | undefined {
  const asked = askedOf(given);
  const found = passedOf(messages, format, given, policy);
  if (found === undefined) return requestOfWalked(messages, format, given, policy, asked)?.about;
  const left = requestOfWalked(found.messages, format, found.given, policy, askedOf(found.given));
  // The handle is of what was asked, so that the same passes come before the summary is taken over.
  return left && { ...left.about, plan: found.plan, handle: handleOf(messages.length, left.fingerprint, asked, policy) };
}

/** The same for messages that no passes change, with their fingerprint. */
function requestOfWalked(messages: unknown[], format: LiveFormat, given: LiveOptions, policy: ReadyPolicy, asked: Asked) {
  const { focus, notes, budgetTokens } = given;
  return walkAs(format, messages, given, policy, TextRecorder, (recorder) => {
    const plan = planOf(recorder, given, policy);
    if (!plan.retain.applied) return undefined;
    const { records, tools } = recorder;
    const written = core.summaryRequestOfRecords(records, tools, policy.handle, ...asked, ...recorder.put(), focus, notes, budgetTokens);
    if (written === undefined) return undefined;
    const end = written.indexOf('\n');
    const { system, maxTokens, context, fingerprint } = JSON.parse(written.slice(0, end));
    const request: ModelRequest = { system, messages: [{ role: 'user', content: written.slice(end + 1) }], maxTokens };
    const about: LiveRequest = { request, context, plan, handle: handleOf(messages.length, fingerprint, asked, policy) };
    return { about, fingerprint };
  });
}

/**
 * The summary of what a plan of live messages summarizes that needs no model; `undefined` if it summarizes nothing new.
 *
 * @internal
 */
export function deterministicOfLive(messages: unknown[], format: LiveFormat, given: LiveOptions, policy: ReadyPolicy) {
  return aboutSummary(messages, format, given, policy, (...walked) => filesCore.deterministicOfRecords(...walked));
}

/**
 * Judges an answer by the live messages that its summary is to replace.
 *
 * @internal
 */
export function judgementOfLive(
  messages: unknown[],
  format: LiveFormat,
  given: LiveOptions,
  policy: ReadyPolicy,
  { answer: { text, truncated = false }, wanted, sent, budget }: JudgedAnswer,
): Judgement {
  checkText('the answer', text);
  return aboutSummary(messages, format, given, policy, (...walked) =>
    filesCore.judgementOfRecords(...walked, text, truncated, JSON.stringify(wanted), sent, budget),
  );
}

/** Records, tools, policy, what is asked, and texts, as the module of files takes them. */
type Walked = [records: Uint32Array, tools: string[], policy: string, ...asked: Asked, texts: TextBuffer, pieces: Uint32Array];

function aboutSummary<T>(
  messages: unknown[],
  format: LiveFormat,
  given: LiveOptions,
  policy: ReadyPolicy,
  use: (...walked: Walked) => T,
): T {
  const found = passedOf(messages, format, given, policy);
  if (found !== undefined) return aboutSummary(found.messages, format, found.given, policy, use);
  return walkAs(format, messages, given, policy, TextRecorder, (recorder) => {
    return use(recorder.records, recorder.tools, policy.json, ...askedOf(given), ...recorder.put(files));
  });
}

/** The request as the engine writes it for a text. */
interface WrittenRequest {
  request: { system: string; messages: { role: 'user' | 'assistant'; text: string }[]; maxTokens: number };
  context: SummaryContext;
}

function requested({ request: { system, messages, maxTokens }, context }: WrittenRequest, plan: Plan): RequestedSummary {
  const said = messages.map(({ role, text: content }) => ({ role, content }));
  return { request: { system, messages: said, maxTokens }, context, plan };
}

/**
 * Turns a model's answer into a summary: checks it, and adds the lists of files that were read and modified, including those
 * of earlier summaries. It accepts prose and headings in any language, and removes reasoning at the beginning (`<think>`).
 * {@link reviewSummary} also says what is unusual.
 *
 * @param requested the result of {@link summaryRequest}, or its `context` alone; it may have been stored as JSON
 * @param answer the text of the answer
 * @throws {@link EbblineError} if the summary must not replace history: `truncated_summary`, `empty_summary`,
 *   `larger_summary`
 */
export const finishSummary = guarded(function finishSummary(
  requested: Pick<RequestedSummary, 'context'>,
  answer: string | SummaryAnswer,
): string {
  return reviewSummary(requested, answer).summary;
});

/**
 * Does the same as {@link finishSummary}, and also returns what is unusual about the summary.
 *
 * @throws {@link EbblineError} as {@link finishSummary}
 *
 * @example
 * ```js
 * const { summary, warnings } = reviewSummary(requested, answer);
 * if (warnings.some(({ code }) => code === "very_short")) throw new Error("ask again");
 * ```
 */
export const reviewSummary = guarded(function reviewSummary(
  requested: Pick<RequestedSummary, 'context'>,
  answer: string | SummaryAnswer,
): ReviewedSummary {
  engineMemory();
  const { text, truncated = false }: { text?: unknown; truncated?: unknown } =
    typeof answer === 'string' ? { text: answer } : (answer ?? {});
  if (typeof text !== 'string' || typeof truncated !== 'boolean') {
    throw invalid('the answer must be a string, or an object { text, truncated }');
  }
  checkText('the answer', text);
  const context = jsonFor('invalid_option', 'the context of the request', requested?.context ?? null);
  return JSON.parse(core.finishSummary(context, text, truncated));
});
