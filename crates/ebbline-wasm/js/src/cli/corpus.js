// Many files for one command: those of folders, in several threads, with a line for what was left out.

import { jobsOf } from './args.js';
import { Exit, exitCodeOf, worse } from './exit.js';
import { nameOf } from './files.js';
import { listed } from './folders.js';
import { eachOf } from './pool.js';
import { amount, counted, printable } from './style.js';

/**
 * Does a command's work on every file.
 *
 * @param {import('./args.js').Arguments} given
 * @param {any} notes the stream for what is no result
 * @param {{ kind: string, work: any, take: (name: string, value: any) => void, show?: () => void }} command what the work is, what it
 *   is given, who takes its results in the order of the files, and what is done when there will be no more
 * @returns {Promise<number>} the exit code
 */
export async function overFiles({ files: names, values }, notes, { kind, work, take, show = () => {} }) {
  let worst = Exit.OK;
  const said = new Set();
  const complain = (exit, sentence) => {
    worst = worse(worst, exit);
    // A mistake on the command line is the same for every file.
    if (exit !== Exit.USAGE || !said.has(sentence)) notes.write(`ebbline: ${printable(sentence)}\n`);
    said.add(sentence);
  };
  const files = listed(names, (error) => complain(exitCodeOf(error), error.message));
  if (files.length === 0) return worst;
  const skipped = new Map();
  const missing = await eachOf(files, kind, work, {
    jobs: jobsOf(values),
    notes,
    take: ({ name }, { value, skipped: why, failure }) => {
      if (failure !== undefined) complain(failure.exit, failure.isComplete ? failure.message : `${nameOf(name)}: ${failure.message}`);
      else if (why === undefined) take(name, value);
      else if (values.strict) complain(Exit.INPUT, `${nameOf(name)}: ${reasonOf(why)}`);
      else skipped.set(why, (skipped.get(why) ?? 0) + 1);
    },
  });
  show();
  for (const [why, count] of skipped)
    notes.write(`ebbline: ${counted(count, 'file')} skipped: ${printable(reasonOf(why, count))} (--strict makes this an error)\n`);
  if (missing === 0) return worst;
  notes.write(
    `ebbline: interrupted: ${amount(missing)} of ${counted(files.length, 'file')} ${missing === 1 ? 'is' : 'are'} missing from these results\n`,
  );
  return Exit.INTERRUPTED;
}

/** Why a file is left out: a title is that of a format that is recognised and not read. */
function reasonOf(title, count = 1) {
  return title === '' ? `no format recognises ${count === 1 ? 'it' : 'them'}` : `recognised as ${title}, which is not read yet`;
}
