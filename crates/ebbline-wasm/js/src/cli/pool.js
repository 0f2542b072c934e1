// Files in several threads at once, in the order of their names, until they are done or somebody presses Ctrl-C.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import { Exit } from './exit.js';
import { faultOf } from './fault.js';
import { progressOn } from './progress.js';
import { done } from './works.js';

/**
 * @typedef {import('./folders.js').Listed} Listed
 * @typedef {import('./works.js').Done} Done
 */

/**
 * Does the work on every file, and hands out the results in the order of the files. A single file needs no thread.
 *
 * @param {Listed[]} files
 * @param {string} kind the name of the work
 * @param {any} given what it is given beside the file
 * @param {{ jobs?: number, notes: import('node:tty').WriteStream, take: (file: Listed, result: Done) => void }} how
 * @returns {Promise<number>} how many files are missing because somebody pressed Ctrl-C
 */
export async function eachOf(files, kind, given, { jobs, notes, take }) {
  const [only] = files;
  if (files.length === 1) {
    take(only, await done(kind, given, only));
    return 0;
  }
  const pool = new Pool(files, kind, given, notes, take);
  return pool.run(Math.min(jobs ?? availableParallelism(), files.length));
}

class Pool {
  /** @type {Map<number, Done>} finished before those that precede them */
  #early = new Map();
  /** @type {Set<Worker>} */
  #workers = new Set();
  /** The next file to be begun, and the next one to be handed out. */
  #next = 0;
  #first = 0;
  #finished = 0;
  /** Ends the run: all is done or enough, or nothing more can be handed out. */
  end = () => {};
  fail = (_error) => {};

  constructor(files, kind, given, notes, take) {
    this.files = files;
    this.work = { kind, given };
    this.take = take;
    this.progress = progressOn(
      notes,
      files.map(({ size }) => size),
    );
  }

  async run(jobs) {
    const over = new Promise((resolve, reject) => Object.assign(this, { end: resolve, fail: reject }));
    const stop = () => this.end();
    process.once('SIGINT', stop);
    try {
      for (let job = 0; job < jobs; job += 1) this.#hire();
      await over;
    } finally {
      process.off('SIGINT', stop);
      this.progress.end();
      await Promise.all([...this.#workers].map((worker) => worker.terminate()));
    }
    const rest = [...this.#early].sort(([one], [other]) => one - other);
    for (const [at, result] of rest) this.take(this.files[at], result);
    return this.files.length - this.#finished;
  }

  /** Another thread, which works until no file is left. */
  #hire() {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: this.work });
    let at = -1;
    const begin = () => {
      at = this.#begin();
      if (at < this.files.length) worker.postMessage({ at, file: this.files[at] });
    };
    const dismiss = () => {
      this.#workers.delete(worker);
      void worker.terminate();
    };
    worker.on('message', ({ at: finished, result }) => {
      // After a fault of the engine its memory may be in any state.
      if (result.failure?.exit === Exit.FAULT) {
        dismiss();
        if (this.#next < this.files.length) this.#hire();
      } else {
        begin();
      }
      this.#finish(finished, result);
    });
    worker.on('error', (error) => {
      dismiss();
      if (this.#next < this.files.length) this.#hire();
      this.#finish(at, { failure: { exit: Exit.FAULT, message: faultOf(error), isComplete: false } });
    });
    this.#workers.add(worker);
    begin();
  }

  /** The next file for a thread. Standard input belongs to this one. */
  #begin() {
    for (; this.files[this.#next]?.name === '-'; this.#next += 1) {
      const at = this.#next;
      void done(this.work.kind, this.work.given, this.files[at]).then((result) => this.#finish(at, result));
    }
    this.#next += 1;
    return this.#next - 1;
  }

  #finish(at, result) {
    this.#early.set(at, result);
    this.#finished += 1;
    this.progress.done(at);
    this.progress.clear();
    try {
      for (; this.#early.has(this.#first); this.#first += 1) {
        const ready = this.#early.get(this.#first);
        this.#early.delete(this.#first);
        this.take(this.files[this.#first], ready);
      }
    } catch (error) {
      this.fail(error);
    }
    if (this.#finished === this.files.length) this.end();
  }
}
