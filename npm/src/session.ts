import { compactLive, deterministicOfLive, isFull, passedOf, requestOfLive, shortcomingsOfLive } from './api.js';
import { Ledger, planRecords } from './core.js';
import { UNKNOWN, decisionAt, pushWords } from './decision.js';
import { EbblineError } from './errors.js';
import { LOOKED_AT } from './formats/signs.js';
import { refuseForeign } from './formats/refuse.js';
import { looker } from './formats/table.js';
import { guardMembers, guarded } from './guard.js';
import { lengthOf, listOf } from './bounded-list.js';
import { formatShown } from './live-format.js';
import { nameCall } from './record-starts.js';
import { lazyPlan } from './lazy-plan.js';
import {
  checkedForApply,
  checkedForDecision,
  checkedForRequest,
  checkedForRestore,
  checkedForSession,
  copyOfPolicy,
  policyKnownBy,
  policyOf,
} from './options.js';
import { Recorder, Tools } from './recorder.js';
import { damaged, eachRecord, readSnapshot, writeSnapshot } from './snapshot.js';

/** Does what `apply` does, and also says where each message comes from: its index before, or -1. */
export let applied: (session: Session, options: object) => { done: any; sources: number[] };
/**
 * What the passes that come before the boundary do, where each message comes from, and how large the context is that they leave, if
 * its messages do not say so; `undefined` if they change nothing. The session goes on with it once `take` is called.
 */
export let passesOf: (
  session: Session,
  how: object,
) => { done: any; sources: number[]; knownTokens: number | undefined; take: () => void } | undefined;
/** the ledger of a session */
export let ledgerOf: (session: Session) => any;
/** how many turns begin in the messages */
export let turnsIn: (session: Session) => number;
/** keeps the outputs of these calls; the messages are read again */
export let sealed: (session: Session, seals: Set<string>) => void;
/** a summary without a model of what the plan summarizes */
export let deterministic: (session: Session, how: object) => string | undefined;
/** What a summary of what the plan of `how.messages`, those that it was asked for, summarizes lacks. */
export let shortcomings: (session: Session, how: object, summary: string, wanted: object) => any;
/**
 * A session of other messages under the same options, whose forced plan summarizes everything but the newest message and prunes nothing;
 * `set` holds knobs in which it is another one.
 */
export let portionOf: (session: Session, messages: unknown[], format?: string, set?: object) => Session;
/** replaces the messages by others, of which no request was answered yet */
export let goesOnWith: (session: Session, messages: unknown[]) => void;
/** usage that is reported after a change says from now on how large the context is */
export let heedsChanges: (session: Session) => void;
/** what a session remembers of the newest change of its context */
export let memoryOf: (session: Session) => any;
/** replaces the messages by earlier ones, with what was remembered of them */
export let goesBackTo: (session: Session, messages: unknown[], memory: any) => void;
/** Gives every summary a role, and introduces it with a sentence that no request for the next summary quotes. */
export let introduces: (session: Session, introduction: { text: string; role: string; answer: boolean }) => void;

/** A boundary in front of the newest message, wherever the policy would put it. */
const SUMMARIZES_ALL = {
  'prune.enabled': false,
  'prune.preview': 0,
  'trigger.measure': 'estimate',
  'retain.enabled': true,
  'retain.keep': 1,
  'retain.keepShare': null,
  'retain.keepFloor': 0,
  'retain.fill': 'at_least',
  'retain.turns': 0,
  'retain.snap': 'older',
  'retain.cut': 'anywhere',
  'retain.summarizeAllThatFits': false,
  'retain.forcedKeepsNothing': false,
  'retain.userWords': 0,
};

/**
 * A session that grows: known messages are neither walked nor copied to the engine again. It returns the same results as
 * `plan` and `compact` for the same messages. After `apply`, it also remembers what reported usage had said about the tokens
 * sent beside the messages: with that figure as their option `overhead`, `plan` and `compact` return the same again, unless it
 * fills the window, which they refuse where a caller says so.
 */
export class Session {
  #given;
  #policy;
  #ledger: Ledger | undefined;
  /** Where the engine writes its decisions. */
  #figures;
  /** How often messages were added or forgotten. */
  #changes = 0;
  /** The messages as they were given. */
  #messages = [];
  /** How many messages are missing at the beginning: those of a session that was restored without its messages. */
  #absent = 0;
  #format: import('./formats/table.js').Format | undefined;
  /** Which signs of the format each of the first messages shows, which the replaced ones showed, and which all show together. */
  #bits = [];
  #base = 0;
  #seen = 0;
  #tools = new Tools();
  /** How many tools, and how many messages, the ledger knows. */
  #toolsSent = 0;
  #sent = 0;
  /** without it, the messages must be walked from the beginning */
  #recorder: Recorder | undefined;
  /** Whether code of the caller (a getter, a proxy, a function) may be running: the session cannot be used meanwhile. */
  #isBusy = false;
  /** The last decision, and the options that it was made for. */
  #decision;
  #force = false;
  #known = 0;
  #overhead = UNKNOWN;
  #idle = UNKNOWN;
  /** What the ledger was told of the newest change: what was known of the overhead, and how many messages were left. */
  #memory;
  /** Whether usage that was reported since says how large the context is. Without its session, a plan of the messages does not know. */
  #heedsChanges = false;

  constructor(options: import('../types/index.js').SessionOptions) {
    const { given, policy, ledger } = opened(options);
    this.#given = given;
    this.#policy = policy;
    this.#ledger = ledger;
    this.#figures = ledger.figures;
  }

  /** The number of messages. */
  get length() {
    this.#begin();
    return this.#messages.length;
  }

  /** The format of the messages; `undefined` while there are none. */
  get format() {
    this.#begin();
    this.#catchUp();
    return this.#messages.length === 0 ? undefined : this.#format.name;
  }

  /** The messages, in a new array that the caller may change. */
  get messages() {
    this.#begin();
    this.#needAll();
    return this.#messages.slice();
  }

  /** Adds a message, or a list of messages. */
  push(messages) {
    return this.#busily(() => this.#change(this.#messages.length, Array.isArray(messages) ? listOf(messages) : [messages]));
  }

  /** Takes a whole list, and walks only new and different messages. */
  sync(messages) {
    return this.#busily(() => {
      if (!Array.isArray(messages)) throw new EbblineError('no_messages', 'a session is made of an array of messages');
      const kept = this.#keptOf(messages);
      return this.#change(kept, listOf(messages, kept));
    });
  }

  /** Forgets all messages after the first `length`. */
  truncate(length) {
    this.#begin();
    if (!Number.isSafeInteger(length) || length < 0) throw invalid('the length must be a whole number of 0 or more');
    if (length < this.#messages.length) this.#busily(() => this.#change(length, NOTHING));
  }

  /** What should be done, without details of single messages. */
  check(options) {
    // The options are read first, because their getters may use this session, too.
    const {
      force = this.#given.force,
      knownTokens: known = this.#given.knownTokens,
      overhead = this.#given.overhead ?? UNKNOWN,
      idle = UNKNOWN,
    } = options === undefined ? this.#given : checkedForDecision(options);
    this.#begin();
    const isSame = force === this.#force && known === this.#known && overhead === this.#overhead && idle === this.#idle;
    if (this.#decision !== undefined && isSame) return this.#decision;
    this.#catchUp();
    this.#ledger.decide(force, known, overhead, idle, this.#changedAt);
    this.#force = force;
    this.#known = known;
    this.#overhead = overhead;
    this.#idle = idle;
    this.#decision = this.#decisionOf(this.#passed({ force, knownTokens: known, overhead: this.#overheadFor(overhead), idle }));
    return this.#decision;
  }

  /** The whole plan. */
  plan(options) {
    const {
      force = this.#given.force,
      knownTokens = this.#given.knownTokens,
      overhead = this.#given.overhead ?? UNKNOWN,
      idle = UNKNOWN,
    } = checkedForDecision(options);
    this.#begin();
    this.#catchUp();
    const asked = [force, knownTokens, this.#overheadFor(overhead), idle, this.#changedAt];
    this.#ledger.decide(...asked);
    const found = this.#passed({ force, knownTokens, overhead: asked[2], idle });
    if (found !== undefined) return found.plan;
    const { key, profile } = this.#policy;
    const { names } = this.#tools;
    const records = this.#recorder?.records.slice() ?? NO_WORDS;
    const changes = this.#changes;
    // As long as the session does not change, the ledger has the sums that the plan needs.
    const makePlan = () =>
      changes === this.#changes && this.#ledger !== undefined
        ? this.#ledger.plan(...asked)
        : planRecords(records, names, policyKnownBy(key).handle, ...asked);
    return lazyPlan(decisionAt(this.#ledger.figures, profile), makePlan);
  }

  /** What the policy's passes do, if they come before what the ledger has just decided. */
  #passed(asked) {
    const isDue = this.#policy.takesPasses && (asked.force || isFull(decisionAt(this.#figures, this.#policy.profile)));
    if (!isDue || this.#absent > 0 || this.#messages.length === 0) return undefined;
    const given = { ...this.#given, ...asked, changedAt: this.#changedAt };
    return this.#busily(() => passedOf(this.#messages, this.#format, given, policyOf(given)));
  }

  #decisionOf(found) {
    const { messages: _, ...decision } = found?.plan ?? decisionAt(this.#figures, this.#policy.profile);
    return decision;
  }

  /** What the passes would do, and how to go on with what they leave; `undefined` if they change nothing. */
  #pass(how) {
    this.check(how);
    const { overhead: known = this.#given.overhead ?? UNKNOWN, ...asked } = checkedForApply(how);
    this.#needAll();
    const found = this.#passed({ ...asked, force: asked.force ?? false, overhead: this.#overheadFor(known) });
    if (found === undefined) return undefined;
    const { messages, plan, known: knownTokens, outputs } = found;
    const done = { messages, plan, applied: { pruned: outputs, summarized: 0 } };
    return { done, sources: [...messages.keys()], knownTokens, take: () => this.#busily(() => this.#goOnWith(messages, true)) };
  }

  /** Goes on with other messages; `isOther` says whether the model gets another context now. */
  #goOnWith(messages, isOther) {
    const kept = firstDifference(this.#messages, messages);
    // What the provider reported until now was of the context before.
    if (isOther) this.#memory = { overhead: this.#ledger.changesTo(messages.length), length: messages.length };
    this.#change(kept, messages.slice(kept));
  }

  /** The request for a summary of what the plan summarizes, as `summaryRequest` makes it; `undefined` if it summarizes nothing. */
  summaryRequest(options) {
    return this.#ask(checkedForRequest(options), requestOfLive);
  }

  /** Asks something about the messages and the plan of them. */
  #ask({ overhead: known = this.#given.overhead ?? UNKNOWN, messages = this.#messages, ...how }, ask, ...more) {
    this.#begin();
    this.#catchUp();
    this.#needAll();
    const given = { ...this.#given, ...how, overhead: this.#overheadFor(known), changedAt: this.#changedAt };
    const format = this.#formatForChanges(given);
    return this.#busily(() => ask(messages, format, given, policyOf(given), ...more));
  }

  /** Carries the plan out, as `compact` does. The session continues with the resulting messages. */
  apply(options) {
    return this.#applied(options).done;
  }

  #applied(options) {
    const { overhead: known = this.#given.overhead ?? UNKNOWN, ...how } = checkedForApply(options);
    this.#begin();
    this.#catchUp();
    this.#needAll();
    const overhead = this.#overheadFor(known);
    const given = { ...this.#given, ...how, overhead, changedAt: this.#changedAt };
    const format = this.#formatForChanges(given);
    return this.#busily(() => {
      const { done, sources } = compactLive(this.#messages, format, given, policyOf(given));
      // The messages that showed the format may be gone now, but it is the same session.
      this.#base = this.#shown();
      const isOther = done.applied.pruned + done.applied.summarized > 0;
      this.#goOnWith(done.messages, isOther);
      return { done, sources };
    });
  }

  /** The state of the session without its messages, as bytes that can be stored and restored elsewhere. */
  snapshot() {
    this.#begin();
    this.#catchUp();
    const { countTokens, ...given } = this.#given;
    const recorder = this.#recorder;
    const header = {
      given,
      isCounted: countTokens !== undefined,
      format: this.#messages.length === 0 ? undefined : this.#format.name,
      length: this.#messages.length,
      base: this.#base,
      bits: this.#bits,
      tools: this.#tools.names,
      ids: recorder?.starts?.ids ?? [],
      state: recorder?.state,
      told: recorder?.told,
      memory: this.#memory,
    };
    return writeSnapshot(header, recorder?.records ?? NO_WORDS);
  }

  /**
   * Restores a session from a snapshot. The messages must be those of the stored session; without them, the session can only
   * decide and accept new messages.
   */
  static restore(bytes, messages, options) {
    const { countTokens } = checkedForRestore(options);
    const { header, records } = readSnapshot(bytes);
    if (header.isCounted !== (countTokens !== undefined)) {
      const counts = header.isCounted ? 'counts tokens by a function: restore it with that countTokens' : 'counts no tokens by a function';
      throw invalid(`the session ${counts}`);
    }
    const given = Array.isArray(messages) ? listOf(messages) : undefined;
    if (messages !== undefined && given?.length !== header.length) {
      throw new EbblineError('mismatch', `the snapshot is of a session of ${header.length} messages: pass these, or none`);
    }
    const session = new Session({ ...header.given, ...(countTokens && { countTokens }) });
    try {
      session.#restore(header, records);
      if (messages === undefined) return session;
      if (session.#given.verify === 'all') session.sync(given);
      else session.#messages = given;
      session.#absent = 0;
      return session;
    } catch (error) {
      session.free();
      throw error;
    }
  }

  #restore(header, records) {
    const { format, length, base, bits, tools, ids, state, told, memory } = header;
    if (bits.length !== Math.min(length, LOOKED_AT)) throw damaged('bits');
    this.#base = base;
    if (memory !== undefined) this.#ledger.recall(memory.overhead, memory.length);
    this.#memory = memory;
    if (length === 0) {
      if (records.length > 0 || tools.length > 0 || ids.length > 0 || state !== undefined || told !== undefined)
        throw damaged('its records');
      return;
    }
    if (this.#given.format !== undefined && this.#given.format !== format) throw damaged('format');
    this.#format = formatShown(NOTHING, 0, format).format;
    const isSound = this.#format.isState === undefined ? state === undefined : this.#format.isState(state, length);
    if (!isSound) throw damaged('state');
    this.#tools.names.push(...tools);
    tools.forEach((name, at) => this.#tools.numbers.set(name, at + 1));
    const recorder = new Recorder(this.#policy, false, this.#tools, this.#given.countTokens);
    recorder.keep(records.slice());
    recorder.state = state;
    eachRecord(
      recorder.words,
      header,
      (at) => {
        recorder.used = at;
        recorder.starts?.begin(recorder);
        recorder.messages += 1;
      },
      (at) => {
        const { calls } = recorder;
        while (calls.count < recorder.words[at + 5]) calls.add(ids[calls.count]);
        nameCall(recorder.words, at, calls.tools);
      },
    );
    if (recorder.calls.count !== ids.length) throw damaged('ids');
    if (recorder.starts !== undefined) recorder.starts.ids = ids;
    recorder.used = recorder.words.length;
    if (told !== undefined) recorder.recallTold(told);
    this.#messages = new Array(length).fill(undefined);
    this.#absent = length;
    this.#bits = bits;
    this.#seen = this.#shown();
    this.#recorder = recorder;
    this.#send(0);
  }

  /** Releases the engine's memory. The session cannot be used afterwards. */
  free() {
    if (this.#isBusy) throw busy();
    this.#ledger?.free();
    this.#ledger = undefined;
    this.#messages = [];
    this.#recorder = undefined;
    this.#decision = undefined;
  }

  static {
    applied = (session, options) => session.#applied(options);
    passesOf = (session, how) => session.#pass(how);
    ledgerOf = (session) => session.#ledger;
    sealed = (session, seals) => session.#seal(seals);
    turnsIn = (session) => session.#turns();
    deterministic = (session, how) => session.#ask(how, deterministicOfLive);
    portionOf = (session, ...given) => session.#portion(...given);
    goesOnWith = (session, messages) => session.#busily(() => session.#goOnWith(messages, true));
    heedsChanges = (session) => {
      session.#heedsChanges = true;
    };
    memoryOf = (session) => session.#memory;
    goesBackTo = (session, messages, memory) => {
      session.#busily(() => session.#goOnWith(messages, false));
      session.#memory = memory;
      session.#ledger.recall(memory?.overhead ?? UNKNOWN, memory?.length ?? NEVER);
    };
    introduces = (session, { text: introduction, role, answer }) => {
      session.#given = { ...session.#given, introduction, role, answer };
    };
    shortcomings = (session, how, summary, wanted) => session.#ask(how, shortcomingsOfLive, summary, wanted);
  }

  #portion(messages, format = this.format, other = {}) {
    const { profile, policy, model, set, countTokens, introduction, role, answer } = this.#given;
    const portion = new Session({ profile, policy, model, set: { ...set, ...SUMMARIZES_ALL, ...other }, countTokens, format });
    try {
      if (introduction !== undefined) introduces(portion, { text: introduction, role, answer });
      portion.push(messages);
      return portion;
    } catch (error) {
      portion.free();
      throw error;
    }
  }

  #turns() {
    this.#begin();
    this.#catchUp();
    return this.#recorder?.turns ?? 0;
  }

  #seal(seals) {
    this.#begin();
    this.#given = { ...this.#given, seals };
    this.#decision = undefined;
    this.#changes += 1;
    this.#recorder = undefined;
    this.#catchUp();
  }

  #begin() {
    if (this.#ledger === undefined) throw new EbblineError('freed', 'the session was freed');
    if (this.#isBusy) throw busy();
  }

  /** Runs code that reads messages; meanwhile the session cannot be used otherwise. */
  #busily(work) {
    this.#begin();
    this.#isBusy = true;
    try {
      return work();
    } finally {
      this.#isBusy = false;
    }
  }

  /** The tokens sent beside the messages: as given, or as the ledger remembers them. */
  #overheadFor(overhead) {
    return overhead === UNKNOWN && this.#memory !== undefined ? this.#ledger.knownOverhead() : overhead;
  }

  /** How many messages the newest change left, if usage since then says how large the context is. */
  get #changedAt() {
    return this.#heedsChanges && this.#memory !== undefined ? this.#memory.length : UNKNOWN;
  }

  #formatForChanges(given) {
    return this.#format ?? formatShown(NOTHING, 0, given.format).format;
  }

  #needAll() {
    if (this.#absent > 0) throw absence();
  }

  /** How many of the known messages are also the first ones of `messages`. */
  #keptOf(messages) {
    const known = this.#messages;
    const last = known.length - 1;
    const isTrusted = this.#given.verify !== 'all' && this.#absent === 0 && lengthOf(messages) > last;
    return isTrusted && (last < 0 || messages[last] === known[last]) ? known.length : firstDifference(known, messages);
  }

  /** Keeps the first `kept` messages and appends `added`. Returns the new number of messages. */
  #change(kept, added) {
    const messages = this.#messages;
    const known = messages.length;
    const gone = kept < known ? messages.splice(kept) : NOTHING;
    for (const message of added) messages.push(message);
    if (gone.length === 0 && messages.length === known) return known;
    this.#decision = undefined;
    this.#changes += 1;
    const saved = this.#absent > 0 ? this.#saved() : undefined;
    try {
      this.#walk(kept, known);
      this.#absent = Math.min(this.#absent, kept);
    } catch (error) {
      messages.length = kept;
      for (const message of gone) messages.push(message);
      this.#bits.length = Math.min(this.#bits.length, kept);
      this.#recorder = saved?.(known);
      throw error;
    }
    return messages.length;
  }

  /** What restores the recorder's state for messages that are absent and therefore cannot be walked again. */
  #saved() {
    const [recorder, format, seen] = [this.#recorder, this.#format, this.#seen];
    const state = structuredClone(recorder?.state);
    return (known) => {
      if (recorder === undefined || recorder.messages < known) return undefined;
      [this.#format, this.#seen] = [format, seen];
      recorder.truncate(known);
      recorder.state = state;
      return recorder;
    };
  }

  /** Repeats a walk that did not reach its end. */
  #catchUp() {
    if (this.#recorder !== undefined || this.#messages.length === 0) return;
    this.#busily(() => {
      try {
        this.#walk(this.#messages.length, 0);
      } catch (error) {
        this.#recorder = undefined;
        throw error;
      }
    });
  }

  #walk(kept, known) {
    const messages = this.#messages;
    const absent = Math.min(this.#absent, kept);
    if (this.#recorder === undefined && absent > 0) throw absence();
    const format = this.#formatFor(kept);
    const isNew = this.#recorder === undefined || format !== this.#format;
    // Each message is looked at once, wherever it stands.
    if (this.#given.format === undefined) refuseForeign(messages, format, isNew ? absent : kept);
    let from = 0;
    if (isNew) {
      if (absent > 0) throw absence();
      this.#format = format;
      this.#recorder = new Recorder(this.#policy, false, this.#tools, this.#given.countTokens);
      this.#recorder.seals = this.#given.seals;
      this.#recorder.keep();
    } else if (known > 0) {
      from = format.changedFrom?.(messages, kept, known, this.#recorder.state) ?? kept;
    }
    from = this.#recorder.firstConcerned(from);
    if (from < absent) throw absence();
    const recorder = this.#recorder;
    const before = from < recorder.messages ? recorder.from(from) : undefined;
    recorder.truncate(from);
    format.walk(messages, recorder, from);
    this.#send(recorder.sameAs(before, from));
  }

  /** Updates the ledger, which knows the records of at most the first `same` messages, to the state of the recorder. */
  #send(same) {
    const ledger = this.#ledger;
    const recorder = this.#recorder;
    const first = Math.min(same, this.#sent);
    if (first < this.#sent) ledger.truncate(first);
    this.#sent = first;
    const { names } = this.#tools;
    for (; this.#toolsSent < names.length; this.#toolsSent += 1) ledger.tool(names[this.#toolsSent]);
    if (first < recorder.messages) pushWords(ledger, recorder.words, recorder.start(first), recorder.used);
    this.#sent = recorder.messages;
  }

  #shown() {
    return this.#bits.reduce((seen, bits) => seen | bits, this.#base);
  }

  /** The format of the messages; the first `kept` of them were there before. */
  #formatFor(kept) {
    const messages = this.#messages;
    const bits = this.#bits;
    const end = Math.min(messages.length, LOOKED_AT);
    const isCut = kept < bits.length || bits.length === 0 || this.#recorder === undefined;
    if (!isCut && bits.length >= end) return this.#format;
    let seen = this.#seen;
    if (isCut) {
      bits.length = Math.min(bits.length, kept);
      seen = this.#shown();
    }
    for (let at = bits.length; at < end; at += 1) {
      bits.push(looker.at(messages[at]));
      seen |= bits[at];
    }
    if (!isCut && seen === this.#seen) return this.#format;
    this.#seen = seen;
    return formatShown(messages, seen, this.#given.format).format;
  }
}

guardMembers(Session.prototype);
Session.restore = guarded(Session.restore);

if (Symbol.dispose !== undefined) {
  Object.defineProperty(Session.prototype, Symbol.dispose, {
    value: Session.prototype.free,
    configurable: true,
    writable: true,
  });
}

const NOTHING = Object.freeze([]);
/** The length that no list of messages reaches: without a change, no usage is known to be newer than one. */
const NEVER = 0xffff_ffff;
const NO_WORDS = new Uint32Array();

/** The components of a session: the options, a policy, and a ledger under it. */
const opened = guarded((options) => {
  const { format, force = false, knownTokens = 0, overhead, verify = 'last', conversation = 0, ...rest } = checkedForSession(options);
  if (conversation > 0) throw invalid(`there is no conversation ${conversation}: a session is a single one, number 0`);
  if (format !== undefined) formatShown(NOTHING, 0, format);
  const own = copyOfPolicy(rest);
  const policy = policyOf(own);
  return {
    given: { ...own, format, force, knownTokens, verify, ...(overhead !== undefined && { overhead }) },
    policy,
    ledger: new Ledger(policy.handle),
  };
});

function busy() {
  return new EbblineError('busy', 'the session is reading messages: what a getter, a proxy or `countTokens` runs cannot use it');
}

function absence() {
  return new EbblineError('mismatch', 'this concerns messages that the session was restored without: restore it with them');
}

/** The index of the first message that differs. */
function firstDifference(known, messages) {
  const shorter = Math.min(known.length, messages.length);
  let at = 0;
  while (at < shorter && known[at] === messages[at]) at += 1;
  return at;
}

function invalid(message) {
  return new EbblineError('invalid_option', message);
}
