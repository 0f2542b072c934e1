const BRAND = Symbol.for('ebbline.EbblineError');

/** The one error that this package throws. The engine, compiled from Rust, throws it too: it imports this file. */
export class EbblineError extends Error {
  /** `import` and `require` load a copy of this class each: an error of one is an instance of the other, too. */
  static [Symbol.hasInstance](value) {
    return this === EbblineError ? value?.[BRAND] === true : super[Symbol.hasInstance](value);
  }

  /**
   * @param code    one of the codes listed in the type declarations
   * @param message what went wrong, in words
   * @param line  where in the text, counted from 1
   * @param byte  where in the text as UTF-8, counted from 0
   */
  constructor(code: string, message: string, line: number, byte: number) {
    super(message);
    this.code = code;
    if (line !== undefined) this.line = line;
    if (byte !== undefined) this.byte = byte;
  }
}

Object.defineProperty(EbblineError.prototype, BRAND, { value: true });
Object.defineProperty(EbblineError.prototype, 'name', { value: 'EbblineError', configurable: true, writable: true });
