import { readFileSync } from 'node:fs';

import { parse } from './args.js';
import { compactFile, detectFile, listProfiles, planFile, requestFile, validateFile } from './commands.js';
import { Exit, FileError, UsageError, exitCodeOf, worse } from './exit.js';
import { faultOf } from './fault.js';
import { nameOf } from './files.js';
import { HELP } from './help.js';
import { Output, OutputError } from './output.js';
import { replayFile } from './replayed.js';
import { printable } from './style.js';

/** The commands that work on many sessions at once, and take folders. The other commands need not wait for their threads and charts. */
const OF_MANY = {
  audit: async () => (await import('./audited.js')).auditAll,
  compare: async () => (await import('./compared.js')).compareAll,
  sweep: async () => (await import('./swept.js')).sweepAll,
};

/**
 * Runs one command.
 *
 * @param {string[]} args the arguments after the program's name
 * @returns {Promise<number>} the exit code
 */
export async function main(args, stream = process.stdout, notes = process.stderr) {
  const ran = { worst: Exit.OK };
  listen(stream, notes, ran);
  try {
    await run(parse(args), new Output(stream), notes, ran);
  } catch (error) {
    ran.worst = worse(ran.worst, complain(error, undefined, notes));
  }
  return ran.worst;
}

/** Streams may report errors late, even after everything else has finished. */
function listen(stream, notes, ran) {
  // A reader that closes the pipe, as in `ebbline plan … | head`, has seen enough: that is not an error.
  const isOver = (error) => error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED';
  const leave = () => process.exit(process.exitCode ?? ran.worst);
  stream.on('error', (error) => {
    if (isOver(error)) leave();
    ran.worst = worse(ran.worst, complain(new OutputError(error), undefined, notes));
    process.exit(ran.worst);
  });
  // Nothing can be reported any more, but the command itself may succeed.
  notes.on('error', (error) => {
    if (isOver(error)) leave();
  });
}

async function run(given, out, notes, ran) {
  const { command, files, values } = given;
  if (values.help) return out.write(HELP);
  if (values.version) return out.write(`${version()}\n`);
  if (command === undefined) throw new UsageError('there is no command');
  if (command === 'profiles') {
    if (files.length > 0) throw new UsageError('profiles takes no file');
    return listProfiles(given, out);
  }
  if (files.length === 0) throw new UsageError(`${command} needs a FILE, or - for standard input`);
  if (Object.hasOwn(OF_MANY, command)) {
    ran.worst = await (await OF_MANY[command]())(given, out, notes);
    return;
  }
  const takesOne = command === 'compact' || command === 'summary-request';
  if (takesOne && files.length > 1) throw new UsageError(`${command} takes one FILE at a time`);
  if (values.svg !== undefined && files.length > 1) throw new UsageError(`${command} --svg takes one FILE`);
  const handle = {
    detect: detectFile,
    plan: planFile,
    compact: compactFile,
    validate: validateFile,
    'summary-request': requestFile,
    replay: replayFile,
  }[command];
  for (const name of files) {
    try {
      ran.worst = worse(ran.worst, (await handle(name, given, out, notes)) ?? Exit.OK);
    } catch (error) {
      if (error instanceof OutputError) throw error;
      ran.worst = worse(ran.worst, complain(error, name, notes));
    }
  }
}

function complain(error, name, notes) {
  const exit = exitCodeOf(error);
  const message = exit === Exit.FAULT ? faultOf(error) : error.message;
  const where = name === undefined || error instanceof FileError || exit === Exit.USAGE ? '' : `${nameOf(name)}: `;
  notes.write(`ebbline: ${printable(`${where}${message}`)}\n`);
  if (error instanceof UsageError) notes.write('Try `ebbline --help`.\n');
  return exit;
}

function version() {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
