import { askCompat } from '../compat-core.js';
import { EbblineError } from '../errors.js';
import { guarded, wordsOf } from '../guard.js';
import { putText, takeString } from '../text.js';
import { engine } from './engine.js';

/** How long the options of a question may be. */
const LONGEST_OPTIONS = 1 << 26;

/**
 * The function that puts the question `name` to `system`.
 *
 * `data` is what that system works on, as values or as JSON text; text keeps its spelling of numbers and keys.
 */
export function question(system, name) {
  const ask = guarded((data, options = {}) => {
    const asked = toJson('the options', options);
    if (asked.length > LONGEST_OPTIONS) throw new EbblineError('too_large', `the options are longer than ${LONGEST_OPTIONS} characters`);
    const { buffer, length } = putText(typeof data === 'string' ? data : toJson('the data', data), engine);
    const answer = askCompat(system, name, buffer, length, asked);
    try {
      return JSON.parse(takeString(answer, engine));
    } finally {
      answer.free();
    }
  });
  return (data, options) => {
    // A module that is missing is no fault of what was handed over: its error stays what it is.
    engine.memory();
    return ask(data, options);
  };
}

/** As `question`, about a text: data that is a string is no JSON, but what the question is about. */
export function questionAboutText(system, name) {
  const ask = question(system, name);
  return guarded((text, options) => ask(toJson('the text', text), options));
}

/** JSON knows no NaN and no infinity; the engine takes their names. */
export function toJson(what, value) {
  try {
    return JSON.stringify(value, (_, member) => (Number.isFinite(member) || typeof member !== 'number' ? member : String(member))) ?? 'null';
  } catch (error) {
    const refusal = new EbblineError('invalid_option', `${what} cannot be written as JSON: ${wordsOf(error)}`);
    refusal.cause = error;
    throw refusal;
  }
}
