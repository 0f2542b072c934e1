import { askCompat } from '../compat-core.js';
import { EbblineError } from '../errors.js';
import { guarded, wordsOf } from '../guard.js';
import { putText, takeString } from '../text-buffer.js';
import { engine } from './engine.js';

/** The maximum length of a question's options. */
const LONGEST_OPTIONS = 1 << 26;

/** A question about data, or about a text. */
type Question = (data: never, options: never) => unknown;

/**
 * Returns the function that asks `system` the question `name`. What it takes and gives is `Q`; the module itself checks it.
 *
 * `data` is the system's own data, as values or as JSON text; with text, numbers and keys keep their spelling.
 */
export function question<Q extends Question>(system: string, name: string): Q {
  const ask = guarded((data: unknown, options: unknown = {}): unknown => {
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
  const asked: Question = (data: unknown, options: unknown) => {
    // The error of a missing module is not caused by the arguments, so it is thrown unchanged.
    engine.memory();
    return ask(data, options);
  };
  return asked as Q;
}

/** Like `question`, but about a text: a string is the subject of the question, not JSON. */
export function questionAboutText(system: string, name: string): (text: string) => boolean {
  const ask = question<(text: string, options: unknown) => boolean>(system, name);
  return guarded((text: string, options?: unknown) => ask(toJson('the text', text), options));
}

/** JSON has no NaN and no infinity; the engine accepts their names. */
export function toJson(what: string, value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_, member: unknown) => (Number.isFinite(member) || typeof member !== 'number' ? member : String(member))) ??
      'null'
    );
  } catch (error) {
    const refusal = new EbblineError('invalid_option', `${what} cannot be written as JSON: ${wordsOf(error)}`);
    refusal.cause = error;
    throw refusal;
  }
}
