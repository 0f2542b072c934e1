import { MADE } from './apply.js';
import { CallerError, untilCancelled } from './cancellation.js';
import type { CompactorStore } from './compactor-options.js';
import { type Original, type StoredRecord, boundsIn, checksum, isPlain, membersOf, withDates } from './compactor-record.js';
import { isObject } from './values.js';
import type { View } from './view.js';

/** The messages of the log that are not sent as they are: where each stands, its checksum, and its name in a store. */
export function changedMessages({ log, messages, origins }: View): { message: number; checksum: number; key: string }[] {
  const isSent = new Set(messages.filter((message, at) => origins[at] !== MADE && message === log[origins[at]]));
  return log.flatMap((original, message) => (isSent.has(original) ? [] : [named(message, checksum(original))]));
}

function named(message: number, sum: number) {
  return { message, checksum: sum, key: `${message}-${sum.toString(16).padStart(8, '0')}` };
}

/** The messages themselves, for a record that holds them. */
export function originalsOf(view: View): Original[] {
  return changedMessages(view).map(({ message }) => ({ message, original: membersOf(view.log[message]) }));
}

/** Puts messages into a store that are not there yet. What the store throws reaches the caller as it is. */
export async function putOriginals(store: CompactorStore, view: View, known: Set<string>, signal: AbortSignal | undefined) {
  for (const { message, key } of changedMessages(view)) {
    if (known.has(key)) continue;
    await answered(() => store.put(key, JSON.stringify(view.log[message])), signal);
    known.add(key);
  }
}

/**
 * The messages that a record speaks of, from a store. What the store throws reaches the caller as it is; a text that is no message
 * counts as missing. What is there need not be put again, so its key is added to `known`: a process that ends in a second `put` could
 * spoil the only copy.
 */
export async function originalsFrom(store: CompactorStore, record: StoredRecord, known: Set<string>, signal: AbortSignal | undefined) {
  const found = new Map<number, Original['original']>();
  for (const { message, checksum: sum } of record.changes.flatMap(boundsIn)) {
    if (found.has(message)) continue;
    const { key } = named(message, sum);
    const original = messageIn(await answered(() => store.get(key), signal));
    if (original === undefined) continue;
    found.set(message, original);
    known.add(key);
  }
  return [...found].map(([message, original]) => ({ message, original }));
}

async function answered<T>(ask: () => T, signal: AbortSignal | undefined) {
  try {
    return await untilCancelled(Promise.resolve(ask()), signal);
  } catch (error) {
    throw error instanceof CallerError ? error : new CallerError(error);
  }
}

function messageIn(text: string | null | undefined): Original['original'] | undefined {
  try {
    const message: unknown = JSON.parse(text ?? '');
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The whole history, from what is sent of it and the originals of what is not; `undefined` if that is not what the history is.
 *
 * @param history what an agent kept: the messages that were sent, with new ones behind them
 * @param length how many messages it has
 * @param shape what is sent of placeholders in the place of all messages
 */
export function rebuilt(history: readonly unknown[], length: number, originals: Original[], { log, messages, origins }: View) {
  const known = new Map<number, unknown>(originals.map(({ message, original }) => [message, withDates(original, history[0])]));
  const made = log.map((_, message) => known.get(message));
  if (length < messages.length) return undefined;
  for (let at = 0; at < messages.length; at += 1) {
    const origin = origins[at];
    const given = history[at];
    if (typeof given !== 'object' || given === null || !isPlain(given)) return undefined;
    if (origin !== MADE && messages[at] === log[origin]) made[origin] = given;
  }
  return made.every((message) => message !== undefined) ? made : undefined;
}
