import type { ErrorCode } from './generated/words.js';

const BRAND = Symbol.for('ebbline.EbblineError');

/**
 * The only error that the functions of this package throw, whatever their arguments. The exception: errors of the runtime about
 * a file or a module that it cannot load are passed on unchanged.
 */
export class EbblineError extends Error {
  /** `import` and `require` load a copy of this class each: an error of one is an instance of the other, too. */
  static [Symbol.hasInstance](value: unknown): value is EbblineError {
    return this === EbblineError ? (value as { [BRAND]?: unknown } | null | undefined)?.[BRAND] === true : super[Symbol.hasInstance](value);
  }

  declare readonly name: 'EbblineError';
  /** What went wrong; programs should compare this code, not the message. */
  readonly code: ErrorCode;
  /** The line of the text at fault, counted from 1; only if the fault is in a text. */
  declare readonly line?: number;
  /** The byte offset of the fault in the UTF-8 text, counted from 0; only if the fault is in a text. */
  declare readonly byte?: number;
  /** The exception of the caller's own code (a getter, a proxy, a counter), if that is the fault. */
  declare cause?: unknown;

  // The engine, compiled from Rust, throws it too: it imports this file.
  constructor(code: ErrorCode, message: string, line?: number, byte?: number) {
    super(message);
    this.code = code;
    if (line !== undefined) this.line = line;
    if (byte !== undefined) this.byte = byte;
  }
}

Object.defineProperty(EbblineError.prototype, BRAND, { value: true });
Object.defineProperty(EbblineError.prototype, 'name', { value: 'EbblineError', configurable: true, writable: true });
