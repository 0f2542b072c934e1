// Reading content whose shape nobody has checked.

import { EbblineError } from '../../errors.js';
import { MOST_ELEMENTS } from '../../bounded-list.js';
import { hasJson } from '../../values.js';

const NOTHING: readonly never[] = Object.freeze([]);
const BLANK = /^\p{White_Space}*$/u;

/** What is read of a block that may be a text. */
interface TextBlock {
  readonly text?: unknown;
}

/**
 * The elements of a list; empty for any other value. `Element` says what is read of one, with members that may be anything; an element
 * may also be nothing.
 */
export function elements<Element = unknown>(value: unknown): readonly (Element | null | undefined)[] {
  if (!Array.isArray(value)) return NOTHING;
  if (value.length > MOST_ELEMENTS) throw new EbblineError('too_large', `a message has more than ${MOST_ELEMENTS} parts`);
  return value;
}

/** Whether the test holds for any element from an index on. */
export function someFrom<Element>(list: readonly Element[], from: number, test: (element: Element) => boolean): boolean {
  for (let at = from; at < list.length; at += 1) if (test(list[at])) return true;
  return false;
}

/** An element as in JSON: in a list, a value without JSON becomes `null`. */
export function element<Value>(value: Value): Value | null {
  return hasJson(value) ? value : null;
}

/** The texts of a result: the content itself, or the texts of its blocks. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  const texts: string[] = [];
  for (const block of elements<TextBlock>(content)) {
    if (typeof block?.text === 'string') texts.push(block.text);
  }
  return texts;
}

/** The same, but without a list for the usual content: a text, or a single block. */
export function textOrTexts(content: unknown): string | readonly string[] {
  if (typeof content === 'string') return content;
  if (Array.isArray(content) && content.length === 1) {
    const text: unknown = content[0]?.text;
    return typeof text === 'string' ? text : NOTHING;
  }
  return textsOf(content);
}

/** The content if it is a text, or the text of its only block. A placeholder may have either form. */
export function soleText(content: unknown): unknown {
  if (typeof content === 'string') return content;
  const blocks = elements<TextBlock>(content);
  return blocks.length === 1 ? blocks[0]?.text : undefined;
}

/** Whether a content contains text other than white space. */
export function hasText(content: unknown): boolean {
  if (typeof content === 'string') return isSaid(content);
  return Array.isArray(content) && content.some((block: TextBlock | null | undefined) => isSaid(block?.text));
}

/** Whether a value is a text with more than white space. */
export function isSaid(text: unknown): text is string {
  if (typeof text !== 'string') return false;
  const first = text.charCodeAt(0);
  return (first > 0x20 && first < 0x7f) || !BLANK.test(text);
}

/** The first of two members that exists, even if it is `null`. */
export function either<Value>(first: Value, second: Value): Value {
  return first === undefined ? second : first;
}
