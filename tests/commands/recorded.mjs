// The recorded answers, a file for each table. Where a program answers differently, the difference stands behind the answer.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { changed, changes } from './notation.mjs';

const pathOf = (topic) => fileURLToPath(new URL(`answers/${topic}.txt`, import.meta.url));

const CASE = '## ';
const DIFFERS = '### differs: ';

/** The answers of one table: for each case the lines, and those of the programs that answer differently. */
export class Answers {
  #topic;
  /** @type {Map<string, { lines: string[], others: Map<string, string[]> }>} */
  #cases = new Map();

  /** @param {string} topic */
  constructor(topic) {
    this.#topic = topic;
    if (!existsSync(pathOf(topic))) return;
    let lines = [];
    for (const line of readFileSync(pathOf(topic), 'utf8').trimEnd().split('\n')) {
      const one = [...this.#cases.values()].at(-1);
      if (line.startsWith(CASE)) this.#cases.set(line.slice(CASE.length), { lines: (lines = []), others: new Map() });
      else if (line.startsWith(DIFFERS)) one?.others.set(line.slice(DIFFERS.length).split(',')[0], (lines = []));
      else if (line !== '') lines.push(line);
    }
    for (const { lines, others } of this.#cases.values()) for (const [host, own] of others) others.set(host, changed(lines, own));
  }

  names() {
    return [...this.#cases.keys()];
  }

  /** The answer of a program, and whether it is its own. */
  of(name, host) {
    const one = this.#cases.get(name);
    return one === undefined ? undefined : { lines: one.others.get(host) ?? one.lines, isOwn: one.others.has(host) };
  }

  /** Records an answer. */
  set(name, host, isFirst, lines) {
    const others = this.#cases.get(name)?.others ?? new Map();
    if (isFirst) this.#cases.set(name, { lines, others });
    else others.set(host, lines);
    const whole = this.#cases.get(name)?.lines.join('\n');
    for (const [host, own] of others) if (own.join('\n') === whole) others.delete(host);
  }

  /** Writes the cases of a table in its order. @param {{ name: string, hosts: string[], differs: Record<string, string> }[]} cases */
  write(cases) {
    const blocks = cases.flatMap(({ name, hosts, differs }) => {
      const { lines = [], others = new Map() } = this.#cases.get(name) ?? {};
      const own = [...others].filter(([host]) => hosts.includes(host)).sort(([one], [other]) => (one < other ? -1 : 1));
      const differing = own.flatMap(([host, other]) => [`${DIFFERS}${host}, ${differs[host]}`, ...changes(lines, other)]);
      return [`${CASE}${name}`, ...lines, ...differing, ''];
    });
    writeFileSync(pathOf(this.#topic), `${blocks.join('\n').trimEnd()}\n`);
  }
}
