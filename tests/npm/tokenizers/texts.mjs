// Texts for comparing tokenizers: files of this machine, recombined pieces of them, generated logs and JSON, and
// unusual texts. The same seed, folders and files give the same texts.

import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';

import { randomness } from '../random-sessions.mjs';

/** The maximum length of a text; the time of the reference grows with the square of a piece's length. */
const LONGEST = 24_000;
const LONGEST_PIECE = 2_500;
/** How much of a file is read, so that many files are used instead of a few large ones. */
const PART = 32_000;
const IGNORED = /\.(wasm|node|png|jpe?g|gif|ico|woff2?|ttf|gz|br|zip|tgz|rlib|so|a|o|bin|exe|mo|pyc|ranks|map)$/i;

/**
 * Texts, one after the other, without end.
 *
 * @param {{ seed: number, folders: string[] }} options
 * @returns {Generator<{ kind: string, text: string }>}
 */
export function* texts({ seed, folders }) {
  const random = randomness(seed);
  const tools = pickers(random);
  const files = filesByExtension(folders, tools);
  const seen = [];
  for (;;) {
    const kind = tools.weighted(KINDS);
    const text = make[kind]({ ...tools, files, seen });
    if (text === '') continue;
    if (kind === 'file') remember(seen, text, tools);
    yield { kind, text: shortened(text) };
  }
}

/** The frequency of each kind of text, in percent. */
const KINDS = { file: 45, recombined: 11, log: 6, json: 6, words: 6, unicode: 6, fuzz: 20 };

const make = {
  file: ({ files, upTo }) => partOfFile(files, upTo),
  recombined: ({ seen, pick, upTo }) => {
    if (seen.length === 0) return '';
    return Array.from({ length: 20 + upTo(200) }, () => cut(pick(seen), upTo, 1 + upTo(60))).join('');
  },
  log: ({ upTo, pick }) => Array.from({ length: 5 + upTo(100) }, () => logLine(upTo, pick)).join('\n'),
  json: ({ upTo, pick, random }) => {
    const values = Array.from({ length: 5 + upTo(40) }, () => value(3, { upTo, pick, random }));
    return JSON.stringify(values, null, pick([0, 2, '\t']));
  },
  words: ({ upTo, pick, character }) => {
    const blocks = Array.from({ length: 1 + upTo(3) }, () => pick(BLOCKS));
    const word = () => Array.from({ length: 1 + upTo(12) }, () => character(pick(blocks))).join('');
    return Array.from({ length: 10 + upTo(400) }, () => word() + pick(SEPARATORS)).join('');
  },
  unicode: ({ upTo, anyCharacter }) => Array.from({ length: 10 + upTo(3000) }, anyCharacter).join(''),
  fuzz: ({ upTo, pick, random, character, anyCharacter, seen }) => {
    const pieces = Array.from({ length: 1 + upTo(pick([10, 100, 2000])) }, () => {
      const dice = random();
      if (dice < 0.6) return pick(ATOMS);
      if (dice < 0.7) return pick(ATOMS).repeat(1 + upTo(dice < 0.605 ? 1200 : 12));
      if (dice < 0.8) return character(pick(BLOCKS));
      if (dice < 0.9) return anyCharacter();
      return seen.length === 0 ? 'x' : cut(pick(seen), upTo, 1 + upTo(8));
    });
    return pieces.join('');
  },
};

/** Blocks of code points: letters of both cases and of none, marks, numbers, signs. */
const BLOCKS = [
  [0x20, 0x7e],
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0x30, 0x39],
  [0xa0, 0xff],
  [0x100, 0x24f],
  [0x2b0, 0x36f],
  [0x370, 0x3ff],
  [0x400, 0x52f],
  [0x531, 0x58a],
  [0x590, 0x5ff],
  [0x600, 0x6ff],
  [0x900, 0x97f],
  [0xb80, 0xbff],
  [0xe00, 0xe7f],
  [0x10a0, 0x10ff],
  [0x1100, 0x11ff],
  [0x13a0, 0x13f5],
  [0x1e00, 0x1fff],
  [0x2000, 0x206f],
  [0x2070, 0x218f],
  [0x2190, 0x23ff],
  [0x2500, 0x27bf],
  [0x2c00, 0x2d2f],
  [0x3000, 0x30ff],
  [0x3400, 0x3500],
  [0x4e00, 0x9fff],
  [0xa640, 0xa7ff],
  [0xab30, 0xabbf],
  [0xac00, 0xd7a3],
  [0xe000, 0xe010],
  [0xfe00, 0xfe0f],
  [0xff00, 0xffef],
  [0x10400, 0x1044f],
  [0x118a0, 0x118df],
  [0x1d400, 0x1d7ff],
  [0x1e900, 0x1e95f],
  [0x1f1e6, 0x1f1ff],
  [0x1f300, 0x1faff],
  [0x20000, 0x20100],
  [0xe0100, 0xe01ef],
  [0xf0000, 0xf0010],
];
const SEPARATORS = [' ', ' ', ' ', ' ', '  ', '\n', '\r\n', '\t', ', ', '. ', "'s ", "'LL ", '-', '_', '/', '', '\u00a0', '\u3000', '。'];

/** Where the regular expressions that split a text decide: contractions, case, marks, spaces, line breaks, special
 * tokens. */
const ATOMS = [
  "'s",
  "'S",
  "'ſ",
  "'t",
  "'re",
  "'RE",
  "'ve",
  "'m",
  "'ll",
  "'lL",
  "'d",
  "'",
  "''",
  "'l",
  "'r",
  "'K",
  '’s',
  'K',
  'ſ',
  'ı',
  'İ',
  'a',
  'A',
  'aB',
  'Ab',
  'ABc',
  'ABC',
  'abc',
  'ǅ',
  'ʰ',
  'ª',
  'ß',
  'ẞ',
  'é',
  'É',
  'e\u0301',
  '\u0301',
  '\u0301\u0301',
  '\u20dd',
  'ा',
  '日',
  '本語',
  'ア',
  '한',
  'ا',
  'ب',
  '0',
  '1',
  '12',
  '123',
  '1234',
  '٣',
  '²',
  '½',
  'Ⅷ',
  '〇',
  ' ',
  '  ',
  '   ',
  '\t',
  '\n',
  '\n\n',
  '\r',
  '\r\n',
  '\u000b',
  '\u000c',
  '\u0085',
  '\u00a0',
  '\u1680',
  '\u2003',
  '\u2028',
  '\u2029',
  '\u202f',
  '\u3000',
  '\u180e',
  '\u200b',
  '\ufeff',
  '\u200d',
  '\ufe0f',
  '/',
  '//',
  '///',
  '\\',
  '.',
  '...',
  ';',
  '{',
  '}',
  '();',
  '=>',
  '!=',
  '"',
  '`',
  '$',
  '€',
  '#',
  '##',
  '--',
  '——',
  '|',
  '<',
  '>',
  '</',
  '@',
  '👩‍👩‍👧‍👦',
  '🇪🇺',
  '👍🏽',
  '\ud83d',
  '\ude00',
  '\u0000',
  '\u001b[0m',
  '\u007f',
  '\ufffd',
  '\uffff',
  '\u{10ffff}',
  '<|endoftext|>',
  '<|endofprompt|>',
  '<|fim_prefix|>',
  '<|fim_middle|>',
  '<|fim_suffix|>',
  '<|endof',
  '<|',
  '|>',
  'x',
  'X',
  '-',
  '_',
  '=',
];

const LEVELS = ['INFO', 'WARN', 'ERROR', 'debug', 'TRACE'];
const PLACES = [
  'src/main.rs',
  './node_modules/.bin/tsc',
  'C:\\Users\\me\\a b.txt',
  '/var/log/app-1.log',
  'app.service',
  'Größe.md',
  '資料/表.csv',
];
const VERBS = ['connected to', 'cannot open', 'retrying', 'finished', 'took', 'panicked at', 'compiling', 'deprecated:'];

function logLine(upTo, pick) {
  const hex = (length) => Array.from({ length }, () => upTo(16).toString(16)).join('');
  const time = new Date(1.6e12 + upTo(2 ** 31) * 100).toISOString();
  const what = pick([
    `id=${hex(8)}-${hex(4)}`,
    `${upTo(1e6)} ms`,
    `0x${hex(12)}`,
    `{"n":${upTo(99)}}`,
    `${upTo(256)}.${upTo(256)}.0.1:${upTo(65536)}`,
  ]);
  return `${time} ${pick(LEVELS)} [${pick(PLACES)}:${upTo(2000)}] ${pick(VERBS)} ${pick(PLACES)} ${what}`;
}

function value(depth, { upTo, pick, random }) {
  const dice = depth === 0 ? 0.2 + random() * 0.5 : random();
  if (dice < 0.25) return Array.from({ length: upTo(8) }, () => value(Math.max(depth - 1, 0), { upTo, pick, random }));
  if (dice < 0.4) return pick([true, false, null, upTo(1e9), random() * 1e6, -upTo(100), 1e21]);
  if (dice < 0.7) return pick([...PLACES, ...VERBS, ...ATOMS]) + pick(['', ' ', '\n']) + pick(VERBS);
  const keys = ['id', 'type', 'content', 'tool_call_id', 'createdAt', 'PATH', 'größe', 'x-y', '名前'];
  return Object.fromEntries(Array.from({ length: 1 + upTo(8) }, () => [pick(keys), value(Math.max(depth - 1, 0), { upTo, pick, random })]));
}

function pickers(random) {
  const upTo = (limit) => Math.floor(random() * limit);
  const pick = (list) => list[upTo(list.length)];
  const character = ([first, last]) => String.fromCodePoint(first + upTo(last - first + 1));
  const anyCharacter = () =>
    random() < 0.5 ? character([0, 0xffff]) : random() < 0.5 ? character([0, 0x10ffff]) : character(pick(BLOCKS));
  const weighted = (weights) => {
    let left = upTo(100);
    return Object.keys(weights).find((name) => (left -= weights[name]) < 0);
  };
  return { random, upTo, pick, character, anyCharacter, weighted };
}

/** Files in random order, one of each extension in turn, so that no language prevails. */
function filesByExtension(folders, { upTo }) {
  const groups = new Map();
  for (const folder of folders) {
    for (const path of filesIn(folder)) {
      const kind = `${folder} ${extname(path)}`;
      if (!groups.has(kind)) groups.set(kind, []);
      groups.get(kind).push(path);
    }
  }
  const lists = [...groups.values()];
  for (const list of lists) {
    for (let at = list.length - 1; at > 0; at -= 1) {
      const other = upTo(at + 1);
      [list[at], list[other]] = [list[other], list[at]];
    }
  }
  return { lists, turn: 0 };
}

function filesIn(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() && !IGNORED.test(entry.name) ? [path] : [];
  });
}

/** A part of the next file that is text; from each group in turn, and from large groups more often. */
function partOfFile(files, upTo) {
  for (let tries = 0; tries < 200 && files.lists.length > 0; tries += 1) {
    files.turn = (files.turn + 1) % files.lists.length;
    const list = files.lists[files.turn];
    if (list.length === 0) {
      files.lists.splice(files.turn, 1);
      continue;
    }
    const path = list.pop();
    let bytes;
    try {
      bytes = readFileSync(path);
    } catch {
      continue;
    }
    const start = bytes.length > PART ? upTo(bytes.length - PART) : 0;
    const part = bytes.subarray(start, start + PART);
    if (bytes.length === 0 || part.includes(0)) continue;
    const text = part.toString('utf8');
    const torn = text.split('\ufffd').length - 1;
    if (torn <= 4) return text;
  }
  return '';
}

function remember(seen, text, { upTo }) {
  if (seen.length < 200) seen.push(text);
  else seen[upTo(200)] = text;
}

function cut(text, upTo, length) {
  const start = upTo(text.length);
  return text.slice(start, start + length);
}

/** A text within the limits: at most [`LONGEST`] units, with spaces inserted into runs that are too long. */
function shortened(text) {
  return text.slice(0, LONGEST).replace(TOO_LONG, '$& ');
}

const TOO_LONG = new RegExp(`[^\\s]{${LONGEST_PIECE}}|\\s{${LONGEST_PIECE}}`, 'gu');
