import { BackgroundSummary } from './background-summary.js';
import { CallerError, anySignal, keptAlive } from './cancellation.js';
import type { CallInfo, Order } from './compactor-call.js';
import type { CompactorHistory } from './compactor-history.js';
import type { CompactorOptions } from './compactor-options.js';
import { Action } from './core.js';
import { UNKNOWN } from './decision.js';
import { EbblineError } from './errors.js';
import type { Execution, FoundSummary, OtherSession } from './execution.js';
import type { Plan } from './generated/plan.js';
import type { ErrorCode } from './generated/words.js';
import type { Listeners } from './listeners.js';
import type { SentSession } from './sent-session.js';
import type { Summarizer } from './summarizing.js';

/** What is needed to carry actions out. */
interface Parts {
  sent: SentSession;
  history: CompactorHistory;
  execution: Execution;
  listeners: Listeners;
  summarizer: Summarizer;
}

/** Carries out what the course of a call says: passes, prunes, summaries, and those that are written while the agent goes on. */
export class CourseActions {
  #parts: Parts;
  #background: CompactorOptions['background'];
  #signal: AbortSignal | undefined;
  /** The summary that a model writes while the agent goes on. */
  #pending: BackgroundSummary | undefined;

  constructor(parts: Parts, background: CompactorOptions['background'], signal: AbortSignal | undefined) {
    this.#parts = parts;
    this.#background = background;
    this.#signal = signal;
  }

  get #course() {
    return this.#parts.sent.course;
  }

  /** Carries out what the course says until something is sent. */
  async follow(first: Action, call: CallInfo) {
    for (let action = first; action !== Action.Send; ) action = await this.#carryOut(action, call);
  }

  /** Carries one action out. Returns the next one. */
  async #carryOut(action: Action, call: CallInfo): Promise<Action> {
    const { sent, history } = this.#parts;
    const { order } = sent;
    switch (action) {
      case Action.MeasureFixed:
        return this.#course.fixed(...sent.seen, sent.fixedTokens(history.view.log), sent.pinned.pins !== undefined);
      case Action.Pass:
        return this.pass(order, call);
      case Action.Prune:
        return this.#prune(order, call);
      case Action.PruneAlone:
        return this.#pruneAlone(order, call);
      case Action.Summarize:
        return this.#summarize(order, call);
      case Action.SummarizeByRule:
        return this.#byRule(order, call);
      default:
        throw this.#obstacle(call);
    }
  }

  /** Makes the passes that come before the boundary, as a change of their own. */
  async pass(order: Order, call: CallInfo) {
    const allowed = async (plan: Plan) => (await this.#allowed('prune', order, call, () => plan)) !== false;
    const size = await this.#parts.execution.pass(order, call, allowed);
    if (size === 'forbidden') return Action.Send;
    const isMade = size !== 'nothing';
    return this.#course.passed(...this.#parts.sent.seen, isMade, isMade ? size : UNKNOWN);
  }

  async #prune(order: Order, call: CallInfo) {
    const { sent, execution } = this.#parts;
    const wish = await this.#allowed('prune', order, call, () => sent.now.plan(order.how));
    if (wish !== false) await execution.apply(undefined, order, call);
    return Action.Send;
  }

  /** Carries out the plan that there is if nobody writes summaries. */
  async #pruneAlone(order: Order, call: CallInfo) {
    const { sent, history, execution } = this.#parts;
    const session = sent.withoutSummaries(history.view);
    try {
      const wish = await this.#allowed('prune', order, call, () => session.plan(order.how));
      if (wish !== false) await execution.apply(undefined, order, call, { session, how: order.how });
      return Action.Send;
    } finally {
      session.free();
    }
  }

  async #summarize(order: Order, call: CallInfo) {
    const { now } = this.#parts.sent;
    const wish = await this.#allowed('summarize', order, call, () => now.plan(order.how));
    if (wish === false) return Action.Send;
    const { focus = call.focus, summary } = wish;
    call.focus = focus;
    if (summary !== undefined) return this.#finish(Promise.resolve({ summary, plan: now.plan(order.how) }), order, call);
    const goesOn = this.#background && order.cause === 'full' && !this.#isOverWindow(UNKNOWN);
    if (!goesOn) return this.#finish(this.#ask(order, call), order, call);
    this.#start(order, call);
    return Action.Send;
  }

  /** Writes a summary without a model, which must leave less than pruning alone does. */
  async #byRule(order: Order, call: CallInfo) {
    const { sent, execution, summarizer, listeners } = this.#parts;
    const { most } = this.#course;
    try {
      await execution.apply({ ...(await summarizer.withoutModel(sent.now, order.how)), most }, order, call);
      return Action.Send;
    } catch (error) {
      if (error instanceof CallerError) throw error;
      listeners.emit({ type: 'summary_failed', cause: order.cause, error });
      return this.#course.withoutRule(...sent.seen);
    }
  }

  /** What the caller's own code says to a compaction: `false` if it must not be made, otherwise its wishes. */
  async #allowed(step: 'prune' | 'summarize', { cause, isAllowed }: Order, { signal }: CallInfo, plan: () => Plan) {
    const { listeners } = this.#parts;
    if (!listeners.isAsked || isAllowed) return {};
    let isWanted = false;
    try {
      const wish = await listeners.allowed({ cause, step, plan: plan() }, signal);
      isWanted = wish !== false;
      return wish;
    } finally {
      if (step === 'summarize' && !isWanted) this.#course.cancelled();
    }
  }

  /** Asks for a summary, and a second time if the answer must not replace history. */
  #ask({ cause, how }: Order, { focus, notes, summarize, signal }: CallInfo): Promise<FoundSummary> {
    const { sent, listeners, summarizer } = this.#parts;
    return summarizer.summary(sent.now, { how, focus, notes, summarize, signal }, ({ plan: { retain } }, part, parts) => {
      const { messages, summarized: tokens } = retain;
      listeners.emit({ type: 'summary_requested', cause, messages, tokens, part, parts });
    });
  }

  /** Carries the plan out with the summary that is answered. Returns what comes next. */
  async #finish(answer: Promise<FoundSummary>, order: Order, call: CallInfo, other?: OtherSession) {
    const { execution } = this.#parts;
    let made: Awaited<ReturnType<Execution['make']>>;
    try {
      made = await execution.make(await keptAlive(answer), order, call.signal, other);
    } catch (thrown) {
      return this.#failed(thrown instanceof CallerError ? thrown.error : thrown, order, call);
    }
    this.#course.accepted();
    await execution.takeOver(made, order, call.signal);
    return Action.Send;
  }

  /** Goes on without the summary that was asked for. */
  async #failed(error: unknown, { cause }: Order, call: CallInfo) {
    const { sent, listeners } = this.#parts;
    const stopIfCancelled = () => {
      if (call.signal?.aborted !== true) return;
      this.#course.cancelled();
      throw new CallerError(call.signal.reason);
    };
    stopIfCancelled();
    listeners.emit({ type: 'summary_failed', cause, error });
    try {
      await listeners.hearFailed({ cause, error }, call.signal);
    } catch (thrown) {
      stopIfCancelled();
      this.#course.failedForGood();
      throw thrown;
    }
    call.error ??= error;
    return this.#course.failed(...sent.seen);
  }

  /** What is in the way, as an error whose cause is why the context had to be made smaller. */
  #obstacle(call: CallInfo) {
    // The engine has no other codes.
    const code = this.#course.code as ErrorCode;
    const error = new EbblineError(code, this.#course.message ?? '');
    if (call.error !== undefined) error.cause = call.error;
    call.hasGivenUp = true;
    this.#parts.listeners.emit({ type: 'gave_up', code, error });
    return error;
  }

  /** Asks for a summary while the agent goes on. */
  #start(order: Order, call: CallInfo) {
    const { sent, history } = this.#parts;
    const stop = new AbortController();
    const own = { ...call, signal: anySignal(this.#signal, stop.signal) };
    const about = { messages: history.view.messages.slice(), plan: sent.now.plan(order.how) };
    this.#pending = new BackgroundSummary(about, order, own, stop, this.#ask(order, own));
    this.#course.waits(true);
  }

  /**
   * Takes over the summary that was written meanwhile, and says whether this compacted the context. It is waited for only if the next
   * request would be too large.
   */
  async settle(idle: number, signal: AbortSignal | undefined) {
    const pending = this.#pending;
    if (pending === undefined) return false;
    const { sent, history } = this.#parts;
    if (!pending.isDone && !this.#isOverWindow(idle)) return false;
    if (!pending.isDone) await pending.wait(signal);
    const portion = pending.isEdited ? pending.rebased(sent.now, sent.options.set) : undefined;
    if (pending.isEdited && portion === undefined) {
      this.drop();
      return false;
    }
    this.#pending = undefined;
    this.#course.waits(false);
    this.#course.resumes(...sent.seen, idle);
    const { length } = history.view.changes;
    try {
      const other = portion && { session: portion, how: { force: true } };
      await this.follow(await this.#finish(pending.answered, pending.order, pending.call, other), pending.call);
    } finally {
      portion?.free();
    }
    return history.view.changes.length > length;
  }

  /** After an edit: the summary that a model writes meanwhile stands if the edit is behind what it was asked for. */
  edited() {
    if (this.#pending === undefined) return;
    const drops = typeof this.#background === 'object' && this.#background.onEdit === 'drop';
    if (drops || !this.#pending.stands(this.#parts.history.view.messages)) this.drop();
    else this.#pending.isEdited = true;
  }

  /** Cancels the summary that a model writes while the agent goes on. */
  drop() {
    if (this.#pending === undefined) return;
    const { stop } = this.#pending;
    this.#pending = undefined;
    this.#course.waits(false);
    this.#course.cancelled();
    stop.abort();
  }

  #isOverWindow(idle: number) {
    return this.#course.isOverWindow(...this.#parts.sent.seen, idle);
  }
}
