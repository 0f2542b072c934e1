// Unusual sessions: every combination of fields that the live formats allow, and some that they do not. `random.mjs`
// in the format's folder in `tests/formats` makes its messages; without it they are those of its fixtures, taken apart and damaged.

import { existsSync } from 'node:fs';

import { mutationsOf } from './mutations.mjs';
import { fixture, internal, lists } from './package.mjs';

const { lead } = await internal('references.js');

const folder = new URL('../formats/', import.meta.url);

/** The formats whose sessions can be made. */
export const formats = [...new Set(Object.values(lists))].sort();

/** For each format: the function for a message, and the one for a message that may be a summary. */
const makers = {};
for (const format of formats) {
  const own = new URL(`${format}/random.mjs`, folder);
  const known = Object.keys(lists).filter((name) => lists[name] === format);
  makers[format] = existsSync(own)
    ? await import(own.href)
    : mutationsOf(
        format,
        known.flatMap((name) => JSON.parse(fixture(name))),
      );
}

/** The same seed gives the same numbers (mulberry32). */
export function randomness(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const PLACEHOLDER = '[Old tool result content cleared]';
const TEXTS = [
  '',
  ' ',
  '\n\t ',
  '\u0085',
  '\ufeff',
  '\u2028',
  'x',
  'plain words',
  '"quoted" \\ back\\slash',
  'tab\tline\nbreak\u0000\u001f',
  'déjà vu',
  '日本語のテキスト',
  '👩‍👩‍👧‍👦',
  'flag 🇪🇺 end',
  '\ud83d',
  '\ude00\ud83d',
  'a\ud83d\ud83d\ude00b\ude00',
  '\uffff\ud7ff\ue000',
  PLACEHOLDER,
  `${PLACEHOLDER} `,
  '[Compaction summary]\n\nearlier',
];
const NUMBERS = [0, -0, 1, 29.0, -1.5, 0.1, 1e21, 1e-7, 123456789012345680, 2 ** 53, 5e-324, 1.7976931348623157e308, -7];

export function makeSession(format, seed) {
  const random = randomness(seed);
  const tools = { random, ...pickers(random) };
  const { makeMessage, summary } = makers[format];
  const messages = Array.from({ length: tools.upTo(12) + 1 }, () => makeMessage(tools));
  if (summary !== undefined && tools.upTo(5) === 0) messages.splice(tools.upTo(2), 0, summary(markedAsSummary(tools)));
  return messages;
}

/** The text of a summary that is true if it is followed by the right id or text. */
function markedAsSummary({ upTo, pick }) {
  const anchor = pick(['c1', 'c2', 'c3', 'x', 'plain words', PLACEHOLDER]);
  return pick([`${lead(3, 1 + upTo(12), anchor)}So far.`, `${lead(3, 1 + upTo(12), anchor)}So far.`, `${lead(3, 0, 'So far.')}So far.`]);
}

function pickers(random) {
  const upTo = (limit) => Math.floor(random() * limit);
  const pick = (list) => list[upTo(list.length)];
  const maybe = (chance, make) => (random() < chance ? make() : undefined);
  const text = () => (random() < 0.1 ? pick(TEXTS).repeat(1 + upTo(400)) : pick(TEXTS) + (random() < 0.5 ? pick(TEXTS) : ''));
  const list = (limit, make) => Array.from({ length: upTo(limit) }, make);
  const value = (depth = 0) => {
    const kind = upTo(depth > 4 ? 5 : 7);
    if (kind === 0) return text();
    if (kind === 1) return pick(depth > 1 ? [...NUMBERS, NaN, Infinity] : NUMBERS);
    if (kind === 2) return pick([true, false, null]);
    // Messages are plain data; arguments may contain anything with a `toJSON`.
    if (kind === 3) return depth > 1 ? pick([undefined, () => 1, Symbol('none'), new Date(0)]) : undefined;
    if (kind === 4) return pick([[], {}, '']);
    if (kind === 5) return list(4, () => value(depth + 1));
    return Object.fromEntries(list(4, () => [pick(['a', 'b', 'path', 'é', '\ud83d', text()]), value(depth + 1)]));
  };
  /** A field that sometimes has another type, is null, or is missing. */
  const field = (make, chance = 0.1) => (random() < chance ? pick([undefined, null, 7, true, {}, [], value()]) : make());
  const id = () => pick(['c1', 'c2', 'c3', 'call_4|fc_4', '', '\ud83d', '\ufffd', 'é']);
  const name = () => pick(['bash', 'read', 'skill', '', '日本', '\ude00', 'bash ']);
  const number = () => pick(NUMBERS);
  return { upTo, pick, maybe, text, list, value, field, id, name, number, placeholder: PLACEHOLDER };
}
