import { compact } from './api.js';
import { Ledger } from './core.js';
import { decisionAt } from './decision.js';
import { EbblineError } from './errors.js';
import { LOOKED_AT, look, walkerShown } from './live.js';
import { Marks } from './marks.js';
import { checkedForApply, checkedForDecision, checkedForSession, copyOfPolicy, policyOf } from './options.js';
import { Recorder, Tools } from './records.js';

/**
 * A session that grows: what is known of it already is neither walked nor sent into the engine again. What it answers is
 * what `plan` and `compact` answer about the same messages.
 */
export class Session {
  #given;
  #policy;
  /** @type {Ledger | undefined} */
  #ledger;
  /** The messages as they were given. */
  #messages = [];
  /** @type {import('./live.js').Walker | undefined} */
  #walker;
  /** What the messages that were looked at show of their format, and how many those are. */
  #seen = 0;
  #looked = 0;
  #isCertain = false;
  #tools = new Tools();
  /** How many of the tools, and of the messages, the ledger knows. */
  #toolsSent = 0;
  #sent = 0;
  /** @type {Recorder | undefined} without one, the messages have to be walked from the beginning */
  #recorder;
  #isWalking = false;
  /** What was decided last, and what for. */
  #decision;
  #force = false;
  #known = 0;

  /** @param {import('../types/index.js').SessionOptions} [options] */
  constructor(options) {
    const { format, force = false, knownTokens = 0, verify = 'last', conversation = 0, ...rest } = checkedForSession(options);
    if (conversation > 0) throw invalid(`there is no conversation ${conversation}: a session is a single one, number 0`);
    this.#policy = policyOf(rest);
    this.#given = { ...copyOfPolicy(rest), format, force, knownTokens, verify };
    if (format !== undefined) walkerShown(NOTHING, 0, format);
    this.#ledger = new Ledger(this.#policy.handle);
  }

  /** How many messages there are. */
  get length() {
    this.#open();
    return this.#messages.length;
  }

  /** The format of the messages; `undefined` while there are none. */
  get format() {
    this.#open();
    this.#catchUp();
    return this.#messages.length === 0 ? undefined : this.#walker.format;
  }

  /** The messages, in an array of the caller's own. */
  get messages() {
    this.#open();
    return this.#messages.slice();
  }

  /** Adds a message, or a list of them. */
  push(messages) {
    this.#begin();
    const known = this.#messages.length;
    if (Array.isArray(messages)) this.#change(known, messages, 0);
    else this.#change(known, [messages], 0);
    return this.#messages.length;
  }

  /** Takes over a whole list, of which only what is new or another is walked. */
  sync(messages) {
    this.#begin();
    if (!Array.isArray(messages)) throw new EbblineError('no_messages', 'a session is made of an array of messages');
    const kept = this.#keptOf(messages);
    this.#change(kept, messages, kept);
    return this.#messages.length;
  }

  /** Forgets all but the first `length` messages. */
  truncate(length) {
    this.#begin();
    if (!Number.isSafeInteger(length) || length < 0) throw invalid('the length must be a whole number of 0 or more');
    if (length < this.#messages.length) this.#change(length, NOTHING, 0);
  }

  /** What is to be done, without a word on single messages. */
  check(options) {
    this.#open();
    const force = options?.force ?? this.#given.force;
    const known = options?.knownTokens ?? this.#given.knownTokens;
    const isSame = this.#decision !== undefined && force === this.#force && known === this.#known;
    if (isSame && options === undefined) return this.#decision;
    checkedForDecision(options);
    if (isSame) return this.#decision;
    this.#catchUp();
    this.#ledger.decide(force, known);
    this.#force = force;
    this.#known = known;
    this.#decision = frozen(decisionAt(this.#ledger.figures, this.#policy.profile));
    return this.#decision;
  }

  /** The whole plan. */
  plan(options) {
    this.#open();
    const { force = this.#given.force, knownTokens = this.#given.knownTokens } = checkedForDecision(options);
    this.#catchUp();
    return JSON.parse(this.#ledger.plan(force, knownTokens));
  }

  /** Carries the plan out: what `compact` gives. The session goes on with the messages that are left. */
  apply(options) {
    this.#begin();
    const { force = this.#given.force, knownTokens = this.#given.knownTokens, ...how } = checkedForApply(options);
    this.#catchUp();
    const { verify, ...given } = this.#given;
    const done = compact(this.#messages, { ...given, force, knownTokens, ...how });
    // What showed the format may be gone now, but it is the same session.
    if (this.#isCertain) this.#given.format ??= this.#walker.format;
    this.#change(firstDifference(this.#messages, done.messages), done.messages);
    return done;
  }

  /** Gives back the engine's memory. The session cannot be used any more. */
  free() {
    this.#ledger?.free();
    this.#ledger = undefined;
    this.#messages = [];
    this.#recorder = undefined;
    this.#decision = undefined;
  }

  #open() {
    if (this.#ledger === undefined) throw new EbblineError('freed', 'the session was freed');
  }

  #begin() {
    this.#open();
    if (this.#isWalking) throw new EbblineError('mismatch', 'a getter of a message changes the session that it is pushed to');
  }

  /** How many of the known messages are the first of `messages`. */
  #keptOf(messages) {
    const known = this.#messages;
    const last = known.length - 1;
    const isTrusted = this.#given.verify !== 'all' && messages.length > last;
    return isTrusted && (last < 0 || messages[last] === known[last]) ? known.length : firstDifference(known, messages);
  }

  /** The first `kept` messages are followed by those of `list` from `from` on. */
  #change(kept, list, from = kept) {
    const messages = this.#messages;
    const known = messages.length;
    const gone = kept < known ? messages.splice(kept) : NOTHING;
    for (let at = from; at < list.length; at += 1) messages.push(list[at]);
    if (gone.length === 0 && messages.length === known) return;
    this.#decision = undefined;
    this.#isWalking = true;
    try {
      this.#walk(kept, known);
    } catch (error) {
      messages.length = kept;
      for (const message of gone) messages.push(message);
      this.#recorder = undefined;
      throw error;
    } finally {
      this.#isWalking = false;
    }
  }

  /** Walks again what was not walked to its end. */
  #catchUp() {
    if (this.#recorder !== undefined || this.#messages.length === 0) return;
    this.#begin();
    this.#isWalking = true;
    try {
      this.#walk(0, 0);
    } catch (error) {
      this.#recorder = undefined;
      throw error;
    } finally {
      this.#isWalking = false;
    }
  }

  #walk(kept, known) {
    const messages = this.#messages;
    const walker = this.#walkerFor(kept);
    let from = 0;
    if (this.#recorder === undefined || walker !== this.#walker) {
      this.#walker = walker;
      this.#recorder = new Recorder(this.#policy, false, this.#tools, this.#given.countTokens);
      this.#recorder.marks = new Marks();
    } else if (known > 0) {
      from = walker.changedFrom?.(messages, kept, known, this.#recorder.state) ?? kept;
    }
    const recorder = this.#recorder;
    const before = from < recorder.messages ? recorder.from(from) : undefined;
    recorder.truncate(from);
    walker.walk(messages, recorder, from);
    this.#send(recorder.sameAs(before, from));
  }

  /** Brings the ledger, which knows the records of the first `same` messages at most, to where the recorder is. */
  #send(same) {
    const ledger = this.#ledger;
    const recorder = this.#recorder;
    const first = Math.min(same, this.#sent);
    if (first < this.#sent) ledger.truncate(first);
    this.#sent = first;
    const { names } = this.#tools;
    for (; this.#toolsSent < names.length; this.#toolsSent += 1) ledger.tool(names[this.#toolsSent]);
    if (first < recorder.messages) ledger.push(recorder.words.subarray(recorder.start(first), recorder.used));
    this.#sent = recorder.messages;
  }

  /** The walker for the messages, of which the first `kept` were there before. */
  #walkerFor(kept) {
    const messages = this.#messages;
    const { length } = messages;
    if (this.#recorder === undefined || kept < this.#looked) {
      this.#seen = look(messages, 0, length);
    } else {
      if (kept >= LOOKED_AT) return this.#walker;
      const seen = this.#seen | look(messages, kept, length);
      if (seen === this.#seen && this.#looked > 0) {
        this.#looked = Math.min(length, LOOKED_AT);
        return this.#walker;
      }
      this.#seen = seen;
    }
    this.#looked = Math.min(length, LOOKED_AT);
    const { walker, certain } = walkerShown(messages, this.#seen, this.#given.format);
    this.#isCertain = certain;
    return walker;
  }
}

if (Symbol.dispose !== undefined) {
  Object.defineProperty(Session.prototype, Symbol.dispose, {
    value: Session.prototype.free,
    configurable: true,
    writable: true,
  });
}

const NOTHING = Object.freeze([]);

/** The place of the first message that is another one. */
function firstDifference(known, messages) {
  const shorter = Math.min(known.length, messages.length);
  let at = 0;
  while (at < shorter && known[at] === messages[at]) at += 1;
  return at;
}

function frozen(decision) {
  const { prune } = decision;
  if (prune.boundary !== null) Object.freeze(prune.boundary);
  Object.freeze(decision.trigger);
  Object.freeze(prune);
  Object.freeze(decision.retain);
  return Object.freeze(decision);
}

function invalid(message) {
  return new EbblineError('invalid_option', message);
}
