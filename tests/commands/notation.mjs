// How bytes stand in the tables and in the recorded answers: as text, and what cannot be seen between ⟨ and ⟩. ⟨1b⟩ is a
// byte, and ⟨x*300⟩ is 300 times x. Two different contents never have the same notation.

/** A character in UTF-8, or else a single byte, in a text of Latin-1. */
const CHARACTER = new RegExp(
  [
    '[\\x00-\\x7f]',
    '[\\xc2-\\xdf][\\x80-\\xbf]',
    '\\xe0[\\xa0-\\xbf][\\x80-\\xbf]',
    '[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}',
    '\\xed[\\x80-\\x9f][\\x80-\\xbf]',
    '\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}',
    '[\\xf1-\\xf3][\\x80-\\xbf]{3}',
    '\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2}',
    '[\\x80-\\xff]',
  ].join('|'),
  'g',
);
/** What nobody sees, or what steers a terminal. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}⟨]/u;
/** So many equal characters in a row are counted. */
const ALIKE = /([^⟨⟩])\1{199,}/gu;
/** A line of JSON that is longer is broken. */
const LONG = 110;

const hex = (bytes) => [...bytes].map((byte) => `⟨${byte.toString(16).padStart(2, '0')}⟩`).join('');

/** @param {Uint8Array} bytes */
function noted(bytes) {
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(CHARACTER, (latin) => {
      const own = Buffer.from(latin, 'latin1');
      const character = own.toString();
      if (latin === '\n') return latin;
      return (own.length === 1 && own[0] > 0x7f) || UNSEEN.test(character) ? hex(own) : character;
    });
  return text.replace(/ (?=\n|$)/g, '⟨20⟩').replace(ALIKE, (run, one) => `⟨${one}*${run.length / one.length}⟩`);
}

/** The name of a file, in one line. @param {Uint8Array} bytes */
export function nameOf(bytes) {
  return noted(bytes).replaceAll('\n', '⟨0a⟩');
}

/** The bytes of a text of the tables. @param {string} text */
export function bytesOf(text) {
  const pieces = text.split(/⟨([^⟩]+)⟩/);
  return Buffer.concat(
    pieces.map((piece, at) => {
      if (at % 2 === 0) return Buffer.from(piece);
      const [, one, times] = /^(.+)\*(\d+)$/s.exec(piece) ?? [];
      return one === undefined ? Buffer.from(piece, 'hex') : Buffer.from(one.repeat(Number(times)));
    }),
  );
}

/** The lines of a content, and at its end a mark if the last has no end. */
function linesOf(bytes) {
  const lines = noted(bytes).split('\n');
  if (lines.at(-1) === '') lines.pop();
  else lines.push('⟨no newline⟩');
  return lines;
}

/** A line of JSON in several lines, if it is spelt as `JSON.stringify` spells it; otherwise the line. */
function broken(line) {
  if (line === '') return ['|'];
  if (line.length <= LONG || !/^[[{]/.test(line) || line.includes('⟨')) return [`| ${line}`];
  try {
    const value = JSON.parse(line);
    if (JSON.stringify(value) === line) return layers(value, '').map((one) => `> ${one}`);
  } catch {
    // It is no JSON.
  }
  return [`| ${line}`];
}

function layers(value, indent) {
  const whole = JSON.stringify(value);
  if (indent.length + whole.length <= LONG || value === null || typeof value !== 'object') return [indent + whole];
  const inner = `${indent} `;
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([name, member]) => {
    const [first, ...rest] = layers(member, inner);
    return [isList ? first : `${inner}${JSON.stringify(name)}: ${first.trimStart()}`, ...rest];
  });
  const lines = members.flatMap((lines, at) => (at < members.length - 1 ? [...lines.slice(0, -1), `${lines.at(-1)},`] : lines));
  return [`${indent}${isList ? '[' : '{'}`, ...lines, `${indent}${isList ? ']' : '}'}`];
}

/** Which lines of two lists are the same: the longest common part. @returns {[number, number][]} */
function common(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const [rows, columns] = [before.length - start - end, after.length - start - end];
  const pairs = Array.from({ length: start }, (_, at) => [at, at]);
  if (rows * columns <= 4_000_000) {
    const length = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1));
    for (let row = rows - 1; row >= 0; row -= 1) {
      for (let column = columns - 1; column >= 0; column -= 1) {
        const isSame = before[start + row] === after[start + column];
        length[row][column] = isSame ? length[row + 1][column + 1] + 1 : Math.max(length[row + 1][column], length[row][column + 1]);
      }
    }
    for (let [row, column] = [0, 0]; row < rows && column < columns; ) {
      if (before[start + row] === after[start + column]) {
        pairs.push([start + row, start + column]);
        row += 1;
        column += 1;
      } else if (length[row + 1][column] >= length[row][column + 1]) row += 1;
      else column += 1;
    }
  }
  for (let at = end; at > 0; at -= 1) pairs.push([before.length - at, after.length - at]);
  return /** @type {[number, number][]} */ (pairs);
}

/** What differs between two lists of lines. `= 3` lines stay, `- 3` lines are gone, and a line that came stands behind `+`. */
export function changes(before, after) {
  const lines = [];
  const count = (sign, many) => many > 0 && lines.push(`${sign} ${many}`);
  let [from, to, kept] = [0, 0, 0];
  const gap = (untilFrom, untilTo) => {
    if (untilFrom === from && untilTo === to) return;
    count('=', kept);
    kept = 0;
    count('-', untilFrom - from);
    lines.push(...after.slice(to, untilTo).map((line) => `+ ${line}`));
  };
  for (const [row, column] of common(before, after)) {
    gap(row, column);
    [from, to, kept] = [row + 1, column + 1, kept + 1];
  }
  gap(before.length, after.length);
  count('=', kept);
  return lines;
}

/** The list of lines to which the changes lead. */
export function changed(before, lines) {
  const after = [];
  let at = 0;
  for (const line of lines) {
    const [sign, rest] = [line[0], line.slice(2)];
    if (sign === '+') after.push(rest);
    else {
      if (sign === '=') after.push(...before.slice(at, at + Number(rest)));
      at += Number(rest);
    }
  }
  return after;
}

/** A content is told by what differs from another one if at least this share of it is in both. */
const SHARED = 0.3;
/** A content of fewer bytes is told as it is. */
const LEAST = 500;

/**
 * The notation of a content, in lines. A long one is told by what differs from one of the contents that were there before.
 *
 * @param {Uint8Array} bytes
 * @param {Map<string, Uint8Array>} others contents by their names
 * @returns {string[]}
 */
export function notation(bytes, others) {
  if (bytes.length === 0) return [];
  if (bytes.length > 200) for (const [name, other] of others) if (Buffer.compare(other, bytes) === 0) return [`the bytes of ${name}`];
  const lines = shown(bytes);
  if (bytes.length < LEAST) return lines;
  let [most, nearest, pairs] = [SHARED * lines.join('\n').length, undefined, undefined];
  for (const [name, other] of others) {
    if (other.length < LEAST) continue;
    const there = shown(other);
    const size = common(there, lines).reduce((sum, [, at]) => sum + lines[at].length + 1, 0);
    if (size > most) [most, nearest, pairs] = [size, name, there];
  }
  return nearest === undefined ? lines : [`changes of ${nearest}`, ...changes(pairs, lines)];
}

const shown = (bytes) => linesOf(bytes).flatMap(broken);
