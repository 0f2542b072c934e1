// JSON as other programs might write it: numbers, repeated keys and escapes that `JSON.stringify` never makes.

/** A value that appears in the text exactly as given. */
export class Spelled {
  constructor(text) {
    this.text = text;
  }
}

/** An object given by its members, several of which may have the same key. */
export class Members {
  constructor(members) {
    this.members = members;
  }
}

/** The ways to write the same value; the first is that of `JSON.stringify`. */
export const SPELLINGS = [
  { string: JSON.stringify, gap: '' },
  { string: JSON.stringify, gap: ' \n' },
  { string: escaped, gap: '\t' },
];

/** The JSON text of a value; members that are `undefined` are left out. */
export function write(value, spelling = SPELLINGS[0]) {
  const { string, gap } = spelling;
  if (value instanceof Spelled) return value.text;
  if (typeof value === 'string') return string(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => gap + write(item, spelling)).join(',')}]`;
  const members = value instanceof Members ? value.members : Object.entries(value);
  const written = members
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${gap}${string(key)}:${gap}${write(member, spelling)}`);
  return `{${written.join(',')}${gap}}`;
}

/** Writes every unit as an escape. */
function escaped(text) {
  const unit = (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  const units = Array.from({ length: text.length }, unit);
  return `"${units.join('')}"`;
}
