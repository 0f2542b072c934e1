import { readFileSync, statSync } from 'node:fs';

import { parse } from './args.js';
import { detectFile, listProfiles, planFile, requestFile, validateFile } from './commands.js';
import { Exit, FileError, UsageError, exitCodeOf, worse } from './exit.js';
import { faultOf } from './fault.js';
import { nameOf } from './files.js';
import { HELP } from './help.js';
import { Output, OutputError } from './output.js';
import { longFileOn } from './progress.js';
import { replayFile } from './replayed.js';
import { printable } from './style.js';

/** The commands that work on many sessions at once, and take folders. The other commands need not wait for their threads and charts. */
const OF_MANY = {
  audit: async () => (await import('./audited.js')).auditAll,
  compare: async () => (await import('./compared.js')).compareAll,
  sweep: async () => (await import('./swept.js')).sweepAll,
};

/** The commands for each file by itself. */
const OF_EACH = {
  detect: async () => detectFile,
  plan: async () => planFile,
  inspect: async () => (await import('./inspected.js')).inspectFile,
  compact: async () => (await import('./compacted.js')).compactFile,
  summarize: async () => (await import('./summarised.js')).summarizeFile,
  undo: async () => (await import('./undone.js')).undoFile,
  repair: async () => (await import('./repaired.js')).repairFile,
  validate: async () => validateFile,
  'summary-request': async () => requestFile,
  replay: async () => replayFile,
};
/** Those that write one session, or print what is of one. */
const OF_ONE = new Set(['compact', 'summarize', 'undo', 'repair', 'summary-request']);

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
  if (command === 'recall') {
    if (files.length !== 2) throw new UsageError('recall needs a FILE and the ID of a call');
    return (await import('./undone.js')).recallOutput(files, given, out);
  }
  if (OF_ONE.has(command) && files.length > 1) throw new UsageError(`${command} takes one FILE at a time`);
  if (values.svg !== undefined && files.length > 1) throw new UsageError(`${command} --svg takes one FILE`);
  const handle = await OF_EACH[command]();
  for (const [at, name] of files.entries()) {
    const clear = longFileOn(notes, { name: printable(nameOf(name)), bytes: sizeOf(name), at, of: files.length });
    try {
      ran.worst = worse(ran.worst, (await handle(name, given, cleared(out, clear), cleared(notes, clear))) ?? Exit.OK);
    } catch (error) {
      clear();
      if (error instanceof OutputError) throw error;
      ran.worst = worse(ran.worst, complain(error, name, notes));
    }
    clear();
  }
}

function sizeOf(name) {
  try {
    return name === '-' ? 0 : statSync(name).size;
  } catch {
    // The command that reads the file says why it cannot be read.
    return 0;
  }
}

/** The stream, on which nothing is written beside the line about a long file. */
function cleared(stream, clear) {
  return {
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return stream.columns;
    },
    write: (content) => {
      clear();
      return stream.write(content);
    },
  };
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
