// Asks a command for a summary, and compacts the session with it.

import { EbblineError, reviewSummary, summaryRequest } from '../node.js';
import { requestOptions, secondsOf } from './args.js';
import { answered } from './asked.js';
import { checkRecordName, noPlaceIn, writeCompacted } from './compacted.js';
import { isDelivered } from './deliver.js';
import { REMINDERS, noSummaryIn, secondMessages } from './engine.js';
import { FileError, UsageError } from './exit.js';
import { nameOf, readBytes } from './files.js';
import { seenOf } from './file-state.js';
import { counted, printable } from './style.js';

/** How long a command may take for one answer, in seconds. */
const PATIENCE = 600;

export async function summarizeFile(name, { values }, out, notes) {
  if (values.with === undefined || values.with.trim() === '') {
    throw new UsageError("summarize needs --with 'COMMAND': it gets the request on standard input and answers on standard output");
  }
  isDelivered('summarize', values);
  checkRecordName(name, values);
  const timeout = secondsOf(values) ?? PATIENCE;
  const options = requestOptions(values);
  const seen = seenOf(name);
  const bytes = await readBytes(name);
  const requested = summaryRequest(bytes, options);
  const tell = (sentence) => notes.write(`ebbline: ${printable(nameOf(name))}: ${sentence}\n`);
  if (requested === undefined) {
    tell('nothing is to be summarised, so the command was not run');
    return writeCompacted({ name, bytes, seen, options, summary: undefined, values }, out, notes);
  }
  const whyNone = noPlaceIn(bytes, options);
  if (whyNone !== undefined) {
    throw new FileError(`${nameOf(name)}: ${whyNone}, so the command was not run; compact prunes without one`);
  }
  const ask = (messages) => answered(values.with, JSON.stringify({ ...requested.request, messages }), { timeout, notes });
  const { summary, warnings } = await accepted(requested, options.budgetTokens, ask, tell, name);
  for (const { text } of warnings) tell(text);
  return writeCompacted({ name, bytes, seen, options, summary, values }, out, notes);
}

/** The summary of an answer, unless the answer is none. */
function reviewed(requested, answer) {
  const none = noSummaryIn(answer);
  if (none === undefined) return reviewSummary(requested, answer);
  throw Object.assign(new FileError(none.why), { reminder: none.reminder });
}

/** The summary, which is asked for a second time if the first answer must not replace history. */
async function accepted(requested, budgetTokens, ask, tell, name) {
  const { messages } = requested.request;
  const answer = await ask(messages);
  try {
    return reviewed(requested, answer);
  } catch (error) {
    const reminder = error.reminder ?? (error instanceof EbblineError ? REMINDERS[error.code] : undefined);
    if (reminder === undefined) throw error;
    tell(`the answer is refused: ${error.message}; asked again`);
    const second = await ask(secondMessages(requested, answer, reminder, budgetTokens));
    try {
      return reviewed(requested, second);
    } catch (again) {
      const count = counted(2, 'answer');
      throw new FileError(`${nameOf(name)}: ${count} of the command were refused, and nothing was written: ${again.message}`);
    }
  }
}
