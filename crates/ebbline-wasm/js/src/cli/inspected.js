// What a session is made of, and what is wrong with it.

import { plan, read, validate } from '../node.js';
import { planOptions } from './args.js';
import { alignedTable, known } from './columns.js';
import { callIds } from './engine.js';
import { nameOf, readBytes } from './files.js';
import { amount, counted, isColored, printable, styles } from './style.js';
import { violationRows } from './violations.js';

/** How many outputs are shown. */
const LARGEST = 5;
/** How many violations are shown; `--json` has all of them. */
const SHOWN = 20;

export async function inspectFile(name, { values }, out) {
  const options = planOptions(values);
  const bytes = await readBytes(name);
  const found = inspected(bytes, options);
  if (values.json) out.write(`${JSON.stringify({ file: name, ...found })}\n`);
  else out.write(pageOf(nameOf(name), found, styles(isColored(values.color, out))));
}

/** Everything as plain data. */
function inspected(bytes, options) {
  const report = read(bytes, options);
  const { messages: sizes, tokensBefore: tokens } = plan(bytes, options);
  const { violations, pending } = validate(bytes, options);
  const active = report.messages.filter((message) => message.active);
  return {
    format: report.format,
    title: report.title,
    evidence: report.evidence,
    bytes: bytes.length,
    messages: report.counts.messages,
    inactive: report.counts.inactive,
    tokens,
    turns: active.filter(({ turn }) => turn === 'person').length,
    roles: rolesOf(report.messages, sizes),
    kinds: kindsOf(report.messages, sizes),
    largest: largestOf(report.messages, sizes, bytes, options),
    images: report.counts.images,
    compactions: compactionsOf(report),
    alreadyPruned: report.counts.alreadyPruned,
    problems: {
      violations,
      pending,
      resultsWithoutCall: report.counts.resultsWithoutCall,
      callsWithoutResult: report.counts.callsWithoutResult,
      unreadable: report.problems,
    },
  };
}

/** The messages that are sent and their tokens, by role. */
function rolesOf(messages, sizes) {
  const roles = new Map();
  messages.forEach(({ role, active }, at) => {
    if (active) add(roles, role, sizes[at].tokensBefore);
  });
  return [...roles].map(([role, { count, tokens }]) => ({ role, messages: count, tokens }));
}

/** The parts that are sent and their tokens, by kind. */
function kindsOf(messages, sizes) {
  const kinds = new Map();
  messages.forEach(({ active, parts }, at) => {
    if (active) parts.forEach(({ kind }, index) => add(kinds, kind, sizes[at].parts[index].tokensBefore));
  });
  return [...kinds].map(([kind, { count, tokens }]) => ({ kind, parts: count, tokens }));
}

function add(sums, name, tokens) {
  const sum = sums.get(name) ?? { count: 0, tokens: 0 };
  sums.set(name, { count: sum.count + 1, tokens: sum.tokens + tokens });
}

/** The outputs that weigh most, with the ids by which `recall` finds them. */
function largestOf(messages, sizes, bytes, options) {
  const outputs = messages.flatMap(({ active, parts }, message) =>
    parts.flatMap(({ kind, toolName, call }, index) => {
      if (!active || kind !== 'tool_result') return [];
      return [{ message, tool: toolName ?? null, call, tokens: sizes[message].parts[index].tokensBefore }];
    }),
  );
  const largest = outputs.sort((one, other) => other.tokens - one.tokens).slice(0, LARGEST);
  const paired = largest.filter(({ call }) => call !== undefined);
  const ids =
    paired.length === 0
      ? []
      : callIds(
          bytes,
          paired.map(({ call }) => call),
          options,
        );
  const idOf = new Map(paired.map(({ call }, at) => [call, ids[at]]));
  return largest.map(({ message, tool, call, tokens }) => ({ message, tool, id: idOf.get(call) || null, tokens }));
}

/** What the file records of earlier compactions, by the agent's own names, and the summaries that are sent. */
function compactionsOf({ markers = [], messages }) {
  const named = new Map();
  for (const { kind, name } of markers) {
    const found = named.get(name) ?? { kind, name, count: 0 };
    found.count += 1;
    named.set(name, found);
  }
  const summaries = messages.filter(({ active, summary }) => active && summary).length;
  return { recorded: [...named.values()], summaries };
}

function pageOf(name, found, style) {
  const { title, evidence, roles, kinds, largest, problems } = found;
  const lines = [`${style.strong(printable(name))}  ${title}: ${printable(evidence)}`, sumOf(found)];
  lines.push('', ...table(style, [['role', ({ role }) => role, 'left'], ['messages', count('messages')], TOKENS], roles));
  lines.push('', ...table(style, [['kind', ({ kind }) => kind, 'left'], ['parts', count('parts')], TOKENS], kinds));
  if (largest.length > 0) lines.push('', ...table(style, OUTPUTS, largest));
  lines.push('', compactionLine(found), ...problemLines(problems, style));
  return `${lines.join('\n')}\n`;
}

const count = (member) => (row) => amount(row[member]);
/** @type {[string, (row: any) => string]} */
const TOKENS = ['tokens', ({ tokens }) => amount(tokens)];
/** @type {Parameters<typeof alignedTable>[0]} */
const OUTPUTS = [
  ['largest outputs', ({ tool }) => printable(known(tool, String)), 'left'],
  ['id', ({ id }) => printable(known(id, String)), 'left'],
  ['message', ({ message }) => amount(message)],
  TOKENS,
];

function table(style, columns, rows) {
  const [titles, ...lines] = alignedTable(/** @type {any} */ (columns), rows);
  return [style.dim(titles), ...lines];
}

function sumOf({ messages, inactive, tokens, turns, bytes, images }) {
  const beside = inactive > 0 ? ` (${amount(inactive)} not sent)` : '';
  const pictures = images > 0 ? `, ${counted(images, 'image')}` : '';
  return `${counted(messages, 'message')}${beside}, ${counted(turns, 'turn')}, ${counted(tokens, 'token')}, ${counted(bytes, 'byte')}${pictures}`;
}

function compactionLine({ compactions: { recorded, summaries }, alreadyPruned }) {
  const marks = recorded.map(({ name, count: times }) => `${amount(times)} × ${printable(name)}`);
  const found = marks.length > 0 ? `compactions: ${marks.join(', ')}` : 'compactions: none recorded';
  const sent = [
    ...(summaries > 0 ? [summaries === 1 ? '1 summary' : `${amount(summaries)} summaries`] : []),
    ...(alreadyPruned > 0 ? [counted(alreadyPruned, 'pruned output')] : []),
  ];
  return sent.length > 0 ? `${found}; sent: ${sent.join(', ')}` : found;
}

function problemLines({ violations, pending, resultsWithoutCall, callsWithoutResult, unreadable }, style) {
  const facts = [
    ...(violations.length > 0 ? [counted(violations.length, 'violation')] : []),
    ...(pending.length > 0 ? [`${counted(pending.length, 'call')} without a result yet`] : []),
    ...(callsWithoutResult > pending.length ? [`${counted(callsWithoutResult, 'call')} without a result in the whole file`] : []),
    ...(resultsWithoutCall > 0 ? [`${counted(resultsWithoutCall, 'result')} without a call in the whole file`] : []),
    ...(unreadable.length > 0 ? [`${counted(unreadable.length, 'place')} that cannot be read`] : []),
  ];
  if (facts.length === 0) return [`problems: ${style.good('none')}`];
  const all = [
    ...violations,
    ...pending.map((call) => ({ ...call, rule: 'pending' })),
    ...unreadable.map(({ message, code, line }) => ({ line, text: message, rule: code })),
  ];
  const hidden = all.length > SHOWN ? [style.dim(`  and ${amount(all.length - SHOWN)} more: --json lists them`)] : [];
  return [`problems: ${facts.join(', ')}`, ...violationRows(all.slice(0, SHOWN), style), ...hidden];
}
