// Goes back behind a compaction: the whole session, or one output.

import { detect } from '../node.js';
import { planOptions } from './args.js';
import { deliver, isDelivered } from './deliver.js';
import { outputOf } from './engine.js';
import { FileError, UsageError } from './exit.js';
import { nameOf, readBytes } from './files.js';
import { readRecord, undone } from './record.js';
import { seenOf } from './file-state.js';
import { counted, printable, printableLines } from './style.js';

/** The faults of a text that is no JSON any more. */
const BROKEN = new Set(['empty', 'not_json', 'torn_line']);

export async function undoFile(name, { values }, out, notes) {
  if (values.record === undefined) throw new UsageError('undo needs --record RECORD, which compact --record or summarize --record wrote');
  if (name === '-' && values.record === '-') throw new UsageError('the session and the record cannot both come from standard input');
  isDelivered('undo', values);
  const record = await readRecord(values.record);
  const seen = seenOf(name);
  const now = await readBytes(name);
  checkWhole(now, name);
  const { bytes, added, links } = undone(now, record, name);
  await deliver(bytes, values, out, seen);
  if (values.json) out.write(`${JSON.stringify({ file: name, out: values.out, undone: record.edits.length, added, links })}\n`);
  else notes.write(`ebbline: ${printable(nameOf(name))}: ${accountOf(record, added, links)}\n`);
}

/** Of a file that is cut off, nobody knows what came since. */
function checkWhole(bytes, name) {
  try {
    detect(bytes);
  } catch (error) {
    if (BROKEN.has(error.code)) throw new FileError(`${nameOf(name)} is damaged, and nothing is undone: ${error.message}`);
  }
}

function accountOf({ edits }, added, links) {
  const since = added > 0 ? `; ${counted(added, 'byte')} that came since stay` : '';
  const linked = links > 0 ? `, and follow what the compaction followed (${counted(links, 'link')} changed)` : '';
  return `${edits.length === 0 ? 'nothing was changed' : `${counted(edits.length, 'change')} undone`}${since}${linked}`;
}

/** Prints the whole output of a call. */
export async function recallOutput([name, id], { values }, out) {
  if (name === '-' && values.record === '-') throw new UsageError('the session and the record cannot both come from standard input');
  const options = planOptions(values);
  const record = values.record === undefined ? undefined : await readRecord(values.record);
  const bytes = await readBytes(name);
  const found = outputOf(record === undefined ? bytes : undone(bytes, record, name).bytes, id, options);
  if (found === undefined) throw new FileError(`${nameOf(name)}: no result answers a call with the id ${id}`);
  if (!found.whole) {
    const advice = record === undefined ? ': pass the record of the compaction with --record' : ', because an earlier compaction pruned it';
    throw new FileError(`${nameOf(name)}: the output of ${id} was pruned, and the file has no copy of it${advice}`);
  }
  if (values.json) out.write(`${JSON.stringify({ file: name, id, text: found.text })}\n`);
  else out.write(out.isTTY ? `${printableLines(found.text)}\n` : found.text);
}
