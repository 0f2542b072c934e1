// The record of a compaction: what is needed to go back.

import { createHash } from 'node:crypto';

import { FileError } from './exit.js';
import { nameOf, readText } from './files.js';

const KIND = 'compaction';
const VERSION = 1;
/** What closes a document behind its last message. */
const CLOSING = new Set([...' \t\r\n]}'].map((letter) => letter.charCodeAt(0)));

/**
 * @typedef {object} Edit
 * @property {number} at the first byte in the file after the compaction
 * @property {number} length how many bytes were written there
 * @property {string} [text] what stood there before, if it is text
 * @property {string} [base64] the same, if it is not
 */
/**
 * @typedef {object} CompactionRecord
 * @property {'compaction'} ebbline
 * @property {number} version
 * @property {Sum} before the file before the compaction
 * @property {Sum} after the file after it
 * @property {Sum} kept the part of the file after it that stays when messages are added
 * @property {Edit[]} edits
 */
/** @typedef {{ bytes: number, sha256: string }} Sum */

/**
 * @param {Uint8Array} before
 * @param {{ bytes: Uint8Array, edits: [start: number, end: number, length: number][] }} compacted
 * @param {object} about what is recorded beside it
 */
export function recordOf(before, { bytes: after, edits }, about) {
  let grown = 0;
  const written = edits.map(([start, end, length]) => {
    const at = start + grown;
    grown += length - (end - start);
    return { at, length, ...contentOf(before.subarray(start, end)) };
  });
  const { at, length } = written.at(-1) ?? { at: 0, length: 0 };
  const kept = Math.max(endOfMessages(after), at + length);
  const sums = { before: sumOf(before), after: sumOf(after), kept: sumOf(after.subarray(0, kept)) };
  return { ebbline: KIND, version: VERSION, ...about, ...sums, edits: written };
}

/** Text stays text, so that a person can read the record. */
function contentOf(bytes) {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return Buffer.from(text).equals(bytes) ? { text } : { base64: Buffer.from(bytes).toString('base64') };
}

function bytesOf({ text, base64 }) {
  return text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text);
}

/** Where the closing brackets begin that messages are added in front of. */
function endOfMessages(bytes) {
  let end = bytes.length;
  while (end > 0 && CLOSING.has(bytes[end - 1])) end -= 1;
  return end;
}

function sumOf(bytes) {
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function isSum(sum, bytes) {
  return bytes.length === sum.bytes && sumOf(bytes).sha256 === sum.sha256;
}

/** Reads a record from a file. */
export async function readRecord(name) {
  const text = await readText(name);
  try {
    const record = JSON.parse(text);
    if (record?.ebbline === KIND && record.version > VERSION) {
      throw new FileError(`${nameOf(name)} is a record of version ${record.version}, which this version of ebbline does not know`);
    }
    if (isRecord(record)) return record;
  } catch (error) {
    if (error instanceof FileError) throw error;
  }
  throw new FileError(`${nameOf(name)} is no record of a compaction: compact --record and summarize --record write one`);
}

/** @returns {record is CompactionRecord} */
function isRecord(record) {
  const isCount = (number) => Number.isSafeInteger(number) && number >= 0;
  const hasSum = (sum) => isCount(sum?.bytes) && typeof sum.sha256 === 'string';
  const isEdit = (edit) => isCount(edit?.at) && isCount(edit.length) && (typeof edit.text === 'string' || typeof edit.base64 === 'string');
  const { ebbline, version, before, after, kept, edits } = record ?? {};
  return ebbline === KIND && version === VERSION && [before, after, kept].every(hasSum) && Array.isArray(edits) && edits.every(isEdit);
}

/**
 * A session as it was before a compaction, with what was added since.
 *
 * @param {Uint8Array} bytes
 * @param {CompactionRecord} record
 * @param {string} name of the file
 * @returns {{ bytes: Buffer, added: number, links: number }} how many bytes were added since, and how many of their links were changed
 */
export function undone(bytes, record, name) {
  if (isSum(record.before, bytes) && !isSum(record.after, bytes)) {
    throw new FileError(`${nameOf(name)} is as it was before this compaction: there is nothing to undo`);
  }
  const isSame = isSum(record.after, bytes);
  const kept = isSame ? bytes : bytes.subarray(0, record.kept.bytes);
  if (!isSame && !isSum(record.kept, kept)) {
    throw new FileError(
      `the record does not fit ${nameOf(name)}: the first ${record.kept.bytes} bytes are not those that the compaction wrote`,
    );
  }
  const { original, removed } = withoutEdits(kept, record.edits, name);
  if (isSame) {
    if (!isSum(record.before, original)) throw new FileError(`the record is damaged: it does not give back what ${nameOf(name)} was`);
    return { bytes: original, added: 0, links: 0 };
  }
  const rest = bytes.subarray(kept.length);
  const { text, links } = relinked(rest, removed, original);
  const needsBreak = removed !== '' && rest[0] === '{'.charCodeAt(0) && original.length > 0 && original.at(-1) !== '\n'.charCodeAt(0);
  return { bytes: Buffer.concat([original, Buffer.from(needsBreak ? '\n' : ''), text]), added: rest.length, links };
}

function withoutEdits(bytes, edits, name) {
  const pieces = [];
  const removed = [];
  let copied = 0;
  for (const edit of edits) {
    if (edit.at < copied || edit.at + edit.length > bytes.length) {
      throw new FileError(`the record is damaged: it names bytes that ${nameOf(name)} does not have`);
    }
    pieces.push(bytes.subarray(copied, edit.at), bytesOf(edit));
    copied = edit.at + edit.length;
    removed.push(String(Buffer.from(bytes.subarray(edit.at, copied))));
  }
  pieces.push(bytes.subarray(copied));
  return { original: Buffer.concat(pieces), removed: removed.join('\n') };
}

/**
 * In a session that is a tree, what was added follows the entries that the compaction wrote. Those go, so it has to follow what
 * they followed.
 */
function relinked(rest, removed, original) {
  const parents = new Map();
  let last;
  for (const line of removed.split('\n')) {
    const entry = entryOf(line);
    const id = entry?.uuid ?? entry?.id;
    if (typeof id !== 'string') continue;
    const parent = entry.parentUuid ?? entry.logicalParentUuid ?? entry.parentId ?? last;
    if (typeof parent === 'string') parents.set(id, parent);
    last = id;
  }
  if (parents.size === 0) return { text: rest, links: 0 };
  const before = String(original);
  let links = 0;
  // A letter for each byte, so that bytes which are no text stay as they are.
  const letters = Buffer.from(rest).toString('latin1');
  const text = letters.replace(/("(?:parentUuid|parentId)"\s*:\s*)"([^"\\]+)"/g, (whole, key, bytes) => {
    const id = String(Buffer.from(bytes, 'latin1'));
    let to = id;
    for (let steps = parents.size; steps > 0 && parents.has(to); steps -= 1) to = parents.get(to);
    if (to === id || before.includes(`"${id}"`)) return whole;
    links += 1;
    return `${key}"${Buffer.from(to).toString('latin1')}"`;
  });
  return { text: links === 0 ? rest : Buffer.from(text, 'latin1'), links };
}

function entryOf(line) {
  try {
    const entry = JSON.parse(line);
    return typeof entry === 'object' ? entry : undefined;
  } catch {
    return undefined;
  }
}
