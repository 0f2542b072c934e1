import { counted, printable } from './style.js';

/**
 * What a session breaks, one line a violation.
 *
 * @param {{ name: string, title: string, found: import('../../types/index.js').Validation, style: object }} shown
 * @returns {string} with a line break at its end
 */
export function violationList({ name, title, found: { violations }, style }) {
  const verdict = violations.length === 0 ? style.good('valid') : counted(violations.length, 'violation');
  const places = violations.map(({ line, message }) => `line ${line}, message ${message}:`);
  const width = Math.max(0, ...places.map((place) => place.length));
  const rows = violations.map(({ rule, text }, at) => `  ${places[at].padEnd(width)}  ${printable(text)} ${style.dim(`(${rule})`)}`);
  return `${[`${style.strong(printable(name))}  ${title}: ${verdict}`, ...rows].join('\n')}\n`;
}
