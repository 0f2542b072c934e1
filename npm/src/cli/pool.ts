// Files in several threads at once, until they are done or somebody presses Ctrl-C.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import { type Name, isStdin, readFile, readStdin } from './files.js';
import { type Bytes, TaskRun, brokenFile, put, unreadFile } from './module.js';
import { refusalOf, wordsOf } from './refusal.js';

/** A file to work on, as the commands have it. */
export interface File {
  name: Name;
}

/** Work on files. */
export interface Work {
  task: object;
  files: readonly File[];
  threads: number | null;
}

/** What a thread did with a file: what becomes of it, in JSON, or the error with which the module failed. */
export type Done = { result: string; error?: undefined } | { result?: undefined; error: { message: string } };

/** What a thread needs. */
interface ThreadData {
  task: string;
  module: WebAssembly.Module;
}

/** What becomes of a file, in JSON. */
async function resultOf(task: TaskRun, file: File): Promise<string> {
  const json = JSON.stringify(file);
  let buffer: Bytes;
  try {
    buffer = put(isStdin(file.name) ? await readStdin() : readFile(file.name));
  } catch (error) {
    return unreadFile(json, refusalOf(error));
  }
  try {
    return task.run(json, buffer);
  } catch (error) {
    return brokenOf(file, error);
  }
}

/** The result of a file on which the module failed. */
function brokenOf(file: File, error: unknown): string {
  return brokenFile(JSON.stringify(file), wordsOf(error));
}

/** Files that are worked on. A single one needs no thread. */
export class Pool {
  /** What became of files and was not told yet. */
  #news: string[] = [];
  #workers: Set<Worker> = new Set();
  #next = 0;
  /** Tells whoever waits that there is news. */
  #wake = () => {};
  #interrupt = () => this.#tell('"Interrupted"');

  #files: readonly File[];
  #data: ThreadData;

  constructor({ task, files, threads }: Work, module: WebAssembly.Module) {
    this.#files = files;
    this.#data = { task: JSON.stringify(task), module };
    if (files.length === 1) {
      void this.#here(0);
      return;
    }
    process.once('SIGINT', this.#interrupt);
    const count = Math.min(threads ?? availableParallelism(), files.length);
    for (let thread = 0; thread < count; thread += 1) this.#hire();
  }

  /** The next news within so many milliseconds, in JSON. */
  async next(within: number): Promise<string> {
    if (this.#news.length === 0) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, within);
      });
      clearTimeout(timer);
    }
    return this.#news.shift() ?? '"Nothing"';
  }

  /** Ends the work. */
  async end(): Promise<void> {
    process.off('SIGINT', this.#interrupt);
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }

  #tell(news: string): void {
    this.#news.push(news);
    this.#wake();
  }

  #finish(at: number, result: string): void {
    this.#tell(`{"Finished":[${at},${result}]}`);
  }

  /** Does a file in this thread. */
  async #here(at: number): Promise<void> {
    this.#finish(at, await resultOf(new TaskRun(this.#data.task), this.#files[at]));
  }

  /** Another thread, which works until no file is left. */
  #hire(): void {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: this.#data });
    let at = -1;
    const begin = () => {
      at = this.#begin();
      if (at < this.#files.length) worker.postMessage(this.#files[at]);
    };
    const dismiss = () => {
      this.#workers.delete(worker);
      void worker.terminate();
      if (this.#next < this.#files.length) this.#hire();
    };
    worker.on('message', ({ result, error }: Done) => {
      const finished = at;
      // After a fault of the engine its memory may be in any state.
      if (error === undefined) begin();
      else dismiss();
      this.#finish(finished, result ?? brokenOf(this.#files[finished], error));
    });
    worker.on('error', (error) => {
      dismiss();
      this.#finish(at, brokenOf(this.#files[at], error));
    });
    this.#workers.add(worker);
    begin();
  }

  /** The next file for a thread. Standard input belongs to this one. */
  #begin(): number {
    for (; this.#next < this.#files.length && isStdin(this.#files[this.#next].name); this.#next += 1) void this.#here(this.#next);
    this.#next += 1;
    return this.#next - 1;
  }
}
