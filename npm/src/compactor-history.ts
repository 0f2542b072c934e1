import { walk } from './live-plan.js';
import type { CompactorOptions } from './compactor-options.js';
import { type StoredRecord, makeAgain, recordOf } from './compactor-record.js';
import { originalsFrom, originalsOf, putOriginals, rebuilt } from './originals.js';
import { OutputRecorder } from './output-recorder.js';
import { policyOf } from './ready-policy.js';
import { isReferenceTo } from './references.js';
import { type Taken, View } from './view.js';

/** The history of a session, what is sent instead, and the record of an earlier compactor as long as the history is not known. */
export class CompactorHistory {
  #view = new View();
  /** A record whose changes have not been made again. */
  #record: StoredRecord | undefined;
  #store: CompactorOptions['store'];
  #keepsOriginals: boolean;
  /** The names of the messages that are in the store. */
  #stored = new Set<string>();

  constructor({ store, originals }: Pick<CompactorOptions, 'store' | 'originals'>, record: StoredRecord | undefined) {
    this.#store = store;
    this.#keepsOriginals = originals === 'record';
    this.#record = record;
  }

  get view() {
    return this.#view;
  }

  /** Whether the history that is taken next is compared with a record. */
  get isRestored() {
    return this.#record !== undefined;
  }

  /** How many messages the record knows that the next history is compared with. */
  get recorded() {
    return this.#record?.messages;
  }

  /** Takes the caller's history. */
  take(history: readonly unknown[], length: number): Taken {
    return this.#record === undefined ? this.#view.take(history, length) : this.#restore(this.#record, history, length);
  }

  /** Puts what is no longer sent as it is into the caller's store. */
  async store(signal: AbortSignal | undefined) {
    if (this.#store !== undefined) await putOriginals(this.#store, this.#view, this.#stored, signal);
  }

  /** Fetches the originals of a record from the store, in case the history lacks them. */
  async fetchOriginals(signal: AbortSignal | undefined) {
    if (this.#store === undefined || this.#record === undefined || this.#record.originals !== undefined) return;
    this.#record = { ...this.#record, originals: await originalsFrom(this.#store, this.#record, this.#stored, signal) };
  }

  /** What was decided, as plain data. */
  recordWith(state: () => Pick<StoredRecord, 'controller' | 'overhead' | 'learnt'>) {
    if (this.#record !== undefined) return structuredClone(this.#record);
    const { learnt, ...others } = state();
    const originals = this.#keepsOriginals ? { originals: originalsOf(this.#view) } : {};
    return recordOf(this.#view, { ...others, ...(learnt && { learnt }), ...originals });
  }

  /** The whole output of a call, whatever became of it. */
  recall(id: string, format: NonNullable<CompactorOptions['format']>): string | undefined {
    const place = this.#view.placeOf(id);
    return walk(this.#view.log, { format }, policyOf({}), OutputRecorder, (_, { all, places }) => {
      // What another compactor cleared is gone, unless there is a record of it.
      const whole = all.filter(({ isWhole }) => isWhole);
      const referred = whole.filter((one) => isReferenceTo(` [ref ${id}]`, one.id));
      // Where ids repeat, a reference leads to what stood at its place.
      const there = referred.findLast((one) => (places?.[one.message] ?? one.message) === place);
      return (whole.findLast((one) => one.id === id) ?? there ?? referred.at(-1))?.text;
    });
  }

  /** Makes the changes of a record again. If it does not fit, nothing is changed. */
  #restore(record: StoredRecord, history: readonly unknown[], length: number): Taken {
    const view = new View();
    let taken = view.take(history, length);
    try {
      makeAgain(record, view);
      if (length < record.messages) view.dropAtEnd();
      view.take(history, length);
      this.#view = view;
    } catch (error) {
      const log = wholeHistory(record, history, length);
      if (log === undefined) throw error;
      const whole = new View();
      whole.take(log, log.length);
      makeAgain(record, whole);
      taken = whole.take(history, length);
      this.#view = whole;
    }
    this.#record = undefined;
    return taken;
  }
}

/** The whole history of an agent that kept only what was sent, if the record has the rest. */
function wholeHistory(record: StoredRecord, history: readonly unknown[], length: number) {
  const { originals, messages } = record;
  if (originals === undefined || originals.length === 0 || messages > originals.length + length) return undefined;
  const shape = new View();
  const placeholders = Array.from({ length: messages }, () => ({}));
  shape.take(placeholders, messages);
  makeAgain(record, shape, false);
  return rebuilt(history, length, originals, shape);
}
