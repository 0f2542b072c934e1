import { EbblineError } from './errors.js';
import { HAS_USAGE, MESSAGE, PART_WORDS } from './records.js';

// Four words (mark, version, checksum of what follows, bytes of the header), the header as JSON filled up with spaces to
// whole words, and the records. All words are little-endian, as in every engine that there is.
const MARK = 0x53_42_42_45; // "EBBS"
const VERSION = 1;
const HEAD = 4;

/**
 * A snapshot: what a session is besides its messages.
 *
 * @param {object} header plain data
 * @param {Uint32Array} records
 */
export function writeSnapshot(header, records) {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const padded = Math.ceil(json.length / 4);
  const words = new Uint32Array(HEAD + padded + records.length);
  const bytes = new Uint8Array(words.buffer);
  bytes.fill(0x20, HEAD * 4, (HEAD + padded) * 4);
  bytes.set(json, HEAD * 4);
  words.set(records, HEAD + padded);
  words[3] = padded * 4;
  words.set([MARK, VERSION, checksum(words)]);
  return bytes;
}

/**
 * The header and the records of a snapshot.
 *
 * @param {unknown} bytes
 */
export function readSnapshot(bytes) {
  if (!ArrayBuffer.isView(bytes)) throw refusal('it must be a Uint8Array');
  if (bytes.byteLength % 4 !== 0 || bytes.byteLength < HEAD * 4) throw refusal('it is none, or not whole');
  const start = bytes.byteOffset;
  const words = new Uint32Array(bytes.buffer.slice(start, start + bytes.byteLength));
  if (words[0] !== MARK) throw refusal('it is none');
  if (words[1] !== VERSION) throw refusal(`it is of version ${words[1]}, and only version ${VERSION} is read`);
  if (words[2] !== checksum(words)) throw refusal('it is damaged');
  const end = HEAD + words[3] / 4;
  if (!Number.isInteger(end) || end > words.length) throw refusal('it is damaged');
  return { header: headerIn(words, end), records: words.subarray(end) };
}

function headerIn(words, end) {
  let header;
  try {
    header = JSON.parse(new TextDecoder().decode(new Uint8Array(words.buffer, HEAD * 4, (end - HEAD) * 4)));
  } catch {
    throw refusal('it is damaged');
  }
  const isSound = isObject(header) && isObject(header.given) && areTexts(header.tools) && areTexts(header.ids);
  const areSound = isSound && Array.isArray(header.bits) && [header.length, header.base, ...header.bits].every(Number.isSafeInteger);
  if (!areSound) throw refusal('it is damaged');
  return header;
}

/** Calls `begin` and `add` with the place of each message and part, and makes sure that they are what they should be. */
export function eachRecord(words, { ids, tools, length }, begin, add) {
  let messages = 0;
  for (let at = 0; at < words.length; ) {
    if (words[at] >= MESSAGE) {
      begin(at);
      messages += 1;
      at += (words[at] & HAS_USAGE) === 0 ? 1 : 2;
      continue;
    }
    const isSound = messages > 0 && words[at + 5] <= ids.length && words[at + 6] <= tools.length;
    if (!isSound || at + PART_WORDS > words.length) throw refusal('it is damaged');
    add(at);
    at += PART_WORDS;
  }
  if (messages !== length) throw refusal('it is damaged');
}

/** FNV-1a, a word at a time. */
function checksum(words) {
  let sum = 0x811c9dc5;
  for (let at = HEAD - 1; at < words.length; at += 1) sum = Math.imul(sum ^ words[at], 0x0100_0193);
  return sum >>> 0;
}

export function refusal(why) {
  return new EbblineError('mismatch', `this is no snapshot of a session that could be restored: ${why}`);
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether it is a list of texts, none of them twice. */
function areTexts(value) {
  const isList = Array.isArray(value) && value.every((text) => typeof text === 'string');
  return isList && new Set(value).size === value.length;
}
