import { EbblineError } from './errors.js';
import { HAS_USAGE, MESSAGE, PART_WORDS, Turn } from './generated/records.js';
import { RecordStarts } from './record-starts.js';

const LARGEST_WORD = 0xffff_ffff;
/** The bits of a message's turn. */
const TURNS = Turn.CONTEXT;
/** Numbers below this are compared as integers. */
const SMALL = 1 << 30;
/** How many words are kept between walks, so that a walk allocates nothing. */
const LARGEST_SCRATCH = 1 << 20;
/** How many words fit into one allocation of the engine, together with what it makes of them. */
const MOST_WORDS = 1 << 28;
/** From this many messages on, room for all is reserved at once; and how many words most messages need. */
const FEW = 1 << 14;
const WORDS_OF_MESSAGE = 10;
/** How many words a growing session begins with. */
const FIRST_WORDS = 256;
let scratch: Uint32Array | undefined = new Uint32Array(1 << 12);

/** Earlier records of some messages: their words, and where each message begins in them. */
export interface EarlierWords {
  readonly starts: readonly number[];
  readonly words: Uint32Array;
}

/** The records of messages and their parts, packed into words as `crates/ebbline/src/packed.rs` lays them out. */
export class PackedWords {
  words: Uint32Array;
  used = 0;
  messages = 0;
  /** the parts of the newest message, and its first word */
  parts = 0;
  header = 0;
  /** Where each message begins, if the records grow and are cut. */
  starts: RecordStarts | undefined;

  constructor() {
    this.words = scratch ?? new Uint32Array(1 << 12);
    scratch = undefined; // A getter of a message may plan, too: it gets words of its own.
  }

  /** The records; not available after {@link giveBack}. */
  get records(): Uint32Array {
    return this.words.subarray(0, this.used);
  }

  /** Reserves room for `messages` messages, because long lists that grow are copied often. */
  reserve(messages: number): void {
    if (messages > FEW) this.#reserve(messages * WORDS_OF_MESSAGE);
  }

  /** Continues after `words`, if given, with known starts and its own memory. */
  protected grow(words: Uint32Array = new Uint32Array(FIRST_WORDS)): void {
    this.words = words;
    this.starts = new RecordStarts();
  }

  /** Gives the memory back for the next walk. */
  protected giveBack(): void {
    if (this.words.length <= LARGEST_SCRATCH) scratch = this.words;
  }

  /** Removes everything. */
  protected clear(): void {
    this.used = 0;
    this.messages = 0;
    this.parts = 0;
    if (this.starts !== undefined) this.starts.ids.length = 0;
  }

  /** With known starts: the start of a message's records. */
  start(message: number): number {
    return this.starts !== undefined && message < this.messages ? this.starts.start(message) : this.used;
  }

  /** With known starts: how many messages of a person begin a turn. */
  get turns(): number {
    let count = 0;
    for (let message = 0; message < this.messages; message += 1) {
      if ((this.words[this.start(message)] & TURNS) === Turn.PERSON) count += 1;
    }
    return count;
  }

  /** A copy of the records from message `first` on, for {@link sameAs}. */
  from(first: number): EarlierWords {
    const starts: number[] = [];
    const begin = this.start(first);
    for (let message = first; message <= this.messages; message += 1) starts.push(this.start(message) - begin);
    return { starts, words: this.words.slice(begin, this.used) };
  }

  /** The first message whose records differ from `before`, the earlier records from message `first` on. */
  sameAs(before: EarlierWords | undefined, first: number): number {
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

  /** Adds the first word of a message, and its usage unless that is 0. */
  protected addMessage(head: number, usage: number): void {
    this.#reserve(2);
    this.header = this.used;
    this.words[this.used] = MESSAGE | head | (usage > 0 ? HAS_USAGE : 0);
    this.used += 1;
    if (usage > 0) {
      this.words[this.used] = usage;
      this.used += 1;
    }
    this.messages += 1;
    this.parts = 0;
  }

  /** Adds a part without other lengths than that in UTF-16 units. */
  protected addPart(head: number, pieces: number, utf16: number, call: number, tool: number): void {
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

  /** Says anew whether the newest message begins a turn. */
  protected setTurn(turn: number): void {
    this.words[this.header] = ((this.words[this.header] & ~TURNS) | turn) >>> 0;
  }

  #reserve(words: number): void {
    if (this.used + words <= this.words.length) return;
    if (this.used + words > MOST_WORDS) throw new EbblineError('too_large', `the messages have more than ${MOST_WORDS / PART_WORDS} parts`);
    const larger = new Uint32Array(Math.max(this.words.length * 2, this.used + words));
    larger.set(this.words);
    this.words = larger;
  }
}

/** A length as a word, limited to the largest word. */
export function wordOf(length: number): number {
  return length < SMALL || length < LARGEST_WORD ? length : LARGEST_WORD;
}
