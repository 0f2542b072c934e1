// Prints docs/peers.md's table: what ebbline and other libraries keep of sessions that they make smaller. Each cell is computed.
// `node tests/hosts/peers.mjs --write` writes it into the page.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { orphansIn } from './peers/read.mjs';
import { ROWS } from './peers/rows.mjs';
import { SYSTEM, sessionOf } from './peers/session.mjs';

const SESSIONS = 40;
/** How much of a result shows that it is there: one that is too large may be cut. */
const SHOWN = 40;
export const PAGE = new URL('../../docs/peers.md', import.meta.url);
const BEGIN = '<!-- peers: begin -->';
const END = '<!-- peers: end -->';
const COLUMNS = [
  'orphans',
  'the same again',
  'changes its input',
  'system prompt',
  'first goal',
  'newest words',
  'results not answered yet',
  'calls without their signature',
  'first role',
  'size left',
];
const TITLES = { ai7: 'ai' };

const textOf = (messages) => JSON.stringify(messages);
const holds = (messages, text) => textOf(messages).includes(textOf(text).slice(1, -1));

/** What one library makes of one session. */
async function examined({ run, shape }, seed) {
  const session = sessionOf(seed);
  const given = shape.write(session);
  const before = textOf(given);
  const output = await run(given);
  const after = textOf(output);
  const again = await run(output);
  const left = shape.read(output);
  return {
    orphans: orphansIn(left),
    isSettled: textOf(again) === after,
    isChanged: textOf(given) !== before,
    system: shape.hasNoSystem ? undefined : left.some(({ role }, at) => role === 'system' && holds([output[at]], SYSTEM)),
    goal: holds(output, session.goal),
    newest: holds(output, session.newest),
    unseen: unseenIn(session).every((result) => holds(output, result.slice(0, SHOWN))),
    unsigned: callsWithoutTheirSignature(shape.read(shape.write(session)), left),
    firstRole: left.find(({ role }) => role !== 'system')?.role ?? 'none',
    share: after.length / before.length,
  };
}

/** The results that the model has not answered yet. */
function unseenIn({ said }) {
  return (said.at(-1).results ?? []).map(({ output }) => output);
}

/** The calls of the running turn that are left, and the signed thinking before them is not. */
function callsWithoutTheirSignature(given, left) {
  const needed = signedBefore(given.slice(given.findLastIndex(({ role }) => role === 'user')));
  const there = signedBefore(left);
  return [...there].filter(([call, signed]) => needed.has(call) && !signed.endsWith(needed.get(call))).length;
}

/** For each call, the signed thinking of its answer. */
function signedBefore(list) {
  const known = new Map();
  let signed = '';
  for (const message of list) {
    if (message.role !== 'assistant') signed = '';
    signed += message.signed.join();
    for (const call of message.calls) known.set(call, signed);
  }
  return known;
}

/** The facts of a row over all sessions. */
export async function factsOf(row) {
  const facts = [];
  for (let seed = 1; seed <= SESSIONS; seed += 1) facts.push(await examined(row, seed));
  return facts;
}

function cells(facts) {
  const count = (test) => facts.filter(test).length;
  const sum = (of) => facts.reduce((total, one) => total + of(one), 0);
  const lost = (test) => (count(test) === 0 ? 'kept' : `**lost in ${count(test)}**`);
  const unlike = count(({ isSettled }) => !isSettled);
  const changed = count(({ isChanged }) => isChanged);
  const others = Object.entries(grouped(facts)).filter(([role]) => role !== 'user');
  return [
    bold(sum(({ orphans }) => orphans)),
    unlike === 0 ? 'yes' : `**no, in ${unlike}**`,
    changed === 0 ? 'no' : `**yes, in ${changed}**`,
    facts[0].system === undefined ? 'apart' : lost(({ system }) => !system),
    lost(({ goal }) => !goal),
    lost(({ newest }) => !newest),
    lost(({ unseen }) => !unseen),
    bold(sum(({ unsigned }) => unsigned)),
    others.length === 0 ? 'user' : others.map(([role, list]) => `**${role} in ${list.length}**`).join(', '),
    `${Math.round((100 * sum(({ share }) => share)) / facts.length)} %`,
  ];
}

/** The sessions by their first role. Node 20 has no `Object.groupBy`. */
function grouped(facts) {
  const groups = {};
  for (const one of facts) (groups[one.firstRole] ??= []).push(one);
  return groups;
}

function bold(figure) {
  return figure === 0 ? '0' : `**${figure}**`;
}

function titleOf({ from, name }) {
  if (from === 'ebbline') return `**ebbline**, ${name}`;
  const manifest = JSON.parse(readFileSync(new URL(`node_modules/${from}/package.json`, import.meta.url), 'utf8'));
  return `\`${TITLES[from] ?? from}\` ${manifest.version}, ${name}`;
}

/** The table and how each was called, as Markdown. */
export async function printed() {
  const lines = [`| ${SESSIONS} sessions | ${COLUMNS.join(' | ')} |`, `|---|${COLUMNS.map(() => '---').join('|')}|`];
  for (const row of ROWS) lines.push(`| ${titleOf(row)} | ${cells(await factsOf(row)).join(' | ')} |`);
  const calls = ROWS.map((row) => `- ${titleOf(row)}: ${row.call}.`);
  return `${lines.join('\n')}\n\nHow each was called:\n\n${calls.join('\n')}`;
}

/** What stands in the page. */
export function ofThePage(page = readFileSync(PAGE, 'utf8')) {
  return page.slice(page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)).trim();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const text = await printed();
  if (process.argv.includes('--write')) {
    const page = readFileSync(PAGE, 'utf8');
    writeFileSync(PAGE, `${page.slice(0, page.indexOf(BEGIN) + BEGIN.length)}\n\n${text}\n\n${page.slice(page.indexOf(END))}`);
  } else console.log(text);
}
