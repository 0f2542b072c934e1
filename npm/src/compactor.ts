import { CallerError, anySignal, untilCancelled } from './cancellation.js';
import { classifyError } from './classify.js';
import { checkedForCompactor, checkedForPrepare, type CheckedCompactorOptions } from './compactor-checks.js';
import { CompactorHistory } from './compactor-history.js';
import type { Compactor as CompactorInterface, CompactorRecord, ContextUsage } from './compactor-interface.js';
import type { CompactorOptions, PrepareOptions } from './compactor-options.js';
import type { CallInfo } from './compactor-call.js';
import { checkedRecord } from './compactor-record.js';
import { reasonOfEdit } from './core.js';
import { CourseActions } from './course-actions.js';
import { UNKNOWN } from './decision.js';
import { isSystem } from './equality.js';
import { type Disposes, disposeByFree } from './dispose.js';
import { EbblineError } from './errors.js';
import { Execution } from './execution.js';
import type { Plan } from './generated/plan.js';
import { guardMembers, guarded, presentable } from './guard.js';
import { lengthOf } from './bounded-list.js';
import { Listeners } from './listeners.js';
import { invalid } from './option-checks.js';
import { SentSession } from './sent-session.js';
import { Summarizer } from './summarizing.js';
import { reportedInput } from './usage.js';

/** The most images that stay after a provider refused them. */
const MOST_IMAGES = 4;
/** Why a call may not name a model. */
const NO_MODEL = "a call has the option summarize only where the compactor's is a function or 'later'";

/**
 * Keeps the session of an agent inside its context window: it takes the whole history before each request and gives what to send.
 * What was decided is remembered, so that a caller who keeps nothing gets the same view again.
 *
 * @internal
 */
export class Compactor {
  #sent: SentSession;
  #history: CompactorHistory;
  #listeners: Listeners;
  #execution: Execution;
  #actions: CourseActions;
  #calls: Pick<CompactorOptions, 'signal' | 'overlap'>;
  /** Whether a model writes summaries, so that a call may name one. */
  #asks: boolean;
  /** The call that is running. */
  #running: Promise<unknown> | undefined;
  /** How many messages the history had that was given to be sent last. */
  #prepared = 0;
  /** Why the record of an earlier compactor was not used. */
  #begunAnew: string | undefined;
  /** Whether the engine's memory was released, and what was known of the overhead then. */
  #freed: { overhead: number | undefined } | undefined;

  constructor(options: CheckedCompactorOptions) {
    const { summarize, accept, timeout, budgetTokens, chunks, onEvent, hooks, warn, store, originals, signal, overlap, ...others } =
      options;
    const { auto, failures, cooldown, fallback, when, pins, introduction, background, record, now = Date.now, ...session } = others;
    const summarizer = new Summarizer({ summarize, accept, timeout, budgetTokens, chunks });
    const stored = record && checkedRecord(record);
    this.#begunAnew = stored?.mismatch;
    this.#sent = new SentSession({ auto, failures, cooldown, summarize, fallback, when, pins, introduction, session }, stored);
    this.#history = new CompactorHistory({ store, originals }, stored);
    this.#listeners = new Listeners({ onEvent, hooks, warn });
    this.#execution = new Execution(this.#sent, this.#history, this.#listeners, now);
    const parts = { sent: this.#sent, history: this.#history, execution: this.#execution, listeners: this.#listeners, summarizer };
    this.#actions = new CourseActions(parts, background, signal);
    this.#calls = { signal, overlap };
    this.#asks = typeof summarize === 'function' || summarize === 'later';
  }

  /** What to send for a history: the history itself if nothing was ever changed, otherwise the same view until something is. */
  async prepare<M>(history: readonly M[], options?: PrepareOptions): Promise<M[]> {
    return this.#alone(options, async (call, signal) => {
      if (this.#take(history)) this.#sent.course.answered();
      const { model } = call;
      const idle = this.#begins(call, this.#moment());
      if (model !== undefined && this.#sent.switchTo(model, this.#view)) this.#actions.drop();
      const isCompacted = await this.#actions.settle(idle, signal);
      // What came in since a summary was asked for may fill the window by itself.
      if (!isCompacted || this.#sent.course.isOverWindow(...this.#sent.seen, idle)) await this.#fit(idle, call);
      // What is given back as it is may be a list that the caller must not change; it is the caller's own.
      return this.#view.isAsGiven ? (history as M[]) : this.#messages<M>();
    });
  }

  /** What to send instead, after the provider refused a request as too large. Any other error is thrown again. */
  async recover<M>(error: unknown, history: readonly M[], options?: PrepareOptions): Promise<M[]> {
    const { kind, evidence } = classifyError(error, undefined);
    const isMedia = kind === 'media_limit' || kind === 'payload_too_large';
    if (kind !== 'context_overflow' && !isMedia) throw error;
    return this.#alone(options, async (call, signal) => {
      this.#actions.drop();
      this.#take(history);
      const idle = this.#begins(call);
      const images = isMedia ? imagesIn(this.#sent.now.plan({ force: true, ...(idle >= 0 && { idle }) })) : 0;
      if (isMedia && images === 0) throw new CallerError(error);
      this.#sent.course.overflows();
      this.#listeners.emit({ type: 'overflow', error });
      if (isMedia) await this.#withoutImages(images, idle, signal);
      else await this.#recovered({ ...call, error, hasGivenUp: false }, evidence?.window, idle);
      this.#warn();
      return this.#messages<M>();
    });
  }

  /** Makes a context smaller that was refused; `named` is the window that the refusal names. */
  async #recovered(call: CallInfo, named: number | undefined, idle: number) {
    const { course } = this.#sent;
    const window = course.learn(...this.#sent.seen, named ?? UNKNOWN);
    if (window !== UNKNOWN) this.#sent.goOnWithin(window, this.#view);
    const { changes } = this.#execution;
    try {
      await this.#actions.follow(course.forced(...this.#sent.seen, true, idle), call);
    } catch (thrown) {
      // What was cancelled, or failed in the caller's own code, has recovered from nothing: the next overflow is the first one.
      if (!call.hasGivenUp && this.#execution.changes === changes) course.recoveredFromNothing();
      throw thrown;
    }
  }

  /**
   * What to send with fewer images: the newest half of them, and at most {@link MOST_IMAGES}. One of these may be the one that is too
   * large, so the next refusal halves them again.
   */
  async #withoutImages(images: number, idle: number, signal: AbortSignal | undefined) {
    const { options } = this.#sent;
    const kept = Math.min(MOST_IMAGES, Math.floor(images / 2));
    const only = { 'prune.repeated': false, 'prune.superseded': false, 'prune.thinking': null, 'prune.arguments': 0 };
    const set = { ...options.set, ...only, 'prune.enabled': true, 'prune.images': kept };
    this.#sent.goOnUnder({ ...options, set }, this.#view);
    try {
      await this.#actions.pass({ cause: 'overflow', how: this.#sent.asked({ force: true, idle }) }, { signal });
    } finally {
      this.#sent.goOnUnder(options, this.#view);
    }
  }

  /** Compacts now, whatever the size of the context. Returns what to send. */
  async compactNow<M>(history?: readonly M[], options?: PrepareOptions): Promise<M[]> {
    return this.#alone(options, async (call) => {
      this.#actions.drop();
      if (history !== undefined) this.#take(history);
      const idle = this.#begins(call);
      await this.#actions.follow(this.#sent.course.forced(...this.#sent.seen, false, idle), call);
      return this.#messages<M>();
    });
  }

  /** Learns from the usage of the last request what is sent beside the messages. */
  usage(...given: unknown[]) {
    this.#refuseWhileRunning();
    const { tokens, cleared, isCompacted } = reportedInput(given[0], given.at(-1));
    const { log } = this.#view;
    if (log.length === 0) throw new EbblineError('no_messages', 'usage is that of a request: call `prepare` before it');
    if (given.length > 1 && log.slice(0, this.#prepared).includes(given[0])) {
      throw new EbblineError('invalid_option', 'this usage is of an earlier request: hand it over before the next `prepare`');
    }
    this.#sent.course.usage(isCompacted ? UNKNOWN : tokens, cleared ?? UNKNOWN, this.#sent.now.ledger);
  }

  /** How full the context is that would be sent now. */
  contextUsage(): ContextUsage {
    this.#refuseFreed();
    const { log, messages } = this.#view;
    const { trigger, fits } = this.#sent.decide(this.#sent.asked({}), log);
    const { source, threshold, context: window } = trigger;
    const tokens = this.#sent.course.size(...this.#sent.seen);
    const overhead = this.#overhead ?? null;
    return { tokens, source, threshold, window, overhead, fits, sent: messages.length, history: log.length };
  }

  /** Takes the newest compaction back. Nothing is compacted again until somebody asks, or the context overflows. */
  undo() {
    this.#refuseWhileRunning();
    this.#actions.drop();
    return this.#execution.turn('undone');
  }

  /** Makes the compaction again that was taken back last. */
  redo() {
    this.#refuseWhileRunning();
    this.#actions.drop();
    return this.#execution.turn('redone');
  }

  /** The whole output of a call, whatever became of it; `undefined` if there is no such call. */
  recall(id: unknown) {
    this.#refuseWhileRunning();
    const { format } = this.#sent.now;
    return format === undefined || typeof id !== 'string' ? undefined : this.#history.recall(id, format);
  }

  /** What was decided, as plain data: with it, another compactor goes on where this one is. */
  get record(): CompactorRecord {
    const record: object = this.#history.recordWith(() => ({
      controller: [...this.#sent.course.state()],
      overhead: this.#overhead ?? null,
      learnt: this.#sent.learnt,
    }));
    // Callers see nothing of what is in it.
    return record as CompactorRecord;
  }

  /** Why the record of an earlier compactor was not used; `undefined` unless `resumeCompactor` began anew. */
  get begunAnew() {
    return this.#begunAnew;
  }

  /** Releases the engine's memory. */
  free() {
    if (this.#freed !== undefined) return;
    this.#refuseWhileRunning();
    this.#freed = { overhead: this.#overhead };
    this.#actions.drop();
    this.#sent.free();
  }

  get #view() {
    return this.#history.view;
  }

  /** A call begins, which may be one before a request. Returns the milliseconds since the last request. */
  #begins({ idle: said = UNKNOWN, knownTokens = UNKNOWN, target = UNKNOWN, summarize }: PrepareOptions, now = UNKNOWN) {
    const { course } = this.#sent;
    const idle = course.idle(said, now === UNKNOWN ? this.#moment() : now);
    course.begins(now, knownTokens, target, summarize !== undefined);
    return idle;
  }

  /** What the caller's clock says; unknown if that is no time. */
  #moment() {
    const now: unknown = this.#execution.moment();
    return Number.isSafeInteger(now) ? (now as number) : UNKNOWN;
  }

  /** What is sent; messages that were made are of the form of the caller's. */
  #messages<M>() {
    return this.#view.messages.slice() as M[];
  }

  /** The tokens that are sent beside the messages; `undefined` if nothing is known. */
  get #overhead() {
    return this.#freed === undefined ? this.#sent.overhead : this.#freed.overhead;
  }

  /** Compacts before a request if the context is full, or if the caller's own trigger holds. */
  async #fit(idle: number, call: CallInfo) {
    const { log, changes } = this.#view;
    this.#listeners.notices.limits(this.#sent.options);
    this.#prepared = log.length;
    if (this.#sent.pinned.pins !== undefined) this.#sent.decide(this.#sent.asked({ idle }), log);
    const left = changes.at(-1)?.about.tokensAfter ?? UNKNOWN;
    await this.#actions.follow(this.#sent.course.beforeRequest(...this.#sent.seen, idle, left), call);
    this.#warn();
  }

  /** Says so if what is sent exceeds the window all the same. */
  #warn() {
    const event = this.#sent.course.overWindow(...this.#sent.seen);
    if (event !== undefined) this.#listeners.emit(JSON.parse(event));
  }

  /** Runs `work` when no other call is running. It throws errors of this package, or what is passed on as it is. */
  async #alone<T>(options: unknown, work: (call: PrepareOptions, signal: AbortSignal | undefined) => Promise<T>): Promise<T> {
    try {
      const asked = checkedForPrepare(options);
      if (asked.summarize !== undefined && !this.#asks) throw invalid(NO_MODEL);
      const signal = anySignal(this.#calls.signal, asked.signal);
      if (this.#running !== undefined && this.#calls.overlap === 'refuse') throw busy();
      while (this.#running !== undefined) await untilCancelled(this.#running, signal);
      if (signal?.aborted) throw new CallerError(signal.reason);
      this.#refuseWhileRunning();
      return await this.#begin(this.#history.fetchOriginals(signal).then(() => this.#whole(() => work({ ...asked, signal }, signal), signal)));
    } catch (error) {
      throw error instanceof CallerError ? error.error : presentable(error);
    }
  }

  /** Runs `work`. If it is cancelled, what passes did before is taken back, and nobody has heard of it. */
  async #whole<T>(work: () => Promise<T>, signal: AbortSignal | undefined) {
    try {
      const given = await work();
      await this.#execution.tell(signal);
      return given;
    } catch (error) {
      if (signal?.aborted) this.#execution.takeBack();
      else await this.#execution.tell(signal);
      throw error;
    }
  }

  async #begin<T>(running: Promise<T>) {
    const settled = running.then(nothing, nothing);
    this.#running = settled;
    try {
      return await running;
    } finally {
      if (this.#running === settled) this.#running = undefined;
    }
  }

  #refuseWhileRunning() {
    if (this.#running !== undefined) throw busy();
    this.#refuseFreed();
  }

  #refuseFreed() {
    if (this.#freed !== undefined) throw new EbblineError('freed', 'the compactor was freed');
  }

  /** Takes the caller's history. Returns whether there is something new. */
  #take(history: unknown) {
    if (!Array.isArray(history)) throw new EbblineError('no_messages', 'pass the whole history: an array of messages');
    const { isRestored, recorded } = this.#history;
    const taken = this.#history.take(history, lengthOf(history));
    if (recorded !== undefined) this.#sent.course.restores(Math.max(0, this.#view.log.length - recorded));
    const { added, edited, known } = taken;
    const { messages, log } = this.#view;
    // System prompts alone are nothing that a session would be known by.
    const kept = edited && log.slice(0, taken.kept).every(isSystem) ? 0 : taken.kept;
    this.#sent.take(this.#view, taken, isRestored);
    if (edited) this.#actions.edited();
    this.#sent.course.took(edited, added > 0);
    if (edited) this.#listeners.emit({ type: 'edited', messages: messages.length, kept, known, reason: reasonOfEdit(kept, known) });
    this.#listeners.notices.took(log, edited && kept === 0, known);
    if (isRestored && this.#begunAnew !== undefined) this.#listeners.emit({ type: 'begun_anew', reason: this.#begunAnew });
    return added > 0 || edited;
  }
}

/** @internal */
export interface Compactor extends Disposes {}

guardMembers(Compactor.prototype);
disposeByFree(Compactor.prototype);

/**
 * Keeps the session of an agent inside its context window. The agent keeps its whole history, hands it over before each request
 * and sends what it gets. One compactor serves one session.
 *
 * Messages are pruned first. A summary is asked for only if that is not enough, at most once a request. What was decided stays
 * decided: the same messages are sent until something new has to be decided, so that the provider's cache holds, whether the agent
 * keeps what it sent or not. If a summary fails, the history stays as it is; after three failures in a row, none is asked for
 * during ten requests.
 *
 * @throws {@link EbblineError} for invalid options
 *
 * @example
 * ```js
 * const compactor = createCompactor({ model: { context: 200_000 }, summarize: async (request) => (await ask(request)).text });
 *
 * let view = await compactor.prepare(history);
 * const answer = await send(view).catch(async (error) => send(await compactor.recover(error, history)));
 * compactor.usage(answer.usage);
 * ```
 */
export const createCompactor = guarded(function createCompactor(options?: CompactorOptions): CompactorInterface {
  return new Compactor(checkedForCompactor(options));
});

function busy() {
  return new EbblineError('busy', 'another call of this compactor is running: await it first');
}

/** How many images are sent. */
function imagesIn({ messages }: Plan) {
  const sent = messages.filter(({ fate }) => fate !== 'inactive');
  return sent.flatMap(({ parts }) => parts).filter(({ kind }) => kind === 'image').length;
}

function nothing() {}
