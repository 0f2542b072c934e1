// What is passed to the engine as text, in addition to a session.

import { EbblineError } from './errors.js';
import type { ErrorCode } from './generated/words.js';
import { wordsOf } from './guard.js';

/** The greatest length of such a text. */
export const LONGEST_TEXT = 1 << 26;

/**
 * A value as the engine reads it.
 *
 * @param code of the error that is thrown when it has no JSON
 * @param what it is, in words
 */
export function jsonFor(code: ErrorCode, what: string, value: unknown): string {
  let json: string;
  try {
    json = JSON.stringify(value) ?? 'null';
  } catch (error) {
    const refusal = new EbblineError(code, `${what} cannot be written as JSON: ${wordsOf(error)}`);
    refusal.cause = error;
    throw refusal;
  }
  if (json.length > LONGEST_TEXT) throw new EbblineError('too_large', `${what} is longer than ${LONGEST_TEXT} characters of JSON`);
  return json;
}

/** Refuses a value that is not a text, or a text that is too long to be passed in addition to a session. */
export function checkText(what: string, value: unknown): asserts value is string {
  if (isText(value)) return;
  throw new EbblineError('invalid_option', `${what} must be ${SUCH_A_TEXT}`);
}

/** What {@link isText} wants, in words. */
export const SUCH_A_TEXT = `a string of at most ${LONGEST_TEXT} characters`;

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_TEXT;
}
