import type { CompactionCause } from './compaction.js';
import { MADE } from './apply.js';
import { ReferencePlaces } from './reference-places.js';
import { dressed } from './metadata.js';
import { seenOf } from './equality.js';
import { Steps } from './steps.js';

/** What is to be known about a compaction. */
export interface About {
  /** When it was made, in milliseconds since 1970. */
  at: number;
  cause: CompactionCause;
  profile: string;
  pruned: number;
  summarized: number;
  orders?: number;
  pins?: number;
  byRule?: boolean;
  tokensBefore?: number;
  tokensAfter?: number;
}

/** What is sent, and the index in the log of each message; in a change, `undefined` stands for a message as the log has it. */
interface Sent {
  messages: unknown[];
  origins: number[];
}

/** A change: outputs that were cleared, by the index of their message in the log, and what a summary changed. */
export interface Change {
  replaced: Map<number, { before: unknown; after: unknown }>;
  /** The view before and after, of the first `until` messages of the log. */
  whole?: Whole;
  about: About;
}

export interface Whole {
  before: Sent;
  after: Sent;
  until: number;
}

/** What came of a history: how many messages are new, whether known ones were changed or are gone, whether known ones are other objects now. */
export interface Taken {
  added: number;
  edited: boolean;
  renewed: boolean;
  /** How many of those that were known are left. */
  kept: number;
  known: number;
}

/**
 * What is sent instead of a log that only grows. It remembers what was changed by the messages that it concerns, so that a caller
 * who keeps nothing gets the same view again.
 */
export class View {
  /** The caller's messages. */
  log: unknown[] = [];
  /** What is sent, and the index in the log of each message. */
  messages: unknown[] = [];
  #origins: number[] = [];
  /** the changes, oldest first */
  changes: Change[] = [];
  /** those that were taken back, newest last */
  undone: Change[] = [];
  /** Whether the history that was taken last is the log, and not a view. */
  #isLog = true;
  /** What was ever sent instead of messages of the log: the caller may have any view that was given. */
  #steps = new Steps();
  /** Which outputs the references in it lead to. */
  #places = new ReferencePlaces();

  /** The index in the log of each message that is sent; -1 for a summary. */
  get origins() {
    return this.#origins;
  }

  /** The place in the log of the output that a reference leads to; `undefined` if it is none that was given. */
  placeOf(letters: string) {
    return this.#places.placeOf(letters);
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
   * Takes the caller's history: the log with new messages, or any view that was given, with new messages. An edit drops what it
   * concerns; what no model sees is taken as the history has it, and so is a system prompt in front.
   *
   * @param length how many messages it has
   */
  take(history: readonly unknown[], length: number): Taken {
    const known = this.log.length;
    const { at, end, renewed, given } = this.#steps.followed(this.log, history, length);
    this.#isLog = given.size === 0;
    const added: unknown[] = [];
    for (let next = at; next < length; next += 1) added.push(history[next]);
    const edited = end < known;
    if (edited) this.#cut(end);
    this.#renew(renewed);
    for (const message of added) {
      this.#origins.push(this.log.length);
      this.log.push(message);
      this.messages.push(message);
    }
    const isDressed = this.#dress(given);
    return { added: added.length, edited, renewed: renewed.size > 0 || isDressed, known, kept: this.log.length - added.length };
  }

  /** Takes other objects for known messages. */
  #renew(renewed: ReadonlyMap<number, unknown>) {
    if (renewed.size === 0) return;
    const { log } = this;
    const now = (message: unknown, origin: number) => (message === log[origin] ? (renewed.get(origin) ?? message) : message);
    this.messages = this.messages.map((message, at) => now(message, this.#origins[at]));
    for (const [place, message] of renewed) log[place] = message;
  }

  /** Takes what no model sees of the messages that were changed from those that the caller has now. Returns whether there was any. */
  #dress(given: ReadonlyMap<number | string, unknown>) {
    const view = this.messages.map((message, at) => {
      const origin = this.#origins[at];
      if (origin !== MADE) return message === this.log[origin] ? message : dressed(message, given.get(origin) ?? this.log[origin]);
      return given.size === 0 ? message : dressed(message, given.get(seenOf(message)));
    });
    if (view.every((message, at) => message === this.messages[at])) return false;
    this.messages = view;
    return true;
  }

  /**
   * Takes a compaction over.
   *
   * @param given the new view
   * @param sources for each of its messages, which of the old view it was; -1: none
   * @param about what is to be known about it
   * @param until how many messages of the log it is about
   * @returns the new view, in which each reference leads to one output
   */
  change(given: readonly unknown[], sources: readonly number[], about: About, until: number = this.log.length): unknown[] {
    const origins = sources.map((source) => (source === MADE ? MADE : this.#origins[source]));
    const isChanged = (message: unknown, at: number) => origins[at] !== MADE && message !== this.messages[sources[at]];
    const messages = given.map((message, at) =>
      isChanged(message, at) ? this.#places.distinct(message, origins[at], this.log[origins[at]]) : message,
    );
    const change: Change = { replaced: new Map(), about };
    const now = { messages: this.#asStored(messages, origins), origins };
    const then = { messages: this.#asStored(this.messages, this.#origins), origins: this.#origins };
    sources.forEach((source, at) => {
      if (source === MADE || messages[at] === this.messages[source] || origins[at] === MADE) return;
      change.replaced.set(origins[at], { before: then.messages[source], after: now.messages[at] });
    });
    const isWhole = messages.length !== this.messages.length || sources.some((source, at) => source !== at);
    if (isWhole) {
      const isLater = (origin: number) => origin >= until;
      change.whole = { before: without(then, isLater), after: without(now, isLater), until };
    }
    this.messages = messages;
    this.#origins = origins;
    this.#steps.learn(this.log, messages, origins);
    this.changes.push(change);
    this.undone = [];
    return messages;
  }

  /** What is sent as a change holds it: the log may come to hold other objects. */
  #asStored(messages: readonly unknown[], origins: readonly number[]) {
    return messages.map((message, at) => (message === this.log[origins[at]] ? undefined : message));
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
  #move(from: Change[], to: Change[], side: 'before' | 'after') {
    const change = from.pop();
    if (change === undefined) return false;
    this.#turn(change, side);
    to.push(change);
    return true;
  }

  /** Takes the newest change back, as if it had never been made. */
  #takeBack() {
    const change = this.changes.pop();
    if (change !== undefined) this.#turn(change, 'before');
  }

  #turn({ replaced, whole }: Change, side: 'before' | 'after') {
    if (whole !== undefined) {
      const { origins } = whole[side];
      const messages = whole[side].messages.map((message, at) => message ?? this.log[origins[at]]);
      const since = this.#origins.findIndex((origin) => origin >= whole.until);
      const newer = since === -1 ? this.messages.length : since;
      this.messages = [...messages, ...this.messages.slice(newer)];
      this.#origins = [...origins, ...this.#origins.slice(newer)];
      return;
    }
    this.messages = this.messages.map((message, at) => {
      const origin = this.#origins[at];
      const turned = replaced.get(origin);
      return turned === undefined ? message : (turned[side] ?? this.log[origin]);
    });
  }

  /** Forgets the messages of the log from `length` on, and what was decided about them. */
  #cut(length: number) {
    this.log.length = length;
    this.undone = [];
    const isGone = (origin: number) => origin >= length;
    const first = this.changes.findIndex(({ whole }) => whole !== undefined && summarized(whole).some(isGone));
    if (first !== -1) while (this.changes.length > first) this.#takeBack();
    for (const { replaced, whole } of this.changes) {
      for (const origin of replaced.keys()) if (isGone(origin)) replaced.delete(origin);
      if (whole === undefined) continue;
      whole.before = without(whole.before, isGone);
      whole.after = without(whole.after, isGone);
      whole.until = Math.min(whole.until, length);
    }
    // Of what is gone nothing is left to be taken back, and a session that is edited for ever would remember it for ever.
    this.changes = this.changes.filter(({ replaced, whole }) => whole !== undefined || replaced.size > 0);
    this.#steps.cut(length);
    this.#places.cut(length);
    const left = without({ messages: this.messages, origins: this.#origins }, isGone);
    this.messages = left.messages;
    this.#origins = left.origins;
    this.dropAtEnd();
  }

  /** Drops summaries at the end: after a rewind, what the model is to answer must not be inside one. */
  dropAtEnd() {
    while (this.isChanged && this.#origins.at(-1) === MADE) this.#takeBack();
  }
}

/** The messages of the log that a summary replaced. */
function summarized({ before, after }: Whole) {
  const left = new Set(after.origins);
  return before.origins.filter((origin) => origin !== MADE && !left.has(origin));
}

function without({ messages, origins }: Sent, isGone: (origin: number) => boolean): Sent {
  const stays = origins.map((origin) => !isGone(origin));
  return { messages: messages.filter((_, at) => stays[at]), origins: origins.filter((_, at) => stays[at]) };
}
