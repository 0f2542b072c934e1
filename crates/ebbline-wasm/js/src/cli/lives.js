// The commands about a session's life: what a policy would have done, and what it would have cost.

import { audit, compare, profiles, replay } from '../node.js';
import { lifeOptions } from './args.js';
import { Exit, UsageError } from './exit.js';
import { nameOf, readBytes } from './files.js';
import { amount, counted, isColored, printable, styles } from './style.js';

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/** The width of a chart that is written to a file or a pipe. */
const DEFAULT_WIDTH = 100;
/** The rows of a chart. */
const HEIGHT = 8;

export async function replayFile(name, { values }, out, notes) {
  noteWindow(values, notes);
  const life = replay(await readBytes(name), lifeOptions(values));
  if (values.json) return void out.write(`${JSON.stringify({ file: name, ...life })}\n`);
  if (values.csv) return void out.write(csvOf(life));
  const style = styles(isColored(values.color, out));
  const width = Math.max(20, out.columns ?? (Number(process.env.COLUMNS) || DEFAULT_WIDTH));
  out.write(`${accountOf(name, life, style).join('\n')}\n\n${chartOf(life, width, style).join('\n')}\n`);
}

export async function compareFile(name, { values }, out, notes) {
  noteWindow(values, notes);
  const { profile, set, ...options } = lifeOptions(values);
  if (profile !== undefined) throw new UsageError('compare takes every profile, or those of --policies NAME,NAME');
  const names = values.policies === undefined ? profiles().map((known) => known.name) : values.policies.split(',');
  const policies = names.map((known) => ({ profile: known, ...(set && { set }) }));
  const outcomes = compare(await readBytes(name), policies, { ...options, ...(values.loss && { loss: true }) });
  if (values.json) return void out.write(`${JSON.stringify({ file: name, outcomes })}\n`);
  if (values.csv) return void out.write(table(outcomes));
  const style = styles(isColored(values.color, out));
  out.write(`${[style.strong(printable(nameOf(name))), ...outcomeTable(outcomes, style)].join('\n')}\n`);
}

/** Nothing weighs more in a replay than the window, so an assumed one is never assumed in silence. */
function noteWindow({ context, set = [], profile }, notes) {
  if (context !== undefined || set.some((setting) => setting.startsWith('model.context='))) return;
  const known = profiles();
  const { policy } = known.find(({ name }) => name === profile) ?? known[0];
  notes.write(`ebbline: without --context, a window of ${amount(policy.model.context)} tokens is assumed\n`);
}

/** @returns {Promise<number>} the exit code */
export async function auditFile(name, { values }, out) {
  const { format, strict, conversation } = lifeOptions(values);
  const loss = audit(await readBytes(name), { format, strict, conversation });
  if (values.json) out.write(`${JSON.stringify({ file: name, ...loss })}\n`);
  else out.write(`${auditLines(name, loss, styles(isColored(values.color, out))).join('\n')}\n`);
  return values.check && loss.worst.length > 0 ? Exit.WORK : Exit.OK;
}

const KINDS = {
  lost_order: 'order lost',
  lost_goal: 'goal lost',
  re_reference: 'needed again',
  re_read: 'read again',
  decision: 'decision gone',
};
/** How many findings are shown; `--json` has more. */
const SHOWN = 20;
/** The longest text of a finding. */
const LONGEST = 120;

function auditLines(name, loss, style) {
  const { compactions, departedOutputs, references, reReads, orders, words, worst } = loss;
  const title = style.strong(printable(nameOf(name)));
  if (compactions === 0) return [`${title}  records no compaction`];
  const lost = orders.lost === null ? 'not known' : amount(orders.lost);
  const lines = [
    title,
    `${counted(compactions, 'compaction')} in ${counted(loss.requests, 'request')}; ${counted(departedOutputs, 'output')} left the context`,
    `needed again: ${amount(references.reReferenced)}; calls repeated: ${amount(reReads.exact)}; orders given: ${amount(orders.given)}, lost: ${lost}`,
    `first goal kept at ${words.goalKept} of ${counted(words.compactions, 'compaction')}`,
  ];
  for (const { kind, message, words: said, usedIn } of worst.slice(0, SHOWN)) {
    const text = said.join(', ');
    const short = [...text].length > LONGEST ? `${[...text].slice(0, LONGEST - 1).join('')}…` : text;
    const later = usedIn === null ? '' : `, used in message ${usedIn}`;
    lines.push(`  ${style.pruned(KINDS[kind] ?? kind)}  message ${message}${later}: ${printable(short)}`);
  }
  if (worst.length > SHOWN) lines.push(style.dim(`  and ${amount(worst.length - SHOWN)} more: --json lists them`));
  return lines;
}

function accountOf(name, life, style) {
  const answered = life.requests.filter(({ charge }) => charge !== null);
  const prunes = life.compactions.filter(({ prune }) => prune.applied).length;
  const summaries = life.compactions.filter(({ retain }) => retain.applied).length;
  const peak = Math.max(0, ...life.requests.map(({ tokens }) => tokens));
  const unfit = answered.filter(({ fits }) => !fits).length;
  const { cached, broken, output } = life.total;
  const input = life.total.fresh + cached + life.total.written;
  const share = input === 0 ? 0 : Math.round((cached / input) * 100);
  const known = { whole: '', restored: ', its own compactions undone', tail: '; what was before its summary is not known' }[life.known];
  return [
    style.strong(`${printable(nameOf(name))}  ${life.profile}`),
    `${counted(life.messages, 'message')}, ${counted(answered.length, 'request')}${known}`,
    `${counted(prunes, 'prune')}, ${counted(summaries, 'summary').replace('summarys', 'summaries')}; largest request ${amount(peak + life.overhead)} tokens` +
      (unfit > 0 ? `; ${counted(unfit, 'request')} too large, with nothing left to remove` : ''),
    `input ${amount(input)} tokens, ${share} % of them from the cache; output ${amount(output)}; ${amount(broken)} cached tokens lost to changes`,
    `cost ${amount(Math.round(life.cost))} fresh input tokens${life.money === undefined ? '' : `, ${life.money.toFixed(2)} in money`}`,
  ];
}

/** The size of the context over the requests; where a compaction was carried out, a mark stands below. */
function chartOf({ requests, compactions, overhead }, width, style) {
  const sizes = requests.map(({ tokens }) => tokens + overhead);
  const largest = Math.max(1, ...sizes);
  const label = amount(largest).length;
  const columns = Math.max(1, Math.min(sizes.length, width - label - 3));
  const of = (column) => [
    Math.floor((column * sizes.length) / columns),
    Math.max(Math.floor(((column + 1) * sizes.length) / columns), Math.floor((column * sizes.length) / columns) + 1),
  ];
  const heights = Array.from({ length: columns }, (_, column) => Math.max(...sizes.slice(...of(column))) / largest);
  const rows = Array.from({ length: HEIGHT }, (_, row) => {
    const from = (HEIGHT - 1 - row) / HEIGHT;
    const cells = heights.map((height) => cellOf((height - from) * HEIGHT)).join('');
    const title = row === 0 ? amount(largest) : row === HEIGHT - 1 ? '0' : '';
    return `${title.padStart(label)} ${style.dim('│')}${cells}`;
  });
  const marks = Array.from({ length: columns }, (_, column) => {
    const [first, end] = of(column);
    const done = compactions.filter(({ request }) => request >= first && request < end);
    return done.some(({ retain }) => retain.applied) ? style.summarised('S') : done.length > 0 ? style.pruned('p') : ' ';
  });
  const legend = `${' '.repeat(label)}  ${counted(requests.length, 'request')}; p: outputs pruned, S: summary made`;
  return [...rows, `${' '.repeat(label)} ${style.dim('└')}${marks.join('')}`, style.dim(legend)];
}

function cellOf(filled) {
  if (filled <= 0) return ' ';
  return BARS[Math.min(BARS.length, Math.max(1, Math.round(filled * BARS.length))) - 1];
}

/** @type {[title: string, of: (outcome: any) => string][]} */
const COLUMNS = [
  ['profile', ({ profile }) => profile],
  ['cost', ({ ofNothing }) => (ofNothing === null ? '-' : `${Math.round(ofNothing * 100)} %`)],
  ['prunes', ({ prunes }) => amount(prunes)],
  ['summaries', ({ summaries }) => amount(summaries)],
  ['too large', ({ unfit }) => amount(unfit)],
  ['largest', ({ peak }) => amount(peak)],
  ['mean', ({ mean }) => amount(mean)],
];
/**
 * With `--loss`: outputs that are needed again, and calls that are made again.
 *
 * @type {[title: string, of: (outcome: any) => string][]}
 */
const LOSSES = [
  ['needed again', ({ loss }) => amount(loss.references.reReferenced)],
  ['read again', ({ loss }) => amount(loss.reReads.exact)],
];

function outcomeTable(outcomes, style) {
  const columns = outcomes[0].loss === undefined ? COLUMNS : [...COLUMNS, ...LOSSES];
  const cells = outcomes.map((outcome) => columns.map(([, of]) => of(outcome)));
  const widths = columns.map(([title], at) => Math.max(title.length, ...cells.map((row) => row[at].length)));
  const line = (row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  ');
  const note =
    'Cost: of what the same life costs without any compaction. Too large: requests above the threshold, with nothing left to remove.';
  return [style.dim(line(columns.map(([title]) => title))), ...cells.map(line), style.dim(note)];
}

function csvOf({ requests }) {
  const rows = requests.map(({ message, tokens, unchanged, output, compaction, fits, charge }, at) => ({
    request: at,
    message,
    tokens,
    unchanged,
    output,
    compaction,
    fits,
    ...charge,
  }));
  return table(rows);
}

/** Comma-separated values with a row of titles. */
function table(rows) {
  const titles = Object.keys(rows[0] ?? {}).filter((title) => typeof rows[0][title] !== 'object' || rows[0][title] === null);
  const quoted = (value) => (/[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? ''));
  return `${[titles, ...rows.map((row) => titles.map((title) => row[title]))].map((row) => row.map(quoted).join(',')).join('\n')}\n`;
}
