import { TextBuffer } from './core.js';
import { engineMemory } from './engine.js';
import { EbblineError } from './errors.js';

const encoder = new TextEncoder();
// A byte order mark is part of the file and stays unchanged.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The largest allocation of the engine, in bytes. */
const LARGEST = 2 ** 31 - 1;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** A module that takes texts. */
export interface Engine {
  readonly TextBuffer: typeof TextBuffer;
  /** the module's memory; throws if the module is not loaded */
  readonly memory: () => WebAssembly.Memory;
}

/** A text in an engine's memory, and how many bytes of the buffer it takes. */
export interface PutText {
  readonly buffer: TextBuffer;
  readonly length: number;
}

/** Texts in an engine's memory, and the words that describe them: the number of parts; for each piece, its word and its bytes. */
export type PutPieces = readonly [buffer: TextBuffer, words: Uint32Array];

/** The engine for live messages. */
const main: Engine = { TextBuffer, memory: engineMemory };

/** Puts a text into an engine's memory. */
export function putText(input: string | Uint8Array, engine: Engine = main): PutText {
  engine.memory();
  if (input.length > LARGEST) {
    throw new EbblineError('too_large', `the text is longer than ${LARGEST} bytes`);
  }
  return typeof input === 'string' ? putString(input, engine) : putBytes(input, engine);
}

/** One of several texts that cross together. */
export interface Piece {
  /** what it is */
  readonly word: number;
  /** well-formed */
  readonly text: string;
}

/**
 * Puts pieces into an engine's memory, one behind the other.
 *
 * @param parts how many parts they are of
 */
export function putPieces(parts: number, pieces: readonly Piece[], engine: Engine = main): PutPieces {
  engine.memory();
  let left = 0;
  for (const { text } of pieces) left += text.length;
  if (left > LARGEST) throw new EbblineError('too_large', `the texts are longer than ${LARGEST} bytes`);
  const words = new Uint32Array(1 + 2 * pieces.length);
  words[0] = parts;
  const buffer = new engine.TextBuffer(left);
  let bytes = bytesOf(buffer, engine);
  let used = 0;
  let at = 1;
  for (const { word, text } of pieces) {
    let { read, written } = encoder.encodeInto(text, bytes.subarray(used));
    if (read < text.length) {
      buffer.resize(used + 3 * left);
      bytes = bytesOf(buffer, engine);
      ({ written } = encoder.encodeInto(text, bytes.subarray(used)));
    }
    left -= text.length;
    words[at] = word;
    words[at + 1] = written;
    used += written;
    at += 2;
  }
  if (used < bytes.length) buffer.resize(used);
  return [buffer, words];
}

/** Whether encoding leaves a text as it is: it has no unpaired surrogate. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed === undefined ? !LONE_SURROGATE.test(text) : text.isWellFormed();
}

/** Takes a text out of an engine's memory. */
export function takeString(buffer: TextBuffer, engine: Engine = main): string {
  return decoder.decode(bytesOf(buffer, engine));
}

/** Takes the bytes of a text out of an engine's memory. */
export function takeBytes(buffer: TextBuffer, engine: Engine = main): Uint8Array {
  return bytesOf(buffer, engine).slice();
}

function putBytes(bytes: Uint8Array, engine: Engine): PutText {
  const buffer = new engine.TextBuffer(bytes.length);
  bytesOf(buffer, engine).set(bytes);
  return { buffer, length: bytes.length };
}

function putString(text: string, engine: Engine): PutText {
  refuseLoneSurrogates(text);
  // Most sessions are nearly all ASCII; what does not fit is given the room that any text needs at most.
  const buffer = new engine.TextBuffer(text.length);
  let read = 0;
  let written = 0;
  for (;;) {
    const rest = read === 0 ? text : text.slice(read);
    const done = encoder.encodeInto(rest, bytesOf(buffer, engine).subarray(written));
    read += done.read;
    written += done.written;
    if (read >= text.length) return { buffer, length: written };
    buffer.resize(written + 3 * (text.length - read));
  }
}

/** A view of the buffer's bytes; the next call into the engine invalidates it. */
function bytesOf(buffer: TextBuffer, engine: Engine): Uint8Array<ArrayBuffer> {
  return new Uint8Array(engine.memory().buffer, buffer.pointer, buffer.length);
}

/** Encoding would turn them into U+FFFD, and the session would not come out as it went in. */
function refuseLoneSurrogates(text: string): void {
  if (isWellFormed(text)) return;
  const before = text.slice(0, LONE_SURROGATE.exec(text)?.index);
  const line = before.split('\n').length;
  const byte = encoder.encode(before).length;
  throw new EbblineError(
    'not_utf8',
    `the text has an unpaired surrogate, which is no Unicode text (line ${line}, byte ${byte})`,
    line,
    byte,
  );
}
