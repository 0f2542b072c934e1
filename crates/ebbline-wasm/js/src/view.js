import { MADE } from './apply.js';
import { sameUntil } from './same.js';

/**
 * What is sent instead of a log that only grows. It remembers what was changed by the messages that it concerns, so that a caller
 * who keeps nothing gets the same view again.
 *
 * @typedef {{ replaced: Map<number, { before: unknown, after: unknown }>, whole?: Whole, about: any }} Change outputs that were
 *   cleared, by the index of their message in the log; what a summary changed; and what is to be known about it
 * @typedef {{ before: Sent, after: Sent, until: number }} Whole the view before and after, of the first `until` messages of the log
 * @typedef {{ messages: unknown[], origins: number[] }} Sent
 */
export class View {
  /** The caller's messages. */
  log = [];
  /** What is sent, and the index in the log of each message. */
  messages = [];
  #origins = [];
  /** @type {Change[]} the changes, oldest first */
  changes = [];
  /** @type {Change[]} those that were taken back, newest last */
  undone = [];
  /** Whether the history that was taken last is the log, and not a view. */
  #isLog = true;
  /** @type {Sent} the view that the caller may still have: as it was before the newest decision, or before changes were taken back */
  #taken = { messages: this.messages, origins: this.#origins };
  /** Whether changes were taken back, or made again, since the caller was given a view. */
  #isTurned = false;

  /** The index in the log of each message that is sent; -1 for a summary. */
  get origins() {
    return this.#origins;
  }

  /** Whether the history that was taken last is what is sent: the log, and nothing in it was changed. */
  get isAsGiven() {
    return this.#isLog && !this.isChanged;
  }

  /** Whether something in the log is not sent as it is. */
  get isChanged() {
    return this.changes.length > 0;
  }

  /**
   * Takes the caller's history: the log with new messages, or the view, also as it was before the newest change, with new messages.
   * An edit drops what it concerns.
   *
   * @param {readonly unknown[]} history
   * @param {number} length how many messages it has
   * @returns {{ added: number, edited: boolean, kept: number, known: number }} how many messages are new, whether known ones were changed
   *   or are gone, and how many of those that were known are left
   */
  take(history, length) {
    this.#isLog = true;
    const known = this.log.length;
    const taken = this.#compared(history, length);
    this.#taken = { messages: this.messages, origins: this.#origins };
    this.#isTurned = false;
    return { ...taken, known, kept: this.log.length - taken.added };
  }

  #compared(history, length) {
    const rest = (from) => {
      const added = [];
      for (let at = from; at < length; at += 1) added.push(history[at]);
      return added;
    };
    const known = sameUntil(this.log, history, length);
    if (known === this.log.length) return this.#add(rest(known), false);
    const sent = this.isChanged ? sameUntil(this.messages, history, length) : 0;
    this.#isLog = false;
    if (sent === this.messages.length && sent > 0) return this.#add(rest(sent), false);
    const { messages } = this.#taken;
    if (messages.length > 0 && sameUntil(messages, history, length) === messages.length) return this.#add(rest(messages.length), false);
    if (this.#isOfView(sent)) {
      const next = this.#origins.findIndex((origin, at) => at >= sent && origin !== MADE);
      const added = rest(sent);
      this.#cut(next === -1 ? this.log.length : this.#origins[next]);
      return this.#add(added, true);
    }
    this.#isLog = true;
    const added = rest(known);
    this.#cut(known);
    return this.#add(added, true);
  }

  /** Whether the first `count` messages of a history can only come from a view. */
  #isOfView(count) {
    for (let at = 0; at < count; at += 1) {
      const origin = this.#origins[at];
      if (origin === MADE || this.messages[at] !== this.log[origin]) return true;
    }
    return false;
  }

  #add(added, edited) {
    for (const message of added) {
      this.#origins.push(this.log.length);
      this.log.push(message);
      this.messages.push(message);
    }
    return { added: added.length, edited };
  }

  /**
   * Takes a compaction over.
   *
   * @param {unknown[]} messages the new view
   * @param {number[]} sources for each of its messages, which of the old view it was; -1: none
   * @param {object} about what is to be known about it
   * @param {number} until how many messages of the log it is about
   */
  change(messages, sources, about, until = this.log.length) {
    const origins = sources.map((source) => (source === MADE ? MADE : this.#origins[source]));
    /** @type {Change} */
    const change = { replaced: new Map(), about };
    sources.forEach((source, at) => {
      if (source === MADE || messages[at] === this.messages[source] || origins[at] === MADE) return;
      change.replaced.set(origins[at], { before: this.messages[source], after: messages[at] });
    });
    const isWhole = messages.length !== this.messages.length || sources.some((source, at) => source !== at);
    if (isWhole) {
      const isLater = (origin) => origin >= until;
      const before = without({ messages: this.messages, origins: this.#origins }, isLater);
      change.whole = { before, after: without({ messages, origins }, isLater), until };
    }
    this.messages = messages;
    this.#origins = origins;
    this.changes.push(change);
    this.undone = [];
  }

  /** Takes the newest change back. Returns whether there was one. */
  undo() {
    return this.#move(this.changes, this.undone, 'before');
  }

  /** Makes the change again that was taken back last. Returns whether there was one. */
  redo() {
    return this.#move(this.undone, this.changes, 'after');
  }

  /** Turns the newest change of one list, and moves it to the other. */
  #move(from, to, side) {
    const change = from.pop();
    if (change === undefined) return false;
    // Of several turns, the caller has seen none but the view before the first.
    if (!this.#isTurned) this.#taken = { messages: this.messages, origins: this.#origins };
    this.#isTurned = true;
    this.#turn(change, side);
    to.push(change);
    return true;
  }

  /**
   * @param {Change} change
   * @param {'before' | 'after'} side
   */
  #turn({ replaced, whole }, side) {
    if (whole !== undefined) {
      const { messages, origins } = whole[side];
      const since = this.#origins.findIndex((origin) => origin >= whole.until);
      const newer = since === -1 ? this.messages.length : since;
      this.messages = [...messages, ...this.messages.slice(newer)];
      this.#origins = [...origins, ...this.#origins.slice(newer)];
      return;
    }
    this.messages = this.messages.map((message, at) => replaced.get(this.#origins[at])?.[side] ?? message);
  }

  /** Forgets the messages of the log from `length` on, and what was decided about them. */
  #cut(length) {
    this.log.length = length;
    this.undone = [];
    const isGone = (origin) => origin >= length;
    const first = this.changes.findIndex(({ whole }) => whole !== undefined && summarised(whole).some(isGone));
    while (first !== -1 && this.changes.length > first) this.#turn(/** @type {Change} */ (this.changes.pop()), 'before');
    for (const { replaced, whole } of this.changes) {
      for (const origin of replaced.keys()) if (isGone(origin)) replaced.delete(origin);
      if (whole === undefined) continue;
      whole.before = without(whole.before, isGone);
      whole.after = without(whole.after, isGone);
      whole.until = Math.min(whole.until, length);
    }
    const left = without({ messages: this.messages, origins: this.#origins }, isGone);
    this.messages = left.messages;
    this.#origins = left.origins;
    this.dropAtEnd();
  }

  /** Drops summaries at the end: after a rewind, what the model is to answer must not be inside one. */
  dropAtEnd() {
    while (this.isChanged && this.#origins.at(-1) === MADE) this.#turn(/** @type {Change} */ (this.changes.pop()), 'before');
  }
}

/** The messages of the log that a summary replaced. */
function summarised({ before, after }) {
  const left = new Set(after.origins);
  return before.origins.filter((origin) => origin !== MADE && !left.has(origin));
}

/** @returns {Sent} */
function without({ messages, origins }, isGone) {
  const stays = origins.map((origin) => !isGone(origin));
  return { messages: messages.filter((_, at) => stays[at]), origins: origins.filter((_, at) => stays[at]) };
}
