import { walk } from './live-plan.js';
import { carryOver, sealedCalls } from './carry-over.js';
import { classifyError } from './classify.js';
import { Controller, Reports, isTriggered, windowLearnt } from './core.js';
import { UNKNOWN } from './decision.js';
import { disposeByFree } from './dispose.js';
import { EbblineError } from './errors.js';
import { files } from './files.js';
import { OBSTACLES, OVER_WINDOW } from './generated/names.js';
import { guardMembers, guarded, presentable, wordsOf } from './guard.js';
import { fixedTokens } from './fixed-tokens.js';
import { checkIntroduction, introduced, introductionOf } from './introductions.js';
import { lengthOf } from './bounded-list.js';
import { Notices, filled } from './notices.js';
import type { Compactor as CompactorInterface } from './compactor-interface.js';
import type { CompactorOptions } from './compactor-options.js';
import { checkedForCompactor, checkedForPrepare, checkedForWish } from './compactor-checks.js';
import { jsonFor } from './engine-json.js';
import { policyOf } from './ready-policy.js';
import { originalsFrom, originalsOf, putOriginals, rebuilt } from './originals.js';
import { OutputRecorder } from './output-recorder.js';
import { CallerError, anySignal, keptAlive, untilCancelled } from './cancellation.js';
import { Pins } from './pins.js';
import { rebased, stands } from './rebase.js';
import { checkedRecord, makeAgain, recordOf } from './compactor-record.js';
import { isReferenceTo } from './references.js';
import { isSystem } from './equality.js';
import { GrowingSession } from './growing-session.js';
import { Summarizer } from './summarizing.js';
import { reportedInput } from './usage.js';
import { View } from './view.js';
import { countsTurns, triggerOf } from './when.js';

/** The most images that stay after a provider refused them. */
const MOST_IMAGES = 4;

/**
 * Keeps the session of an agent inside its context window: it takes the whole history before each request and gives what to send.
 * What was decided is remembered, so that a caller who keeps nothing gets the same view again.
 *
 * @internal
 */
export class Compactor {
  #given;
  #session;
  #controller;
  #view = new View();
  /** What is sent beside the messages, and how far off their estimate is, as the caller said or as reported usage showed. */
  #reports;
  /** How large the context may be that is decided on, if no report covers it. */
  #unsure: number | undefined;
  /** What the session remembered before the newest change, and how long the history was then. */
  #newest;
  /** How many messages the history had that was given to be sent last. */
  #prepared = 0;
  /** The limits of the model as the caller said them last, as JSON. */
  #told;
  /** The window that a refusal taught, and the one that the caller had said. */
  #learnt: { window: number; told: number | null } | undefined;
  /** Whether the messages themselves say what the provider reported. */
  #isReported = false;
  #isFree = false;
  /** What was known of the overhead when the engine's memory was released. */
  #left: number | undefined;
  /** Whether the session has to take the whole view, because it could not read all of it before. */
  #isStale = false;
  /** Why the record of an earlier compactor was not used. */
  #begunAnew: string | undefined;
  /** A record whose changes have not been made again, because the history is not known yet. */
  #record;
  #summarizer;
  #pins: Pins | undefined;
  #notices;
  /** What passes did in the call that is running, and what could be made again before. */
  #held: { event: any; undone: any[]; memory: any }[] = [];
  /** The size of the context after passes, where reported usage does not give it. */
  #passedTo: number | undefined;
  /** How many messages were searched for pins, and the calls whose outputs must stay. */
  #searched = 0;
  #seals = new Set();
  /** The names of the messages that are in the store. */
  #stored = new Set();
  /** The summary that a model writes while the agent goes on. */
  #pending;
  /** the call that is running */
  #running: Promise<unknown> | undefined;

  constructor({
    summarize,
    accept,
    timeout,
    budgetTokens,
    chunks,
    introduction,
    fallback,
    pins,
    when,
    store,
    originals,
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
    warn = true,
    ...session
  }: any) {
    const trigger = when && Float64Array.from(triggerOf(when));
    this.#summarizer = new Summarizer({ summarize, accept, timeout, budgetTokens, chunks });
    this.#pins = pins && new Pins(pins);
    this.#notices = new Notices(warn && onEvent === undefined);
    this.#given = {
      introduction: introductionOf(introduction),
      onEvent,
      signal,
      auto,
      overlap,
      now,
      background,
      hooks,
      fallback,
      trigger,
      store,
      originals,
      session,
    };
    checkIntroduction(this.#given.introduction, session.format);
    this.#record = record && checkedRecord(record);
    this.#begunAnew = record?.mismatch;
    this.#reports = new Reports(session.overhead ?? UNKNOWN, record?.overhead ?? UNKNOWN);
    this.#told = session.model && jsonFor('invalid_option', 'the model', session.model);
    this.#remember(record?.learnt);
    this.#session = this.#sessionFor(this.#given.session.model);
    this.#controller = new Controller(auto, failures, cooldown, Float64Array.from(record?.controller ?? []));
  }

  /** What to send for a history: the history itself if nothing was ever changed, otherwise the same view until something is. */
  async prepare(history, options) {
    return this.#alone(options, async (how, signal) => {
      if (this.#take(history)) this.#controller.answered();
      if (how.model !== undefined) this.#switchTo(how.model);
      const isCompacted = await this.#settle(how, signal);
      // What came in since a summary was asked for may fill the window by itself.
      if (!isCompacted || this.#isOverWindow(how)) await this.#fit(how, signal);
      return this.#view.isAsGiven ? history : this.#view.messages.slice();
    });
  }

  /** What to send instead, after the provider refused a request as too large. Any other error is thrown again. */
  async recover(error, history, options) {
    const { kind, evidence } = classifyError(error, undefined);
    const isMedia = kind === 'media_limit' || kind === 'payload_too_large';
    if (kind !== 'context_overflow' && !isMedia) throw error;
    return this.#alone(options, async (asked, signal) => {
      const how = { ...asked, force: true };
      this.#drop();
      this.#take(history);
      const images = isMedia ? imagesIn(this.#session.plan(how)) : 0;
      if (isMedia && images === 0) throw new CallerError(error);
      this.#reports.seesAll();
      this.#emit({ type: 'overflow', error });
      if (isMedia) await this.#withoutImages(images, how, signal);
      else await this.#recovered(error, evidence?.window, how, signal);
      this.#warn();
      return this.#view.messages.slice();
    });
  }

  /** Makes a context smaller that was refused; `named` is the window that the refusal names. */
  async #recovered(error, named, how, signal) {
    this.#learn(named);
    if (!(await this.#pass(how, { cause: 'overflow', signal }))) return;
    this.#decide(how);
    const step = this.#controller.afterOverflow(this.#session.ledger);
    // What passes made smaller is worth another request, though nothing else gives way.
    if (this.#held.length > 0 && step === 'give_up' && this.#controller.obstacle() === 'nothing_to_compact') return;
    const { length } = this.#view.changes;
    try {
      await this.#carryOut(step, { cause: 'overflow', how: this.#asked(how), signal, focus: how.focus, error });
    } catch (thrown) {
      // What was cancelled, or failed in the caller's own code, has recovered from nothing: the next overflow is the first one.
      if (step !== 'give_up' && this.#view.changes.length === length) this.#controller.answered();
      throw thrown;
    }
  }

  /**
   * What to send with fewer images: the newest half of them, and at most {@link MOST_IMAGES}. One of these may be the one that is too
   * large, so the next refusal halves them again.
   */
  async #withoutImages(images, how, signal) {
    const { session } = this.#given;
    const kept = Math.min(MOST_IMAGES, Math.floor(images / 2));
    const only = { 'prune.repeated': false, 'prune.superseded': false, 'prune.thinking': null, 'prune.arguments': 0 };
    this.#goOnUnder({ ...session, set: { ...session.set, ...only, 'prune.enabled': true, 'prune.images': kept } });
    try {
      await this.#pass(how, { cause: 'overflow', signal });
    } finally {
      this.#goOnUnder(session);
    }
  }

  /** Compacts now, whatever the size of the context. Returns what to send. */
  async compactNow(history, options = undefined) {
    return this.#alone(options, async (asked, signal) => {
      const how = { ...asked, force: true };
      this.#drop();
      if (history !== undefined) this.#take(history);
      if (!(await this.#pass(how, { cause: 'asked', signal }))) return this.#view.messages.slice();
      this.#decide(how);
      const step = this.#controller.compactNow(this.#session.ledger);
      await this.#carryOut(step, { cause: 'asked', how: this.#asked(how), signal, focus: how.focus });
      return this.#view.messages.slice();
    });
  }

  /** Learns from the usage of the last request what is sent beside the messages. */
  usage(...given) {
    this.#refuseWhileRunning();
    const { tokens, cleared, isCompacted } = reportedInput(given[0], given.at(-1));
    const { log } = this.#view;
    if (log.length === 0) throw new EbblineError('no_messages', 'usage is that of a request: call `prepare` before it');
    if (given.length > 1 && log.slice(0, this.#prepared).includes(given[0])) {
      throw new EbblineError('invalid_option', 'this usage is of an earlier request: hand it over before the next `prepare`');
    }
    // Where the messages report usage, the engine has learnt from it already, and measures by it.
    const teaches = !isCompacted && (!this.#isReported || cleared !== undefined);
    if (teaches) this.#reports.learn(tokens, cleared ?? UNKNOWN, this.#session.ledger);
    else this.#reports.seesAll();
    this.#controller.answered();
  }

  /** How full the context is that would be sent now. */
  contextUsage() {
    this.#refuseFreed();
    const decision = this.#decide({});
    const { trigger, fits } = decision;
    const { source, threshold, context } = trigger;
    const { log, messages } = this.#view;
    return {
      tokens: sizeOf(decision),
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
    if (format === undefined || typeof id !== 'string') return undefined;
    const place = this.#view.placeOf(id);
    const read = (_, { outputs, all, places }) => {
      // Where ids repeat, a reference leads to what stood at its place.
      const there = all.findLast((one) => (places?.[one.message] ?? one.message) === place && isReferenceTo(` [ref ${id}]`, one.id));
      const referred = () => all.findLast((one) => isReferenceTo(` [ref ${id}]`, one.id))?.text;
      return outputs.get(id) ?? there?.text ?? referred();
    };
    return walk(this.#view.log, { format }, policyOf({}), OutputRecorder, read);
  }

  /** What was decided, as plain data: with it, another compactor goes on where this one is. */
  get record() {
    if (this.#record !== undefined) return structuredClone(this.#record);
    const originals = this.#given.originals === 'record' ? { originals: originalsOf(this.#view) } : {};
    const learnt = this.#learnt && { learnt: this.#learnt };
    return recordOf(this.#view, {
      controller: [...this.#controller.state()],
      overhead: this.#overhead ?? null,
      ...learnt,
      ...originals,
    });
  }

  /** Why the record of an earlier compactor was not used; `undefined` unless `resumeCompactor` began anew. */
  get begunAnew() {
    return this.#begunAnew;
  }

  /** Releases the engine's memory. */
  free() {
    if (this.#isFree) return;
    this.#refuseWhileRunning();
    this.#left = this.#overhead;
    this.#isFree = true;
    this.#drop();
    this.#session.free();
    this.#controller.free();
    this.#reports.free();
  }

  /** The tokens that are sent beside the messages; `undefined` if nothing is known. */
  get #overhead() {
    if (this.#isFree) return this.#left;
    const tokens = this.#reports.overhead(this.#session.ledger);
    return tokens === UNKNOWN ? undefined : tokens;
  }

  /** Compacts before a request if the context is full, or if the caller's own trigger holds. */
  async #fit(how, signal) {
    this.#notices.limits(this.#given.session);
    const before = this.#decide(how);
    try {
      await this.#fitted(before, how, signal);
    } finally {
      this.#unsure = undefined;
    }
    if (isOver(before)) this.#warn();
  }

  /** Says so if what is sent exceeds the window all the same. */
  #warn() {
    const decision = this.#decide({});
    if (!isOver(decision)) return;
    const [tokens, window] = [sizeOf(decision), decision.trigger.context];
    this.#emit({ type: 'over_window', tokens, window, message: filled(OVER_WINDOW, { tokens, window }) });
  }

  async #fitted(before, how, signal) {
    const cautious = this.#cautious(before, this.#session);
    this.#prepared = this.#view.log.length;
    this.#isReported = before.trigger.source === 'reported';
    this.#reports.sends(this.#session.ledger, this.#isReported);
    if (this.#mayDecide() && isOver(before)) this.#refuseHead(before);
    if (this.#mayDecide() && cautious !== UNKNOWN && !before.trigger.fires) {
      this.#unsure = cautious;
      // What may be too large is no reason to give up.
      if (this.#decide(how).verdict === 'refuse') this.#unsure = undefined;
    }
    if (this.#mayDecide() && !(await this.#pass(how, { cause: 'full', signal }))) return;
    const decision = this.#decide(how);
    const step = this.#controller.beforeRequest(this.#session.ledger);
    const asked = { cause: 'full', how: this.#asked(how), signal, focus: how.focus };
    if (step === 'send' && this.#mayDecide() && this.#isTriggered(decision, how)) {
      const forced = { ...how, force: true };
      if (!(await this.#pass(forced, { cause: 'triggered', signal }))) return;
      this.#decide(forced);
      const wanted = this.#controller.compactNow(this.#session.ledger);
      await this.#carryOut(wanted, { ...asked, cause: 'triggered', how: this.#asked(forced) });
      return;
    }
    if (this.#lacksSummary(step, decision) && (await this.#goOnWithout(asked))) return;
    await this.#carryOut(step, asked);
  }

  /**
   * Carries out the passes that come before the boundary, as a change of their own. Returns `false` if the caller forbids the
   * compaction.
   */
  async #pass(how, { cause, signal }) {
    this.#passedTo = undefined;
    const { tokensBefore: before } = this.#decide(how);
    const asked = this.#asked(how);
    if (!policyOf(this.#given.session).takesPasses) return true;
    await untilCancelled(files.init(), signal);
    const found = this.#session.passes(asked);
    if (found === undefined) return true;
    if ((await this.#allowed('prune', { cause, how: asked, signal })) === false) return false;
    const memory = this.#session.memory;
    found.take();
    await this.#takeOver(found, { at: this.#moment(), before, memory, cause, signal, isHeld: true });
    this.#passedTo = found.knownTokens;
    return true;
  }

  /** Gives up where what no compaction makes smaller fills the window. */
  #refuseHead({ trigger: { context, overhead } }) {
    // That alone is an error of its own.
    if ((overhead ?? 0) >= context) return;
    const { profile, policy, model, set, countTokens } = this.#given.session;
    const options = { profile, policy, model, set, countTokens };
    const alone = fixedTokens(this.#view.log, this.#session.format, this.#pins, options);
    const head = alone + (overhead ?? 0);
    // What was only learnt must not end a session: the provider says whether it is true.
    if (head < context || (alone < context && this.#reports.doubts())) return;
    const what = this.#pins === undefined ? 'System messages' : 'System messages and what is pinned';
    const beside = (overhead ?? 0) > 0 ? ', with what is sent beside the messages,' : '';
    const error = new EbblineError('head_fills_window', `${what}${beside} take ${head} tokens, and the context window has ${context}.`);
    this.#emit({ type: 'gave_up', code: 'head_fills_window', error });
    throw error;
  }

  #isTriggered({ tokensBefore, trigger: { context } }, { idle = UNKNOWN }) {
    const { trigger } = this.#given;
    if (trigger === undefined) return false;
    const left = this.#view.changes.at(-1)?.about.tokensAfter ?? UNKNOWN;
    const turns = countsTurns(trigger) ? this.#session.turns : 0;
    return isTriggered(trigger, tokensBefore, context ?? UNKNOWN, this.#view.messages.length, turns, idle, left);
  }

  /** Whether a full context waits for a summary that nobody is asked for now. */
  #lacksSummary(step, decision) {
    if (step === 'summarize' || step === 'give_up' || !decision.retain.applied || !this.#mayDecide()) return false;
    return this.#summarizer.isThere;
  }

  /** Whether something may be decided before a request: not if a summary is waited for, or a compaction was taken back. */
  #mayDecide() {
    return this.#given.auto && this.#pending === undefined && !this.#controller.isHeld;
  }

  /** The size to decide by where a session's context may not fit by the provider's count. */
  #cautious(decision, session) {
    return this.#reports.cautious(sizeOf(decision), reclaimedBy(decision), decision.trigger.threshold, session.ledger);
  }

  /**
   * Does without the summary that is wanted: as if nobody wrote summaries, or with one by rule where that does not fit. Returns whether
   * anything was decided.
   */
  async #goOnWithout(asked) {
    const { fallback, session: given } = this.#given;
    const session = this.#sessionFor(given.model, { 'retain.enabled': false });
    try {
      session.goesBackTo(this.#view.messages, this.#session.memory);
      let { how } = asked;
      let alone = session.check(how);
      const isUnsure = asked.cause === 'full' && how.knownTokens === undefined && !alone.trigger.fires;
      const cautious = isUnsure ? this.#cautious(alone, session) : UNKNOWN;
      if (cautious !== UNKNOWN) {
        how = { ...how, knownTokens: Math.max(1, cautious) };
        alone = session.check(how);
      }
      const isFull = asked.cause === 'overflow' || isOver(alone, reclaimedBy(alone));
      const isWanted = fallback === 'deterministic' || (fallback === 'when_full' && isFull);
      if (isWanted && (await this.#byRule(asked, alone.tokensAfter))) return true;
      if (!alone.prune.applied) return false;
      const isAllowed = await this.#allowed('prune', asked, session);
      if (isAllowed !== false) await this.#apply({}, asked, { session, how });
      return true;
    } finally {
      session.free();
    }
  }

  /** Writes a summary without a model, which must leave less than pruning alone does. Returns whether there is one. */
  async #byRule(asked, most) {
    try {
      await this.#apply({ ...(await this.#summarizer.withoutModel(this.#session, asked)), most }, asked);
      return true;
    } catch (error) {
      if (error instanceof CallerError) throw error;
      this.#emit({ type: 'summary_failed', cause: asked.cause, error });
      return false;
    }
  }

  #turn(turn, type) {
    this.#refuseWhileRunning();
    this.#drop();
    if (!turn()) return false;
    this.#reports.seesAll();
    this.#passedTo = undefined;
    const { memory, log } = this.#newest ?? {};
    // Where the model was asked nothing since, its usage is of what is sent again.
    if (type === 'undone' && log === this.#view.log.length) this.#session.goesBackTo(this.#view.messages, memory);
    else this.#session.goesOnWith(this.#view.messages);
    this.#newest = undefined;
    // As long as a compaction is taken back, nothing is decided unasked: it could not be made again.
    if (type === 'undone' || this.#view.undone.length === 0) this.#controller[type]();
    // What is sent now is another context, so the next overflow is the first one.
    this.#controller.answered();
    this.#emit({ type, messages: this.#view.messages.length });
    return true;
  }

  /** Runs `work` when no other call is running. It throws errors of this package, or what is passed on as it is. */
  async #alone(options, work) {
    try {
      const how = checkedForPrepare(options);
      const signal = anySignal(this.#given.signal, how.signal);
      if (this.#running !== undefined && this.#given.overlap === 'refuse') throw busy();
      while (this.#running !== undefined) await untilCancelled(this.#running, signal);
      if (signal?.aborted) throw new CallerError(signal.reason);
      this.#refuseWhileRunning();
      return await this.#begin(this.#withOriginals(signal).then(() => this.#whole(() => work(how, signal), signal)));
    } catch (error) {
      throw error instanceof CallerError ? error.error : presentable(error);
    }
  }

  /** Runs `work`. If it is cancelled, what passes did before is taken back, and nobody has heard of it. */
  async #whole(work, signal) {
    try {
      const given = await work();
      await this.#tell(signal);
      return given;
    } catch (error) {
      if (signal?.aborted) this.#takeBack();
      else await this.#tell(signal);
      throw error;
    }
  }

  /** Says what was done, once it is certain that it stays. What a hook throws keeps nobody from hearing of the rest. */
  async #tell(signal) {
    const told = this.#held.splice(0);
    for (const { event } of told) this.#emit({ type: 'compacted', ...event });
    const faults = [];
    for (const { event } of told) await this.#hear('after', event, signal).catch((fault) => faults.push(fault));
    if (faults.length > 0) throw faults[0];
  }

  #takeBack() {
    if (this.#held.length === 0) return;
    const [{ memory }] = this.#held;
    for (let held = this.#held.pop(); held !== undefined; held = this.#held.pop()) {
      this.#view.undo();
      this.#view.undone = held.undone;
    }
    this.#passedTo = undefined;
    this.#session.goesBackTo(this.#view.messages, memory);
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
    this.#refuseFreed();
  }

  #refuseFreed() {
    if (this.#isFree) throw new EbblineError('freed', 'the compactor was freed');
  }

  /** Takes the caller's history. Returns whether there is something new. */
  #take(history) {
    if (!Array.isArray(history)) throw new EbblineError('no_messages', 'pass the whole history: an array of messages');
    const length = lengthOf(history);
    const isRestored = this.#record !== undefined;
    const taken = isRestored ? this.#restore(history, length) : this.#view.take(history, length);
    const { added, edited, renewed } = taken;
    const { messages } = this.#view;
    const { kept, known } = keptOf(taken, this.#view.log);
    const isStale = this.#isStale;
    // Until the session has read everything, it must not be relied on.
    this.#isStale = true;
    // Usage that was reported before is not of this view.
    if (edited || isRestored) this.#session.goesOnWith(messages);
    else if (isStale || renewed) this.#session.sync(messages);
    else if (added > 0) this.#session.push(messages.slice(messages.length - added));
    this.#isStale = false;
    checkIntroduction(this.#given.introduction, this.#session.format);
    // Another message may stand where one was searched for pins.
    if (edited) this.#searched = 0;
    if (edited) this.#rebase();
    if (edited) this.#reports.seesAll();
    if (edited || added > 0) this.#passedTo = undefined;
    if (edited) this.#emit({ type: 'edited', messages: messages.length, kept, known, reason: reasonOf(kept, known) });
    this.#notices.took(this.#view.log, edited && kept === 0, known);
    if (isRestored && this.#begunAnew !== undefined) this.#emit({ type: 'begun_anew', reason: this.#begunAnew });
    return added > 0 || edited;
  }

  /** Fetches the originals of a record from the store, in case the history lacks them. */
  async #withOriginals(signal) {
    const { store } = this.#given;
    if (store === undefined || this.#record === undefined || this.#record.originals !== undefined) return;
    this.#record = { ...this.#record, originals: await originalsFrom(store, this.#record, this.#stored, signal) };
  }

  /** Makes the changes of a record again. If it does not fit, nothing is changed. */
  #restore(history, length) {
    const record = this.#record;
    const view = new View();
    const taken = view.take(history, length);
    try {
      makeAgain(record, view);
      if (length < record.messages) view.dropAtEnd();
      view.take(history, length);
    } catch (error) {
      const log = this.#rebuilt(history, length);
      if (log === undefined) throw error;
      return this.#restoreFrom(log, history, length);
    }
    this.#view = view;
    this.#record = undefined;
    return taken;
  }

  /** The whole history of an agent that kept only what was sent, if the record has the rest. */
  #rebuilt(history, length) {
    const { originals, messages } = this.#record;
    if (originals === undefined || originals.length === 0 || messages > originals.length + length) return undefined;
    const shape = new View();
    const placeholders = Array.from({ length: messages }, () => ({}));
    shape.take(placeholders, messages);
    makeAgain(this.#record, shape, false);
    return rebuilt(history, length, originals, shape);
  }

  #restoreFrom(log, history, length) {
    const view = new View();
    view.take(log, log.length);
    makeAgain(this.#record, view);
    const taken = view.take(history, length);
    this.#view = view;
    this.#record = undefined;
    return taken;
  }

  #asked({ force = false, idle }) {
    const tokens = this.#overhead;
    const size = this.#passedTo ?? this.#unsure;
    const known = size === undefined ? {} : { knownTokens: Math.max(1, size) };
    const asked = { force, ...(idle !== undefined && { idle }), ...(tokens !== undefined && { overhead: tokens }), ...known };
    const { unseen } = this.#reports;
    if (unseen === 0 || size !== undefined) return asked;
    // The provider gets the whole view, and sees as much less of it again.
    const { tokensBefore } = this.#session.check(asked);
    return { ...asked, knownTokens: Math.max(1, tokensBefore + (tokens ?? 0) - unseen) };
  }

  #decide(how) {
    const decision = this.#session.check(this.#asked(how));
    if (this.#pins === undefined || decision.verdict === 'noop' || !this.#seal()) return decision;
    return this.#session.check(this.#asked(how));
  }

  /** Looks for pinned outputs in new messages. Returns whether there are any. */
  #seal() {
    const { log } = this.#view;
    if (this.#searched === log.length) return false;
    const seals = sealedCalls(this.#pins, log, this.#session.format);
    this.#searched = log.length;
    const isKnown = seals.size === this.#seals.size && [...seals].every((id) => this.#seals.has(id));
    if (isKnown) return false;
    this.#seals = seals;
    this.#session.seal(seals);
    return true;
  }

  async #carryOut(step, asked) {
    if (step === 'give_up') throw this.#obstacle(asked.error);
    if (step === 'send') return;
    const wish = await this.#allowed(step, asked);
    if (wish === false) return;
    const { focus = asked.focus, summary } = wish;
    const how = { ...asked, focus };
    if (step === 'prune') await this.#apply({}, how);
    else if (summary !== undefined) {
      await this.#finish(this.#controller.asked, Promise.resolve({ summary, plan: this.#session.plan(how.how) }), how);
    } else if (this.#given.background && asked.cause === 'full' && !this.#isOverWindow({})) this.#start(how);
    else await this.#finish(this.#controller.asked, this.#ask(how), how);
  }

  /** What the caller's own code says to a compaction: `false` if it must not be made, otherwise its wishes. */
  async #allowed(step, { cause, how, signal, isAllowed = false }, session = this.#session) {
    const { before } = this.#given.hooks ?? {};
    if (before === undefined || isAllowed) return {};
    let wish;
    try {
      wish = await untilCancelled(before({ cause, step, plan: session.plan(how) }), signal);
      if (wish !== false) return checkedForWish(wish);
    } catch (error) {
      if (step === 'summarize') this.#controller.answer(this.#controller.asked, 'cancelled');
      throw error instanceof CallerError || error instanceof EbblineError ? error : new CallerError(error);
    }
    if (step === 'summarize') this.#controller.answer(this.#controller.asked, 'cancelled');
    return false;
  }

  #obstacle(cause) {
    const obstacle = this.#controller.obstacle() as keyof typeof OBSTACLES;
    const decision = this.#decide({});
    const { context: window, overhead } = decision.trigger;
    const error = new EbblineError(obstacle, filled(OBSTACLES[obstacle], { window, overhead: overhead ?? 0, tokens: sizeOf(decision) }));
    if (cause !== undefined) error.cause = cause;
    // Nothing was compacted, so the next overflow is the first one.
    if (obstacle === 'no_summary') this.#controller.answered();
    this.#emit({ type: 'gave_up', code: obstacle, error });
    return error;
  }

  #sessionFor(model, other = undefined) {
    const { session } = this.#given;
    // Without anybody who writes summaries, a plan must do without them.
    const own = this.#summarizer.isThere ? session.set : { 'retain.enabled': false, ...session.set };
    const set = other === undefined ? own : { ...own, ...other };
    const made = new GrowingSession({ ...session, ...(model && { model }), ...(set && { set }), verify: 'all' });
    made.introduce(this.#given.introduction);
    made.heedChanges();
    if (this.#seals.size > 0) made.seal(this.#seals);
    return made;
  }

  /**
   * Learns from an overflow how large the window is: as the provider said, or smaller than what it refused. Only usage says what is
   * sent beside the messages.
   */
  #learn(named) {
    const decision = this.#decide({});
    const { context } = decision.trigger;
    const window = windowLearnt(named, sizeOf(decision), context ?? undefined);
    if (window === undefined) return;
    this.#learnt = { window, told: this.#learnt === undefined ? context : this.#learnt.told };
    this.#goOnWith({ ...this.#given.session.model, context: window });
  }

  /** Goes on with the window that an earlier compactor learnt, if the caller says the same of the model as then. */
  #remember(learnt) {
    const { session } = this.#given;
    if (learnt === undefined || learnt.told !== (JSON.parse(policyOf(session).json).model.context ?? null)) return;
    this.#learnt = learnt;
    this.#given.session = { ...session, model: { ...session.model, context: learnt.window } };
  }

  /** Goes on with another model, whose window may be smaller. */
  #switchTo(model) {
    const key = jsonFor('invalid_option', 'the model', model);
    // Whoever names the same model at each request must not undo what an overflow taught.
    if (key === this.#told) return;
    this.#told = key;
    this.#learnt = undefined;
    this.#goOnWith(JSON.parse(key));
  }

  #goOnWith(model) {
    this.#goOnUnder({ ...this.#given.session, model });
    this.#reports.seesAll();
  }

  /** Goes on under other options of the session. */
  #goOnUnder(options) {
    this.#given.session = options;
    const session = this.#sessionFor(options.model);
    session.goesBackTo(this.#view.messages, this.#session.memory);
    this.#drop();
    this.#session.free();
    this.#session = session;
    this.#passedTo = undefined;
  }

  /** Asks for a summary while the agent goes on. */
  #start(asked) {
    const stop = new AbortController();
    const pending = {
      number: this.#controller.asked,
      asked: { ...asked, signal: anySignal(this.#given.signal, stop.signal) },
      stop,
      messages: this.#view.messages.slice(),
      plan: this.#session.plan(asked.how),
      isEdited: false,
    };
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
    if (pending.isDone !== true && !this.#isOverWindow(how)) return false;
    if (pending.isDone !== true) await keptAlive(untilCancelled(pending.answered.then(nothing, nothing), signal));
    const portion = pending.isEdited ? rebased(this.#session, pending, this.#given.session.set) : undefined;
    if (pending.isEdited && portion === undefined) {
      this.#drop();
      return false;
    }
    this.#pending = undefined;
    const { length } = this.#view.changes;
    try {
      const other = portion && { session: portion, how: { force: true } };
      await this.#finish(pending.number, pending.answered, pending.asked, other);
    } finally {
      portion?.free();
    }
    return this.#view.changes.length > length;
  }

  /** After an edit: the summary that a model writes meanwhile stands if the edit is behind what it was asked for. */
  #rebase() {
    const pending = this.#pending;
    if (pending === undefined) return;
    if (this.#given.background.onEdit === 'drop' || !stands(pending, this.#view.messages)) this.#drop();
    else pending.isEdited = true;
  }

  /** Whether the context exceeds the window, so that sending it would be in vain. */
  #isOverWindow(how) {
    // What may be too large is not.
    const unsure = this.#unsure;
    this.#unsure = undefined;
    const isOverIt = isOver(this.#decide(how));
    this.#unsure = unsure;
    return isOverIt;
  }

  /** Cancels the summary that a model writes while the agent goes on. */
  #drop() {
    const pending = this.#pending;
    if (pending === undefined) return;
    this.#pending = undefined;
    this.#controller.answer(pending.number, 'cancelled');
    pending.stop.abort();
  }

  async #finish(number, answer, asked, other = undefined) {
    let made;
    try {
      made = await this.#make(await keptAlive(answer), asked, other);
    } catch (thrown) {
      await this.#failed(number, thrown instanceof CallerError ? thrown.error : thrown, asked);
      return;
    }
    this.#controller.answer(number, 'accepted');
    await this.#takeOver(made, made);
  }

  /** Goes on without the summary that was asked for. */
  async #failed(number, error, asked) {
    const answer = (outcome) => this.#controller.answer(number, outcome);
    const stopIfCancelled = () => {
      if (asked.signal?.aborted !== true) return;
      answer('cancelled');
      throw new CallerError(asked.signal.reason);
    };
    stopIfCancelled();
    this.#emit({ type: 'summary_failed', cause: asked.cause, error });
    try {
      await this.#hear('failed', { cause: asked.cause, error }, asked.signal);
    } catch (thrown) {
      stopIfCancelled();
      answer('failed');
      throw thrown;
    }
    const step = answer('failed');
    const goesOn = { ...asked, error: asked.error ?? error, isAllowed: true };
    if (!(await this.#goOnWithout(goesOn))) await this.#carryOut(step, goesOn);
  }

  /** Asks for a summary, and a second time if the answer must not replace history. */
  #ask(asked) {
    return this.#summarizer.summary(this.#session, asked, ({ plan: { retain } }, part, parts) => {
      const { messages, summarized: tokens } = retain;
      this.#emit({ type: 'summary_requested', cause: asked.cause, messages, tokens, part, parts });
    });
  }

  /** Carries the plan out, with a summary if there is one. */
  async #apply(answered, asked, other = undefined) {
    const made = await this.#make(answered, asked, other);
    await this.#takeOver(made, made);
  }

  /**
   * What the plan makes of the view, with a summary if there is one, which must make it smaller. `other`: another session of what is
   * sent, and how its plan is made, which is carried out instead.
   */
  async #make(
    { summary = undefined, handle = undefined, plan = undefined, isByRule = false, most = Infinity },
    { cause, how, signal },
    other,
  ) {
    const before = this.#session.check(how).tokensBefore;
    const memory = this.#session.memory;
    const at = this.#moment();
    if (summary !== undefined || policyOf(this.#given.session).describes) await untilCancelled(files.init(), signal);
    const { format } = this.#session;
    const about = other?.session.plan(other.how) ?? plan;
    const told = summary === undefined ? undefined : carryOver(this.#view, format, about, this.#pins, summary);
    const { done, sources } = (other?.session ?? this.#session).applied({
      ...(other?.how ?? how),
      ...(told !== undefined && { summary: introduced(told.summary, this.#given.introduction.text, format) }),
      ...(handle !== undefined && other === undefined && { handle }),
      now: at,
    });
    if (other !== undefined) this.#session.goesOnWith(done.messages);
    if (told === undefined) return { done, sources, at, before, memory, cause, signal };
    const { tokensBefore: after } = this.#decide({});
    if (after >= Math.min(before, most)) {
      this.#session.goesBackTo(this.#view.messages, memory);
      const what = `with what it carries, the summary leaves ${after} tokens of ${before}`;
      const why = after < before ? `pruning alone leaves ${most}` : 'it would make the context no smaller';
      throw new EbblineError('larger_summary', `${what}: ${why}`);
    }
    const carries = { orders: told.orders, pins: told.pins, byRule: isByRule };
    return { done, sources, at, before, memory, cause, signal, carries, isByRule };
  }

  /** When something is done, as the caller's clock says. */
  #moment() {
    const moment = this.#given.now();
    // What is no number is refused where it is written, by its sentence.
    return typeof moment === 'number' ? Math.floor(moment) : moment;
  }

  /** Takes over what was done with the view. */
  async #takeOver({ done, sources }, { at, before, memory, cause, signal, carries = {}, isByRule = false, isHeld = false }) {
    const { pruned, summarized } = done.applied;
    const about = { at, cause, profile: done.plan.profile, pruned, summarized };
    const { undone } = this.#view;
    const messages = this.#view.change(done.messages, sources, about);
    // The session has the references that the engine wrote.
    if (messages.some((message, at) => message !== done.messages[at])) this.#session.sync(messages);
    // What the provider will clear of another view is not known.
    this.#reports.seesAll();
    this.#unsure = undefined;
    try {
      if (this.#given.store !== undefined) await putOriginals(this.#given.store, this.#view, this.#stored, signal);
    } catch (error) {
      // What cannot be stored must not be changed.
      this.#view.undo();
      this.#view.undone = undone;
      this.#session.goesBackTo(this.#view.messages, memory);
      throw error;
    }
    const { tokensBefore: after } = this.#decide({});
    Object.assign(about, carries, { tokensBefore: before, tokensAfter: after });
    this.#reports.changes(before, after);
    if (cause === 'asked') this.#controller.answered();
    else this.#reports.sends(this.#session.ledger, false);
    if (summarized > 0 && !isByRule) this.#controller.committed(before, after);
    const event = { cause, pruned, summarized, ...carries, tokensBefore: before, tokensAfter: after, plan: done.plan };
    this.#held.push({ event, undone, memory });
    this.#newest = { memory, log: this.#view.log.length };
    if (!isHeld) await this.#tell(signal);
  }

  /** Tells the caller's own code what happened, and waits for it. */
  async #hear(name, what, signal) {
    const hook = this.#given.hooks?.[name];
    if (hook === undefined) return;
    try {
      await untilCancelled(hook(what), signal);
    } catch (error) {
      // The compaction was reported already and stays. Only the wait for the hook ends.
      if (name === 'after' && signal?.aborted === true) return;
      throw error instanceof CallerError ? error : new CallerError(error);
    }
  }

  #emit(event) {
    if (event.type === 'summary_failed') this.#notices.say('summary_failed', { error: wordsOf(event.error) });
    try {
      this.#given.onEvent?.(event);
    } catch {
      // Whoever listens must not be able to break the agent.
    }
  }
}

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

/** Whether the context exceeds the window, when so many tokens of it are pruned. */
function isOver(decision, pruned = 0) {
  const { context } = decision.trigger;
  return context !== null && sizeOf(decision) - pruned > context;
}

function reclaimedBy({ prune }) {
  return prune.applied ? prune.reclaimed : 0;
}

/** How large the context is that would be sent now; what summarizing goes by may be measured after a prune. */
function sizeOf(decision) {
  const { tokensBefore, trigger } = decision;
  if (trigger.source === 'estimate') return tokensBefore + (trigger.overhead ?? 0);
  return trigger.tokens + reclaimedBy(decision);
}

function busy() {
  return new EbblineError('busy', 'another call of this compactor is running: await it first');
}

/** How many images are sent. */
function imagesIn({ messages }) {
  const sent = messages.filter(({ fate }) => fate !== 'inactive');
  return sent.flatMap(({ parts }) => parts).filter(({ kind }) => kind === 'image').length;
}

/** How many known messages are left; system prompts alone are nothing that a session would be known by. */
function keptOf({ kept, known }, log) {
  return { kept: log.slice(0, kept).every(isSystem) ? 0 : kept, known };
}

/** What became of known messages, for a person: one that shares nothing with them is most likely passed by mistake. */
function reasonOf(kept, known) {
  if (kept === 0) {
    return `none of the ${known} known messages is in the history: pass the whole history at each call, and use one compactor for each session`;
  }
  return `the first ${kept} of ${known} known messages are as they were; what was decided about the others is dropped`;
}

function nothing() {}
