// What was really lost by the compactions that sessions record, worst first.

import { lifeOptions } from './args.js';
import { overFiles } from './corpus.js';
import { Exit, worse } from './exit.js';
import { nameOf } from './files.js';
import { amount, counted, isColored, printable, styles } from './style.js';

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

/** @returns {Promise<number>} the exit code */
export async function auditAll(given, out, notes) {
  const { values } = given;
  const { format, strict, conversation } = lifeOptions(values);
  const audits = [];
  const take = (name, loss) => audits.push({ name, loss });
  const show = () => {
    audits.sort(byLoss);
    if (values.json) for (const { name, loss } of audits) out.write(`${JSON.stringify({ file: name, ...loss })}\n`);
    else out.write(pageOf(audits, styles(isColored(values.color, out))));
  };
  const exit = await overFiles(given, notes, { kind: 'audit', work: { options: { format, strict, conversation } }, take, show });
  const isLost = audits.some(({ loss }) => loss.worst.length > 0);
  return values.check && isLost ? worse(exit, Exit.WORK) : exit;
}

/** More of what is worse first: in the order of the kinds of findings, then of compactions. Files that are equal keep their order. */
function byLoss({ loss: one }, { loss: other }) {
  const [of, against] = [weightsOf(one), weightsOf(other)];
  const at = of.findIndex((weight, place) => weight !== against[place]);
  return at < 0 ? 0 : against[at] - of[at];
}

function weightsOf({ orders, words, references, reReads, decisions, compactions }) {
  return [orders.lost ?? 0, words.compactions - words.goalKept, references.reReferenced, reReads.exact, decisions.neverReturn, compactions];
}

function pageOf(audits, style) {
  const quiet = audits.filter(({ loss }) => loss.compactions === 0);
  const isOne = audits.length === 1;
  const blocks = audits.filter(({ loss }) => isOne || loss.compactions > 0).map(({ name, loss }) => linesOf(name, loss, style).join('\n'));
  if (!isOne && quiet.length > 0)
    blocks.push(style.dim(`${counted(quiet.length, 'file')} record${quiet.length === 1 ? 's' : ''} no compaction`));
  return blocks.map((block) => `${block}\n`).join('');
}

function linesOf(name, loss, style) {
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
