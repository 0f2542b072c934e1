// Counts tokens as a provider does, so that a scripted model refuses what a real one would refuse.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { manifest, packageFolder } from '../npm/package.mjs';

const { load } = await import(pathToFileURL(join(packageFolder, manifest.exports['./tokenizers/o200k'].node.import.default)).href);
const tokenizer = await load();
/** What a provider adds to each message. */
const PER_MESSAGE = 4;

/** @type {Map<string, number>} */
const counted = new Map();

/** The tokens of messages: of all texts in them, and of each message. */
export function tokensOf(messages) {
  return messages.reduce((sum, message) => sum + PER_MESSAGE + count(textsIn(message).join('\n')), 0);
}

function count(text) {
  if (!counted.has(text)) counted.set(text, tokenizer.count(text));
  return counted.get(text) ?? 0;
}

/** @returns {string[]} */
function textsIn(value) {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [String(value)];
  return Object.values(value).flatMap(textsIn);
}
