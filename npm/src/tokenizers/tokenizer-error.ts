import { EbblineError as Thrown } from '../errors.js';

export type TokenizerErrorCode =
  /** A file of the tokenizer cannot be fetched. */
  | 'not_found'
  /** The ranks are damaged, or belong to another encoding. */
  | 'bad_ranks'
  /** An argument or an option has the wrong type, or does not exist. */
  | 'invalid_option'
  /** With `strict`: the text has a special token that was not allowed. */
  | 'special_token'
  /** An argument threw an exception while it was read; `cause` is this exception. */
  | 'unreadable'
  /** The tokenizer was freed before. */
  | 'freed'
  /** There is not enough memory for the text or its tokens. */
  | 'too_large';

/** The error that the functions of this module throw; the same class as in `ebbline`. */
export interface EbblineError extends Error {
  readonly name: 'EbblineError';
  /** What went wrong; programs should compare this code, not the message. */
  readonly code: TokenizerErrorCode;
}

/** The class with the codes of tokenizers, which the engine does not have. */
export interface EbblineErrorClass {
  new (code: TokenizerErrorCode, message: string, line?: number, byte?: number): EbblineError;
  readonly prototype: EbblineError;
  [Symbol.hasInstance](value: unknown): value is EbblineError;
}

export const EbblineError: EbblineErrorClass = Thrown as unknown as EbblineErrorClass;
