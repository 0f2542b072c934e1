/** Shared by the formats: reading content whose shape is unchecked. */

import { EbblineError } from '../../errors.js';
import { MOST_ELEMENTS } from '../../list.js';
import { hasJson } from '../../measure.js';

const NOTHING = Object.freeze([]);
const BLANK = /^\p{White_Space}*$/u;

/** The elements of a list; empty for any other value. */
export function elements(value) {
  if (!Array.isArray(value)) return NOTHING;
  if (value.length > MOST_ELEMENTS) throw new EbblineError('too_large', `a message has more than ${MOST_ELEMENTS} parts`);
  return value;
}

/** Whether the test holds for any element from an index on. */
export function someFrom(list, from, test) {
  for (let at = from; at < list.length; at += 1) if (test(list[at])) return true;
  return false;
}

/** An element as in JSON: in a list, a value without JSON becomes `null`. */
export function element(value) {
  return hasJson(value) ? value : null;
}

/** The texts of a result: the content itself, or the texts of its blocks. */
export function textsOf(content) {
  if (typeof content === 'string') return [content];
  const texts = [];
  for (const block of elements(content)) {
    if (typeof block?.text === 'string') texts.push(block.text);
  }
  return texts;
}

/** The same, but without a list for the usual content: a text, or a single block. */
export function textOrTexts(content) {
  if (typeof content === 'string') return content;
  if (Array.isArray(content) && content.length === 1) {
    const text = content[0]?.text;
    return typeof text === 'string' ? text : NOTHING;
  }
  return textsOf(content);
}

/** The content if it is a text, or the text of its only block. A placeholder may have either form. */
export function soleText(content) {
  if (typeof content === 'string') return content;
  const blocks = elements(content);
  return blocks.length === 1 ? blocks[0]?.text : undefined;
}

/** Whether a content contains text other than white space. */
export function hasText(content) {
  if (typeof content === 'string') return isSaid(content);
  return Array.isArray(content) && content.some((block) => isSaid(block?.text));
}

/** Whether a value is a text with more than white space. */
export function isSaid(text) {
  if (typeof text !== 'string') return false;
  const first = text.charCodeAt(0);
  return (first > 0x20 && first < 0x7f) || !BLANK.test(text);
}

/** The first of two members that exists, even if it is `null`. */
export function either(first, second) {
  return first === undefined ? second : first;
}
