// What an agent has stored when its process ends.
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * How an agent keeps a session: all of it and the record, all of it alone, only what it sends, or what it sends with the record and a store of
 * what it no longer sends.
 */
export const KEEPS = ['history and record', 'history', 'view', 'view, record and store'];

export class Disk {
  #keeps;
  /** @type {string[]} */
  #lines = [];
  /** @type {string | undefined} */
  #record;
  /** What the agent added, whatever it keeps. */
  said = [];
  /** What the compactor put into its store. @type {Map<string, string>} */
  stored = new Map();

  constructor(keeps) {
    this.#keeps = keeps;
  }

  get keepsViews() {
    return this.#keeps.startsWith('view');
  }

  /** Whether the store is needed to get the whole history back. */
  get needsStore() {
    return this.#keeps === 'view, record and store';
  }

  get hasRecord() {
    return this.#record !== undefined;
  }

  read() {
    const record = this.#record === undefined ? undefined : JSON.parse(this.#record);
    return { history: this.#lines.map((line) => JSON.parse(line)), record };
  }

  append(messages) {
    const lines = messages.map((message) => JSON.stringify(message));
    this.#lines.push(...lines);
    this.said.push(...lines);
  }

  /** What is sent takes the place of what was kept, together with the record that belongs to it. */
  rewrite(messages, compactor) {
    this.#lines = messages.map((message) => JSON.stringify(message));
    if (this.needsStore) this.#record = JSON.stringify(compactor.record);
  }

  store(compactor) {
    if (this.#keeps === 'history and record') this.#record = JSON.stringify(compactor.record);
  }
}

/** The history and the record in files: what is left of a process that was killed, whenever that was. */
export class FileDisk extends Disk {
  #history;
  #record;

  /** @param {string} folder */
  constructor(folder) {
    super(KEEPS[0]);
    this.#history = join(folder, 'history.jsonl');
    this.#record = join(folder, 'record.json');
    if (!existsSync(this.#history)) writeFileSync(this.#history, '');
  }

  read() {
    const lines = readFileSync(this.#history, 'utf8').split('\n');
    // What stands behind the last line end was not written whole.
    const whole = lines.slice(0, -1);
    writeFileSync(this.#history, whole.map((line) => `${line}\n`).join(''));
    const record = existsSync(this.#record) ? JSON.parse(readFileSync(this.#record, 'utf8')) : undefined;
    return { history: whole.map((line) => JSON.parse(line)), record };
  }

  append(messages) {
    appendFileSync(this.#history, messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  /** The record is the old one or the new one, never a part of one. It is written after the history that it is about. */
  store(compactor) {
    writeFileSync(`${this.#record}.new`, JSON.stringify(compactor.record));
    renameSync(`${this.#record}.new`, this.#record);
  }
}
