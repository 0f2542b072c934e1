// The tables of docs/performance.md: each is between two marks, and only the benchmark writes the text between them.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));

/**
 * Writes tables between their marks.
 *
 * @param {Map<string, string>} sections Markdown by the name in the marks
 * @returns {string[]} sections without marks in the document
 */
export function write(sections) {
  let text = readFileSync(path, 'utf8');
  const homeless = [];
  for (const [name, content] of sections) {
    const begin = `<!-- bench: ${name} -->`;
    const end = `<!-- end of ${name} -->`;
    const from = text.indexOf(begin);
    const to = text.indexOf(end);
    if (from < 0 || to < from) homeless.push(name);
    else text = `${text.slice(0, from + begin.length)}\n\n${content.trim()}\n\n${text.slice(to)}`;
  }
  writeFileSync(path, text);
  return homeless;
}
