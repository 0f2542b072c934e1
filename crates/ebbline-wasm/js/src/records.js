import { Calls } from './calls.js';
import { EbblineError } from './errors.js';
import {
  BY_PLACE,
  Flag,
  HAS_USAGE,
  KEPT,
  KEPT_SHIFT,
  Kind,
  MESSAGE,
  MOST_KEPT,
  MOST_PIECES,
  Output,
  PART_WORDS,
  ROLES,
  Role,
  SIGNED,
  Turn,
} from './generated/records.js';
import { Marks } from './marks.js';
import { Meter, hasJson } from './measure.js';
import { claimOf, endsInReference, fits, isCleared, isOwn, referenceTo } from './references.js';

export { Flag, HAS_USAGE, Kind, MESSAGE, Output, PART_WORDS, Role, Turn };

const LARGEST_WORD = 0xffff_ffff;
/** What is below is compared as a whole number. */
const SMALL = 1 << 30;

/** What systems write in the place of a pruned output. */
const PLACEHOLDER = '[Old tool result content cleared]';
/** What stands behind it where a call has no id. */
const NO_CALL = referenceTo('');
/** Words kept between walks, so that a walk allocates nothing. */
const LARGEST_SCRATCH = 1 << 20;
/** Words that there is room for in one allocation of the engine, and in its memory beside what it makes of them. */
const MOST_WORDS = 1 << 28;
/** From how many messages on room is made for all, and how many words most messages take. */
const FEW = 1 << 14;
const WORDS_OF_MESSAGE = 10;
/** Words that a session begins with. */
const FIRST_WORDS = 256;
/** @type {Uint32Array | undefined} */
let scratch = new Uint32Array(1 << 12);

/** The tools that records number: the first is number 1. */
export class Tools {
  /** @type {string[]} */
  names = [];
  /** @type {Map<string, number>} */
  numbers = new Map();
}

/**
 * What a format's `walk` writes down: messages and parts, packed into words. The counterpart of the engine's own recorder
 * (`format/recorder/`): the same session gives the same records, read from text or walked.
 */
export class Recorder {
  /**
   * @param {{ placeholder: string, wide: boolean, classes: boolean, notation: boolean }} policy what of a policy concerns reading
   * @param {boolean} [forEdit] whether to note where results stand, so that they can be pruned
   * @param {Tools} [tools] the tools that are numbered already
   * @param {(text: string) => number} [countTokens] what counts tokens, for a policy that leaves it to that
   */
  constructor(policy, forEdit = false, { names, numbers } = new Tools(), countTokens = undefined) {
    this.placeholder = policy.placeholder;
    this.length = new Meter(policy, countTokens);
    this.notation = policy.notation;
    this.skipsImages = countTokens !== undefined && !policy.images;
    this.messages = 0;
    this.parts = 0;
    /** The tools' names, in the order in which they were first met. */
    this.tools = names;
    this.toolIndex = numbers;
    /** Message, part of the message, and block in turn, of each result that can be pruned. */
    this.slots = forEdit ? [] : undefined;
    /** Where each message stands in the caller's array, if the format takes another order than that. */
    this.places = undefined;
    this.used = 0;
    this.words = scratch ?? new Uint32Array(1 << 12);
    scratch = undefined; // A getter of a message may plan, too: it gets words of its own.
    /** What the format remembers of the messages so far: plain data. */
    this.state = undefined;
    /** @type {Marks | undefined} */
    this.marks = undefined;
    this.calls = Calls.begin();
    this.callTools = [0];
    /** The first word of the message begun last, and whether its anchor has been met. */
    this.header = 0;
    this.isAnchored = true;
    /** The anchor of each message, for who writes a summary in front of it. */
    this.anchors = forEdit ? [] : undefined;
    /** How far the words were looked at for messages in front of a summary, and what came of it. */
    this.looked = { at: 0, isFirst: true };
    /** The message that says it is a summary, until something behind it shows whether it is. */
    this.claim = undefined;
    /** The messages that turned out to be summaries, and those that showed it. */
    this.summaries = [];
    /** Up to this message, what was reported describes another context than the present one. */
    this.staleUntil = -1;
  }

  /** Makes room for so many messages at once: lists that grow to a great length are copied often. */
  expect(messages) {
    if (messages > FEW) this.#reserve(messages * WORDS_OF_MESSAGE);
  }

  /** The records. They are gone after {@link release}. */
  get records() {
    return this.words.subarray(0, this.used);
  }

  /** Goes on behind `words`, if there are any, for as long as a session grows: with marks, and words of its own. */
  keep(words = new Uint32Array(FIRST_WORDS)) {
    this.release();
    this.words = words;
    this.calls = new Calls();
    this.marks = new Marks();
    this.length.forget();
  }

  /** Where a message's records begin, of a recorder with marks. */
  start(message) {
    return message < this.messages ? this.marks.start(message) : this.used;
  }

  /** Forgets all but the first `count` messages, of a recorder with marks. */
  truncate(count) {
    if (count >= this.messages) return;
    this.marks.truncate(this, count);
    this.messages = count;
    this.looked = { at: 0, isFirst: true };
    this.summaries = this.summaries.filter(({ message }) => message < count);
    if (this.claim?.message >= count) this.claim = undefined;
    this.staleUntil = Math.max(-1, ...this.summaries.map(({ message, kept }) => message + kept));
    if (count === 0) this.state = undefined;
  }

  /** Forgets everything, to walk again. */
  restart() {
    this.used = 0;
    this.messages = 0;
    this.parts = 0;
    this.looked = { at: 0, isFirst: true };
    this.claim = undefined;
    this.summaries = [];
    this.staleUntil = -1;
    if (this.anchors !== undefined) this.anchors.length = 0;
    this.calls.restart();
    this.callTools.length = 1;
    if (this.slots !== undefined) this.slots.length = 0;
    if (this.marks !== undefined) this.marks.ids.length = 0;
  }

  /** The records of the messages from number `first` on, as they are now, for {@link sameAs}. */
  from(first) {
    const starts = [];
    const begin = this.start(first);
    for (let message = first; message <= this.messages; message += 1) starts.push(this.start(message) - begin);
    return { starts, words: this.words.slice(begin, this.used) };
  }

  /** The first message whose records are not those of `before`, which were the messages from number `first` on. */
  sameAs(before, first) {
    if (before === undefined) return first;
    const begin = this.start(first);
    let same = first;
    for (; same < this.messages && same - first < before.starts.length - 1; same += 1) {
      const start = before.starts[same - first];
      const end = before.starts[same - first + 1];
      if (this.start(same) - begin !== start || this.start(same + 1) - begin !== end) break;
      let at = start;
      while (at < end && before.words[at] === this.words[begin + at]) at += 1;
      if (at < end) break;
    }
    return same;
  }

  /** Hands the words back to the next walk. */
  release() {
    if (this.words.length <= LARGEST_SCRATCH) scratch = this.words;
    this.calls.release();
  }

  /** What follows is read from `message`. */
  enter(message) {
    if (this.length.isLooking) this.length.enter(message);
  }

  /** Begins a message; the parts that follow are its own. `usage`: the tokens reported with it, 0 for none. */
  begin(role, turn = Turn.NO, flags = Flag.NONE, usage = 0) {
    this.marks?.begin(this);
    this.#reserve(2);
    this.header = this.used;
    this.isAnchored = false;
    const isReported = usage > 0 && this.messages > this.staleUntil;
    this.words[this.used] = MESSAGE | role | turn | flags | (isReported ? HAS_USAGE : 0);
    this.used += 1;
    if (isReported) {
      this.words[this.used] = usage;
      this.used += 1;
    }
    this.messages += 1;
    this.parts = 0;
  }

  /**
   * Looks into the message begun last, whose text is `text`, for the words of a summary that ebbline wrote. It is one if
   * it stands where ebbline puts a summary, and if what stands behind it is what stood there then.
   */
  maybeSummary(text) {
    const claim = claimOf(text);
    if (claim === undefined || !this.#isFirst()) return;
    const found = { ...claim, message: this.messages - 1, header: this.header };
    if (claim.fitsItself) this.#summarises(found, found.message);
    else this.claim = found;
  }

  /** Says of the message begun last, a summary by its format's own field, how many behind it were there already. */
  keeps(kept) {
    if (!(typeof kept === 'number' && kept >= 1 && kept < 1e15)) return;
    this.keptBehind(Math.floor(kept));
    this.#note(this.messages - 1, Math.floor(kept), this.messages - 1);
  }

  /** The same where what was reported with them is known to be old by other signs. */
  keptBehind(kept) {
    this.#setKept(this.header, kept);
  }

  #setKept(header, kept) {
    this.words[header] = ((this.words[header] & ~KEPT) | ((Math.min(kept, MOST_KEPT) + 1) << KEPT_SHIFT)) >>> 0;
  }

  /** The first message to walk again when those from number `from` on are other ones: what shows a summary stands behind it. */
  firstConcerned(from) {
    const concerned = this.summaries.filter(({ message, shownBy }) => message < from && from <= shownBy);
    return Math.min(from, this.claim?.message ?? from, ...concerned.map(({ message }) => message));
  }

  /**
   * Whether the message begun last stands where a summary does: nothing in front of it was said, or all of it gave way to
   * a summary that the format knows.
   */
  #isFirst() {
    if (this.summaries.length > 0) return false;
    const { words, header, looked } = this;
    for (let { at } = looked; at < header; looked.at = at) {
      const word = words[at];
      if (word < MESSAGE) {
        at += PART_WORDS;
        continue;
      }
      if ((word & Flag.SUMMARY) !== 0) looked.isFirst = true;
      else if ((word & ROLES) !== Role.SYSTEM && (word & Flag.INACTIVE) === 0) looked.isFirst = false;
      at += (word & HAS_USAGE) === 0 ? 1 : 2;
    }
    return looked.isFirst;
  }

  /** What is known of summaries beside the words, as plain data; `undefined` if that is nothing. */
  get told() {
    const { claim, summaries } = this;
    if (claim === undefined && summaries.length === 0) return undefined;
    return { summaries, ...(claim && { claim: { message: claim.message, kept: claim.kept, mark: claim.mark } }) };
  }

  /** Takes over what another recorder of the same messages was told, of a recorder with marks. */
  recallTold({ claim, summaries }) {
    for (const { message, kept, shownBy } of summaries) this.#note(message, kept, shownBy);
    if (claim !== undefined) this.claim = { ...claim, header: this.start(claim.message) };
  }

  /** Whether the message begun last is in the user's place. */
  #isUsers() {
    return (this.words[this.header] & ROLES) === Role.USER;
  }

  /** The anchor of a message is met: the id of its first call, or its first text or thinking if no user wrote it. */
  #anchor(what) {
    this.isAnchored = true;
    if (this.anchors !== undefined) this.anchors[this.messages - 1] = what;
    const { claim } = this;
    if (claim === undefined || claim.message === this.messages - 1) return;
    this.claim = undefined;
    if (fits(claim, what)) this.#summarises(claim, this.messages - 1);
  }

  #summarises({ message, header, kept }, shownBy) {
    const word = this.words[header];
    const isSummary = (word & Flag.SUMMARY) !== 0;
    if (!isSummary) {
      const stays = Flag.INACTIVE | HAS_USAGE;
      this.words[header] = (MESSAGE | Role.USER | Turn.SYNTHETIC | Flag.SUMMARY | (word & stays)) >>> 0;
    }
    this.#setKept(header, kept);
    this.#note(message, kept, shownBy);
    this.#forgetUsage(header, message);
  }

  #note(message, kept, shownBy) {
    this.summaries.push({ message, kept, shownBy });
    this.staleUntil = Math.max(this.staleUntil, message + kept);
  }

  /** Takes back what was reported with the messages behind a summary that were walked already. */
  #forgetUsage(header, summary) {
    const { words } = this;
    let message = summary - 1;
    for (let at = header; at < this.used; ) {
      if (words[at] < MESSAGE) {
        at += PART_WORDS;
        continue;
      }
      message += 1;
      const isOld = message > summary && message <= this.staleUntil;
      if (isOld && (words[at] & HAS_USAGE) !== 0) {
        words[at] &= ~HAS_USAGE;
        words.copyWithin(at + 1, at + 2, this.used);
        this.used -= 1;
        if (this.header > at) this.header -= 1;
        this.marks?.shift(message + 1, this.messages);
      }
      at += (words[at] & HAS_USAGE) === 0 ? 1 : 2;
    }
  }

  /** Adds a part of one text; of nothing, if it is none. */
  text(kind, text) {
    if (!this.isAnchored && isWords(kind) && typeof text === 'string' && text !== '' && !this.#isUsers()) this.#anchor(text);
    if (this.length.isPlain) {
      this.#write(kind, 1, typeof text === 'string' ? text.length : 0, 0, 0);
      return;
    }
    this.length.reset();
    if (typeof text === 'string') this.length.text(text);
    this.#part(kind, 1, 0, 0);
  }

  /** Says which texts the part added last is made of, where they are not what it was measured by: see `texts.js`. */
  says() {}

  /** Says that the text added last is a command that the user `ran`, or what it `printed`: see `texts.js`. */
  saysCommand() {}

  /** Notes that the part added last carries `signature`, unless that is empty or no text. */
  sign(signature) {
    if (typeof signature === 'string' && signature !== '') this.words[this.used - PART_WORDS] |= SIGNED;
  }

  /** Measures the part added last as what `JSON.stringify` writes of `value`, for policies that count so. */
  stringified(value) {
    if (!this.notation || !hasJson(value)) return;
    this.words[this.used - 1] = this.length.written(value) + 1;
  }

  /** Adds any other value as a part, measured as compact JSON; of nothing, if there is none. */
  value(kind, value) {
    this.media(kind, value, 0);
  }

  /** Adds an image or file by its data, inside the result of `call` if that is not 0. */
  media(kind, data, call = 0) {
    this.length.reset();
    if (hasJson(data) && !(this.skipsImages && kind === Kind.IMAGE)) this.length.value(data);
    this.#part(kind, 1, call, 0);
  }

  /** Adds an image or file by its data as it is sent, bytes as base64, inside the result of `call` if that is not 0. */
  data(kind, data, call = 0) {
    this.length.reset();
    if (!(this.skipsImages && kind === Kind.IMAGE)) this.length.data(data);
    this.#part(kind, 1, call, 0);
  }

  /** Adds a tool call; `args` is measured as text if it is one, else as compact JSON. */
  call(id, name, args) {
    if (!this.isAnchored && isOwn(id)) this.#anchor(id);
    const call = this.#call(id);
    const tool = this.#tool(name);
    if (call !== 0 && tool !== 0) this.callTools[call] = tool;
    this.length.reset();
    if (args !== null && hasJson(args)) this.length.value(args);
    this.#part(Kind.CALL, 1, call, tool);
  }

  /**
   * Adds a tool result and returns its call for what belongs to it. A missing name is that of the call.
   *
   * @param {unknown} id
   * @param {unknown} name
   * @param {number} output one of {@link Output}
   * @param {string | unknown[]} texts what it consists of: texts as they stand, other values as compact JSON
   * @param {number} [block] which block of its message it is, if it can be pruned
   */
  result(id, name, output, texts, block) {
    if (typeof texts === 'string') return this.resultOf(id, name, output, texts, block);
    this.length.reset();
    for (let at = 0; at < texts.length; at += 1) this.length.value(texts[at]);
    return this.#result(id, name, output, texts.length, block);
  }

  /** Adds a tool result of one value: a text as it stands, unless it is to be quoted like the rest of JSON. */
  resultOf(id, name, output, value, block = undefined, quoted = false) {
    this.length.reset();
    if (hasJson(value)) {
      if (quoted) this.length.compact(value, 0);
      else this.length.value(value);
    }
    return this.#result(id, name, output, 1, block);
  }

  /** Adds a tool result that the provider made and verifies, as compact JSON. */
  sealed(id, content) {
    this.length.reset();
    if (hasJson(content)) this.length.value(content);
    return this.#result(id, undefined, Output.SEALED, 1, undefined);
  }

  /** Notes that the session has no id for the call added last. */
  pairedByPlace() {
    this.words[this.used - PART_WORDS] |= BY_PLACE;
  }

  /** What may be done with an output of this text, the answer to the call `id`. */
  outputOf(text, id, hasFailed) {
    const ordinary = hasFailed ? Output.ERROR : Output.ORDINARY;
    if (typeof text !== 'string') return ordinary;
    if (isCleared(text, id)) return Output.PRUNED;
    if (!this.#isPlaceholder(text)) return ordinary;
    return hasFailed ? Output.FAILED_PLACEHOLDER : Output.PLACEHOLDER;
  }

  /** Whether a text is the placeholder of today, or the one that other systems write. */
  #isPlaceholder(text) {
    if (text === PLACEHOLDER || text === this.placeholder) return true;
    if (!endsInReference(text) || !text.endsWith(NO_CALL)) return false;
    const bare = text.slice(0, -NO_CALL.length);
    return bare === PLACEHOLDER || bare === this.placeholder;
  }

  #result(id, name, outputOf, pieces, block) {
    if (!this.isAnchored && isOwn(id)) this.#anchor(id);
    // Of a failed call whose text has no place to be cleared in.
    const hasFailed = outputOf === Output.ERROR || outputOf === Output.FAILED_PLACEHOLDER;
    const output = hasFailed && block === undefined ? Output.FIXED_ERROR : outputOf;
    const call = this.#call(id);
    const tool = this.#tool(name) || (this.callTools[call] ?? 0);
    if (block !== undefined) this.slots?.push(this.messages - 1, this.parts, block);
    this.#part(Kind.RESULT | output, Math.min(pieces, MOST_PIECES), call, tool);
    return call;
  }

  /** Adds a part of what was measured last. */
  #part(head, pieces, call, tool) {
    const { length } = this;
    this.#write(head, pieces, length.utf16, call, tool);
    if (length.isPlain) return;
    const { words, used } = this;
    words[used - 6] = wordOf(length.codePoints);
    words[used - 5] = wordOf(length.bytes);
    words[used - 4] = wordOf(length.classed);
  }

  #write(head, pieces, utf16, call, tool) {
    this.#reserve(PART_WORDS);
    const { words, used } = this;
    words[used] = head | (pieces << 8);
    words[used + 1] = wordOf(utf16);
    words[used + 2] = 0;
    words[used + 3] = 0;
    words[used + 4] = 0;
    words[used + 5] = call;
    words[used + 6] = tool;
    words[used + 7] = 0;
    this.used = used + PART_WORDS;
    this.parts += 1;
  }

  /** The number of a call, from 1; 0 if `id` is no text. */
  #call(id) {
    if (typeof id !== 'string') return 0;
    const { calls } = this;
    // Ids are known as they are well-formed: what is among them is, too.
    let number = calls.known(id);
    if (number === undefined) {
      const key = wellFormed(id);
      number = (key === id ? undefined : calls.known(key)) ?? calls.add(key);
    }
    if (this.marks !== undefined && number > this.marks.ids.length) this.marks.ids.push(wellFormed(id));
    return number;
  }

  /** The number of a tool, from 1; 0 if `name` is no text. */
  #tool(name) {
    if (typeof name !== 'string') return 0;
    const known = this.toolIndex.get(name);
    if (known !== undefined) return known;
    const key = wellFormed(name);
    if (key !== name && this.toolIndex.has(key)) return this.toolIndex.get(key);
    this.toolIndex.set(key, this.tools.push(key));
    return this.tools.length;
  }

  #reserve(words) {
    if (this.used + words <= this.words.length) return;
    if (this.used + words > MOST_WORDS) throw new EbblineError('too_large', `the messages have more than ${MOST_WORDS / PART_WORDS} parts`);
    const larger = new Uint32Array(Math.max(this.words.length * 2, this.used + words));
    larger.set(this.words);
    this.words = larger;
  }
}

/** A length as a word, which holds as much as it can. */
function wordOf(length) {
  return length < SMALL || length < LARGEST_WORD ? length : LARGEST_WORD;
}

/** Whether parts of a kind are words that somebody wrote. */
function isWords(kind) {
  return kind === Kind.TEXT || kind === Kind.THINKING;
}

/** The text as the engine would decode it: an unpaired surrogate becomes U+FFFD. */
export function wellFormed(text) {
  return text.isWellFormed?.() === false ? text.toWellFormed() : text;
}
