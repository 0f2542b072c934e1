import type { CheckedCompactorOptions } from './compactor-checks.js';
import { type Order, howOf } from './compactor-call.js';
import type { StoredRecord } from './compactor-record.js';
import { Course, type Ledger } from './core.js';
import { UNKNOWN } from './decision.js';
import { jsonFor } from './engine-json.js';
import { EbblineError } from './errors.js';
import { fixedTokens } from './fixed-tokens.js';
import { GrowingSession, type SummaryIntroduction } from './growing-session.js';
import { wordsOf } from './guard.js';
import { checkIntroduction, introductionOf } from './introductions.js';
import { invalid } from './option-checks.js';
import { PinnedOutputs } from './pinned-outputs.js';
import type { PolicyOptions } from './policy-options.js';
import { policyOf } from './ready-policy.js';
import type { DecisionOptions, SessionOptions } from './session-options.js';
import type { Taken, View } from './view.js';

/** The options of a compactor that decide when it compacts, and those of the session. */
export type DecidingOptions = Pick<CheckedCompactorOptions, 'auto' | 'failures' | 'cooldown' | 'summarize' | 'fallback' | 'when' | 'pins'> &
  Pick<CheckedCompactorOptions, 'introduction'> & { session: SessionOptions };

/** The most members of a caller's own trigger. */
const MOST_MEMBERS = 10_000;

/** Knobs in which a session is another one. */
type Knobs = PolicyOptions['set'];

/** The session of what is sent, under the policy of the model that gets it, and the course that decides about it. */
export class SentSession {
  readonly course: Course;
  readonly introduction: SummaryIntroduction;
  readonly pinned: PinnedOutputs;
  #options: SessionOptions;
  #hasSummaries: boolean;
  #session: GrowingSession;
  /** The limits of the model as the caller said them last, as JSON. */
  #told: string | undefined;
  /** Whether the session has to take the whole view, because it could not read all of it before. */
  #isStale = false;

  constructor(options: DecidingOptions, record: StoredRecord | undefined) {
    const { auto, failures, cooldown, summarize, fallback, when, session } = options;
    this.#options = session;
    this.#hasSummaries = summarize !== undefined;
    this.introduction = introductionOf(options.introduction);
    checkIntroduction(this.introduction, session.format);
    this.pinned = new PinnedOutputs(options.pins);
    const state = Float64Array.from(record?.controller ?? []);
    const author = summarize === undefined ? 'none' : typeof summarize === 'string' ? summarize : 'model';
    const trigger = when && triggerOf(when);
    const [given, remembered] = [session.overhead ?? UNKNOWN, record?.overhead ?? UNKNOWN];
    this.course = new Course(auto, failures, cooldown, state, author, fallback, trigger, given, remembered);
    this.#told = session.model && jsonFor('invalid_option', 'the model', session.model);
    this.#remember(record?.learnt);
    this.#session = this.#sessionUnder({});
  }

  /** The session itself, which is another one once the policy is. */
  get now() {
    return this.#session;
  }

  get options() {
    return this.#options;
  }

  get policy() {
    return policyOf(this.#options);
  }

  /** What the course sees: the ledger, and how many messages it had when others last took their place. */
  get seen(): [Ledger, number] {
    return [this.#session.ledger, this.#session.memory?.length ?? UNKNOWN];
  }

  /** The tokens that are sent beside the messages; `undefined` if nothing is known. */
  get overhead() {
    const tokens = this.course.overhead(this.#session.ledger);
    return tokens === UNKNOWN ? undefined : tokens;
  }

  /** What the newest action of the course is about. */
  get order(): Order {
    const { cause, isAllowed, order } = this.course;
    const [force, known, overhead, idle] = order;
    // The engine has no other words.
    return { cause: cause as Order['cause'], isAllowed, how: howOf(force === 1, known, overhead, idle) };
  }

  /** What a plan is asked for with. */
  asked({ force = false, idle = UNKNOWN }: DecisionOptions): DecisionOptions {
    const [known, overhead] = this.course.options(...this.seen, force, idle);
    return howOf(force, known, overhead, idle);
  }

  /** What is to be done, once it is known what is pinned. */
  decide(how: DecisionOptions, log: unknown[]) {
    const decision = this.#session.check(how);
    if (this.pinned.pins === undefined || decision.verdict === 'noop') return decision;
    if (!this.pinned.search(log, this.#session.format)) return decision;
    this.#session.seal(this.pinned.calls);
    return this.#session.check(how);
  }

  /** The tokens of what no compaction makes smaller. */
  fixedTokens(log: unknown[]) {
    const { profile, policy, model, set, countTokens } = this.#options;
    return fixedTokens(log, this.#session.format, this.pinned.pins, { profile, policy, model, set, countTokens });
  }

  /** Takes over what is sent now: `isOther` says that usage which was reported before is not of it. */
  take({ messages }: View, { added, edited, renewed }: Taken, isOther: boolean) {
    const isStale = this.#isStale;
    // Until the session has read everything, it must not be relied on.
    this.#isStale = true;
    if (edited || isOther) this.#session.goesOnWith(messages);
    else if (isStale || renewed) this.#session.sync(messages);
    else if (added > 0) this.#session.push(messages.slice(messages.length - added));
    this.#isStale = false;
    checkIntroduction(this.introduction, this.#session.format);
    if (edited) this.pinned.forget();
  }

  /** A session of what is sent that never summarizes; the caller frees it. */
  withoutSummaries({ messages }: View) {
    const session = this.#sessionUnder({ 'retain.enabled': false });
    session.goesBackTo(messages, this.#session.memory);
    return session;
  }

  /** Goes on under other options of the session. */
  goOnUnder(options: SessionOptions, { messages }: View) {
    this.#options = options;
    const session = this.#sessionUnder({});
    session.goesBackTo(messages, this.#session.memory);
    this.#session.free();
    this.#session = session;
    this.course.took(true, false);
  }

  /** Goes on with another window. */
  goOnWithin(context: number, view: View) {
    this.goOnUnder({ ...this.#options, model: { ...this.#options.model, context } }, view);
  }

  /** Goes on with another model, whose window may be smaller. Returns whether it is another one. */
  switchTo(model: PolicyOptions['model'], view: View) {
    const key = jsonFor('invalid_option', 'the model', model);
    // Whoever names the same model at each request must not undo what an overflow taught.
    if (key === this.#told) return false;
    this.#told = key;
    this.course.switches();
    this.goOnUnder({ ...this.#options, model: JSON.parse(key) }, view);
    return true;
  }

  /** The window that a refusal taught, and the one that the caller had said, for a record. */
  get learnt(): StoredRecord['learnt'] {
    const [window, told] = this.course.learnt() ?? [];
    return window === undefined ? undefined : { window, told: told === UNKNOWN ? null : told };
  }

  /** Goes on with the window that an earlier compactor learnt, if the caller says the same of the model as then. */
  #remember(learnt: StoredRecord['learnt']) {
    if (learnt === undefined) return;
    const said: number | null = JSON.parse(this.policy.json).model.context;
    if (!this.course.remember(learnt.window, learnt.told ?? UNKNOWN, said ?? UNKNOWN)) return;
    this.#options = { ...this.#options, model: { ...this.#options.model, context: learnt.window } };
  }

  #sessionUnder(other: Knobs) {
    // Without anybody who writes summaries, a plan must do without them.
    const own = this.#hasSummaries ? this.#options.set : { 'retain.enabled': false, ...this.#options.set };
    const set = { ...own, ...other };
    const session = new GrowingSession({ ...this.#options, ...(Object.keys(set).length > 0 && { set }), verify: 'all' });
    session.introduce(this.introduction);
    session.heedChanges();
    if (this.pinned.calls.size > 0) session.seal(this.pinned.calls);
    return session;
  }

  free() {
    this.#session.free();
    this.course.free();
  }
}

/** A caller's own trigger as JSON. One that names a part in many places may be endless, so it is counted while it is read. */
function triggerOf(when: object) {
  let members = 0;
  const counted = (_: string, value: unknown) => {
    members += 1;
    if (members > MOST_MEMBERS) throw invalid('the option when does not fit: it has too many tests');
    return value;
  };
  try {
    return JSON.stringify(when, counted);
  } catch (error) {
    throw error instanceof EbblineError ? error : invalid(`the option when cannot be written as JSON: ${wordsOf(error)}`);
  }
}
