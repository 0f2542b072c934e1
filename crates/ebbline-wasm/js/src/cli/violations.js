import { counted, printable } from './style.js';

/**
 * The rules that a session breaks, one violation per line, then the calls without results.
 *
 * @param {{ name: string, title: string, found: import('../../types/index.js').Validation, style: object }} shown
 * @returns {string} ends with a line break
 */
export function violationList({ name, title, found: { violations, pending }, style }) {
  const verdict = violations.length === 0 ? style.good('valid') : counted(violations.length, 'violation');
  const waiting = pending.length === 0 ? '' : `, ${counted(pending.length, 'call')} without a result yet`;
  const rows = violationRows([...violations, ...pending.map((call) => ({ ...call, rule: 'pending' }))], style);
  return `${[`${style.strong(printable(name))}  ${title}: ${verdict}${waiting}`, ...rows].join('\n')}\n`;
}

/** One line for each place that something is wrong with. */
export function violationRows(all, style) {
  const places = all.map(({ line, message }) => (message === undefined ? `line ${line}:` : `line ${line}, message ${message}:`));
  const width = Math.max(0, ...places.map((place) => place.length));
  return all.map(({ rule, text }, at) => `  ${places[at].padEnd(width)}  ${printable(text)} ${style.dim(`(${rule})`)}`);
}
