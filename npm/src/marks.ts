import { HAS_USAGE, Kind, MESSAGE, PART_WORDS } from './packed-messages.js';

const KIND = 0xf;

/**
 * The start of each message's records, and how many calls were known there: what is needed to remove the last
 * messages of growing records.
 */
export class Marks {
  constructor() {
    /** Two numbers per message: its first word, and the number of calls before it. */
    this.places = new Uint32Array(64);
    /** The ids of the calls, in the order of their numbers. */
    this.ids = [];
  }

  /** The start of a message's records. */
  start(message) {
    return this.places[message * 2];
  }

  /** Records the start of the next message. */
  begin({ messages, used, calls }) {
    const at = messages * 2;
    if (at === this.places.length) {
      const larger = new Uint32Array(at * 2);
      larger.set(this.places);
      this.places = larger;
    }
    this.places[at] = used;
    this.places[at + 1] = calls.count;
  }

  /** Moves the start of the messages from `first` to `end` (exclusive) one word back. */
  shift(first, end) {
    for (let message = first; message < end; message += 1) this.places[message * 2] -= 1;
  }

  /** Truncates a recorder's words and forgets the calls that appeared after them. */
  truncate(recorder, count) {
    const { words, used, callTools } = recorder;
    const start = this.places[count * 2];
    const calls = this.places[count * 2 + 1];
    recorder.calls.forget(this.ids.splice(calls));
    callTools.length = Math.min(callTools.length, calls + 1);
    recorder.used = start;
    // A later call may have reused an earlier call's id with another tool's name.
    let isNamedAgain = false;
    eachPart(words, start, used, (at) => {
      isNamedAgain ||= isNamedCall(words, at) && words[at + 5] <= calls;
    });
    if (!isNamedAgain) return;
    callTools.length = 1;
    eachPart(words, 0, start, (at) => nameCall(words, at, callTools));
  }
}

/** Records the tool of a call, if the part is a call with a tool's name. */
export function nameCall(words, at, callTools) {
  if (isNamedCall(words, at)) callTools[words[at + 5]] = words[at + 6];
}

/** Calls `use` with the position of each part's first word. */
export function eachPart(words, start, end, use) {
  for (let at = start; at < end; ) {
    if (words[at] >= MESSAGE) {
      at += (words[at] & HAS_USAGE) === 0 ? 1 : 2;
    } else {
      use(at);
      at += PART_WORDS;
    }
  }
}

function isNamedCall(words, at) {
  return (words[at] & KIND) === Kind.CALL && words[at + 5] !== 0 && words[at + 6] !== 0;
}
