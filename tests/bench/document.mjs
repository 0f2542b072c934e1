// The tables of docs/performance.md: each stands between two marks, and only the benchmark writes what is between them.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));

/**
 * Puts tables in their places.
 *
 * @param {Map<string, string>} sections Markdown by the name in the marks
 * @returns {string[]} sections for which there is no place
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
