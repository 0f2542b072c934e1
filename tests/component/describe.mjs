// Adds to a component what its binary form has no place for: the text of the WIT package with its documentation, where tools for WIT
// look for it (`package-docs`), and who made it, as registries of components read it (`wkg`).
// Usage: describe.mjs COMPONENT WIT NAME=TEXT..

import { appendFileSync, readFileSync } from 'node:fs';

const [component, wit, ...said] = process.argv.slice(2);

/** A length as WebAssembly writes it: seven bits a byte, the lowest first. */
const length = (count) => (count > 0x7f ? [(count & 0x7f) | 0x80, ...length(count >>> 7)] : [count]);
const bytes = (text) => [...new TextEncoder().encode(text)];

function add(name, content) {
  const section = [...length(bytes(name).length), ...bytes(name), ...content];
  appendFileSync(component, Uint8Array.from([0, ...length(section.length), ...section]));
}

// Tools know the interfaces of another package than this one by name alone: only the world can be documented.
add('package-docs', [1, ...bytes(JSON.stringify({ worlds: { root: { docs: readFileSync(wit, 'utf8') } } }))]);
for (const line of said) {
  const [name, text] = line.split(/=(.*)/s);
  add(name, bytes(text));
}
