import { MADE } from './apply.js';
import { crcOfText } from './checksum.js';
import { jsonFor } from './engine-json.js';
import { dataOf, seenOf } from './equality.js';
import { EbblineError } from './errors.js';
import { formatOf } from './live-format.js';
import { wellFormed } from './recorder.js';
import { isCount, isObject } from './values.js';
import type { About, View, Whole } from './view.js';

const VERSION = 2;
/** The checksums of messages, with the members that they were computed of. */
const checksums: WeakMap<object, { sum: number; members: unknown[] }> = new WeakMap();

/** The members of a message as plain data. */
type Members = Record<string, unknown>;

/** A message of the history, and its checksum. */
interface Bound {
  message: number;
  checksum: number;
}

/** A message that was made, at its place in the view; `like`: it is of the class of that message of the history. */
interface MadeMessage {
  place: number;
  becomes: Members;
  like?: number;
}

/** The messages that a summary stands for, the places of earlier summaries, and what is sent instead. */
export interface SummaryRecord {
  until: number;
  replaces: Bound[];
  earlier: number[];
  made: MadeMessage[];
}

export interface ChangeRecord extends About {
  replaced: (Bound & { becomes: Members })[];
  summary?: SummaryRecord;
}

/** A message of the history that is no longer sent as it is. */
export interface Original {
  message: number;
  original: Members;
}

/** What a record says beside its changes. */
type RecordedState = Pick<StoredRecord, 'controller' | 'overhead' | 'learnt' | 'originals'>;

/** A record, as it is stored. */
export interface StoredRecord {
  version: number;
  /** How many messages the history had. */
  messages: number;
  controller: number[];
  overhead?: number | null;
  learnt?: { window: number; told: number | null } | undefined;
  originals?: Original[];
  changes: ChangeRecord[];
  checksum?: number;
  /** Why an earlier record was not used. */
  mismatch?: string;
}

/**
 * What a compactor decided, as plain data: enough to give the same view again in another process. It holds what was put in the place of
 * outputs and messages, and a checksum of each message that it concerns; the messages themselves stay with the caller.
 */
export function recordOf(view: View, state: RecordedState) {
  const { log } = view;
  const printOf = (index: number) => knownChecksum(log[index]);
  const changes = view.changes.map(({ replaced, whole, about }) => ({
    ...about,
    replaced: [...replaced].map(([message, { after }]) => ({ message, checksum: printOf(message), becomes: membersOf(after) })),
    ...(whole !== undefined && { summary: summaryOf(whole, log, printOf) }),
  }));
  return signed({ version: VERSION, ...state, messages: log.length, changes });
}

/** A record with its checksum. */
export function signed<R extends object>(record: R) {
  return { ...record, checksum: sumOf(record) };
}

/** A checksum of all that a record says, but for the messages in it, which have their own. */
function sumOf({ originals: _, checksum: __, ...record }: { originals?: unknown; checksum?: unknown }) {
  return crcOfSeen(dataOf(record));
}

/** A summary: the messages of the log that it stands for, and those that are sent instead, each at its place in the view. */
function summaryOf({ before, after, until }: Whole, log: readonly unknown[], printOf: (index: number) => number): SummaryRecord {
  const left = new Set(after.origins);
  const gone = before.origins.filter((origin) => origin !== MADE && !left.has(origin));
  const made = after.messages.flatMap((message, place): MadeMessage[] => {
    if (after.origins[place] !== MADE || before.messages.includes(message)) return [];
    // An instance of a class is made again like another one of its class.
    const like = isPlain(message) ? -1 : log.findIndex((other) => Object.getPrototypeOf(other) === Object.getPrototypeOf(message));
    return [{ place, becomes: membersOf(message), ...(like !== -1 && { like }) }];
  });
  const stays = after.messages.filter((message, place) => after.origins[place] === MADE && before.messages.includes(message));
  const taken = before.messages.flatMap((message, place) => (before.origins[place] === MADE && !stays.includes(message) ? [place] : []));
  return { until, replaces: gone.map((message) => ({ message, checksum: printOf(message) })), earlier: taken, made };
}

/** The messages of the history that a change concerns. */
export function boundsIn({ replaced, summary }: ChangeRecord): Bound[] {
  return [...replaced, ...(summary?.replaces ?? [])];
}

/** The changes of a record, made again on a view that has the whole log. */
export function makeAgain(record: StoredRecord, view: View, isChecked = true) {
  for (const change of record.changes) {
    const { replaced, summary, ...about } = change;
    for (const { message, checksum: known } of boundsIn(change)) {
      if (message >= view.log.length || (isChecked && checksum(view.log[message]) !== known)) {
        throw refused(`message ${message} of the history is not the one that was compacted`);
      }
    }
    const after = new Map(replaced.map(({ message, becomes }) => [message, revived(becomes, view.log[message])]));
    const origins = view.origins;
    const messages = view.messages.map((message, at) => after.get(origins[at]) ?? message);
    let sources = [...messages.keys()];
    if (summary !== undefined) {
      const gone = new Set(summary.replaces.map(({ message }) => message));
      const earlier = new Set(summary.earlier);
      sources = sources.filter((at) => (origins[at] === MADE ? !earlier.has(at) : !gone.has(origins[at])));
      for (const { place } of summary.made) sources.splice(place, 0, MADE);
    }
    const made = (summary?.made ?? []).map(({ becomes, like }) => withDates(madeAgain(becomes, like, view.log), view.log[0]));
    view.change(
      sources.map((source) => (source === MADE ? made.shift() : messages[source])),
      sources,
      about,
      summary?.until,
    );
  }
}

/** A message that was made: of the class of another one, or of a class that its format derives from the others'. */
function madeAgain(members: Members, like: number | undefined, log: unknown[]) {
  if (like !== undefined) return revived(members, log[like]);
  const isInstance = log.length > 0 && !isPlain(log[0]);
  return (isInstance ? formatOf(log, undefined).format.instance?.(structuredClone(members), log) : undefined) ?? revived(members, {});
}

/** A copy of a record. What is none, or one of another version, is refused. */
export function checkedRecord(given: unknown): StoredRecord {
  const record: unknown = JSON.parse(jsonFor('mismatch', 'the record', given));
  const version = isObject(record) ? record.version : undefined;
  if (!isObject(record) || version !== VERSION) {
    throw refused(`it is of version ${String(version)}, and only version ${VERSION} is read`);
  }
  // A record without changes says nothing that could be wrong about a history.
  const hasChanges = Array.isArray(record.changes) && record.changes.length > 0;
  if (hasChanges && record.checksum !== sumOf(record)) throw refused('it is damaged');
  if (!isStoredRecord(record)) throw refused('it is damaged');
  // Records that were stored before 0.1.0 have British spelling.
  const changes = record.changes.map(({ summarised, ...change }: ChangeRecord & { summarised?: number }) =>
    summarised === undefined ? change : { ...change, summarized: summarised },
  );
  return { ...record, changes };
}

function isStoredRecord(record: Members): record is Members & StoredRecord {
  const { messages, controller, changes, originals = [], learnt } = record;
  const isLearnt =
    learnt === undefined ||
    (isObject(learnt) && isCount(learnt.window) && learnt.window > 0 && (learnt.told === null || isCount(learnt.told)));
  const isOriginal = (one: unknown) =>
    isObject(one) && isCount(one.message) && isCount(messages) && one.message < messages && isObject(one.original);
  return isLearnt && isCount(messages) && areAll(controller, isCount) && areAll(changes, isChange) && areAll(originals, isOriginal);
}

function isChange(change: unknown) {
  if (!isObject(change) || !areAll(change.replaced, (one) => isBound(one) && isObject(one.becomes))) return false;
  const { summary } = change;
  if (summary === undefined) return true;
  if (!isObject(summary) || !isCount(summary.until)) return false;
  return areAll(summary.replaces, isBound) && areAll(summary.earlier, isCount) && areAll(summary.made, isMade);
}

function isBound(bound: unknown): bound is Members & Bound {
  return isObject(bound) && isCount(bound.message) && isCount(bound.checksum);
}

function isMade(made: unknown) {
  return isObject(made) && isCount(made.place) && isObject(made.becomes) && (made.like === undefined || isCount(made.like));
}

function areAll(list: unknown, is: (one: unknown) => boolean) {
  return Array.isArray(list) && list.every(is);
}

function refused(why: string) {
  const next = 'begin without `record`, or with `resumeCompactor` of an adapter, which does so and says why';
  return new EbblineError('mismatch', `the record does not fit: ${why}. Pass the history that it was made of, or ${next}`);
}

/** A checksum of what a model sees of a message. */
export function checksum(message: unknown) {
  return crcOfSeen(seenOf(message));
}

function crcOfSeen(text: string) {
  return crcOfText(wellFormed(text));
}

/** The same, computed once as long as the message has the same members: whoever keeps the record of each step does not pay for them all. */
function knownChecksum(message: unknown) {
  const object = asObject(message);
  const members = Object.values(object);
  const before = checksums.get(object);
  const isKnown = before?.members.length === members.length && members.every((member, at) => member === before.members[at]);
  if (before !== undefined && isKnown) return before.sum;
  const sum = checksum(message);
  checksums.set(object, { sum, members });
  return sum;
}

/** The members of a message as plain data, whatever its `toJSON` would say. */
export function membersOf(message: unknown): Members {
  return JSON.parse(JSON.stringify({ ...asObject(message) }));
}

/** A message with these members, of the class of `like`, and with what only the class itself gives its instances. */
function revived(members: Members, like: unknown): object {
  const own = withDates(structuredClone(members), like);
  if (isPlain(like)) return own;
  const all: Record<PropertyKey, PropertyDescriptor> = Object.getOwnPropertyDescriptors(asObject(like));
  const hidden = Reflect.ownKeys(all).filter((name) => typeof name === 'symbol' || all[name].enumerable === false);
  const made = Object.create(Object.getPrototypeOf(like), Object.fromEntries(hidden.map((name) => [name, all[name]])));
  for (const [name, value] of Object.entries(own)) {
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return made;
}

/** The same message with dates where another one has them. JSON has none. */
export function withDates<M extends object>(message: M, like: unknown): M {
  const members: Members = Object(message);
  for (const [name, value] of Object.entries(like ?? {})) {
    const text = members[name];
    if (value instanceof Date && typeof text === 'string') members[name] = new Date(text);
  }
  return message;
}

export function isPlain(value: unknown) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** A message as an object: a session that was read has no others. */
function asObject(message: unknown): object {
  return Object(message);
}
