import { type CompactedList, compactLive } from './compact.js';
import { planRecords } from './core.js';
import { type Asked, type Asking, UNKNOWN } from './decision.js';
import { EbblineError } from './errors.js';
import type { LiveFormat } from './formats/format.js';
import { SUMMARIZES_ALL } from './generated/names.js';
import type { Plan } from './generated/plan.js';
import type { LiveFormatName } from './generated/words.js';
import { guardMembers, guarded } from './guard.js';
import { lazyPlan } from './lazy-plan.js';
import { listOf } from './bounded-list.js';
import { formatShown } from './live-format.js';
import { type LiveOptions, type PassedMessages, isFull, passedOf } from './live-plan.js';
import { invalid } from './option-checks.js';
import { type GivenOptions, checkedForApply, checkedForDecision, checkedForRequest, checkedForSession } from './options.js';
import type { PolicyOptions } from './policy-options.js';
import { type ReadyPolicy, copyOfPolicy, policyKnownBy, policyOf } from './ready-policy.js';
import { type ContextMemory, SessionLedger } from './session-ledger.js';
import { SessionMessages } from './session-messages.js';
import type { ApplyOptions, Decision, DecisionOptions, RequestOptions, SessionOptions } from './session-options.js';
import { writeSnapshot } from './snapshot.js';
import type { StoredSession } from './stored-session.js';
import { type JudgedAnswer, deterministicOfLive, judgementOfLive, requestOfLive } from './summary-request.js';

const NOTHING: readonly unknown[] = Object.freeze([]);

/** The options of a session, with what a compactor adds. */
type SessionGiven = SessionOptions & LiveOptions;

/** What something is asked about a session's messages with: `messages`, if they are others than those that are there now. */
export type SessionQuestion = RequestOptions & { messages?: unknown[] | undefined };

/** Something that is worked out from live messages. */
type Question<T, More extends unknown[]> = (
  messages: unknown[],
  format: LiveFormat,
  given: LiveOptions,
  policy: ReadyPolicy,
  ...more: More
) => T;

/** What the passes that come before the boundary do. The session goes on with it once `take` is called. */
export interface SessionPasses extends CompactedList {
  /** How large the context is that they leave, if its messages do not say so. */
  knownTokens: number | undefined;
  take: () => void;
}

/** What summaries are introduced with, whose words they are, and whether the model answers them. */
export interface SummaryIntroduction {
  text: string;
  role: string;
  answer: boolean;
}

/** The last decision, what it was asked for, and after how many changes of the messages. */
interface NewestDecision {
  force: boolean | undefined;
  known: number | undefined;
  overhead: number;
  idle: number;
  changes: number;
  decision: Decision;
}

/**
 * A session that grows: known messages are neither walked nor copied to the engine again. It returns the same results as
 * `plan` and `compact` for the same messages. After `apply`, it also remembers what reported usage had said about the tokens
 * sent beside the messages: with that figure as their option `overhead`, `plan` and `compact` return the same again, unless it
 * fills the window, which they refuse where a caller says so.
 *
 * It is what {@link Session} gives to callers, with more for a compactor.
 */
export class GrowingSession {
  #given: SessionGiven;
  #policy: ReadyPolicy;
  #ledger: SessionLedger;
  #messages: SessionMessages;
  /** Whether code of the caller (a getter, a proxy, a function) may be running: the session cannot be used meanwhile. */
  #isBusy = false;
  #newest: NewestDecision | undefined;

  constructor(options?: SessionOptions) {
    const { given, policy, ledger } = opened(options);
    this.#given = given;
    this.#policy = policy;
    this.#ledger = ledger;
    this.#messages = new SessionMessages(given, policy, ledger);
  }

  get length() {
    this.#begin();
    return this.#messages.list.length;
  }

  get format(): LiveFormatName | undefined {
    this.#begin();
    this.#catchUp();
    // Every format that is walked is one of live messages.
    return this.#messages.list.length === 0 ? undefined : (this.#messages.shown.format?.name as LiveFormatName);
  }

  get messages() {
    this.#begin();
    this.#messages.needAll();
    return this.#messages.list.slice();
  }

  push(messages: unknown) {
    return this.#busily(() => this.#change(this.#messages.list.length, Array.isArray(messages) ? listOf(messages) : [messages]));
  }

  sync(messages: unknown) {
    return this.#busily(() => {
      if (!Array.isArray(messages)) throw new EbblineError('no_messages', 'a session is made of an array of messages');
      const kept = this.#messages.keptOf(messages);
      return this.#change(kept, listOf(messages, kept));
    });
  }

  truncate(length: number) {
    this.#begin();
    if (!Number.isSafeInteger(length) || length < 0) throw invalid('the length must be a whole number of 0 or more');
    if (length < this.#messages.list.length) this.#busily(() => this.#change(length, NOTHING));
  }

  check(options?: DecisionOptions): Decision {
    // The options are read first, because their getters may use this session, too.
    const {
      force = this.#given.force,
      knownTokens: known = this.#given.knownTokens,
      overhead = this.#given.overhead ?? UNKNOWN,
      idle = UNKNOWN,
    } = options === undefined ? this.#given : checkedForDecision(options);
    this.#begin();
    const newest = this.#newest;
    const isSame =
      newest !== undefined &&
      newest.changes === this.#messages.changes &&
      force === newest.force &&
      known === newest.known &&
      overhead === newest.overhead &&
      idle === newest.idle;
    if (isSame) return newest.decision;
    this.#catchUp();
    this.#ledger.decide([force ?? false, known ?? 0, overhead, idle, this.#ledger.changedAt]);
    const found = this.#passed({ force, knownTokens: known, overhead: this.#ledger.overheadFor(overhead), idle });
    const { messages: _, ...decision }: Decision & { messages?: unknown } = found?.plan ?? this.#ledger.decision(this.#policy.profile);
    this.#newest = { force, known, overhead, idle, changes: this.#messages.changes, decision };
    return decision;
  }

  plan(options?: DecisionOptions): Plan {
    const {
      force = this.#given.force ?? false,
      knownTokens = this.#given.knownTokens ?? 0,
      overhead: wanted = this.#given.overhead ?? UNKNOWN,
      idle = UNKNOWN,
    } = checkedForDecision(options);
    this.#begin();
    this.#catchUp();
    const overhead = this.#ledger.overheadFor(wanted);
    const asked: Asked = [force, knownTokens, overhead, idle, this.#ledger.changedAt];
    this.#ledger.decide(asked);
    const found = this.#passed({ force, knownTokens, overhead, idle });
    if (found !== undefined) return found.plan;
    const { key, profile } = this.#policy;
    const { names } = this.#ledger.tools;
    const { records, changes } = this.#messages;
    // As long as the session does not change, the ledger has the sums that the plan needs.
    const makePlan = () =>
      changes === this.#messages.changes && !this.#ledger.isFree
        ? this.#ledger.inEngine.plan(...asked)
        : planRecords(records, names, policyKnownBy(key).handle, ...asked);
    return lazyPlan(this.#ledger.decision(profile), makePlan);
  }

  /** What the policy's passes do, if they come before what the ledger has just decided. */
  #passed(asked: Asking & GivenOptions): PassedMessages | undefined {
    const isDue = this.#policy.takesPasses && (asked.force || isFull(this.#ledger.decision(this.#policy.profile)));
    const { absent, list, shown } = this.#messages;
    if (!isDue || absent > 0 || list.length === 0) return undefined;
    const given = { ...this.#given, ...asked, changedAt: this.#ledger.changedAt };
    return this.#busily(() => passedOf(list, shown.orOfNothing, given, policyOf(given)));
  }

  /** What the passes would do, and how to go on with what they leave; `undefined` if they change nothing. */
  passes(how?: DecisionOptions): SessionPasses | undefined {
    this.check(how);
    const { overhead: known = this.#given.overhead ?? UNKNOWN, ...asked } = checkedForApply(how);
    this.#messages.needAll();
    const found = this.#passed({ ...asked, force: asked.force ?? false, overhead: this.#ledger.overheadFor(known) });
    if (found === undefined) return undefined;
    const { messages, plan, known: knownTokens, outputs } = found;
    const done = { messages, plan, applied: { pruned: outputs, summarized: 0 }, summaryNeeded: false };
    return { done, sources: [...messages.keys()], knownTokens, take: () => this.goesOnWith(messages) };
  }

  /** Goes on with other messages; `isOther` says whether the model gets another context now. */
  #goOnWith(messages: unknown[], isOther: boolean) {
    const kept = this.#messages.sameIn(messages);
    // What the provider reported until now was of the context before.
    if (isOther) this.#ledger.changesTo(messages.length);
    this.#change(kept, messages.slice(kept));
  }

  /** Replaces the messages by others, of which no request was answered yet. */
  goesOnWith(messages: unknown[]) {
    this.#busily(() => this.#goOnWith(messages, true));
  }

  /** Replaces the messages by earlier ones, with what was remembered of them. */
  goesBackTo(messages: unknown[], memory: ContextMemory | undefined) {
    this.#busily(() => this.#goOnWith(messages, false));
    this.#ledger.recall(memory);
  }

  /** What is remembered of the newest change of the context. */
  get memory() {
    return this.#ledger.memory;
  }

  /** The ledger in the engine. */
  get ledger() {
    return this.#ledger.inEngine;
  }

  /** From now on, usage that is reported after a change says how large the context is. */
  heedChanges() {
    this.#ledger.heedsChanges = true;
  }

  /** Gives every summary a role, and introduces it with a sentence that no request for the next summary quotes. */
  introduce({ text: introduction, role, answer }: SummaryIntroduction) {
    this.#given = { ...this.#given, introduction, role, answer };
  }

  summaryRequest(options?: RequestOptions) {
    return this.#ask(checkedForRequest(options), requestOfLive);
  }

  /** A summary without a model of what the plan summarizes; `undefined` if it summarizes nothing new. */
  deterministicSummary(how: SessionQuestion) {
    return this.#ask(how, deterministicOfLive);
  }

  /** Judges an answer by what the plan of `how.messages`, those that it was asked for, summarizes. */
  judgementOf(answer: JudgedAnswer, how: SessionQuestion) {
    return this.#ask(how, judgementOfLive, answer);
  }

  /** Asks something about the messages and the plan of them. */
  #ask<T, More extends unknown[]>(
    { overhead: known = this.#given.overhead ?? UNKNOWN, messages = this.#messages.list, ...how }: SessionQuestion,
    ask: Question<T, More>,
    ...more: More
  ): T {
    this.#begin();
    this.#catchUp();
    this.#messages.needAll();
    const given = { ...this.#given, ...how, overhead: this.#ledger.overheadFor(known), changedAt: this.#ledger.changedAt };
    const format = this.#messages.shown.orOfNothing;
    return this.#busily(() => ask(messages, format, given, policyOf(given), ...more));
  }

  apply(options?: ApplyOptions) {
    return this.applied(options).done;
  }

  /** Does what `apply` does, and also says where each message comes from: its index before, or -1. */
  applied(options?: ApplyOptions): CompactedList {
    const { overhead: known = this.#given.overhead ?? UNKNOWN, ...how } = checkedForApply(options);
    this.#begin();
    this.#catchUp();
    this.#messages.needAll();
    const overhead = this.#ledger.overheadFor(known);
    const given = { ...this.#given, ...how, overhead, changedAt: this.#ledger.changedAt };
    const format = this.#messages.shown.orOfNothing;
    return this.#busily(() => {
      const { done, sources } = compactLive(this.#messages.list, format, given, policyOf(given));
      this.#messages.shown.goesOn();
      const isOther = done.applied.pruned + done.applied.summarized > 0;
      this.#goOnWith(done.messages, isOther);
      return { done, sources };
    });
  }

  snapshot() {
    this.#begin();
    this.#catchUp();
    const { countTokens, ...given } = this.#given;
    const header = { given, isCounted: countTokens !== undefined, ...this.#messages.stored(), memory: this.#ledger.memory };
    return writeSnapshot(header, this.#messages.records);
  }

  /** Takes over what was stored of a session, whose options are those of this one. */
  restore({ header, records, messages }: StoredSession) {
    this.#messages.restore(header, records);
    if (messages === undefined) return;
    if (this.#given.verify === 'all') this.sync(messages);
    else this.#messages.list = messages;
    this.#messages.absent = 0;
  }

  free() {
    if (this.#isBusy) throw busy();
    this.#ledger.free();
    this.#messages.clear();
    this.#newest = undefined;
  }

  /**
   * A session of other messages under the same options, whose forced plan summarizes everything but the newest message and prunes nothing;
   * `other` holds knobs in which it is another one. The caller frees it.
   */
  portion(messages: unknown[], format: LiveFormatName | undefined = this.format, other: PolicyOptions['set'] = {}): GrowingSession {
    const { profile, policy, model, set, countTokens, introduction, role = 'user', answer = false } = this.#given;
    const portion = new GrowingSession({ profile, policy, model, set: { ...set, ...SUMMARIZES_ALL, ...other }, countTokens, format });
    try {
      if (introduction !== undefined) portion.introduce({ text: introduction, role, answer });
      portion.push(messages);
      return portion;
    } catch (error) {
      portion.free();
      throw error;
    }
  }

  /** How many turns begin in the messages. */
  get turns() {
    this.#begin();
    this.#catchUp();
    return this.#messages.turns;
  }

  /** Keeps the outputs of these calls; the messages are read again. */
  seal(seals: ReadonlySet<unknown>) {
    this.#begin();
    this.#given = { ...this.#given, seals };
    this.#messages.seal(seals);
    this.#catchUp();
  }

  #begin() {
    if (this.#ledger.isFree) throw new EbblineError('freed', 'the session was freed');
    if (this.#isBusy) throw busy();
  }

  /** Runs code that reads messages; meanwhile the session cannot be used otherwise. */
  #busily<T>(work: () => T): T {
    this.#begin();
    this.#isBusy = true;
    try {
      return work();
    } finally {
      this.#isBusy = false;
    }
  }

  /** Keeps the first `kept` messages and appends `added`. Returns the new number of messages. */
  #change(kept: number, added: readonly unknown[]) {
    return this.#messages.change(kept, added);
  }

  #catchUp() {
    if (this.#messages.isBehind) this.#busily(() => this.#messages.walkAgain());
  }
}

guardMembers(GrowingSession.prototype, guarded, [
  'length',
  'format',
  'messages',
  'push',
  'sync',
  'truncate',
  'check',
  'plan',
  'summaryRequest',
  'apply',
  'snapshot',
  'free',
]);

/** The components of a session: the options, a policy, and a ledger under it. */
const opened = guarded((options: unknown) => {
  const { format, force = false, knownTokens = 0, overhead, verify = 'last', conversation = 0, ...rest } = checkedForSession(options);
  if (conversation > 0) throw invalid(`there is no conversation ${conversation}: a session is a single one, number 0`);
  if (format !== undefined) formatShown(NOTHING, 0, format);
  const own = copyOfPolicy(rest);
  const policy = policyOf(own);
  const given: SessionGiven = { ...own, format, force, knownTokens, verify, ...(overhead !== undefined && { overhead }) };
  return { given, policy, ledger: new SessionLedger(policy.handle) };
});

function busy() {
  return new EbblineError('busy', 'the session is reading messages: what a getter, a proxy or `countTokens` runs cannot use it');
}
