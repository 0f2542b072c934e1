import { readFileSync } from 'node:fs';

import { parse } from './args.js';
import { compactFile, detectFile, listProfiles, planFile, requestFile, validateFile } from './commands.js';
import { Exit, FileError, UsageError, exitCodeOf } from './exit.js';
import { nameOf } from './files.js';
import { HELP } from './help.js';
import { printable } from './style.js';

/**
 * Runs one command.
 *
 * @param {string[]} args what stands behind the program's name
 * @returns {Promise<number>} the exit code
 */
export async function main(args, out = process.stdout, notes = process.stderr) {
  // `ebbline plan … | head` closes the pipe: there is nobody left to write to.
  for (const stream of [out, notes]) {
    stream.on('error', (error) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
  }
  try {
    return await run(parse(args), out, notes);
  } catch (error) {
    return complain(error, undefined, notes);
  }
}

async function run(given, out, notes) {
  const { command, files, values } = given;
  if (values.help) return print(out, HELP);
  if (values.version) return print(out, `${version()}\n`);
  if (command === undefined) throw new UsageError('there is no command');
  if (command === 'profiles') {
    if (files.length > 0) throw new UsageError('profiles takes no file');
    return listProfiles(given, out) ?? Exit.OK;
  }
  if (files.length === 0) throw new UsageError(`${command} needs a FILE, or - for standard input`);
  const takesOne = command === 'compact' || command === 'summary-request';
  if (takesOne && files.length > 1) throw new UsageError(`${command} takes one FILE at a time`);
  const handle = {
    detect: detectFile,
    plan: planFile,
    compact: compactFile,
    validate: validateFile,
    'summary-request': requestFile,
  }[command];
  let worst = Exit.OK;
  for (const name of files) {
    try {
      worst = worse(worst, (await handle(name, given, out, notes)) ?? Exit.OK);
    } catch (error) {
      worst = worse(worst, complain(error, name, notes));
    }
  }
  return worst;
}

/** Of several files' exit codes, a fault comes before something to do, that before nothing. */
function worse(first, second) {
  const order = [Exit.OK, Exit.WORK, Exit.INPUT, Exit.USAGE];
  return order.indexOf(second) > order.indexOf(first) ? second : first;
}

function complain(error, name, notes) {
  const isOurs = error instanceof UsageError || error instanceof FileError || error.name === 'EbblineError';
  if (!isOurs) throw error;
  const exit = exitCodeOf(error);
  const where = name === undefined || error instanceof FileError || exit === Exit.USAGE ? '' : `${nameOf(name)}: `;
  notes.write(`ebbline: ${printable(`${where}${error.message}`)}\n`);
  if (error instanceof UsageError) notes.write('Try `ebbline --help`.\n');
  return exit;
}

function print(out, text) {
  out.write(text);
  return Exit.OK;
}

function version() {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
