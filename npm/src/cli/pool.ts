// Files in several threads at once, until they are done or somebody presses Ctrl-C.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import { isStdin, readFile, readStdin } from './files.js';
import { TaskRun, brokenFile, put, unreadFile } from './module.js';
import { refusalOf } from './refusal.js';

/** A file to work on, as the commands have it. */
export type File = { name: number[] };

/** What becomes of a file, in JSON. @param task a `TaskRun` @param file */
export async function resultOf(task: any, file: File) {
  const json = JSON.stringify(file);
  let buffer;
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

function brokenOf(file, error) {
  return brokenFile(JSON.stringify(file), String(error?.message ?? error));
}

/** Files that are worked on. A single one needs no thread. */
export class Pool {
  /** What became of files and was not told yet. */
  #news: string[] = [];
  #workers: Set<Worker> = new Set();
  #next = 0;
  /** Tells whoever waits that there is news. */
  #wake = (_value) => {};
  #interrupt = () => this.#tell('"Interrupted"');

  constructor({ task, files, threads }: { task: object; files: File[]; threads: number | null }, module: WebAssembly.Module) {
    this.files = files;
    this.data = { task: JSON.stringify(task), module };
    if (files.length === 1) {
      void this.#here(0);
      return;
    }
    process.once('SIGINT', this.#interrupt);
    const count = Math.min(threads ?? availableParallelism(), files.length);
    for (let thread = 0; thread < count; thread += 1) this.#hire();
  }

  /** The next news within so many milliseconds, in JSON. */
  async next(within) {
    if (this.#news.length === 0) {
      let timer;
      await new Promise((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, within);
      });
      clearTimeout(timer);
    }
    return this.#news.shift() ?? '"Nothing"';
  }

  /** Ends the work. */
  async end() {
    process.off('SIGINT', this.#interrupt);
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }

  #tell(news) {
    this.#news.push(news);
    this.#wake(undefined);
  }

  #finish(at, result) {
    this.#tell(`{"Finished":[${at},${result}]}`);
  }

  /** Does a file in this thread. */
  async #here(at) {
    this.#finish(at, await resultOf(new TaskRun(this.data.task), this.files[at]));
  }

  /** Another thread, which works until no file is left. */
  #hire() {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: this.data });
    let at = -1;
    const begin = () => {
      at = this.#begin();
      if (at < this.files.length) worker.postMessage(this.files[at]);
    };
    const dismiss = () => {
      this.#workers.delete(worker);
      void worker.terminate();
      if (this.#next < this.files.length) this.#hire();
    };
    worker.on('message', ({ result, error }) => {
      const finished = at;
      // After a fault of the engine its memory may be in any state.
      if (error === undefined) begin();
      else dismiss();
      this.#finish(finished, result ?? brokenOf(this.files[finished], error));
    });
    worker.on('error', (error) => {
      dismiss();
      this.#finish(at, brokenOf(this.files[at], error));
    });
    this.#workers.add(worker);
    begin();
  }

  /** The next file for a thread. Standard input belongs to this one. */
  #begin() {
    for (; this.#next < this.files.length && isStdin(this.files[this.#next].name); this.#next += 1) void this.#here(this.#next);
    this.#next += 1;
    return this.#next - 1;
  }
}
