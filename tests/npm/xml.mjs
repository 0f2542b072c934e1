// Whether a text is well-formed XML, as far as charts use it: elements, attributes, texts and the five entities.

import assert from 'node:assert/strict';

const TAG = /<(\/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/y;
const TEXT = /[^<]+/y;
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;
const ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/;

/** The elements of a document, with their attributes and their own text. */
export function parsed(xml) {
  const open = [];
  const elements = [];
  let at = 0;
  const next = (expression) => {
    expression.lastIndex = at;
    const found = expression.exec(xml);
    if (found !== null) at = expression.lastIndex;
    return found;
  };
  while (at < xml.length) {
    const text = next(TEXT);
    if (text !== null) {
      assert.doesNotMatch(text[0], ENTITY);
      if (open.length > 0) open.at(-1).text += text[0];
      else assert.match(text[0], /^\s*$/, 'text outside the document');
      continue;
    }
    const tag = next(TAG);
    assert.ok(tag, `no tag at ${at}: ${xml.slice(at, at + 60)}`);
    const [, isEnd, name, attributes, isEmpty] = tag;
    assert.doesNotMatch(attributes, ENTITY);
    if (isEnd) {
      assert.equal(open.pop()?.name, name);
      continue;
    }
    assert.ok(open.length > 0 || elements.length === 0, 'one element contains all others');
    const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, key, value]) => [key, value]);
    assert.equal(new Set(pairs.map(([key]) => key)).size, pairs.length, `an attribute twice: ${attributes}`);
    const element = { name, attributes: Object.fromEntries(pairs), text: '' };
    elements.push(element);
    if (!isEmpty) open.push(element);
  }
  assert.equal(open.length, 0, 'every element ends');
  return elements;
}
