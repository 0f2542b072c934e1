// Writes a compacted session, and the record by which it can be undone.

import { plan } from '../node.js';
import { planOptions } from './args.js';
import { deliver, isDelivered } from './deliver.js';
import { compactRecorded, isBlank } from './engine.js';
import { FileError, UsageError } from './exit.js';
import { nameOf, readBytes, readText } from './files.js';
import { isStandardOutput } from './output.js';
import { recordOf } from './record.js';
import { seenOf } from './file-state.js';
import { amount, counted, printable } from './style.js';
import { totalsOf } from './words.js';

/** A summary that is only written to find out whether one can be. */
const STAND_IN = '.';

export async function compactFile(name, { values }, out, notes) {
  isDelivered('compact', values);
  checkRecordName(name, values);
  if (name === '-' && values.summary === '-') {
    throw new UsageError('the session and its summary cannot both come from standard input');
  }
  const options = planOptions(values);
  const seen = seenOf(name);
  const bytes = await readBytes(name);
  const summary = values.summary === undefined ? undefined : await readSummary(values.summary);
  await writeCompacted({ name, bytes, seen, options, summary, values }, out, notes);
}

/** The record must not go where the session goes. */
export function checkRecordName(name, { record, out }) {
  if (record === undefined) return;
  if (record === '' || isStandardOutput(record)) throw new UsageError('--record needs the name of a file');
  if (record === name || record === out) throw new UsageError('--record needs a file of its own: the session would be lost');
}

/** Why a session takes no summary, found out by writing one; `undefined` if it takes one. */
export function noPlaceIn(bytes, options) {
  try {
    compactRecorded(bytes, { ...options, summary: STAND_IN });
  } catch (error) {
    if (error.code === 'no_place_for_summary') return error.message;
  }
  return undefined;
}

/** Compacts a session with a summary, or without one, and says what was done. */
export async function writeCompacted({ name, bytes, seen, options, summary, values }, out, notes) {
  const result = compactRecorded(bytes, { ...options, ...(summary === undefined ? {} : { summary }) });
  const { applied, summaryNeeded, plan: planned } = result;
  const sizes = sizesOf(result, options);
  if (values.record !== undefined) {
    const { refuseChanged, writeFileSafely } = await import('./write.js');
    if (values.out !== undefined) refuseChanged(values.out, seen);
    const { tokensBefore, tokensAfter } = sizes;
    const record = recordOf(bytes, result, { profile: planned.profile, ...applied, tokensBefore, tokensAfter });
    // First the record: a session without one could not be undone.
    await writeFileSafely(values.record, Buffer.from(`${JSON.stringify(record)}\n`));
  }
  await deliver(result.bytes, values, out, seen);
  const { tokensAfter } = sizes;
  if (values.json) out.write(`${JSON.stringify({ file: name, out: values.out, applied, summaryNeeded, tokensAfter, plan: planned })}\n`);
  else notes.write(`${accountOf(name, result, sizes, summaryNeeded ? noPlaceIn(bytes, options) : undefined)}\n`);
}

/** The tokens before and after, and how many of these the summary has. A plan only assumes them: it is made before there is a summary. */
function sizesOf({ bytes, applied, plan: planned }, { force: _, ...options }) {
  const { tokensBefore, tokensAfter: assumed, summaryAllowance } = planned;
  if (applied.summarised === 0) return { tokensBefore, tokensAfter: assumed, summaryAllowance };
  const { tokensBefore: tokensAfter } = plan(bytes, options);
  return { tokensBefore, tokensAfter, summaryAllowance: Math.max(0, tokensAfter - (assumed - summaryAllowance)) };
}

/** A caller that passes a summary wants it used, so an empty one is a mistake. */
async function readSummary(name) {
  const summary = await readText(name);
  if (isBlank(summary)) throw new FileError(`${nameOf(name)} holds no summary: it is empty, or only white space`);
  return summary;
}

/** What was done, in one or two lines. */
function accountOf(name, { applied, summaryNeeded, plan: planned }, sizes, whyNone) {
  const done = [];
  if (applied.pruned > 0) done.push(`${counted(applied.pruned, 'output')} pruned`);
  if (applied.summarised > 0) done.push(`${counted(applied.summarised, 'message')} summarised`);
  const totals = summaryNeeded ? '' : `, ${totalsOf(sizes)}`;
  const account = `ebbline: ${printable(nameOf(name))}: ${done.join(', ') || 'nothing changed'}${totals}`;
  if (!summaryNeeded) return account;
  const wanted = counted(planned.retain.messages, 'message');
  const next = whyNone === undefined ? ': pass the summary with --summary FILE, or use summarize' : `, but ${whyNone}`;
  return `${account}\nebbline: ${wanted} (${amount(planned.retain.summarised)} tokens) should be summarised${next}`;
}
