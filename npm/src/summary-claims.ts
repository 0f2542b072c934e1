import { Flag, HAS_USAGE, KEPT, KEPT_SHIFT, MESSAGE, MOST_KEPT, PART_WORDS, ROLES, Role, Turn } from './generated/records.js';
import type { PackedWords } from './packed-words.js';
import { type Claim, claimOf, fits } from './references.js';

/** A message that claims to be a summary, of so many kept messages behind it. */
export interface SummaryClaim extends Claim {
  readonly message: number;
  /** the message's first word */
  readonly header: number;
}

/** A proved summary, with the message that proved it. */
export interface ProvedSummary {
  readonly message: number;
  readonly kept: number;
  readonly shownBy: number;
}

/** What is known about summaries in addition to the records, as plain data. */
export interface KnownSummaries {
  readonly summaries: readonly ProvedSummary[];
  readonly claim?: Omit<SummaryClaim, 'header'>;
}

/**
 * Which messages are summaries of ebbline: those that claim it, in a place where ebbline writes summaries, if what follows proves it. The
 * counterpart of the engine's `format/recorder/`.
 */
export class SummaryClaims {
  /** A message that claims to be a summary, until what follows proves or disproves it. */
  claim: SummaryClaim | undefined;
  summaries: ProvedSummary[] = [];
  /** Usage reported up to this message describes another context than the current one. */
  staleUntil = -1;
  /** Whether the anchor of the newest message has been found. */
  isAnchored = true;
  /** The anchor of each message, for a summary in front of it; only if the messages are to be changed. */
  readonly anchors: string[] | undefined;
  readonly #records: PackedWords;
  /** How far the words have been searched for messages before a summary, and the result. */
  #looked = { at: 0, isFirst: true };

  constructor(records: PackedWords, forEdit: boolean) {
    this.#records = records;
    this.anchors = forEdit ? [] : undefined;
  }

  /** Forgets all but the first `count` messages. */
  truncate(count: number): void {
    this.#looked = { at: 0, isFirst: true };
    this.summaries = this.summaries.filter(({ message }) => message < count);
    if (this.claim !== undefined && this.claim.message >= count) this.claim = undefined;
    this.staleUntil = Math.max(-1, ...this.summaries.map(({ message, kept }) => message + kept));
  }

  restart(): void {
    this.#looked = { at: 0, isFirst: true };
    this.claim = undefined;
    this.summaries = [];
    this.staleUntil = -1;
    if (this.anchors !== undefined) this.anchors.length = 0;
  }

  /**
   * Checks whether the newest message, whose text is `text`, begins like a summary of ebbline. It is one if it is in
   * a place where ebbline writes summaries, and if the messages behind it are those that followed it then. Its own words do only for
   * a message of the user: what the application says must not be summarized because of them.
   */
  check(text: unknown): void {
    const claim = claimOf(text);
    if (claim === undefined || !this.#isFirst()) return;
    const { messages, header } = this.#records;
    const found = { ...claim, message: messages - 1, header };
    if (claim.fitsItself && !this.isUsers()) return;
    if (claim.fitsItself) this.#summarizes(found, found.message);
    else this.claim = found;
  }

  /** Handles the anchor of the newest message: the id of its first call, or its first text that no user wrote. */
  anchor(what: string): void {
    const { messages } = this.#records;
    this.isAnchored = true;
    if (this.anchors !== undefined) this.anchors[messages - 1] = what;
    const { claim } = this;
    if (claim === undefined || claim.message === messages - 1) return;
    this.claim = undefined;
    if (fits(claim, what)) this.#summarizes(claim, messages - 1);
  }

  /** Notes the newest message as a summary by a field of its format. */
  note(kept: number): void {
    const { messages } = this.#records;
    this.#note(messages - 1, kept, messages - 1);
  }

  /** Writes how many messages behind the message at `header` existed already. */
  writeKept(header: number, kept: number): void {
    const { words } = this.#records;
    words[header] = ((words[header] & ~KEPT) | ((Math.min(kept, MOST_KEPT) + 1) << KEPT_SHIFT)) >>> 0;
  }

  /** The first message to walk again if the messages from number `from` on change: what proves a summary follows it. */
  firstConcerned(from: number): number {
    const concerned = this.summaries.filter(({ message, shownBy }) => message < from && from <= shownBy);
    return Math.min(from, this.claim?.message ?? from, ...concerned.map(({ message }) => message));
  }

  /** What is known, as plain data; `undefined` if nothing is. */
  get told(): KnownSummaries | undefined {
    const { claim, summaries } = this;
    if (claim === undefined && summaries.length === 0) return undefined;
    return { summaries, ...(claim && { claim: { message: claim.message, kept: claim.kept, mark: claim.mark } }) };
  }

  /** With known starts: takes over what was known of the same messages. */
  recall({ claim, summaries }: KnownSummaries): void {
    for (const { message, kept, shownBy } of summaries) this.#note(message, kept, shownBy);
    if (claim !== undefined) this.claim = { ...claim, header: this.#records.start(claim.message) };
  }

  /** Whether the newest message has the user's role. */
  isUsers(): boolean {
    const { words, header } = this.#records;
    return (words[header] & ROLES) === Role.USER;
  }

  /**
   * Whether the newest message is where a summary goes: no message precedes it, or a summary that the format records
   * replaced all of them.
   */
  #isFirst(): boolean {
    if (this.summaries.length > 0) return false;
    const { words, header } = this.#records;
    const looked = this.#looked;
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

  #summarizes({ message, header, kept }: SummaryClaim, shownBy: number): void {
    const { words } = this.#records;
    const word = words[header];
    const isSummary = (word & Flag.SUMMARY) !== 0;
    if (!isSummary) {
      const stays = Flag.INACTIVE | HAS_USAGE;
      words[header] = (MESSAGE | Role.USER | Turn.SYNTHETIC | Flag.SUMMARY | (word & stays)) >>> 0;
    }
    this.writeKept(header, kept);
    this.#note(message, kept, shownBy);
    this.#forgetUsage(header, message);
  }

  #note(message: number, kept: number, shownBy: number): void {
    this.summaries.push({ message, kept, shownBy });
    this.staleUntil = Math.max(this.staleUntil, message + kept);
  }

  /** Removes the usage of messages behind a summary that have already been walked. */
  #forgetUsage(header: number, summary: number): void {
    const records = this.#records;
    const { words } = records;
    let message = summary - 1;
    for (let at = header; at < records.used; ) {
      if (words[at] < MESSAGE) {
        at += PART_WORDS;
        continue;
      }
      message += 1;
      const isOld = message > summary && message <= this.staleUntil;
      if (isOld && (words[at] & HAS_USAGE) !== 0) {
        words[at] &= ~HAS_USAGE;
        words.copyWithin(at + 1, at + 2, records.used);
        records.used -= 1;
        if (records.header > at) records.header -= 1;
        records.starts?.shift(message + 1, records.messages);
      }
      at += (words[at] & HAS_USAGE) === 0 ? 1 : 2;
    }
  }
}
