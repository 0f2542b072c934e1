import { bytesOfView } from './bytes.js';
import { crcOfWords } from './checksum.js';
import { EbblineError } from './errors.js';
import { HAS_USAGE, Kind, MESSAGE, PART_WORDS, Role, wellFormed } from './recorder.js';
import type { ContextMemory } from './session-ledger.js';
import type { SessionOptions } from './session-options.js';
import type { KnownSummaries } from './summary-claims.js';
import { isCount, isObject } from './values.js';

// Four words (mark, version, checksum of all others, bytes of the header), the header as JSON padded with spaces to
// whole words, and the records. All words are little-endian, as on every platform with an engine.
const MARK = 0x53_42_42_45; // "EBBS"
const VERSION = 4;
const HEAD = 4;
const CHECKSUM = 2;

/** What a snapshot says of a session beside its records. */
export interface SnapshotHeader {
  /** The options of the session. */
  given: SessionOptions;
  /** Whether a function counts tokens. */
  isCounted: boolean;
  format?: string | undefined;
  /** How many messages the session has. */
  length: number;
  /** What the replaced messages showed of the format, and what each of the first ones shows. */
  base: number;
  bits: number[];
  tools: string[];
  ids: string[];
  /** What the format remembers. */
  state?: unknown;
  told?: KnownSummaries | undefined;
  memory?: ContextMemory | undefined;
}

/** The members of a header. Members that are undefined are left out of the JSON. */
const MEMBERS: string[] = ['given', 'isCounted', 'format', 'length', 'base', 'bits', 'tools', 'ids', 'state', 'told', 'memory'];
/** The bits of what a message shows of its format are below this. */
const MOST_BITS = 2 ** 31;

/** The bits of records that have a meaning (crates/ebbline/src/packed.rs). */
const MESSAGE_BITS = 0xffff_ffff;
const PART_BITS = 0x01ff_ffff;

/**
 * A snapshot: the state of a session without its messages.
 *
 * @param header plain data
 */
export function writeSnapshot(header: SnapshotHeader, records: Uint32Array) {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const padded = Math.ceil(json.length / 4);
  const words = new Uint32Array(HEAD + padded + records.length);
  const bytes = new Uint8Array(words.buffer);
  bytes.fill(0x20, HEAD * 4, (HEAD + padded) * 4);
  bytes.set(json, HEAD * 4);
  words.set(records, HEAD + padded);
  words.set([MARK, VERSION, 0, padded * 4]);
  words[CHECKSUM] = checksum(words);
  return bytes;
}

/**
 * The header and the records of a snapshot. Everything is checked before it is used, because anybody who can write a snapshot
 * can also write its checksum.
 */
export function readSnapshot(bytes: unknown): { header: SnapshotHeader; records: Uint32Array } {
  const view = ArrayBuffer.isView(bytes) ? bytesOfView(bytes) : undefined;
  if (view === undefined) throw refusal('it must be a Uint8Array');
  if (view.length % 4 !== 0 || view.length < HEAD * 4) throw refusal('it is none, or not whole');
  const words = new Uint32Array(Uint8Array.from(view).buffer);
  if (words[0] !== MARK) throw refusal('it is none');
  if (words[1] !== VERSION) throw refusal(`it is of version ${words[1]}, and only version ${VERSION} is read`);
  if (words[CHECKSUM] !== checksum(words)) throw refusal('it is damaged');
  const end = HEAD + words[3] / 4;
  if (!Number.isInteger(end) || end > words.length) throw damaged('the length of its header');
  return { header: headerIn(words, end), records: words.subarray(end) };
}

function headerIn(words: Uint32Array, end: number): SnapshotHeader {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(words.buffer, HEAD * 4, (end - HEAD) * 4)));
  } catch {
    throw damaged('its header');
  }
  if (!isObject(header) || !Object.keys(header).every((name) => MEMBERS.includes(name))) throw damaged('its header');
  const { given, isCounted, format, length, base, bits, tools, ids, told, memory } = header;
  if (!isObject(given)) throw damaged('given');
  if (typeof isCounted !== 'boolean') throw damaged('isCounted');
  if (!isCount(length) || length > words.length - end) throw damaged('length');
  if (format !== undefined && typeof format !== 'string') throw damaged('format');
  if ((format === undefined) !== (length === 0)) throw damaged('format');
  if (!isCount(base) || base >= MOST_BITS) throw damaged('base');
  if (!Array.isArray(bits) || !bits.every((bit) => isCount(bit) && bit < MOST_BITS)) throw damaged('bits');
  if (!areTexts(tools)) throw damaged('tools');
  if (!areTexts(ids)) throw damaged('ids');
  if (told !== undefined && !isTold(told, length)) throw damaged('told');
  if (memory !== undefined && !isMemory(memory)) throw damaged('memory');
  // The session itself checks the options, and the format its state.
  return { ...header, given, isCounted, format, length, base, bits, tools, ids, told, memory };
}

/** Calls `begin` and `add` with the place of each message and part, and checks that each is valid. */
export function eachRecord(
  words: Uint32Array,
  { ids, tools, length }: Pick<SnapshotHeader, 'ids' | 'tools' | 'length'>,
  begin: (at: number) => void,
  add: (at: number) => void,
) {
  let messages = 0;
  let calls = 0;
  for (let at = 0; at < words.length; ) {
    const head = words[at];
    if (head >= MESSAGE) {
      const next = at + ((head & HAS_USAGE) === 0 ? 1 : 2);
      if (!isMessage(head) || messages === length || next > words.length) throw damaged(`word ${at} of its records`);
      begin(at);
      messages += 1;
      at = next;
      continue;
    }
    // A call gets its number where it first appears.
    const call = words[at + 5];
    const isSound = messages > 0 && at + PART_WORDS <= words.length && isPart(head) && call <= Math.min(calls + 1, ids.length);
    if (!isSound || words[at + 6] > tools.length) throw damaged(`word ${at} of its records`);
    calls = Math.max(calls, call);
    add(at);
    at += PART_WORDS;
  }
  if (messages !== length) throw damaged('the end of its records');
}

function isMessage(head: number) {
  return (head & ~MESSAGE_BITS) === 0 && (head & 0xf) <= Role.OTHER;
}

function isPart(head: number) {
  return (head & ~PART_BITS) === 0 && (head & 0xf) <= Kind.OTHER;
}

/** What a session knew when its context changed: the overhead, -1 when it is not known, and how many messages were left. */
function isMemory(memory: unknown): memory is ContextMemory {
  return isObject(memory) && (memory.overhead === -1 || isCount(memory.overhead)) && isCount(memory.length);
}

/** CRC-32C of all words except the checksum itself. */
function checksum(words: Uint32Array) {
  return crcOfWords(words.subarray(CHECKSUM + 1), crcOfWords(words.subarray(0, CHECKSUM)));
}

/** The error for a part of a snapshot that no session can have written. */
export function damaged(what: string) {
  return refusal(`it is damaged (${what})`);
}

function refusal(why: string) {
  return new EbblineError('mismatch', `this is no snapshot of a session that could be restored: ${why}`);
}

/** Whether a recorder of `length` messages can remember these summaries. */
function isTold(told: unknown, length: number): told is KnownSummaries {
  const isPlace = (place: unknown): place is number => isCount(place) && place < length;
  const isSummary = (summary: unknown) =>
    isObject(summary) &&
    isPlace(summary.message) &&
    isCount(summary.kept) &&
    isPlace(summary.shownBy) &&
    summary.message <= summary.shownBy;
  if (!isObject(told) || !Array.isArray(told.summaries) || !told.summaries.every(isSummary)) return false;
  const { claim } = told;
  return claim === undefined || (isObject(claim) && isPlace(claim.message) && isCount(claim.kept) && typeof claim.mark === 'string');
}

/** Whether a value is a list of distinct texts, as the engine stores them. */
function areTexts(value: unknown): value is string[] {
  if (!Array.isArray(value) || !value.every((text) => typeof text === 'string' && wellFormed(text) === text)) return false;
  return new Set(value).size === value.length;
}
