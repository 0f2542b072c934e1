// What the values of options may be. The engine itself checks the content of a policy.

import { unknown } from './catalog.js';
import { SUCH_A_TEXT, isText } from './engine-json.js';
import { EbblineError } from './errors.js';
import { listOf } from './bounded-list.js';
import { isAmount, isObject } from './values.js';

/** `true`, or what the value must be, in words. */
export type Check = (value: unknown) => true | string;
/** The check of each option that there is. */
export type Checks<Options> = { readonly [Name in keyof Options]-?: Check };

export const amount: Check = (value) => isAmount(value) || 'a number of 0 or more';
export const count: Check = (value) => isCounting(value) || 'a whole number of 1 or more';
export const flag: Check = (value) => typeof value === 'boolean' || 'true or false';
export const text: Check = (value) => isText(value) || SUCH_A_TEXT;
export const object: Check = (value) => isObject(value) || 'an object';
export const names: Check = (value) => (Array.isArray(value) && value.every((name) => typeof name === 'string')) || 'a list of names';
export const tokenCounter: Check = (value) => typeof value === 'function' || 'a function of a text that returns its tokens';
export const share: Check = (value) => (typeof value === 'number' && value >= 0 && value <= 1) || 'a share from 0 to 1';
export const signal: Check = (value) => (isObject(value) && typeof value.aborted === 'boolean') || 'an AbortSignal';

/** One of several words. */
export function oneOf(...words: string[]): Check {
  const quoted = words.map((word) => `'${word}'`);
  const last = quoted.pop();
  return (value) => words.some((word) => word === value) || `${quoted.join(', ')} or ${last}`;
}

/** The greatest count. */
const MOST = 1 << 26;

function isCounting(value: unknown) {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value < MOST;
}

/**
 * A copy of the options. Each is read only once, because a second read might return another value. Options that do not exist or have
 * a wrong type are refused: a misspelt option would silently do nothing.
 */
export function checkedBy<Options extends object>(checks: Checks<Options>, options: unknown): Options {
  const given: Record<string, unknown> = {};
  if (options === undefined) return given as Options;
  if (!isObject(options)) throw invalid('the options must be an object');
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(checks, name)) {
      throw invalid(unknown('option', name, Object.keys(checks)));
    }
  }
  for (const name in checks) {
    const read = options[name];
    if (read === undefined) continue;
    const value = Array.isArray(read) ? listOf(read) : read;
    const fits = checks[name](value);
    if (fits !== true) throw invalid(`the option ${name} must be ${fits}`);
    given[name] = value;
  }
  // The checks are those of the options' members.
  return given as Options;
}

export function invalid(message: string) {
  return new EbblineError('invalid_option', message);
}
