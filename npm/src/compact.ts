import { applyToList } from './apply.js';
import * as core from './core.js';
import { askedOf } from './decision.js';
import { files } from './files.js';
import type { LiveFormat } from './formats/format.js';
import type { Plan } from './generated/plan.js';
import { guarded } from './guard.js';
import { checkHandle } from './handle.js';
import { isBlank } from './introductions.js';
import { type LiveOptions, type PassedMessages, checkedFormat, passedOf, planOf, walkAs } from './live-plan.js';
import { invalid } from './option-checks.js';
import { type GivenOptions, checked } from './options.js';
import type { Recorder } from './recorder.js';
import { remainsOf } from './passes.js';
import type { CompactOptions } from './plan-options.js';
import { WORDS_OF_CUT, previewsOf } from './previews.js';
import { type ReadyPolicy, policyKnownBy, policyOf } from './ready-policy.js';
import { sourceOf } from './session-source.js';
import { planText, readText, refuseCounting } from './text-session.js';
import { takeBytes, takeString } from './text-buffer.js';
import { TextRecorder, WordsRecorder } from './text-recorder.js';

/** What {@link compact} did. */
export interface Compacted {
  /** The plan that was carried out. */
  plan: Plan;
  /** What was done. */
  applied: {
    /** How many tool outputs were replaced by the placeholder, including those of summarized messages. */
    pruned: number;
    /** How many messages were replaced by the summary. */
    summarized: number;
  };
  /** Whether old messages should be summarized but stayed, because the options contain no `summary`. */
  summaryNeeded: boolean;
}

/**
 * Messages that a plan was carried out on, and where each of them comes from: its index among the given ones, or -1.
 *
 * @internal
 */
export interface CompactedList {
  done: Compacted & { messages: unknown[] };
  sources: number[];
}

const NOTHING_CUT = new Uint32Array();
const NOTHING: readonly unknown[] = Object.freeze([]);

/**
 * Plans, and carries the plan out on a copy.
 *
 * If the input is an array, every unchanged message is the very same object in the result (`===`), and a changed message stays
 * an instance of its class. If it is a text, every byte outside the planned places stays as it is. Old messages are replaced
 * only if the options contain a `summary`: without one they stay, and `summaryNeeded` says that a summary is needed.
 *
 * @throws {@link EbblineError}
 *
 * @example
 * ```js
 * const { messages } = compact(history, { profile: "opencode@2026-01" });
 * ```
 */
export const compact: {
  (input: string, options?: CompactOptions): Compacted & { text: string };
  (input: Uint8Array, options?: CompactOptions): Compacted & { bytes: Uint8Array };
  <T>(input: readonly T[], options?: CompactOptions): Compacted & { messages: T[] };
} = guarded(function compact(input: unknown, options?: unknown) {
  const given = checked(options);
  const policy = policyOf(given);
  const source = sourceOf(input);
  if (!Array.isArray(source)) return compactText(source, given, policy);
  const { format } = checkedFormat(source, given);
  return compactLive(source, format, given, policy).done;
}) as typeof compact;

/**
 * Plans live messages of a format, and carries the plan out on a copy.
 *
 * @internal
 */
export function compactLive(messages: unknown[], format: LiveFormat, given: LiveOptions, policy: ReadyPolicy): CompactedList {
  if (given.handle === undefined) {
    const found = passedOf(messages, format, given, policy);
    if (found !== undefined) return withPasses(found, compactLive(found.messages, format, found.given, policy));
    return walkAs(format, messages, given, policy, true, (recorder) => carriedOut(messages, NOTHING, format, recorder, given, policy));
  }
  const { handle } = given;
  if (given.summary === undefined) throw invalid('a handle comes with the summary that was asked for: pass both');
  const { length, asked } = checkHandle(handle, messages.length, policy);
  const [first, since] = [messages.slice(0, length), messages.slice(length)];
  const found = passedOf(first, format, { ...given, ...asked }, policy);
  const left = found?.messages ?? first;
  walkAs(format, left, given, policy, TextRecorder, (recorder) => {
    const fingerprint = core.fingerprintOfRecords(recorder.records, recorder.tools, ...recorder.put());
    checkHandle(handle, messages.length, policy, fingerprint);
  });
  const as = { ...given, ...asked, ...found?.given };
  const done = walkAs(format, left, as, policy, true, (recorder) => carriedOut(left, since, format, recorder, as, policy));
  return found === undefined ? done : withPasses(found, done);
}

/** What was done, passes included. */
function withPasses({ plan }: PassedMessages, { done, sources }: CompactedList): CompactedList {
  return { done: { ...done, plan, applied: { ...done.applied, pruned: plan.prune.outputs } }, sources };
}

/** `since`: the messages that came after those that the plan is of. They stay. */
function carriedOut(
  source: unknown[],
  since: readonly unknown[],
  format: LiveFormat,
  recorder: Recorder,
  given: LiveOptions,
  policy: ReadyPolicy,
): CompactedList {
  let pruned: Uint32Array | undefined;
  let cut: Uint32Array = NOTHING_CUT;
  const plan = planOf(recorder, given, policy, (ledger) => {
    pruned = ledger.pruned();
    cut = ledger.cut();
  });
  const told = summaryOf(given);
  const isCarrying = told !== undefined && plan.retain.applied && policy.carriesWords;
  const summary = isCarrying ? withWords(told, source, format, recorder, given, policy) : told;
  const { now = Date.now(), role = 'user', answer = false } = given;
  const { placeholder, reference } = policy;
  const { slots = [], places, anchors = [] } = recorder;
  const how = { placeholder, reference, summary, role, answer, now, freeBytes: given.freeBytes ?? false };
  const remains = policy.describes && pruned !== undefined ? remainsOfLive(source, format, given, policy, pruned, cut) : undefined;
  const previews = previewsOf(source, format, cut, policyKnownBy(policy.key), given.countTokens);
  const { messages, sources } = applyToList(source, since, { format, slots, places, anchors, pruned, previews, remains }, plan, how);
  return { done: { messages, ...outcome(plan, summary) }, sources };
}

/** What remains of the outputs that are pruned; those that are cut are newer than all of them. */
function remainsOfLive(
  messages: unknown[],
  format: LiveFormat,
  given: LiveOptions,
  policy: ReadyPolicy,
  pruned: Uint32Array,
  cut: Uint32Array,
) {
  const cleared = pruned.subarray(0, pruned.length - (cut.length / WORDS_OF_CUT) * 2);
  return walkAs(format, messages, given, policy, TextRecorder, (recorder) => remainsOf(recorder, policy, cleared));
}

/** A summary with the user's own words behind it: those of the messages that it replaces, as far as the policy allows. */
function withWords(
  summary: string,
  messages: unknown[],
  format: LiveFormat,
  { records, tools }: Recorder,
  given: LiveOptions,
  policy: ReadyPolicy,
) {
  const asked = askedOf(given);
  const uncounted = { ...given, countTokens: undefined, seals: undefined };
  const texts = walkAs(format, messages, uncounted, policy, WordsRecorder, (recorder) => recorder.put());
  return core.wordsOfRecords(records, tools, policy.handle, ...asked, ...texts, summary);
}

/** The summary, unless it has no visible text. */
function summaryOf({ summary }: Pick<CompactOptions, 'summary'>) {
  return summary === undefined || isBlank(summary) ? undefined : summary;
}

function compactText(source: string | Uint8Array, given: GivenOptions, policy: ReadyPolicy) {
  refuseCounting(given);
  if (given.handle !== undefined) throw invalid('a handle is of live messages: pass their array, not text');
  const summary = summaryOf(given);
  return readText(source, given, policy, (session) =>
    planText(session, given, policy, (planned, plan) => {
      const buffer = session.compact(planned, summary, given.now, given.freeBytes ?? false);
      try {
        const result = typeof source === 'string' ? { text: takeString(buffer, files) } : { bytes: takeBytes(buffer, files) };
        return { ...result, ...outcome(plan, summary) };
      } finally {
        buffer.free();
      }
    }),
  );
}

/** What was done, which may differ from the plan: without a summary, old messages stay. */
function outcome(plan: Plan, summary: string | undefined): Compacted {
  const isSummarized = plan.retain.applied && summary !== undefined;
  return {
    plan,
    applied: {
      pruned: plan.prune.applied ? plan.prune.outputs : 0,
      summarized: isSummarized ? plan.retain.messages : 0,
    },
    summaryNeeded: plan.retain.applied && summary === undefined,
  };
}
