// The command line as a host of its commands: it answers what they ask for, and says and decides nothing itself.

import { type Duration, durationOf } from './duration.js';
import { type Name, type Seen, isStdin, jsonOf, kindOf, listingOf, pathOf, readFile, readStdin, seenOf } from './files.js';
import { type Bytes, CommandRun, compiled, put, start, take } from './module.js';
import { Output, type OutputStream } from './output.js';
import type { Pool, Work } from './pool.js';
import { refusalOf } from './refusal.js';
import type { Running, ShellCommand } from './shell.js';

/** An answer to what a command asks: JSON, and a buffer if bytes belong to it. */
type Answer = [json: string, bytes?: Bytes];

/** What a command may ask, and with what. */
interface Asks {
  Variable: string;
  Clock: undefined;
  Kind: Name;
  State: Name;
  Read: Name;
  List: Name;
  Write: WriteAsk;
  Check: WriteAsk;
  Run: ShellCommand;
  Wait: undefined;
  Out: undefined;
  Note: string;
  Work: Work;
  Next: Duration;
  Halt: undefined;
}

/** A file to write, and the file that must be as it was when it was read. */
interface WriteAsk {
  to: Name;
  unchanged: { path: Name } | null;
}

type Answers = { [K in keyof Asks]: (value: Asks[K]) => Answer | Promise<Answer> };

/**
 * Runs one command.
 *
 * @param args the arguments after the program's name
 * @returns the exit code
 */
export async function main(
  args: string[],
  stream: OutputStream & { columns?: number } = process.stdout,
  notes: OutputStream = process.stderr,
): Promise<number> {
  const module = compiled();
  start(module);
  const { NO_COLOR = '', TERM = '', COLUMNS = '' } = process.env;
  const terminal = {
    out_is_terminal: stream.isTTY === true,
    columns: stream.isTTY === true && (stream.columns ?? 0) > 0 ? stream.columns : null,
    notes_are_terminal: notes.isTTY === true,
    environment: { no_color: NO_COLOR, term: TERM, columns: COLUMNS },
  };
  const names = args.map((arg) => [...Buffer.from(arg)]);
  const command = new CommandRun(JSON.stringify(names), JSON.stringify(terminal));
  const host = new Host(module, command, new Output(stream), notes);
  // If nobody hears notes, the command itself may still succeed.
  notes.on('error', () => {});
  for (let answer: Answer = ['"Nothing"']; ; ) {
    const [kind, value] = askedIn(command.step(...answer));
    if (kind === 'Done') return command.code();
    answer = await host[kind](value);
  }
}

/** What is asked, and with what: the commands ask nothing else than what {@link Host} has a method for. */
function askedIn(json: string): [kind: keyof Asks | 'Done', value: never] {
  const asked = JSON.parse(json);
  return (typeof asked === 'string' ? [asked] : Object.entries(asked)[0]) as [keyof Asks | 'Done', never];
}

/** Answers by the names of what is asked. */
class Host implements Answers {
  #begun = performance.now();
  /** Files as they were before they were read, by their paths. */
  #seen: Map<string, Seen> = new Map();
  #pool: Pool | undefined;
  #running: Running | undefined;
  #module: WebAssembly.Module;
  #command: CommandRun;
  #out: Output;
  #notes: OutputStream;

  constructor(module: WebAssembly.Module, command: CommandRun, out: Output, notes: OutputStream) {
    this.#module = module;
    this.#command = command;
    this.#out = out;
    this.#notes = notes;
  }

  Variable(name: string): Answer {
    return [JSON.stringify({ Text: process.env[name] ?? null })];
  }

  Clock(): Answer {
    return [JSON.stringify({ Time: durationOf(performance.now() - this.#begun) })];
  }

  Kind(name: Name): Answer {
    return [JSON.stringify({ Kind: kindOf(name) })];
  }

  State(name: Name): Answer {
    const seen = seenOf(name);
    if (seen !== undefined) this.#seen.set(seen.path.toString('latin1'), seen);
    return [`{"State":${seen === undefined ? null : jsonOf(seen)}}`];
  }

  async Read(name: Name): Promise<Answer> {
    try {
      return ['{"Bytes":{"Ok":[]}}', put(isStdin(name) ? await readStdin() : readFile(name))];
    } catch (error) {
      return [`{"Bytes":{"Err":${refusalOf(error)}}}`];
    }
  }

  List(name: Name): Answer {
    return [`{"Listing":${listingOf(name)}}`];
  }

  async Write({ to, unchanged }: WriteAsk): Promise<Answer> {
    const bytes = take(this.#command.bytes());
    // Most commands write no file and need not wait for this import.
    const { writeFileSafely } = await import('./write.js');
    return finished(() => writeFileSafely(pathOf(to), bytes, this.#seenOf(unchanged)));
  }

  async Check({ to, unchanged }: WriteAsk): Promise<Answer> {
    const { refuseChanged } = await import('./write.js');
    return finished(() => refuseChanged(pathOf(to), this.#seenOf(unchanged)));
  }

  async Run(run: ShellCommand): Promise<Answer> {
    const { Running } = await import('./shell.js');
    this.#running = new Running(run);
    return this.Wait();
  }

  async Wait(): Promise<Answer> {
    // A command is waited for that was run before.
    const running = this.#running!;
    const reply = await running.reply();
    const json = JSON.stringify({ Reply: reply });
    return typeof reply === 'object' && 'Answer' in reply ? [json, put(running.bytes)] : [json];
  }

  async Out(): Promise<Answer> {
    try {
      return [`{"Output":{"Ok":${await this.#out.write(take(this.#command.bytes()))}}}`];
    } catch (error) {
      return [`{"Output":{"Err":${refusalOf(error)}}}`];
    }
  }

  Note(text: string): Answer {
    this.#notes.write(text);
    return ['"Nothing"'];
  }

  async Work(work: Work): Promise<Answer> {
    const { Pool } = await import('./pool.js');
    return finished(() => {
      this.#pool = new Pool(work, this.#module);
    });
  }

  async Next({ secs, nanos }: Duration): Promise<Answer> {
    return [`{"News":${await this.#pool!.next(secs * 1000 + nanos / 1e6)}}`];
  }

  async Halt(): Promise<Answer> {
    await this.#pool!.end();
    return ['"Nothing"'];
  }

  #seenOf(unchanged: WriteAsk['unchanged']): Seen | undefined {
    return unchanged === null ? undefined : this.#seen.get(pathOf(unchanged.path).toString('latin1'));
  }
}

async function finished(work: () => unknown): Promise<Answer> {
  try {
    await work();
    return ['{"Finished":{"Ok":null}}'];
  } catch (error) {
    return [`{"Finished":{"Err":${refusalOf(error)}}}`];
  }
}
