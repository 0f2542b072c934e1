// The texts that benchmark sessions are made of: real source code, Markdown, JSON and locale files, out of the packages
// that the lock file pins, and logs that are made up. The same lock file and the same seed give the same sessions.

import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const packages = join(here, 'node_modules');

/** Languages with letters outside Latin-1. */
const LANGUAGES = ['ar', 'el', 'he', 'hi', 'hy', 'ja', 'ka', 'ko', 'ru', 'th', 'uk', 'ur', 'zh-CN', 'zh-TW'];

/** Random numbers from 0 to 1 that depend on the seed only. */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Numbers between `least` and `most` whose logarithms are spread evenly. */
export function logUniform(random, least, most) {
  return Math.round(Math.exp(Math.log(least) + random() * (Math.log(most) - Math.log(least))));
}

/** Real and made-up texts by kind; `wide` is the one with letters beyond Latin-1. */
export function loadCorpus() {
  const code = filesIn('ai/src/generate-text', '.ts') + filesIn('@mariozechner/pi-coding-agent/dist/core', '.js');
  const prose = filesIn('@mariozechner/pi-coding-agent/docs', '.md') + read('langchain/CHANGELOG.md');
  const json = readFileSync(join(here, 'package-lock.json'), 'utf8') + read('zod/package.json');
  const locales = LANGUAGES.map((language) => read(`zod/v4/locales/${language}.js`)).join('\n');
  const narrow = { code, prose, json, log: logs() };
  for (const kind of Object.keys(narrow)) narrow[kind] = narrow[kind].replaceAll(/[^\0-\xff]/gu, '?');
  return { ...narrow, wide: locales };
}

/**
 * A piece of a text from a random place, in the form in which V8 stores a parsed string: flat, with one byte per
 * character where possible. A slice would only point into the whole text.
 */
export function pieceOf(text, random, length) {
  const start = Math.floor(random() * text.length);
  let piece = text.slice(start, start + length);
  while (piece.length < length) piece += text.slice(0, length - piece.length);
  // A piece that begins or ends within a character would not be well-formed.
  return flat(piece.toWellFormed?.() ?? piece);
}

/** The same text as a flat string of its own. */
export function flat(text) {
  const encoding = /[^\0-\xff]/u.test(text) ? 'utf16le' : 'latin1';
  return Buffer.from(text, encoding).toString(encoding);
}

function read(path) {
  return readFileSync(join(packages, path), 'utf8');
}

function filesIn(folder, extension) {
  const names = readdirSync(join(packages, folder))
    .filter((name) => name.endsWith(extension))
    .sort();
  return names.map((name) => read(join(folder, name))).join('\n');
}

function logs() {
  const random = randomOf(7);
  const levels = ['INFO', 'WARN', 'DEBUG', 'ERROR'];
  const doing = ['compiled', 'resolved', 'retrying', 'skipped', 'PASS', 'FAIL', 'uploaded', 'connected to'];
  const lines = [];
  for (let line = 0; line < 4_000; line += 1) {
    const pick = (words) => words[Math.floor(random() * words.length)];
    const at = new Date(1_790_000_000_000 + line * 1_370).toISOString();
    const hash = Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
    lines.push(`${at} [${pick(levels)}] ${pick(doing)} src/module-${line % 97}/index.ts#${hash} in ${(random() * 900).toFixed(1)} ms`);
  }
  return lines.join('\n');
}
