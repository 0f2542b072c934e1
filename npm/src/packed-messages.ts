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
import { isInjected } from './injection.js';
import { Marks } from './marks.js';
import { Meter, hasJson } from './measure.js';
import { ANY, tokensOfFile } from './media.js';
import { claimOf, endsInReference, fits, isCleared, isOwn, referenceTo } from './references.js';

export { Flag, HAS_USAGE, Kind, MESSAGE, Output, PART_WORDS, Role, Turn };

const LARGEST_WORD = 0xffff_ffff;
/** The bits of a part's kind, and the kinds whose encrypted content stands for what they do not say. */
const KINDS = ROLES;
const ENCRYPTED: Set<number> = new Set([Kind.THINKING, Kind.SUMMARY, Kind.OTHER]);
/** What a unit of encrypted content costs, in 64ths of a token: four of base64 are about a token of what they stand for. */
const COST_OF_ENCRYPTED = 16;
/** Bytes of a signature that are no text: one that can hold no more than the part's own text is that text once more. */
const SEAL = 256;
/** The bits of a message's turn. */
const TURNS = Turn.CONTEXT;
/** Whose words the newest message holds so far: see the engine's `format/recorder/speech.rs`. */
const [SETTLED, NOBODYS, AGENTS] = [0, 1, 2];
/** Numbers below this are compared as integers. */
const SMALL = 1 << 30;

/** The placeholder that other systems write for a pruned output. */
const PLACEHOLDER = '[Old tool result content cleared]';
/** The reference after the placeholder of a call without an id. */
const NO_CALL = referenceTo('');
/** How many words are kept between walks, so that a walk allocates nothing. */
const LARGEST_SCRATCH = 1 << 20;
/** How many words fit into one allocation of the engine, together with what it makes of them. */
const MOST_WORDS = 1 << 28;
/** From this many messages on, room for all is reserved at once; and how many words most messages need. */
const FEW = 1 << 14;
const WORDS_OF_MESSAGE = 10;
/** How many words a session begins with. */
const FIRST_WORDS = 256;
let scratch: Uint32Array | undefined = new Uint32Array(1 << 12);

/** The tools that records number, from 1. */
export class Tools {
  names: string[] = [];
  numbers: Map<string, number> = new Map();
}

/**
 * Records messages and parts for a format's `walk`, packed into words. The counterpart of the engine's recorder
 * (`format/recorder/`): reading a session from text and walking it give the same records.
 */
export class Recorder {
  /**
   * @param policy the policy's settings
   * for reading
   * @param forEdit whether to record the places of results, so that they can be pruned
   * @param tools the tools that already have numbers
   * @param countTokens counts tokens, if the policy uses such a function
   */
  constructor(
    policy: { placeholder: string; wide: boolean; classes: boolean; ofJson: boolean; notation: boolean; images?: boolean },
    forEdit: boolean = false,
    { names, numbers }: Tools = new Tools(),
    countTokens: (text: string) => number = undefined,
  ) {
    this.placeholder = policy.placeholder;
    this.length = new Meter(policy, countTokens);
    this.notation = policy.notation;
    this.skipsImages = countTokens !== undefined && !policy.images;
    this.messages = 0;
    this.parts = 0;
    /** The tools' names, in the order of their first appearance. */
    this.tools = names;
    this.toolIndex = numbers;
    /** Message, part of the message, and block in turn, for each prunable result. */
    this.slots = forEdit ? [] : undefined;
    /** The index of each message in the caller's array, if the format sends them in another order. */
    this.places = undefined;
    this.used = 0;
    this.words = scratch ?? new Uint32Array(1 << 12);
    scratch = undefined; // A getter of a message may plan, too: it gets words of its own.
    /** What the format remembers about the messages so far: plain data. */
    this.state = undefined;
    this.marks = undefined;
    this.calls = Calls.begin();
    this.callTools = [0];
    /** The first word of the newest message, and whether its anchor has been found. */
    this.header = 0;
    this.isAnchored = true;
    this.speech = SETTLED;
    /** What a message counts as that an agent wrote in the user's name. */
    this.injected = Turn.CONTEXT;
    /** The anchor of each message, for a summary in front of it. */
    this.anchors = forEdit ? [] : undefined;
    /** How far the words have been searched for messages before a summary, and the result. */
    this.looked = { at: 0, isFirst: true };
    /** A message that claims to be a summary, until what follows proves or disproves it. */
    this.claim = undefined;
    /** The proved summaries, each with the message that proved it. */
    this.summaries = [];
    /** Usage reported up to this message describes another context than the current one. */
    this.staleUntil = -1;
    /** the calls whose outputs must stay */
    this.seals = undefined;
  }

  /** Reserves room for `messages` messages, because long lists that grow are copied often. */
  reserve(messages) {
    if (messages > FEW) this.#reserve(messages * WORDS_OF_MESSAGE);
  }

  /** The records; not available after {@link release}. */
  get records() {
    return this.words.subarray(0, this.used);
  }

  /** For a growing session: continues after `words`, if given, with marks and its own memory. */
  keep(words = new Uint32Array(FIRST_WORDS)) {
    this.release();
    this.words = words;
    this.calls = new Calls();
    this.marks = new Marks();
    this.length.forget();
  }

  /** For a recorder with marks: the start of a message's records. */
  start(message) {
    return message < this.messages ? this.marks.start(message) : this.used;
  }

  /** For a recorder with marks: removes all but the first `count` messages. */
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

  /** Removes everything, to walk again. */
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

  /** A copy of the records from message `first` on, for {@link sameAs}. */
  from(first) {
    const starts = [];
    const begin = this.start(first);
    for (let message = first; message <= this.messages; message += 1) starts.push(this.start(message) - begin);
    return { starts, words: this.words.slice(begin, this.used) };
  }

  /** The first message whose records differ from `before`, the earlier records from message `first` on. */
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

  /** Gives the memory back for the next walk. */
  release() {
    if (this.words.length <= LARGEST_SCRATCH) scratch = this.words;
    this.calls.release();
  }

  /** For a recorder with marks: how many messages of a person begin a turn. */
  get turns() {
    let count = 0;
    for (let message = 0; message < this.messages; message += 1) {
      if ((this.words[this.start(message)] & TURNS) === Turn.PERSON) count += 1;
    }
    return count;
  }

  /** What follows is read from `message`. */
  enter(message) {
    if (this.length.isLooking) this.length.enter(message);
  }

  /** Begins a message; the parts that follow belong to it. `usage` is the tokens reported with it, 0 for none. */
  begin(role: number, turn: number = Turn.NO, flags: number = Flag.NONE, usage: number = 0) {
    this.marks?.begin(this);
    this.#reserve(2);
    this.header = this.used;
    this.isAnchored = false;
    this.speech = turn === Turn.PERSON ? NOBODYS : SETTLED;
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
   * Checks whether the newest message, whose text is `text`, begins like a summary of ebbline. It is one if it is in
   * a place where ebbline writes summaries, and if the messages behind it are those that followed it then. Its own words do only for
   * a message of the user: what the application says must not be summarized because of them.
   */
  checkSummary(text) {
    const claim = claimOf(text);
    if (claim === undefined || !this.#isFirst()) return;
    const found = { ...claim, message: this.messages - 1, header: this.header };
    if (claim.fitsItself && !this.#isUsers()) return;
    if (claim.fitsItself) this.#summarizes(found, found.message);
    else this.claim = found;
  }

  /** For the newest message, a summary by a field of its format: records how many messages behind it existed already. */
  setKept(kept) {
    if (!(typeof kept === 'number' && kept >= 1 && kept < 1e15)) return;
    this.keptBehind(Math.floor(kept));
    this.#note(this.messages - 1, Math.floor(kept), this.messages - 1);
  }

  /** The same if the format itself recognizes outdated usage. */
  keptBehind(kept) {
    this.#writeKept(this.header, kept);
  }

  #writeKept(header, kept) {
    this.words[header] = ((this.words[header] & ~KEPT) | ((Math.min(kept, MOST_KEPT) + 1) << KEPT_SHIFT)) >>> 0;
  }

  /** The first message to walk again if the messages from number `from` on change: what proves a summary follows it. */
  firstConcerned(from) {
    const concerned = this.summaries.filter(({ message, shownBy }) => message < from && from <= shownBy);
    return Math.min(from, this.claim?.message ?? from, ...concerned.map(({ message }) => message));
  }

  /**
   * Whether the newest message is where a summary goes: no message precedes it, or a summary that the format records
   * replaced all of them.
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

  /** What is known about summaries in addition to the words, as plain data; `undefined` if nothing is. */
  get told() {
    const { claim, summaries } = this;
    if (claim === undefined && summaries.length === 0) return undefined;
    return { summaries, ...(claim && { claim: { message: claim.message, kept: claim.kept, mark: claim.mark } }) };
  }

  /** For a recorder with marks: takes over what another recorder of the same messages knows about summaries. */
  recallTold({ claim, summaries }) {
    for (const { message, kept, shownBy } of summaries) this.#note(message, kept, shownBy);
    if (claim !== undefined) this.claim = { ...claim, header: this.start(claim.message) };
  }

  /** Whether the newest message has the user's role. */
  #isUsers() {
    return (this.words[this.header] & ROLES) === Role.USER;
  }

  /** Handles the anchor of a message: the id of its first call, or its first text that no user wrote. */
  #anchor(what) {
    this.isAnchored = true;
    if (this.anchors !== undefined) this.anchors[this.messages - 1] = what;
    const { claim } = this;
    if (claim === undefined || claim.message === this.messages - 1) return;
    this.claim = undefined;
    if (fits(claim, what)) this.#summarizes(claim, this.messages - 1);
  }

  #summarizes({ message, header, kept }, shownBy) {
    const word = this.words[header];
    const isSummary = (word & Flag.SUMMARY) !== 0;
    if (!isSummary) {
      const stays = Flag.INACTIVE | HAS_USAGE;
      this.words[header] = (MESSAGE | Role.USER | Turn.SYNTHETIC | Flag.SUMMARY | (word & stays)) >>> 0;
    }
    this.#writeKept(header, kept);
    this.#note(message, kept, shownBy);
    this.#forgetUsage(header, message);
  }

  #note(message, kept, shownBy) {
    this.summaries.push({ message, kept, shownBy });
    this.staleUntil = Math.max(this.staleUntil, message + kept);
  }

  /** Removes the usage of messages behind a summary that have already been walked. */
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

  /** Adds a part of one text; an empty part if the value is not a text. */
  text(kind, text) {
    // Agents, providers and passes drop thinking, and a summary must be known afterwards.
    if (!this.isAnchored && kind === Kind.TEXT && typeof text === 'string' && text !== '' && !this.#isUsers()) this.#anchor(text);
    if (this.speech !== SETTLED && kind === Kind.TEXT && typeof text === 'string') this.#speak(text);
    if (this.length.isPlain) {
      this.#write(kind, 1, typeof text === 'string' ? text.length : 0, 0, 0);
      return;
    }
    this.length.reset();
    if (typeof text === 'string') this.length.text(text);
    this.#part(kind, 1, 0, 0);
  }

  /** Notes whose words a text of a person's message are: if an agent wrote all of them, the message begins no turn. */
  #speak(text) {
    const isAgents = typeof text === 'string' ? isInjected(text) : undefined;
    if (isAgents === undefined) return;
    if (!isAgents) return this.#owns();
    if (this.speech !== NOBODYS || (this.words[this.header] & Flag.SUMMARY) !== 0) return;
    this.speech = AGENTS;
    this.#setTurn(this.injected);
  }

  /** The newest message holds something of the user's own: words, an image. */
  #owns() {
    if (this.speech === AGENTS) this.#setTurn(Turn.PERSON);
    this.speech = SETTLED;
  }

  #setTurn(turn) {
    this.words[this.header] = ((this.words[this.header] & ~TURNS) | turn) >>> 0;
  }

  /** Says which texts the part added last is made of, where they are not what it was measured by: see `texts.js`. */
  says(..._texts) {}

  /** Says that the text added last is a command that the user `ran`, what it `printed`, or `added` by the agent: see `texts.js`. */
  saysAs(_member) {}

  /**
   * Marks the newest part as signed, unless `signature` is empty or not a text. What is encrypted is sent and billed. Where it stands
   * for what the part does not say, the part costs what it costs; `length` is that of its base64.
   */
  sign(signature, length = signature?.length) {
    if (typeof signature !== 'string' || signature === '') return;
    const { words, used } = this;
    words[used - PART_WORDS] |= SIGNED;
    if (!ENCRYPTED.has(words[used - PART_WORDS] & KINDS)) return;
    const said = words[used - PART_WORDS + 1];
    if (said > 0 && Math.floor(length / 4) * 3 <= said + SEAL) return;
    const cost = wordOf(length * COST_OF_ENCRYPTED);
    if (this.length.classes) words[used - 5] = Math.max(words[used - 5], cost);
    if (this.length.ofJson) words[used - 1] = Math.max(words[used - 1], cost);
  }

  /** Sets the native length of the newest part to that of `JSON.stringify(value)`, for policies that use it. */
  setNativeLength(value) {
    if (!this.notation || !hasJson(value)) return;
    this.words[this.used - 2] = this.length.written(value) + 1;
  }

  /** Adds any other value as a part, measured as compact JSON; an empty part if there is no value. */
  value(kind, value) {
    this.media(kind, value, 0);
  }

  /**
   * Adds an image or file by its data; inside the result of `call` unless that is 0. A file costs what `tariff` says of what `about`,
   * its block, says that it is. Where more than the data is measured, `data` is what the file consists of.
   */
  media(kind, measured, call = 0, about = undefined, tariff = ANY, data = measured) {
    const { length } = this;
    this.#enclosed(kind, call, about, tariff, data, () => hasJson(measured) && length.value(measured));
  }

  /** The same for data as sent: bytes as base64. */
  data(kind, data, call = 0, about = undefined, tariff = ANY) {
    this.#enclosed(kind, call, about, tariff, data, () => this.length.data(data));
  }

  /** Adds a file by the values that it consists of. */
  values(kind, values) {
    this.#enclosed(kind, 0, undefined, ANY, undefined, () => {
      for (const value of values) this.length.value(value);
    });
  }

  #enclosed(kind, call, about, tariff, data, measure) {
    const { length } = this;
    length.reset();
    const isFile = kind === Kind.FILE && about !== undefined && (length.classes || length.ofJson);
    const tokens = isFile ? tokensOfFile(data, about, tariff) : undefined;
    if (tokens !== undefined) length.priced(tokens, measure);
    else if (!(this.skipsImages && kind === Kind.IMAGE)) measure();
    if (call === 0 && this.speech !== SETTLED && (kind === Kind.IMAGE || kind === Kind.FILE)) this.#owns();
    this.#part(kind, 1, call, 0);
  }

  /** Adds a tool call; `args` is measured as text if it is a string, else as compact JSON. */
  call(id, name, args) {
    if (!this.isAnchored && isOwn(id)) this.#anchor(id);
    const call = this.#call(id);
    const tool = this.#tool(name);
    if (call !== 0 && tool !== 0) this.callTools[call] = tool;
    this.length.reset();
    if (args !== null && hasJson(args)) this.length.args(args);
    this.#part(Kind.CALL, 1, call, tool);
  }

  /**
   * Adds a tool result and returns its call, for parts that belong to it. The default for the name is the call's.
   *
   * @param output one of {@link Output}
   * @param texts the texts of the result; other values count as compact JSON
   * @param block the result's block in its message, if it can be pruned
   */
  result(id: unknown, name: unknown, output: number, texts: string | unknown[], block: number) {
    if (typeof texts === 'string') return this.resultOf(id, name, output, texts, block);
    this.length.reset();
    for (let at = 0; at < texts.length; at += 1) this.length.value(texts[at]);
    return this.#result(id, name, output, texts.length, block);
  }

  /** Adds a tool result of one value: a text unchanged, unless it is to be quoted like other JSON. */
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

  /** Records that the session has no id for the newest call. */
  pairedByPlace() {
    this.words[this.used - PART_WORDS] |= BY_PLACE;
  }

  /** What may be done with an output with this text for the call `id`. */
  outputOf(text, id, hasFailed) {
    const ordinary = hasFailed ? Output.ERROR : Output.ORDINARY;
    if (typeof text !== 'string') return ordinary;
    if (isCleared(text, id)) return Output.PRUNED;
    if (!this.#isPlaceholder(text)) return ordinary;
    return hasFailed ? Output.FAILED_PLACEHOLDER : Output.PLACEHOLDER;
  }

  /** Whether a text is the configured placeholder or one that another system writes. */
  #isPlaceholder(text) {
    if (text === PLACEHOLDER || text === this.placeholder) return true;
    if (!endsInReference(text) || !text.endsWith(NO_CALL)) return false;
    const bare = text.slice(0, -NO_CALL.length);
    return bare === PLACEHOLDER || bare === this.placeholder;
  }

  #result(id, name, outputOf, pieces, block) {
    if (!this.isAnchored && isOwn(id)) this.#anchor(id);
    // For a failed call whose error text cannot be cleared.
    const hasFailed = outputOf === Output.ERROR || outputOf === Output.FAILED_PLACEHOLDER;
    const ownOutput = hasFailed && block === undefined ? Output.FIXED_ERROR : outputOf;
    const output = this.seals?.has(id) ? Output.SEALED : ownOutput;
    const call = this.#call(id);
    const tool = this.#tool(name) || (this.callTools[call] ?? 0);
    if (block !== undefined) this.slots?.push(this.messages - 1, this.parts, block);
    this.#part(Kind.RESULT | output, Math.min(pieces, MOST_PIECES), call, tool);
    return call;
  }

  /** Adds a part with the lengths that were measured last. */
  #part(head, pieces, call, tool) {
    const { length } = this;
    this.#write(head, pieces, length.utf16, call, tool);
    if (length.isPlain) return;
    const { words, used } = this;
    words[used - 7] = wordOf(length.codePoints);
    words[used - 6] = wordOf(length.bytes);
    words[used - 5] = wordOf(length.classed);
    words[used - 1] = wordOf(length.classedJson);
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
    words[used + 8] = 0;
    this.used = used + PART_WORDS;
    this.parts += 1;
  }

  /** The number of a call, from 1; 0 if `id` is not a text. */
  #call(id) {
    if (typeof id !== 'string') return 0;
    const { calls } = this;
    // The map contains well-formed ids, so an id found in it is well-formed.
    let number = calls.known(id);
    if (number === undefined) {
      const key = wellFormed(id);
      number = (key === id ? undefined : calls.known(key)) ?? calls.add(key);
    }
    if (this.marks !== undefined && number > this.marks.ids.length) this.marks.ids.push(wellFormed(id));
    return number;
  }

  /** The number of a tool, from 1; 0 if `name` is not a text. */
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

/** A length as a word, limited to the largest word. */
function wordOf(length) {
  return length < SMALL || length < LARGEST_WORD ? length : LARGEST_WORD;
}

/** The text as the engine would decode it: an unpaired surrogate becomes U+FFFD. */
export function wellFormed(text) {
  return text.isWellFormed?.() === false ? text.toWellFormed() : text;
}
