// Several policies over the same sessions, side by side.

import { compare, profiles } from '../node.js';
import { lifeOptions } from './args.js';
import { alignedTable, known, percent } from './columns.js';
import { overFiles } from './corpus.js';
import { csvOf } from './csv.js';
import { UsageError } from './exit.js';
import { nameOf } from './files.js';
import { amount, isColored, printable, styles } from './style.js';
import { noteWindow } from './window-note.js';

/** A session in which nothing happens: what is wrong with it is wrong with the command line. */
const NOTHING = '[{"role":"user","content":""}]';

/** @returns {Promise<number>} the exit code */
export async function compareAll(given, out, notes) {
  const { values } = given;
  const { profile, set, ...shared } = lifeOptions(values);
  if (profile !== undefined) throw new UsageError('compare takes every profile, or those of --policies NAME,NAME');
  const names = values.policies === undefined ? profiles().map((each) => each.name) : values.policies.split(',');
  const policies = names.map((each) => ({ profile: each, ...(set && { set }) }));
  const options = { ...shared, ...(values.loss && { loss: true }) };
  compare(NOTHING, policies, { ...options, format: undefined, conversation: undefined });
  noteWindow(values, notes);
  const style = styles(isColored(values.color, out));
  const rows = [];
  const take = (name, outcomes) => {
    if (values.json) out.write(`${JSON.stringify({ file: name, outcomes })}\n`);
    else if (values.csv) rows.push(...outcomes.map((outcome) => ({ file: name, ...outcome })));
    else {
      out.write(`${isShown ? '\n' : ''}${[style.strong(printable(nameOf(name))), ...outcomeTable(outcomes, style)].join('\n')}\n`);
      isShown = true;
    }
  };
  let isShown = false;
  const show = () => {
    if (values.json) return;
    if (values.csv && rows.length > 0) out.write(csvOf(rows));
    if (!values.csv && isShown) out.write(`${NOTES.map(style.dim).join('\n')}\n`);
  };
  return overFiles(given, notes, { kind: 'compare', work: { policies, options }, take, show });
}

/** @type {Parameters<typeof alignedTable>[0]} */
const COLUMNS = [
  ['profile', ({ profile }) => profile, 'left'],
  ['window', ({ window }) => known(window, amount)],
  ['threshold', ({ threshold }) => known(threshold, amount)],
  ['cost', ({ ofNothing }) => known(ofNothing, percent)],
  ['prunes', ({ prunes }) => amount(prunes)],
  ['summaries', ({ summaries }) => amount(summaries)],
  ['too large', ({ unfit }) => amount(unfit)],
  ['over window', ({ overWindow }) => known(overWindow, amount)],
  ['largest', ({ peak }) => amount(peak)],
  ['mean', ({ mean }) => amount(mean)],
];
/**
 * With `--loss`: outputs that are needed again, and calls that are made again.
 *
 * @type {Parameters<typeof alignedTable>[0]}
 */
const LOSSES = [
  ['needed again', ({ loss }) => amount(loss.references.reReferenced)],
  ['read again', ({ loss }) => amount(loss.reReads.exact)],
];
const NOTES = [
  'Cost: of what the same life costs without any compaction. Too large: requests above the threshold, with nothing left to remove.',
  'Over window: requests that are larger than the window, which a provider refuses.',
];

function outcomeTable(outcomes, style) {
  const columns = outcomes[0].loss === undefined ? COLUMNS : [...COLUMNS, ...LOSSES];
  const [titles, ...lines] = alignedTable(columns, outcomes);
  return [style.dim(titles), ...lines];
}
