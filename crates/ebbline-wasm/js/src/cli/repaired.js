// Mends what a provider would refuse, and says what was done.

import { repair } from '../node.js';
import { planOptions } from './args.js';
import { deliver, isDelivered } from './deliver.js';
import { Exit } from './exit.js';
import { nameOf, readBytes } from './files.js';
import { seenOf } from './file-state.js';
import { counted, isColored, printable, styles } from './style.js';
import { violationRows } from './violations.js';

/** @returns {Promise<number>} the exit code: what cannot be mended makes it that of a file that is not valid */
export async function repairFile(name, { values }, out, notes) {
  isDelivered('repair', values);
  const seen = seenOf(name);
  const { bytes, done, left } = repair(await readBytes(name), planOptions(values));
  await deliver(bytes, values, out, seen);
  if (values.json) out.write(`${JSON.stringify({ file: name, out: values.out, done, left })}\n`);
  else notes.write(accountOf(name, done, left, styles(isColored(values.color, notes))));
  return left.length > 0 ? Exit.INPUT : Exit.OK;
}

function accountOf(name, done, left, style) {
  const what = done.length > 0 ? `${counted(done.length, 'fault')} mended` : left.length > 0 ? 'nothing changed' : 'nothing to mend';
  const rest = left.length > 0 ? `; ${counted(left.length, 'violation')} cannot be mended` : '';
  const rows = violationRows(done, style);
  const named = left.length > 0 ? ['not mended, in the session as it is now:', ...violationRows(left, style)] : [];
  return `${[`ebbline: ${printable(nameOf(name))}: ${what}${rest}`, ...rows, ...named].join('\n')}\n`;
}
