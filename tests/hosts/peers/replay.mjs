// Replays recorded lives under the rules of other libraries, in their own code, request by request.
// `node tests/hosts/peers/replay.mjs LIVES [WINDOW+OVERHEAD ..] > ROWS`; `cargo xtask defaults FOLDER --lives LIVES` writes the lives, and
// `--peers ROWS` judges the rows. docs/defaults.md has the table. What is not installed is named and left out.
import { readFileSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { installed } from './rules.mjs';
import { saidBy } from './wires.mjs';

/**
 * @typedef {{ part: number, kind: string, text: string, tokens: number, call: number | null, tool: string | null }} Part
 * @typedef {{ session: string, messages: { role: string, continues: boolean, parts: Part[] }[], requests: number[] }} Life
 * @typedef {import('./wires.mjs').Piece & { parts: number[], own: number }} Known a piece, the part that it is, and the parts that share its fate
 * @typedef {[number, number] | { part: number, text: string } | { role: string, text: string }} Item
 */

/** What every summary says, without a fact: 2,000 tokens, or a fifth of a small window, as in a replay. */
const SUMMARY = 'The work went on as before, and nothing more is said of it here. '.repeat(124).trim();
/** So long is a text that is looked for in another. */
const TELLING = 40;

/** The messages of a life from one place to another, as pieces. */
class Told {
  /** @param {Life} life */
  constructor(life) {
    this.life = life;
    /** How often each call was made so far: agents use ids again. @type {Map<number, number>} */
    this.made = new Map();
  }

  /** @returns {{ role: string, system: boolean, pieces: Known[] }[]} */
  between(from, until, reasons) {
    const messages = [];
    for (const { role, continues, parts } of this.life.messages.slice(from, until)) {
      let newest = continues && messages.at(-1)?.role === 'assistant' ? messages.at(-1) : undefined;
      let waiting = [];
      for (const part of parts) {
        const piece = this.piece(part, reasons);
        const speaker = piece?.kind === 'result' ? 'tool' : role === 'assistant' ? 'assistant' : role === 'system' ? 'system' : 'user';
        if (piece === undefined) {
          const owner = newest?.pieces.at(-1);
          if (owner === undefined) waiting.push(part.part);
          else owner.parts.push(part.part);
          continue;
        }
        if (newest?.role !== speaker) messages.push((newest = { role: speaker, system: speaker === 'system', pieces: [] }));
        newest.pieces.push({ ...piece, parts: [...waiting, part.part], own: part.part });
        waiting = [];
      }
      if (waiting.length > 0) {
        const piece = { kind: /** @type {const} */ ('text'), text: `(part ${waiting[0]})`, parts: waiting, own: waiting[0] };
        messages.push({ role: role === 'assistant' ? 'assistant' : 'user', system: false, pieces: [piece] });
      }
    }
    return messages;
  }

  /** @param {Part} part @returns {import('./wires.mjs').Piece | undefined} */
  piece({ kind, text, call, tool }, reasons) {
    const name = tool ?? 'tool';
    if (call !== null && kind === 'tool_call') this.made.set(call, (this.made.get(call) ?? 0) + 1);
    const id = call !== null && this.made.has(call) ? `call_${call}_${this.made.get(call)}` : undefined;
    if (id !== undefined && kind === 'tool_call') return { kind: 'call', id, name, text };
    if (id !== undefined && kind === 'tool_result') return { kind: 'result', id, name, text };
    if (text.trim() === '' || kind === 'image' || kind === 'file') return undefined;
    if (kind === 'thinking') return reasons ? { kind: 'reasoning', text } : undefined;
    return { kind: 'text', text };
  }
}

/** Which parts of a life a list of messages still has. */
class Reader {
  constructor() {
    /** @type {Map<string, Known>} */
    this.byId = new Map();
    /** @type {Map<string, Known[]>} */
    this.byText = new Map();
    /** @type {Map<string, Known | undefined>} */
    this.inside = new Map();
  }

  /** Texts of one message that a wire joins are one. @param {{ role: string, pieces: Known[] }[]} messages */
  learn(messages) {
    for (const { role, pieces } of messages) {
      for (const piece of pieces) {
        const key = `${role} ${piece.kind} ${piece.text}`;
        if (piece.id !== undefined) this.byId.set(`${piece.kind} ${piece.id}`, piece);
        else if (!this.byText.get(key)?.push(piece)) this.byText.set(key, [piece]);
      }
    }
  }

  /** @param {import('./wires.mjs').Left[]} left @returns {Item[]} */
  items(left) {
    const keyed = left.map((one) => ({ one, key: `${one.role} ${one.kind} ${one.text}` }));
    const counts = new Map();
    for (const { key } of keyed) counts.set(key, (counts.get(key) ?? 0) + 1);
    const taken = new Map();
    const placed = new Set();
    const found = keyed.map(({ one, key }) => {
      const all = one.id === undefined ? (this.byText.get(key) ?? []) : [this.byId.get(`${one.kind} ${one.id}`)];
      // Of equal texts, the newest are left.
      const nth = taken.get(key) ?? 0;
      const known = one.id === undefined ? all[Math.max(0, all.length - counts.get(key)) + nth] : all[0];
      taken.set(key, nth + 1);
      if (known !== undefined && placed.has(known)) return undefined;
      if (known !== undefined) placed.add(known);
      return known;
    });
    /** @type {Item[]} */
    const items = [];
    for (const [at, { one }] of keyed.entries()) {
      const known = found[at] ?? this.containedIn(one, placed);
      if (known === undefined) {
        items.push({ role: one.role, text: one.text });
        continue;
      }
      const around = found[at] === undefined ? { role: one.role, text: one.text.replace(known.text, () => '') } : undefined;
      const isBehind = around !== undefined && one.text.startsWith(known.text);
      if (around !== undefined && !isBehind) items.push(around);
      const isWhole = known.id === undefined || saidBy(known) === one.text;
      items.push(...known.parts.map((part) => (isWhole || part !== known.own ? whole(part) : { part, text: one.text })));
      if (around !== undefined && isBehind) items.push(around);
    }
    return items;
  }

  /** A text around one that is known: a note behind it, a summary before it. */
  containedIn(/** @type {import('./wires.mjs').Left} */ { kind, text, id }, /** @type {Set<Known>} */ placed) {
    if (kind !== 'text' || id !== undefined) return undefined;
    if (!this.inside.has(text)) {
      const all = [...this.byText.values()].flat().filter((known) => known.text.length >= TELLING && text.includes(known.text));
      this.inside.set(text, all.sort((one, other) => other.text.length - one.text.length)[0]);
    }
    const known = this.inside.get(text);
    if (known === undefined || placed.has(known)) return undefined;
    placed.add(known);
    return known;
  }
}

/** The texts of a message that has one text: all stand in the first, and share the fate of what they stand behind. @param {Known[]} pieces */
function withOneText(pieces) {
  const texts = pieces.filter(({ kind }) => kind === 'text');
  const [first] = texts;
  if (first === undefined || (texts.length === 1 && pieces[0] === first)) return pieces;
  /** @type {Known[]} */
  const joined = [{ ...first, text: texts.map(({ text }) => text).join('\n'), parts: pieces[0] === first ? [...first.parts] : [] }];
  for (const piece of pieces.slice(pieces[0] === first ? 1 : 0)) {
    if (piece.kind === 'text') joined[joined.length - 1]?.parts.push(...piece.parts);
    else joined.push({ ...piece, parts: [...piece.parts] });
  }
  return joined;
}

/** Neighbors as one range. @param {Item[]} items @returns {Item[]} */
function together(items) {
  /** @type {Item[]} */
  const ranges = [];
  for (const item of items) {
    const last = ranges.at(-1);
    if (Array.isArray(last) && Array.isArray(item) && last[1] + 1 === item[0]) ranges[ranges.length - 1] = [last[0], item[1]];
    else ranges.push(item);
  }
  return ranges;
}

/** @param {number} part @returns {Item} */
const whole = (part) => [part, part];

/** The rows of one life under one peer. @param {Life} life @param {import('./rules.mjs').Peer} peer */
export async function* rowsOf(life, peer, window, overhead) {
  let asked = [0, 0];
  const summary = SUMMARY.slice(0, (4 * window) / 5);
  const ask = (/** @type {number} */ characters) => {
    if (characters > 0) asked = [asked[0] + characters, asked[1] + summary.length];
    return summary;
  };
  const rule = await peer.open({ window, overhead, ask });
  const { reasons = false, joins = false, read, write } = peer.wire;
  const [told, reader] = [new Told(life), new Reader()];
  const sizes = new Map(life.messages.flatMap(({ parts }) => parts.map(({ part, tokens }) => [part, tokens])));
  const sizeOf = (/** @type {Item[]} */ items) => {
    let tokens = overhead;
    for (const item of items) {
      if (Array.isArray(item)) for (let part = item[0]; part <= item[1]; part += 1) tokens += sizes.get(part) ?? 0;
      else tokens += Math.ceil(item.text.length / 4);
    }
    return tokens;
  };
  /** @type {Item[]} */
  const system = [];
  /** @type {any[]} */
  let history = [];
  /** @type {Item[]} */
  let standing = [];
  let seen = 0;
  for (const [request, at] of life.requests.entries()) {
    const messages = told.between(seen, at, reasons);
    // The system prompt stands beside the messages of these libraries.
    while (history.length === 0 && messages[0]?.role === 'system')
      system.push(...(messages.shift()?.pieces ?? []).flatMap(({ parts }) => parts.map(whole)));
    const given = messages.map(({ role, pieces }) => {
      return { role: role === 'system' ? 'user' : role, pieces: joins ? withOneText(pieces) : pieces };
    });
    reader.learn(given);
    const all = [...history, ...write(/** @type {any} */ (given))];
    const came = life.messages.slice(seen, at).flatMap(({ parts }) => parts.map(({ part }) => whole(part)));
    asked = [0, 0];
    const sent = await rule(all, sizeOf([...system, ...reader.items(read(all))]));
    const items = together([...system, ...reader.items(read(sent))]);
    const isGrown = JSON.stringify(items) === JSON.stringify(together([...standing, ...came]));
    if (request === 0 || !isGrown || asked[1] > 0) yield { peer: peer.name, window, session: life.session, request, context: items, asked };
    [history, standing, seen] = [peer.keeps ? [...sent] : all, items, at];
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [file, ...windows] = process.argv.slice(2);
  const wrong = windows.find((terms) => !/^\d+\+\d+$/.test(terms));
  if (file === undefined || wrong !== undefined) {
    console.error(`${wrong === undefined ? '' : `${wrong} is no window. `}usage: replay.mjs LIVES [WINDOW+OVERHEAD ...]`);
    process.exit(2);
  }
  const lives = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  // What a library prints is no row.
  console.log = console.info = console.debug = console.error;
  const { peers, absent } = await installed();
  for (const why of absent) console.error(`left out: ${why}`);
  for (const peer of peers) {
    for (const terms of windows.length > 0 ? windows : ['200000+8000', '64000+4000']) {
      const [window, overhead] = terms.split('+').map(Number);
      for (const line of lives) {
        for await (const row of rowsOf(JSON.parse(line), peer, window, overhead)) writeSync(1, `${JSON.stringify(row)}\n`);
      }
    }
    console.error(`done: ${peer.name}`);
  }
  process.exit();
}
