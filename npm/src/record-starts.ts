import { HAS_USAGE, Kind, MESSAGE, PART_WORDS } from './generated/records.js';
import type { Recorder } from './recorder.js';

const KIND = 0xf;

/**
 * The start of each message's records, and how many calls were known there: what is needed to remove the last
 * messages of growing records.
 */
export class RecordStarts {
  /** Two numbers per message: its first word, and the number of calls before it. */
  places = new Uint32Array(64);
  /** The ids of the calls, in the order of their numbers. */
  ids: string[] = [];

  /** The start of a message's records. */
  start(message: number): number {
    return this.places[message * 2];
  }

  /** Records the start of the next message. */
  begin({ messages, used, calls }: Recorder): void {
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
  shift(first: number, end: number): void {
    for (let message = first; message < end; message += 1) this.places[message * 2] -= 1;
  }

  /** Truncates a recorder's words and forgets the calls that appeared after them. */
  truncate(recorder: Recorder, count: number): void {
    const { words, used, calls } = recorder;
    const start = this.places[count * 2];
    const known = this.places[count * 2 + 1];
    calls.forget(this.ids.splice(known));
    calls.tools.length = Math.min(calls.tools.length, known + 1);
    recorder.used = start;
    // A later call may have reused an earlier call's id with another tool's name.
    let isNamedAgain = false;
    eachPart(words, start, used, (at) => {
      isNamedAgain ||= isNamedCall(words, at) && words[at + 5] <= known;
    });
    if (!isNamedAgain) return;
    calls.tools.length = 1;
    eachPart(words, 0, start, (at) => nameCall(words, at, calls.tools));
  }
}

/** Records the tool of a call, if the part is a call with a tool's name. */
export function nameCall(words: Uint32Array, at: number, tools: number[]): void {
  if (isNamedCall(words, at)) tools[words[at + 5]] = words[at + 6];
}

/** Calls `use` with the position of each part's first word. */
function eachPart(words: Uint32Array, start: number, end: number, use: (at: number) => void): void {
  for (let at = start; at < end; ) {
    if (words[at] >= MESSAGE) {
      at += (words[at] & HAS_USAGE) === 0 ? 1 : 2;
    } else {
      use(at);
      at += PART_WORDS;
    }
  }
}

function isNamedCall(words: Uint32Array, at: number): boolean {
  return (words[at] & KIND) === Kind.CALL && words[at + 5] !== 0 && words[at + 6] !== 0;
}
