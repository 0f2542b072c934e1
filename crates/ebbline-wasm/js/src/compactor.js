import { finishSummary, walk } from './api.js';
import { classifyError } from './classify.js';
import { Controller } from './core.js';
import { EbblineError } from './errors.js';
import { OBSTACLES, REMINDERS } from './generated/names.js';
import { guardMembers, guarded, presentable } from './guard.js';
import { lengthOf } from './list.js';
import { checkedForCompactor, checkedForPrepare, checkedForWish, policyOf } from './options.js';
import { OutputRecorder } from './outputs.js';
import { checkedRecord, makeAgain, recordOf } from './record.js';
import { Session, applied, ledgerOf } from './session.js';
import { tokensIn } from './usage.js';
import { View } from './view.js';

/**
 * Keeps the session of an agent inside its context window: it takes the whole history before each request and gives what to send.
 * What was decided is remembered, so that a caller who keeps nothing gets the same view again.
 */
export class Compactor {
  #given;
  #session;
  #controller;
  #view = new View();
  /** What is sent beside the messages, as the caller said or as reported usage showed. */
  #overhead;
  /** The estimate of the messages that were given to be sent last. */
  #sent = 0;
  /** Whether the session has to take the whole view, because it could not read all of it before. */
  #isStale = false;
  /** A record whose changes have not been made again, because the history is not known yet. */
  #record;
  /** The summary that a model writes while the agent goes on. */
  #pending;
  /** @type {Promise<unknown> | undefined} the call that is running */
  #running;

  /** @param {any} given */
  constructor({
    summarize,
    onEvent,
    signal,
    auto,
    failures,
    cooldown,
    overlap,
    record,
    now = Date.now,
    background = false,
    hooks,
    ...session
  }) {
    this.#given = { summarize, onEvent, signal, overlap, now, background, hooks, session };
    this.#record = record && checkedRecord(record);
    this.#overhead = session.overhead ?? record?.overhead ?? undefined;
    this.#session = this.#sessionFor(session.model);
    this.#controller = new Controller(auto, failures, cooldown, Float64Array.from(record?.controller ?? []));
  }

  /** What to send for a history: the history itself if nothing was ever changed, otherwise the same view until something is. */
  async prepare(history, options) {
    return this.#alone(options, async (how, signal) => {
      if (this.#take(history)) this.#controller.answered();
      if (how.model !== undefined) this.#switchTo(how.model);
      const isCompacted = await this.#settle(how, signal);
      if (!isCompacted) {
        this.#sent = this.#decide(how).tokensBefore;
        const step = this.#controller.beforeRequest(ledgerOf(this.#session));
        await this.#carryOut(step, { cause: 'full', how: this.#asked(how), signal, focus: how.focus });
      }
      return this.#view.isAsGiven ? history : this.#view.messages.slice();
    });
  }

  /** What to send instead, after the provider refused a request as too large. Any other error is thrown again. */
  async recover(error, history, options) {
    const { kind } = classifyError(error, undefined);
    if (kind !== 'context_overflow') throw error;
    return this.#alone(options, async (asked, signal) => {
      const how = { ...asked, force: true };
      this.#drop();
      this.#take(history);
      this.#emit({ type: 'overflow', error });
      this.#decide(how);
      const step = this.#controller.afterOverflow(ledgerOf(this.#session));
      await this.#carryOut(step, { cause: 'overflow', how: this.#asked(how), signal, focus: how.focus, error });
      return this.#view.messages.slice();
    });
  }

  /** Compacts now, whatever the size of the context. Returns what to send. */
  async compactNow(history, options = undefined) {
    return this.#alone(options, async (asked, signal) => {
      const how = { ...asked, force: true };
      this.#drop();
      if (history !== undefined) this.#take(history);
      this.#decide(how);
      const step = this.#controller.compactNow(ledgerOf(this.#session));
      await this.#carryOut(step, { cause: 'asked', how: this.#asked(how), signal, focus: how.focus });
      return this.#view.messages.slice();
    });
  }

  /** Learns from the usage of the last request what is sent beside the messages. */
  usage(reported) {
    this.#refuseWhileRunning();
    const tokens = tokensIn(reported);
    if (this.#view.log.length === 0) throw new EbblineError('no_messages', 'usage is that of a request: call `prepare` before it');
    this.#overhead = Math.max(0, tokens - this.#sent);
    this.#controller.answered();
  }

  /** How full the context is that would be sent now. */
  contextUsage() {
    const { trigger, fits } = this.#decide({});
    const { tokens, source, threshold, context } = trigger;
    const { log, messages } = this.#view;
    return {
      tokens,
      source,
      threshold,
      window: context,
      overhead: this.#overhead ?? null,
      fits,
      sent: messages.length,
      history: log.length,
    };
  }

  /** Takes the newest compaction back. Nothing is compacted again until somebody asks, or the context overflows. */
  undo() {
    return this.#turn(() => this.#view.undo(), 'undone');
  }

  /** Makes the compaction again that was taken back last. */
  redo() {
    return this.#turn(() => this.#view.redo(), 'redone');
  }

  /** The whole output of a call, whatever became of it; `undefined` if there is no such call. */
  recall(id) {
    this.#refuseWhileRunning();
    const { format } = this.#session;
    const read = (_, { outputs }) => outputs.get(id);
    return format === undefined ? undefined : walk(this.#view.log, { format }, policyOf({}), OutputRecorder, read);
  }

  /** What was decided, as plain data: with it, another compactor goes on where this one is. */
  get record() {
    if (this.#record !== undefined) return structuredClone(this.#record);
    return recordOf(this.#view, { controller: [...this.#controller.state()], overhead: this.#overhead ?? null });
  }

  /** Releases the engine's memory. */
  free() {
    this.#refuseWhileRunning();
    this.#drop();
    this.#session.free();
    this.#controller.free();
  }

  #turn(turn, type) {
    this.#refuseWhileRunning();
    this.#drop();
    if (!turn()) return false;
    this.#session.sync(this.#view.messages);
    this.#controller[type]();
    this.#emit({ type, messages: this.#view.messages.length });
    return true;
  }

  /** Runs `work` when no other call is running. It throws errors of this package, or what is passed on as it is. */
  async #alone(options, work) {
    try {
      const how = checkedForPrepare(options);
      const signal = anyOf(this.#given.signal, how.signal);
      if (this.#running !== undefined && this.#given.overlap === 'refuse') throw busy();
      while (this.#running !== undefined) await raced(this.#running, signal);
      if (signal?.aborted) throw new PassedOn(signal.reason);
      return await this.#begin(work(how, signal));
    } catch (error) {
      throw error instanceof PassedOn ? error.error : presentable(error);
    }
  }

  async #begin(running) {
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
  }

  /** Takes the caller's history. Returns whether there is something new. */
  #take(history) {
    if (!Array.isArray(history)) throw new EbblineError('no_messages', 'pass the whole history: an array of messages');
    const length = lengthOf(history);
    const isRestored = this.#record !== undefined;
    const { added, edited } = isRestored ? this.#restore(history, length) : this.#view.take(history, length);
    const { messages } = this.#view;
    const isStale = this.#isStale || edited || isRestored;
    // Until the session has read everything, it must not be relied on.
    this.#isStale = true;
    if (isStale) this.#session.sync(messages);
    else if (added > 0) this.#session.push(messages.slice(messages.length - added));
    this.#isStale = false;
    if (edited) this.#drop();
    if (edited) this.#emit({ type: 'edited', messages: messages.length });
    return added > 0;
  }

  /** Makes the changes of a record again. If it does not fit, nothing is changed. */
  #restore(history, length) {
    const view = new View();
    const taken = view.take(history, length);
    makeAgain(this.#record, view);
    this.#view = view;
    this.#record = undefined;
    return taken;
  }

  #asked({ force = false, idle }) {
    return { force, ...(idle !== undefined && { idle }), ...(this.#overhead !== undefined && { overhead: this.#overhead }) };
  }

  #decide(how) {
    return this.#session.check(this.#asked(how));
  }

  async #carryOut(step, asked) {
    if (step === 'give_up') throw this.#obstacle(asked.error);
    if (step === 'send') return;
    const wish = await this.#allowed(step, asked);
    if (wish === false) return;
    const { focus = asked.focus, summary } = wish;
    const how = { ...asked, focus };
    if (step === 'prune') this.#apply({}, how);
    else if (summary !== undefined) await this.#finish(this.#controller.asked, Promise.resolve({ summary }), how);
    else if (this.#given.background && asked.cause === 'full') this.#start(how);
    else await this.#finish(this.#controller.asked, this.#ask(how), how);
  }

  /** What the caller's own code says to a compaction: `false` if it must not be made, otherwise its wishes. */
  async #allowed(step, { cause, how, signal, isAllowed = false }) {
    const { before } = this.#given.hooks ?? {};
    if (before === undefined || isAllowed) return {};
    let wish;
    try {
      wish = await raced(before({ cause, step, plan: this.#session.plan(how) }), signal);
      if (wish !== false) return checkedForWish(wish);
    } catch (error) {
      if (step === 'summarise') this.#controller.answer(this.#controller.asked, 'cancelled');
      throw error instanceof PassedOn || error instanceof EbblineError ? error : new PassedOn(error);
    }
    if (step === 'summarise') this.#controller.answer(this.#controller.asked, 'cancelled');
    return false;
  }

  #obstacle(cause) {
    const obstacle = /** @type {keyof typeof OBSTACLES} */ (this.#controller.obstacle());
    const error = new EbblineError(obstacle, OBSTACLES[obstacle]);
    if (cause !== undefined) error.cause = cause;
    this.#emit({ type: 'gave_up', code: obstacle, error });
    return error;
  }

  #sessionFor(model) {
    const { summarize, session } = this.#given;
    // Without anybody who writes summaries, a plan must do without them.
    const set = summarize === undefined ? { 'retain.enabled': false, ...session.set } : session.set;
    return new Session({ ...session, ...(model && { model }), ...(set && { set }), verify: 'all' });
  }

  /** Goes on with another model, whose window may be smaller. */
  #switchTo(model) {
    const key = JSON.stringify(model);
    if (key === JSON.stringify(this.#given.session.model)) return;
    const session = this.#sessionFor(model);
    session.sync(this.#view.messages);
    this.#drop();
    this.#session.free();
    this.#session = session;
    this.#given.session = { ...this.#given.session, model: JSON.parse(key) };
  }

  /** Asks for a summary while the agent goes on. */
  #start(asked) {
    const stop = new AbortController();
    const pending = { number: this.#controller.asked, asked: { ...asked, signal: anyOf(this.#given.signal, stop.signal) }, stop };
    pending.answered = this.#ask(pending.asked);
    pending.answered.then(nothing, nothing).then(() => {
      pending.isDone = true;
    });
    this.#pending = pending;
  }

  /**
   * Takes over the summary that was written meanwhile, and says whether this compacted the context. It is waited for only if the next
   * request would be too large.
   */
  async #settle(how, signal) {
    const pending = this.#pending;
    if (pending === undefined) return false;
    const { tokens, context } = this.#decide(how).trigger;
    if (pending.isDone !== true && !(context !== null && tokens > context)) return false;
    if (pending.isDone !== true) await raced(pending.answered.then(nothing, nothing), signal);
    this.#pending = undefined;
    const { length } = this.#view.changes;
    await this.#finish(pending.number, pending.answered, pending.asked);
    return this.#view.changes.length > length;
  }

  /** Cancels the summary that a model writes while the agent goes on. */
  #drop() {
    const pending = this.#pending;
    if (pending === undefined) return;
    this.#pending = undefined;
    this.#controller.answer(pending.number, 'cancelled');
    pending.stop.abort();
  }

  async #finish(number, answer, asked) {
    let answered;
    try {
      answered = await answer;
    } catch (thrown) {
      const error = thrown instanceof PassedOn ? thrown.error : thrown;
      const isCancelled = asked.signal?.aborted === true;
      const step = this.#controller.answer(number, isCancelled ? 'cancelled' : 'failed');
      if (isCancelled) throw new PassedOn(asked.signal.reason);
      this.#emit({ type: 'summary_failed', cause: asked.cause, error });
      await this.#carryOut(step, { ...asked, error: asked.error ?? error, isAllowed: true });
      return;
    }
    this.#controller.answer(number, 'accepted');
    this.#apply(answered, asked);
  }

  /** Asks for a summary, and a second time if the answer must not replace history. */
  async #ask({ cause, how, signal, focus }) {
    const requested = this.#session.summaryRequest({ ...how, ...(focus !== undefined && { focus }) });
    if (requested === undefined) throw new EbblineError('empty_summary', 'there is nothing to summarise but an earlier summary');
    const { request, handle, plan } = requested;
    this.#emit({ type: 'summary_requested', cause, messages: plan.retain.messages, tokens: plan.retain.summarised });
    const ask = async (messages) => answerOf(await raced(this.#given.summarize({ ...request, messages }, { signal }), signal));
    const answer = await ask(request.messages);
    try {
      return { summary: finishSummary(requested, answer), handle };
    } catch (error) {
      const reminder = REMINDERS[error.code];
      if (reminder === undefined) throw error;
      return { summary: finishSummary(requested, await ask(reminded(request.messages, answer.text, reminder))), handle };
    }
  }

  #apply(summary, { cause, how }) {
    const before = this.#session.check(how).tokensBefore;
    const at = Math.floor(this.#given.now());
    const { done, sources } = applied(this.#session, { ...how, ...summary, now: at });
    // What the session gives belongs to the caller as well.
    const about = { at, cause, profile: done.plan.profile };
    this.#view.change(done.messages, sources, about);
    const { tokensBefore: after } = this.#decide({});
    const { pruned, summarised } = done.applied;
    Object.assign(about, { pruned, summarised, tokensBefore: before, tokensAfter: after });
    if (cause !== 'asked') this.#sent = after;
    if (summarised > 0) this.#controller.committed(before, after);
    this.#emit({ type: 'compacted', cause, pruned, summarised, tokensBefore: before, tokensAfter: after, plan: done.plan });
  }

  #emit(event) {
    try {
      this.#given.onEvent?.(event);
    } catch {
      // Whoever listens must not be able to break the agent.
    }
  }
}

guardMembers(Compactor.prototype);

/** Keeps the session of an agent inside its context window: one compactor for each session. */
export const createCompactor = guarded(function createCompactor(options) {
  return new Compactor(checkedForCompactor(options));
});

/** An error of the caller's that reaches the caller as it is. */
class PassedOn {
  constructor(error) {
    this.error = error;
  }
}

/** @returns {{ text: string, truncated?: boolean }} */
function answerOf(answer) {
  if (typeof answer === 'string') return { text: answer };
  if (typeof answer?.text === 'string') return answer;
  throw new EbblineError('invalid_option', '`summarize` must return the text of the answer, or { text, truncated }');
}

/** The messages of a request with what is wrong about the answer. An answer without words is no message that a provider takes. */
function reminded(messages, text, reminder) {
  if (text.trim() !== '') return [...messages, { role: 'assistant', content: text }, { role: 'user', content: reminder }];
  const last = messages.at(-1);
  return [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${reminder}` }];
}

/** What `promise` gives, unless the caller cancels before. */
async function raced(promise, signal) {
  if (signal === undefined) return promise;
  let cancel;
  const cancelled = new Promise((_, reject) => {
    cancel = () => reject(new PassedOn(signal.reason));
    signal.addEventListener('abort', cancel);
  });
  try {
    if (signal.aborted) cancel();
    return await Promise.race([promise, cancelled]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** @returns {AbortSignal | undefined} */
function anyOf(one, other) {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other]);
}

function busy() {
  return new EbblineError('busy', 'another call of this compactor is running: await it first');
}

function nothing() {}
