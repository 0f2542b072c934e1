import { walk } from './live-plan.js';
import { carryOver, sealedCalls } from './carry-over.js';
import { classifyError } from './classify.js';
import { Course, type Ledger, largerSummary, reasonOfEdit } from './core.js';
import { UNKNOWN } from './decision.js';
import { EbblineError } from './errors.js';
import { files } from './files.js';
import { guardMembers, guarded, presentable, wordsOf } from './guard.js';
import { fixedTokens } from './fixed-tokens.js';
import { checkIntroduction, introduced, introductionOf } from './introductions.js';
import { lengthOf } from './list.js';
import { Notices } from './notices.js';
import { checkedForCompactor, checkedForPrepare, checkedForWish } from './compactor-checks.js';
import { jsonFor } from './engine-json.js';
import { policyOf } from './ready-policy.js';
import { originalsFrom, originalsOf, putOriginals, rebuilt } from './originals.js';
import { OutputRecorder } from './outputs.js';
import { CallerError } from './caller-error.js';
import { anySignal, keptAlive, untilCancelled } from './cancellation.js';
import { Pins } from './pins.js';
import { rebased, stands } from './rebase.js';
import { checkedRecord, makeAgain, recordOf } from './compactor-record.js';
import { isReferenceTo } from './references.js';
import { isSystem } from './equality.js';
import { GrowingSession } from './growing-session.js';
import { Summarizer } from './summarizing.js';
import { reportedInput } from './usage.js';
import { View } from './view.js';
import { triggerOf } from './when.js';

/** The most images that stay after a provider refused them. */
const MOST_IMAGES = 4;

/**
 * Keeps the session of an agent inside its context window: it takes the whole history before each request and gives what to send.
 * What was decided is remembered, so that a caller who keeps nothing gets the same view again.
 */
export class Compactor {
  #given;
  #session;
  /** What decides. */
  #course;
  #view = new View();
  /** What the session remembered before the newest change, and how long the history was then. */
  #newest;
  /** How many messages the history had that was given to be sent last. */
  #prepared = 0;
  /** The limits of the model as the caller said them last, as JSON. */
  #told;
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
    this.#summarizer = new Summarizer({ summarize, accept, timeout, budgetTokens, chunks });
    this.#pins = pins && new Pins(pins);
    this.#notices = new Notices(warn && onEvent === undefined);
    this.#given = {
      introduction: introductionOf(introduction),
      onEvent,
      signal,
      overlap,
      now,
      background,
      hooks,
      store,
      originals,
      session,
    };
    checkIntroduction(this.#given.introduction, session.format);
    this.#record = record && checkedRecord(record);
    this.#begunAnew = record?.mismatch;
    this.#course = new Course(
      auto,
      failures,
      cooldown,
      Float64Array.from(record?.controller ?? []),
      summarize === undefined ? 'none' : summarize === 'deterministic' ? summarize : 'model',
      fallback,
      when && Float64Array.from(triggerOf(when)),
      session.overhead ?? UNKNOWN,
      record?.overhead ?? UNKNOWN,
    );
    this.#told = session.model && jsonFor('invalid_option', 'the model', session.model);
    this.#remember(record?.learnt);
    this.#session = this.#sessionFor(this.#given.session.model);
  }

  /** What to send for a history: the history itself if nothing was ever changed, otherwise the same view until something is. */
  async prepare(history, options) {
    return this.#alone(options, async (how, signal) => {
      if (this.#take(history)) this.#course.answered();
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
      this.#course.overflows();
      this.#emit({ type: 'overflow', error });
      if (isMedia) await this.#withoutImages(images, how, signal);
      else await this.#recovered(error, evidence?.window, how, signal);
      this.#warn();
      return this.#view.messages.slice();
    });
  }

  /** Makes a context smaller that was refused; `named` is the window that the refusal names. */
  async #recovered(error, named, { idle, focus }, signal) {
    const window = this.#course.learn(...this.#seen, named ?? UNKNOWN);
    if (window !== UNKNOWN) this.#goOnUnder({ ...this.#given.session, model: { ...this.#given.session.model, context: window } });
    const { length } = this.#view.changes;
    const asked = { signal, focus, error, hasGivenUp: false };
    try {
      await this.#follow(this.#course.forced(...this.#seen, true, idle ?? UNKNOWN), asked);
    } catch (thrown) {
      // What was cancelled, or failed in the caller's own code, has recovered from nothing: the next overflow is the first one.
      if (!asked.hasGivenUp && this.#view.changes.length - this.#held.length === length) this.#course.recoveredFromNothing();
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
      await this.#pass({ cause: 'overflow', how: this.#asked(how) }, { signal });
    } finally {
      this.#goOnUnder(session);
    }
  }

  /** Compacts now, whatever the size of the context. Returns what to send. */
  async compactNow(history, options = undefined) {
    return this.#alone(options, async (asked, signal) => {
      this.#drop();
      if (history !== undefined) this.#take(history);
      await this.#follow(this.#course.forced(...this.#seen, false, asked.idle ?? UNKNOWN), { signal, focus: asked.focus });
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
    this.#course.usage(isCompacted ? UNKNOWN : tokens, cleared ?? UNKNOWN, this.#session.ledger);
  }

  /** How full the context is that would be sent now. */
  contextUsage() {
    this.#refuseFreed();
    const { trigger, fits } = this.#decide({});
    const { source, threshold, context } = trigger;
    const { log, messages } = this.#view;
    return {
      tokens: this.#course.size(...this.#seen),
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
    const [window, told] = this.#course.learnt() ?? [];
    const learnt = window === undefined ? {} : { learnt: { window, told: told === UNKNOWN ? null : told } };
    return recordOf(this.#view, {
      controller: [...this.#course.state()],
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
    this.#course.free();
  }

  /** The tokens that are sent beside the messages; `undefined` if nothing is known. */
  get #overhead() {
    if (this.#isFree) return this.#left;
    const tokens = this.#course.overhead(this.#session.ledger);
    return tokens === UNKNOWN ? undefined : tokens;
  }

  /** What the course sees of the session: its ledger, and how many messages it had when others last took their place. */
  get #seen(): [Ledger, number] {
    return [this.#session.ledger, this.#session.memory?.length ?? UNKNOWN];
  }

  /** Compacts before a request if the context is full, or if the caller's own trigger holds. */
  async #fit({ idle, focus }, signal) {
    this.#notices.limits(this.#given.session);
    this.#prepared = this.#view.log.length;
    if (this.#pins !== undefined) this.#decide({ idle });
    const left = this.#view.changes.at(-1)?.about.tokensAfter ?? UNKNOWN;
    await this.#follow(this.#course.beforeRequest(...this.#seen, idle ?? UNKNOWN, left), { signal, focus });
    this.#warn();
  }

  /** Says so if what is sent exceeds the window all the same. */
  #warn() {
    const event = this.#course.overWindow(...this.#seen);
    if (event !== undefined) this.#emit(JSON.parse(event));
  }

  /** Carries out what the course says until something is sent. */
  async #follow(first, asked) {
    for (let action = first; action !== 'send'; ) action = await this.#carryOut(action, asked);
  }

  /** Carries one action out. Returns the next one. */
  async #carryOut(action, asked) {
    const { cause, isAllowed } = this.#course;
    const order = { cause, isAllowed, how: howOf(...this.#course.order) };
    switch (action) {
      case 'measure_fixed':
        return this.#course.fixed(...this.#seen, this.#fixedTokens(), this.#pins !== undefined);
      case 'pass':
        return this.#pass(order, asked);
      case 'prune':
        return this.#prune(order, asked);
      case 'prune_alone':
        return this.#pruneAlone(order, asked);
      case 'summarize':
        return this.#summarize(order, asked);
      case 'summarize_by_rule':
        return this.#byRule(order, asked);
      default:
        throw this.#obstacle(asked);
    }
  }

  #fixedTokens() {
    const { profile, policy, model, set, countTokens } = this.#given.session;
    return fixedTokens(this.#view.log, this.#session.format, this.#pins, { profile, policy, model, set, countTokens });
  }

  /** Carries out the passes that come before the boundary, as a change of their own. */
  async #pass(order, asked) {
    const { cause, how } = order;
    const nothing = () => this.#course.passed(...this.#seen, false, UNKNOWN);
    const { tokensBefore: before } = this.#checked(how);
    if (!policyOf(this.#given.session).takesPasses) return nothing();
    await untilCancelled(files.init(), asked.signal);
    const found = this.#session.passes(how);
    if (found === undefined) return nothing();
    if ((await this.#allowed('prune', order, asked)) === false) return 'send';
    const memory = this.#session.memory;
    found.take();
    await this.#takeOver(found, { at: this.#moment(), before, memory, cause, signal: asked.signal, isHeld: true });
    return this.#course.passed(...this.#seen, true, found.knownTokens ?? UNKNOWN);
  }

  async #prune(order, asked) {
    if ((await this.#allowed('prune', order, asked)) !== false) await this.#apply({}, order, asked);
    return 'send';
  }

  /** Carries out the plan that there is if nobody writes summaries. */
  async #pruneAlone(order, asked) {
    const session = this.#sessionFor(this.#given.session.model, { 'retain.enabled': false });
    try {
      session.goesBackTo(this.#view.messages, this.#session.memory);
      const isAllowed = await this.#allowed('prune', order, asked, session);
      if (isAllowed !== false) await this.#apply({}, order, asked, { session, how: order.how });
      return 'send';
    } finally {
      session.free();
    }
  }

  async #summarize(order, asked) {
    const wish = await this.#allowed('summarize', order, asked);
    if (wish === false) return 'send';
    const { focus = asked.focus, summary } = wish;
    asked.focus = focus;
    const { how, cause } = order;
    if (summary !== undefined) return this.#finish(Promise.resolve({ summary, plan: this.#session.plan(how) }), order, asked);
    const goesOn = this.#given.background && cause === 'full' && !this.#isOverWindow({});
    if (!goesOn) return this.#finish(this.#ask(order, asked), order, asked);
    this.#start(order, asked);
    return 'send';
  }

  /** Writes a summary without a model, which must leave less than pruning alone does. */
  async #byRule(order, asked) {
    const { most } = this.#course;
    try {
      await this.#apply({ ...(await this.#summarizer.withoutModel(this.#session, order)), most }, order, asked);
      return 'send';
    } catch (error) {
      if (error instanceof CallerError) throw error;
      this.#emit({ type: 'summary_failed', cause: order.cause, error });
      return this.#course.withoutRule(...this.#seen);
    }
  }

  #turn(turn, type) {
    this.#refuseWhileRunning();
    this.#drop();
    if (!turn()) return false;
    const { memory, log } = this.#newest ?? {};
    // Where the model was asked nothing since, its usage is of what is sent again.
    if (type === 'undone' && log === this.#view.log.length) this.#session.goesBackTo(this.#view.messages, memory);
    else this.#session.goesOnWith(this.#view.messages);
    this.#newest = undefined;
    this.#course.turned(type === 'redone', this.#view.undone.length > 0);
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
    if (told.length > 0) this.#course.ends(false);
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
    this.#course.ends(true);
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
    this.#course.took(edited, added > 0);
    if (edited) this.#emit({ type: 'edited', messages: messages.length, kept, known, reason: reasonOfEdit(kept, known) });
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

  /** What a plan is asked for with. */
  #asked({ force = false, idle = UNKNOWN }) {
    const [known, overhead] = this.#course.options(...this.#seen, force, idle);
    return howOf(force, known, overhead, idle);
  }

  #decide(how) {
    return this.#checked(this.#asked(how));
  }

  /** What the session decides, once it knows what is pinned. */
  #checked(how) {
    const decision = this.#session.check(how);
    if (this.#pins === undefined || decision.verdict === 'noop' || !this.#seal()) return decision;
    return this.#session.check(how);
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

  /** What the caller's own code says to a compaction: `false` if it must not be made, otherwise its wishes. */
  async #allowed(step, { cause, how, isAllowed = false }, { signal }, session = this.#session) {
    const { before } = this.#given.hooks ?? {};
    if (before === undefined || isAllowed) return {};
    let wish;
    try {
      wish = await untilCancelled(before({ cause, step, plan: session.plan(how) }), signal);
      if (wish !== false) return checkedForWish(wish);
    } catch (error) {
      if (step === 'summarize') this.#course.cancelled();
      throw error instanceof CallerError || error instanceof EbblineError ? error : new CallerError(error);
    }
    if (step === 'summarize') this.#course.cancelled();
    return false;
  }

  /** What is in the way, as an error; `asked` says why the context had to be made smaller. */
  #obstacle(asked) {
    const { code, message } = this.#course;
    const error = new EbblineError(code, message);
    if (asked.error !== undefined) error.cause = asked.error;
    asked.hasGivenUp = true;
    this.#emit({ type: 'gave_up', code, error });
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

  /** Goes on with the window that an earlier compactor learnt, if the caller says the same of the model as then. */
  #remember(learnt) {
    const { session } = this.#given;
    const said = learnt && (JSON.parse(policyOf(session).json).model.context ?? UNKNOWN);
    if (learnt === undefined || !this.#course.remember(learnt.window, learnt.told ?? UNKNOWN, said)) return;
    this.#given.session = { ...session, model: { ...session.model, context: learnt.window } };
  }

  /** Goes on with another model, whose window may be smaller. */
  #switchTo(model) {
    const key = jsonFor('invalid_option', 'the model', model);
    // Whoever names the same model at each request must not undo what an overflow taught.
    if (key === this.#told) return;
    this.#told = key;
    this.#course.switches();
    this.#goOnUnder({ ...this.#given.session, model: JSON.parse(key) });
  }

  /** Goes on under other options of the session. */
  #goOnUnder(options) {
    this.#given.session = options;
    const session = this.#sessionFor(options.model);
    session.goesBackTo(this.#view.messages, this.#session.memory);
    this.#drop();
    this.#session.free();
    this.#session = session;
    this.#course.took(true, false);
  }

  /** Asks for a summary while the agent goes on. */
  #start(order, asked) {
    const stop = new AbortController();
    const pending = {
      order,
      asked: { ...asked, signal: anySignal(this.#given.signal, stop.signal) },
      stop,
      messages: this.#view.messages.slice(),
      plan: this.#session.plan(order.how),
      isEdited: false,
    };
    pending.answered = this.#ask(order, pending.asked);
    pending.answered.then(nothing, nothing).then(() => {
      pending.isDone = true;
    });
    this.#pending = pending;
    this.#course.waits(true);
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
    this.#course.waits(false);
    this.#course.resumes(...this.#seen, how.idle ?? UNKNOWN);
    const { length } = this.#view.changes;
    try {
      const other = portion && { session: portion, how: { force: true } };
      await this.#follow(await this.#finish(pending.answered, pending.order, pending.asked, other), pending.asked);
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
  #isOverWindow({ idle = UNKNOWN }) {
    return this.#course.isOverWindow(...this.#seen, idle);
  }

  /** Cancels the summary that a model writes while the agent goes on. */
  #drop() {
    const pending = this.#pending;
    if (pending === undefined) return;
    this.#pending = undefined;
    this.#course.waits(false);
    this.#course.cancelled();
    pending.stop.abort();
  }

  /** Carries the plan out with the summary that is answered. Returns what comes next. */
  async #finish(answer, order, asked, other = undefined) {
    let made;
    try {
      made = await this.#make(await keptAlive(answer), order, asked, other);
    } catch (thrown) {
      return this.#failed(thrown instanceof CallerError ? thrown.error : thrown, order, asked);
    }
    this.#course.accepted();
    await this.#takeOver(made, made);
    return 'send';
  }

  /** Goes on without the summary that was asked for. */
  async #failed(error, { cause }, asked) {
    const stopIfCancelled = () => {
      if (asked.signal?.aborted !== true) return;
      this.#course.cancelled();
      throw new CallerError(asked.signal.reason);
    };
    stopIfCancelled();
    this.#emit({ type: 'summary_failed', cause, error });
    try {
      await this.#hear('failed', { cause, error }, asked.signal);
    } catch (thrown) {
      stopIfCancelled();
      this.#course.failedForGood();
      throw thrown;
    }
    asked.error ??= error;
    return this.#course.failed(...this.#seen);
  }

  /** Asks for a summary, and a second time if the answer must not replace history. */
  #ask({ cause, how }, { focus, signal }) {
    return this.#summarizer.summary(this.#session, { how, focus, signal }, ({ plan: { retain } }, part, parts) => {
      const { messages, summarized: tokens } = retain;
      this.#emit({ type: 'summary_requested', cause, messages, tokens, part, parts });
    });
  }

  /** Carries the plan out, with a summary if there is one. */
  async #apply(answered, order, asked, other = undefined) {
    const made = await this.#make(answered, order, asked, other);
    await this.#takeOver(made, made);
  }

  /**
   * What the plan makes of the view, with a summary if there is one, which must make it smaller. `other`: another session of what is
   * sent, and how its plan is made, which is carried out instead.
   */
  async #make(
    { summary = undefined, handle = undefined, plan = undefined, isByRule = false, most = UNKNOWN },
    { cause, how },
    { signal },
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
    const why = largerSummary(before, after, most);
    if (why !== undefined) {
      this.#session.goesBackTo(this.#view.messages, memory);
      throw new EbblineError('larger_summary', why);
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
    try {
      if (this.#given.store !== undefined) await putOriginals(this.#given.store, this.#view, this.#stored, signal);
    } catch (error) {
      // What cannot be stored must not be changed.
      this.#view.undo();
      this.#view.undone = undone;
      this.#session.goesBackTo(this.#view.messages, memory);
      throw error;
    }
    const after = this.#course.committed(...this.#seen, cause, before, summarized > 0 && !isByRule);
    Object.assign(about, carries, { tokensBefore: before, tokensAfter: after });
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
// `Symbol.dispose` is missing in Node before 20.5 and in some browsers.
if (Symbol.dispose !== undefined) {
  Object.defineProperty(Compactor.prototype, Symbol.dispose, { value: Compactor.prototype.free, writable: true, configurable: true });
}

/** Keeps the session of an agent inside its context window: one compactor for each session. */
export const createCompactor = guarded(function createCompactor(options) {
  return new Compactor(checkedForCompactor(options));
});

/** What a plan is asked for with; what is not known is negative. */
function howOf(force, known, overhead, idle) {
  return {
    force: Boolean(force),
    ...(idle >= 0 && { idle }),
    ...(overhead >= 0 && { overhead }),
    ...(known > 0 && { knownTokens: known }),
  };
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

function nothing() {}
