// Plans of live messages: the messages are walked, and the engine decides on their records.

import * as core from './core.js';
import { type Asking, askedOf, decisionAt } from './decision.js';
import { engineMemory } from './engine.js';
import type { LiveFormat } from './formats/format.js';
import type { Plan } from './generated/plan.js';
import { lazyPlan } from './lazy-plan.js';
import { type Found, formatOf } from './live-format.js';
import { invalid } from './option-checks.js';
import type { GivenOptions } from './options.js';
import { type ReadingSettings, Recorder, type Tools } from './recorder.js';
import { PassRecorder, passed } from './passes.js';
import type { CountTokens } from './meter.js';
import { type ReadyPolicy, policyKnownBy } from './ready-policy.js';
import type { Decision } from './session-options.js';
import { TextRecorder } from './text-recorder.js';

/** The options of something that is done with live messages, with what only a session or a compactor knows. */
export interface LiveOptions extends GivenOptions, Asking {
  /** The calls whose outputs must stay. */
  seals?: ReadonlySet<unknown> | undefined;
  /** What summaries are introduced with. */
  introduction?: string | undefined;
  /** The role of a summary, and whether the model answers it. */
  role?: string | undefined;
  answer?: boolean | undefined;
  /** Whether passes have been carried out already. */
  isPassed?: boolean;
}

/** What a walk needs of a policy. */
interface ReadingPolicy {
  readonly measures: ReadingSettings;
  readonly tools?: Tools;
}

/** What a walk needs of the options. */
type WalkOptions = Pick<LiveOptions, 'countTokens' | 'seals' | 'introduction'>;

/** The class of a recorder that notes more than lengths. */
export type RecorderClass<R> = new (measures: ReadingSettings, forEdit: boolean, tools?: Tools, countTokens?: CountTokens) => R;

/** The format of live messages that are a single conversation. */
export function checkedFormat(messages: unknown[], { format, conversation = 0 }: Pick<GivenOptions, 'format' | 'conversation'>): Found {
  engineMemory();
  if (conversation > 0) {
    throw invalid(`there is no conversation ${conversation}: an array of messages is a single one, number 0`);
  }
  return formatOf(messages, format);
}

/**
 * Walks live messages and calls `use` with their format and the recorder.
 *
 * @param how the class of the recorder, or whether to note where results stand
 */
export function walk<T>(
  messages: unknown[],
  given: LiveOptions,
  policy: ReadingPolicy,
  how: boolean,
  use: (found: Found, recorder: Recorder) => T,
): T;
export function walk<T, R extends Recorder>(
  messages: unknown[],
  given: LiveOptions,
  policy: ReadingPolicy,
  how: RecorderClass<R>,
  use: (found: Found, recorder: R) => T,
): T;
export function walk<T>(
  messages: unknown[],
  given: LiveOptions,
  policy: ReadingPolicy,
  how: boolean | RecorderClass<Recorder>,
  use: (found: Found, recorder: Recorder) => T,
): T {
  const found = checkedFormat(messages, given);
  return walked(found.format, messages, given, policy, how, (recorder) => use(found, recorder));
}

/** Does the same for messages of a format that is known. */
export function walkAs<T>(
  format: LiveFormat,
  messages: readonly unknown[],
  options: WalkOptions,
  policy: ReadingPolicy,
  how: boolean,
  use: (recorder: Recorder) => T,
): T;
export function walkAs<T, R extends Recorder>(
  format: LiveFormat,
  messages: readonly unknown[],
  options: WalkOptions,
  policy: ReadingPolicy,
  how: RecorderClass<R>,
  use: (recorder: R) => T,
): T;
export function walkAs<T>(
  format: LiveFormat,
  messages: readonly unknown[],
  options: WalkOptions,
  policy: ReadingPolicy,
  how: boolean | RecorderClass<Recorder>,
  use: (recorder: Recorder) => T,
): T {
  return walked(format, messages, options, policy, how, use);
}

function walked<T>(
  format: LiveFormat,
  messages: readonly unknown[],
  { countTokens, seals, introduction }: WalkOptions,
  policy: ReadingPolicy,
  how: boolean | RecorderClass<Recorder>,
  use: (recorder: Recorder) => T,
): T {
  const Kind = typeof how === 'function' ? how : Recorder;
  const recorder = new Kind(policy.measures, how === true, policy.tools, countTokens);
  recorder.seals = seals;
  if (recorder instanceof TextRecorder) recorder.introduction = introduction;
  try {
    recorder.reserve(messages.length);
    format.walk(messages, recorder);
    return use(recorder);
  } finally {
    recorder.release();
  }
}

/** Plans the recorded messages; calls `applied` with the ledger if outputs are pruned. */
export function planOf(recorder: Recorder, given: LiveOptions, policy: ReadyPolicy, applied?: (ledger: core.Ledger) => void): Plan {
  const asked = askedOf(given);
  const { records, tools } = recorder;
  const { key, profile } = policy;
  return policy.decide(records, tools, asked, (ledger, figures) => {
    const decision = decisionAt(figures, profile);
    if (decision.prune.applied) applied?.(ledger);
    const kept = records.slice();
    return lazyPlan(decision, () => core.planRecords(kept, tools, policyKnownBy(key).handle, ...asked));
  });
}

/** What passes leave, and how the rest is done. */
export interface PassedMessages {
  messages: unknown[];
  /** The plan of all that is to be done. */
  plan: Plan;
  /** How large the context is then, if its messages do not say so. */
  known: number | undefined;
  /** How many parts gave way. */
  outputs: number;
  given: LiveOptions;
}

/**
 * What the policy's passes leave of live messages, with the plan of all that is to be done, and the options with which the rest of it
 * is done; `undefined` if they change nothing.
 */
export function passedOf(messages: unknown[], format: LiveFormat, given: LiveOptions, policy: ReadyPolicy): PassedMessages | undefined {
  if (!policy.takesPasses || given.isPassed) return undefined;
  const isDue = given.force || walkAs(format, messages, given, policy, false, (recorder) => isFull(planOf(recorder, given, policy)));
  if (!isDue) return undefined;
  const { now = Date.now(), freeBytes = false } = given;
  const how = { reference: policy.reference, now, freeBytes };
  const found = walkAs(format, messages, given, policy, PassRecorder, (recorder) =>
    passed(messages, recorder, format, policy, askedOf(given), how),
  );
  if (found === undefined) return undefined;
  return { ...found, given: { ...given, isPassed: true, ...(found.known !== undefined && { knownTokens: Math.max(1, found.known) }) } };
}

/** Whether the context may be full, so that something has to give way, as far as a decision without passes says. */
export function isFull({ verdict, trigger }: Decision) {
  return verdict !== 'noop' || trigger.fires;
}
