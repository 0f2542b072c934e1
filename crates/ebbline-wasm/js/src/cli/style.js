/** Colours by their meaning, and texts that are safe to print. */

const CODES = { strong: '1', dim: '2', pruned: '33', summarised: '35', boundary: '36', good: '32' };

/**
 * @param {boolean} colored
 * @returns {Record<keyof typeof CODES, (text: string) => string>}
 */
export function styles(colored) {
  const paint = (code) => (text) => (colored && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text);
  return Object.fromEntries(Object.entries(CODES).map(([name, code]) => [name, paint(code)]));
}

/** Whether to colour the output of `stream`. */
export function isColored(when, stream, environment = process.env) {
  if (when === 'always') return true;
  if (when === 'never' || environment.NO_COLOR || environment.TERM === 'dumb') return false;
  return stream.isTTY === true;
}

/** Text from a session or file name, without control characters, which could control the terminal. */
export function printable(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '\ufffd');
}

/** A multi-line text that is safe to print. */
export function printableLines(text) {
  return text.replace(/[^\n\t]+/g, printable);
}

/** `1,234,567` */
export function amount(number) {
  // The sum of no costs is -0.
  return (number + 0).toLocaleString('en-US');
}

/** `1 output`, `3 outputs` */
export function counted(number, noun) {
  return `${amount(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Cuts or pads a text to `width` characters. */
export function fit(text, width) {
  const characters = [...text];
  if (characters.length <= width) return text + ' '.repeat(width - characters.length);
  return width > 0 ? `${characters.slice(0, width - 1).join('')}…` : '';
}
