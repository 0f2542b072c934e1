import { askCompat } from '../compat-core.js';
import { putText, takeString } from '../text.js';
import { engine } from './engine.js';

/**
 * The function that puts the question `name` to `system`.
 *
 * `data` is what that system works on, as values or as JSON text; text keeps its spelling of numbers and keys.
 */
export function question(system, name) {
  return (data, options = {}) => {
    const { buffer, length } = putText(typeof data === 'string' ? data : toJson(data), engine);
    const answer = askCompat(system, name, buffer, length, toJson(options));
    try {
      return JSON.parse(takeString(answer, engine));
    } finally {
      answer.free();
    }
  };
}

/** As `question`, about a text: data that is a string is no JSON, but what the question is about. */
export function questionAboutText(system, name) {
  const ask = question(system, name);
  return (text, options) => ask(JSON.stringify(text), options);
}

/** JSON knows no NaN and no infinity; the engine takes their names. */
function toJson(value) {
  return JSON.stringify(value, (_, member) => (Number.isFinite(member) || typeof member !== 'number' ? member : String(member))) ?? 'null';
}
