import { MADE } from './apply.js';
import { crcOfText } from './crc.js';
import { EbblineError } from './errors.js';
import { formatOf } from './live.js';
import { jsonFor } from './engine-json.js';
import { wellFormed } from './packed-messages.js';
import { dataOf, seenOf } from './equality.js';

const VERSION = 2;
/** The checksums of messages, with the members that they were computed of. */
const checksums: WeakMap<object, { sum: number; members: unknown[] }> = new WeakMap();

/**
 * What a compactor decided, as plain data: enough to give the same view again in another process. It holds what was put in the place of
 * outputs and messages, and a checksum of each message that it concerns; the messages themselves stay with the caller.
 */
export function recordOf(view: import('./view.js').View, state: object) {
  const { log } = view;
  const printOf = (index) => knownChecksum(log[index]);
  const changes = view.changes.map(({ replaced, whole, about }) => ({
    ...about,
    replaced: [...replaced].map(([message, { after }]) => ({ message, checksum: printOf(message), becomes: membersOf(after) })),
    ...(whole !== undefined && { summary: summaryOf(whole, log, printOf) }),
  }));
  return signed({ version: VERSION, ...state, messages: log.length, changes });
}

/** A record with its checksum. */
export function signed(record) {
  return { ...record, checksum: sumOf(record) };
}

/** A checksum of all that a record says, but for the messages in it, which have their own. */
function sumOf({ originals: _, checksum: __, ...record }) {
  return crcOfSeen(dataOf(record));
}

/** A summary: the messages of the log that it stands for, and those that are sent instead, each at its place in the view. */
function summaryOf({ before, after, until }, log, printOf) {
  const left = new Set(after.origins);
  const gone = before.origins.filter((origin) => origin !== MADE && !left.has(origin));
  const made = after.messages.flatMap((message, place) => {
    if (after.origins[place] !== MADE || before.messages.includes(message)) return [];
    // An instance of a class is made again like another one of its class.
    const like = isPlain(message) ? -1 : log.findIndex((other) => Object.getPrototypeOf(other) === Object.getPrototypeOf(message));
    return [{ place, becomes: membersOf(message), ...(like !== -1 && { like }) }];
  });
  const stays = after.messages.filter((message, place) => after.origins[place] === MADE && before.messages.includes(message));
  const taken = before.messages.flatMap((message, place) => (before.origins[place] === MADE && !stays.includes(message) ? [place] : []));
  return { until, replaces: gone.map((message) => ({ message, checksum: printOf(message) })), earlier: taken, made };
}

/** The changes of a record, made again on a view that has the whole log. */
export function makeAgain(record: any, view: import('./view.js').View, isChecked = true) {
  for (const { replaced, summary, ...about } of record.changes) {
    for (const { message, checksum: known } of [...replaced, ...(summary?.replaces ?? [])]) {
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
function madeAgain(members, like, log) {
  if (like !== undefined) return revived(members, log[like]);
  const isInstance = log.length > 0 && !isPlain(log[0]);
  return (isInstance ? formatOf(log).format.instance?.(structuredClone(members), log) : undefined) ?? revived(members, {});
}

/** A copy of a record. What is none, or one of another version, is refused. */
export function checkedRecord(given) {
  const record = JSON.parse(jsonFor('mismatch', 'the record', given));
  if (record?.version !== VERSION) throw refused(`it is of version ${String(record?.version)}, and only version ${VERSION} is read`);
  const isIndex = (value) => Number.isSafeInteger(value) && value >= 0;
  const isBound = ({ message, checksum: sum }) => isIndex(message) && isIndex(sum);
  const isMade = ({ place, becomes, like }) => isIndex(place) && isObject(becomes) && (like === undefined || isIndex(like));
  const isSummary = ({ until, replaces, earlier, made }) =>
    isIndex(until) && replaces.every(isBound) && earlier.every(isIndex) && made.every(isMade);
  const isChange = ({ replaced, summary }) =>
    replaced.every((one) => isBound(one) && isObject(one.becomes)) && (summary === undefined || isSummary(summary));
  // A record without changes says nothing that could be wrong about a history.
  if (record.changes?.length > 0 && record.checksum !== sumOf(record)) throw refused('it is damaged');
  let isSound = false;
  try {
    const { messages, controller, changes, originals = [], learnt } = record;
    const isLearnt =
      learnt === undefined || (isIndex(learnt.window) && learnt.window > 0 && (learnt.told === null || isIndex(learnt.told)));
    const isOriginal = ({ message, original }) => isIndex(message) && message < messages && isObject(original);
    isSound = isLearnt && isIndex(messages) && controller.every(isIndex) && changes.every(isChange) && originals.every(isOriginal);
  } catch {
    // A member is missing.
  }
  if (!isSound) throw refused('it is damaged');
  // Records that were stored before 0.1.0 have British spelling.
  const changes = record.changes.map(({ summarised, ...change }) =>
    summarised === undefined ? change : { ...change, summarized: summarised },
  );
  return { ...record, changes };
}

function refused(why) {
  const next = 'begin without `record`, or with `resumeCompactor` of an adapter, which does so and says why';
  return new EbblineError('mismatch', `the record does not fit: ${why}. Pass the history that it was made of, or ${next}`);
}

/** A checksum of what a model sees of a message. */
export function checksum(message) {
  return crcOfSeen(seenOf(message));
}

function crcOfSeen(text) {
  return crcOfText(wellFormed(text));
}

/** The same, computed once as long as the message has the same members: whoever keeps the record of each step does not pay for them all. */
function knownChecksum(message) {
  const members = Object.values(message);
  const before = checksums.get(message);
  const isKnown = before?.members.length === members.length && members.every((member, at) => member === before.members[at]);
  if (isKnown) return before.sum;
  const sum = checksum(message);
  checksums.set(message, { sum, members });
  return sum;
}

/** The members of a message as plain data, whatever its `toJSON` would say. */
export function membersOf(message) {
  return JSON.parse(JSON.stringify({ ...message }));
}

/** A message with these members, of the class of `like`, and with what only the class itself gives its instances. */
function revived(members, like) {
  const own = withDates(structuredClone(members), like);
  if (isPlain(like)) return own;
  const all = Object.getOwnPropertyDescriptors(like);
  const hidden = Reflect.ownKeys(all).filter((name) => typeof name === 'symbol' || all[name as string].enumerable === false);
  const made = Object.create(Object.getPrototypeOf(like), Object.fromEntries(hidden.map((name) => [name, all[name as string]])));
  for (const [name, value] of Object.entries(own)) {
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return made;
}

/** The same message with dates where another one has them. JSON has none. */
export function withDates(message, like) {
  for (const [name, value] of Object.entries(like ?? {})) {
    if (value instanceof Date && typeof message[name] === 'string') message[name] = new Date(message[name]);
  }
  return message;
}

export function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
