// The command line as a host of its commands: it answers what they ask for, and says and decides nothing itself.

import { durationOf } from './duration.js';
import { isStdin, jsonOf, kindOf, listingOf, pathOf, readFile, readStdin, seenOf } from './files.js';
import { CommandRun, compiled, put, start, take } from './module.js';
import { Output } from './output.js';
import { refusalOf } from './refusal.js';

/**
 * Runs one command.
 *
 * @param args the arguments after the program's name
 * @returns the exit code
 */
export async function main(args: string[], stream = process.stdout, notes = process.stderr): Promise<number> {
  const module = compiled();
  start(module);
  const { NO_COLOR = '', TERM = '', COLUMNS = '' } = process.env;
  const terminal = {
    out_is_terminal: stream.isTTY === true,
    columns: stream.isTTY === true && stream.columns > 0 ? stream.columns : null,
    notes_are_terminal: notes.isTTY === true,
    environment: { no_color: NO_COLOR, term: TERM, columns: COLUMNS },
  };
  const names = args.map((arg) => [...Buffer.from(arg)]);
  const command = new CommandRun(JSON.stringify(names), JSON.stringify(terminal));
  const host = new Host(module, command, new Output(stream), notes);
  // If nobody hears notes, the command itself may still succeed.
  notes.on('error', () => {});
  for (let answer = ['"Nothing"']; ; ) {
    const ask = JSON.parse(command.step(...answer));
    const [kind, value] = typeof ask === 'string' ? [ask] : Object.entries(ask)[0];
    if (kind === 'Done') return command.code();
    answer = await host[kind](value);
  }
}

/** Answers by the names of what is asked: each is JSON, and a buffer if bytes belong to it. */
class Host {
  #begun = performance.now();
  /** Files as they were before they were read, by their paths. */
  #seen: Map<string, import('./files.js').Seen> = new Map();
  #pool;
  #running;
  #module;
  #command;
  #out;
  #notes;

  constructor(module, command, out, notes) {
    this.#module = module;
    this.#command = command;
    this.#out = out;
    this.#notes = notes;
  }

  Variable(name) {
    return [JSON.stringify({ Text: process.env[name] ?? null })];
  }

  Clock() {
    return [JSON.stringify({ Time: durationOf(performance.now() - this.#begun) })];
  }

  Kind(name) {
    return [JSON.stringify({ Kind: kindOf(name) })];
  }

  State(name) {
    const seen = seenOf(name);
    if (seen !== undefined) this.#seen.set(seen.path.toString('latin1'), seen);
    return [`{"State":${seen === undefined ? null : jsonOf(seen)}}`];
  }

  async Read(name) {
    try {
      return ['{"Bytes":{"Ok":[]}}', put(isStdin(name) ? await readStdin() : readFile(name))];
    } catch (error) {
      return [`{"Bytes":{"Err":${refusalOf(error)}}}`];
    }
  }

  List(name) {
    return [`{"Listing":${listingOf(name)}}`];
  }

  async Write({ to, unchanged }) {
    const bytes = take(this.#command.bytes());
    // Most commands write no file and need not wait for this import.
    const { writeFileSafely } = await import('./write.js');
    return finished(() => writeFileSafely(pathOf(to), bytes, this.#seenOf(unchanged)));
  }

  async Check({ to, unchanged }) {
    const { refuseChanged } = await import('./write.js');
    return finished(() => refuseChanged(pathOf(to), this.#seenOf(unchanged)));
  }

  async Run(run) {
    const { Running } = await import('./shell.js');
    this.#running = new Running(run);
    return this.Wait();
  }

  async Wait() {
    const reply = await this.#running.reply();
    const bytes = typeof reply === 'object' && 'Answer' in reply ? [put(this.#running.bytes)] : [];
    return [JSON.stringify({ Reply: reply }), ...bytes];
  }

  async Out() {
    try {
      return [`{"Output":{"Ok":${await this.#out.write(take(this.#command.bytes()))}}}`];
    } catch (error) {
      return [`{"Output":{"Err":${refusalOf(error)}}}`];
    }
  }

  Note(text) {
    this.#notes.write(text);
    return ['"Nothing"'];
  }

  async Work(work) {
    const { Pool } = await import('./pool.js');
    return finished(() => {
      this.#pool = new Pool(work, this.#module);
    });
  }

  async Next({ secs, nanos }) {
    return [`{"News":${await this.#pool.next(secs * 1000 + nanos / 1e6)}}`];
  }

  async Halt() {
    await this.#pool.end();
    return ['"Nothing"'];
  }

  #seenOf(unchanged) {
    return unchanged === null ? undefined : this.#seen.get(pathOf(unchanged.path).toString('latin1'));
  }
}

async function finished(work) {
  try {
    await work();
    return ['{"Finished":{"Ok":null}}'];
  } catch (error) {
    return [`{"Finished":{"Err":${refusalOf(error)}}}`];
  }
}
