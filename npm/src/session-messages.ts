import { EbblineError } from './errors.js';
import { LOOKED_AT } from './formats/signs.js';
import { refuseForeign } from './formats/refuse.js';
import { lengthOf } from './bounded-list.js';
import { formatShown } from './live-format.js';
import { nameCall } from './record-starts.js';
import { Recorder } from './recorder.js';
import type { ReadyPolicy } from './ready-policy.js';
import { SessionFormat } from './session-format.js';
import type { SessionLedger } from './session-ledger.js';
import type { SessionOptions } from './session-options.js';
import { type SnapshotHeader, damaged, eachRecord } from './snapshot.js';

const NOTHING: readonly unknown[] = Object.freeze([]);
const NO_WORDS = new Uint32Array();

/** The messages of a session that grows, as they were given, and their records, which the ledger gets. */
export class SessionMessages {
  /** The messages as they were given. */
  list: unknown[] = [];
  /** How many messages are missing at the beginning: those of a session that was restored without its messages. */
  absent = 0;
  /** How often messages were added or forgotten. */
  changes = 0;
  readonly shown: SessionFormat;
  #options: Pick<SessionOptions, 'countTokens' | 'verify'>;
  #policy: ReadyPolicy;
  #ledger: SessionLedger;
  /** The calls whose outputs must stay. */
  #seals: ReadonlySet<unknown> | undefined;
  /** Without it, the messages must be walked from the beginning. */
  #recorder: Recorder | undefined;

  constructor({ format, countTokens, verify }: SessionOptions, policy: ReadyPolicy, ledger: SessionLedger) {
    this.shown = new SessionFormat(format);
    this.#options = { countTokens, verify };
    this.#policy = policy;
    this.#ledger = ledger;
  }

  /** A copy of the records. */
  get records() {
    return this.#recorder?.records.slice() ?? NO_WORDS;
  }

  /** How many turns begin in the messages. */
  get turns(): number {
    return this.#recorder?.turns ?? 0;
  }

  /** Whether a walk did not reach its end. */
  get isBehind() {
    return this.#recorder === undefined && this.list.length > 0;
  }

  needAll() {
    if (this.absent > 0) throw absence();
  }

  /** Keeps the outputs of these calls; the messages are read again. */
  seal(seals: ReadonlySet<unknown>) {
    this.#seals = seals;
    this.changes += 1;
    this.#recorder = undefined;
  }

  /** Forgets all messages, once the session is freed. */
  clear() {
    this.list = [];
    this.#recorder = undefined;
  }

  /** How many of the known messages are also the first ones of `messages`. */
  keptOf(messages: readonly unknown[]) {
    const known = this.list;
    const last = known.length - 1;
    const isTrusted = this.#options.verify !== 'all' && this.absent === 0 && lengthOf(messages) > last;
    return isTrusted && (last < 0 || messages[last] === known[last]) ? known.length : this.sameIn(messages);
  }

  /** The index of the first message that differs. */
  sameIn(messages: readonly unknown[]) {
    const known = this.list;
    const shorter = Math.min(known.length, messages.length);
    let at = 0;
    while (at < shorter && known[at] === messages[at]) at += 1;
    return at;
  }

  /** Keeps the first `kept` messages and appends `added`. Returns the new number of messages. */
  change(kept: number, added: readonly unknown[]): number {
    const messages = this.list;
    const known = messages.length;
    const gone = kept < known ? messages.splice(kept) : NOTHING;
    for (const message of added) messages.push(message);
    if (gone.length === 0 && messages.length === known) return known;
    this.changes += 1;
    const saved = this.absent > 0 ? this.#saved() : undefined;
    try {
      this.#walk(kept, known);
      this.absent = Math.min(this.absent, kept);
    } catch (error) {
      messages.length = kept;
      for (const message of gone) messages.push(message);
      this.shown.truncate(kept);
      this.#recorder = saved?.(known);
      throw error;
    }
    return messages.length;
  }

  /** Repeats a walk that did not reach its end. */
  walkAgain() {
    try {
      this.#walk(this.list.length, 0);
    } catch (error) {
      this.#recorder = undefined;
      throw error;
    }
  }

  /** What restores the recorder's state for messages that are absent and therefore cannot be walked again. */
  #saved() {
    const recorder = this.#recorder;
    const goBack = this.shown.saved();
    const state = structuredClone(recorder?.state);
    return (known: number) => {
      if (recorder === undefined || recorder.messages < known) return undefined;
      goBack();
      recorder.truncate(known);
      recorder.state = state;
      return recorder;
    };
  }

  #walk(kept: number, known: number) {
    const messages = this.list;
    const absent = Math.min(this.absent, kept);
    let recorder = this.#recorder;
    if (recorder === undefined && absent > 0) throw absence();
    const format = this.shown.of(messages, kept, recorder === undefined);
    const isNew = format !== this.shown.format;
    // Each message is looked at once, wherever it stands.
    if (this.shown.wanted === undefined) refuseForeign(messages, format, recorder === undefined || isNew ? absent : kept);
    let from = 0;
    if (recorder === undefined || isNew) {
      if (absent > 0) throw absence();
      this.shown.format = format;
      recorder = this.#newRecorder();
      this.#recorder = recorder;
      recorder.seals = this.#seals;
      recorder.keep();
    } else if (known > 0) {
      from = format.changedFrom?.(messages, kept, known, recorder.state) ?? kept;
    }
    from = recorder.claims.firstConcerned(from);
    if (from < absent) throw absence();
    const before = from < recorder.messages ? recorder.from(from) : undefined;
    recorder.truncate(from);
    format.walk(messages, recorder, from);
    this.#ledger.send(recorder, recorder.sameAs(before, from));
  }

  /** What a snapshot says of the messages. */
  stored() {
    const recorder = this.#recorder;
    return {
      format: this.list.length === 0 ? undefined : this.shown.format?.name,
      length: this.list.length,
      ...this.shown.shown,
      tools: this.#ledger.tools.names,
      ids: recorder?.starts?.ids ?? [],
      state: recorder?.state,
      told: recorder?.claims.told,
    };
  }

  /** Takes over what a snapshot says, without the messages themselves. */
  restore(header: SnapshotHeader, records: Uint32Array) {
    const { format: name, length, base, bits, tools, ids, state, told, memory } = header;
    if (bits.length !== Math.min(length, LOOKED_AT)) throw damaged('bits');
    if (memory !== undefined) this.#ledger.recall(memory);
    if (length === 0) {
      if (records.length > 0 || tools.length > 0 || ids.length > 0 || state !== undefined || told !== undefined)
        throw damaged('its records');
      this.shown.restore(base, bits);
      return;
    }
    if (this.shown.wanted !== undefined && this.shown.wanted !== name) throw damaged('format');
    const { format } = formatShown(NOTHING, 0, name);
    this.shown.format = format;
    const isSound = format.isState === undefined ? state === undefined : format.isState(state, length);
    if (!isSound) throw damaged('state');
    const { names, numbers } = this.#ledger.tools;
    names.push(...tools);
    tools.forEach((tool, at) => numbers.set(tool, at + 1));
    const recorder = this.#newRecorder();
    recorder.keep(records.slice());
    recorder.state = state;
    eachRecord(
      recorder.words,
      header,
      (at) => {
        recorder.used = at;
        recorder.starts?.begin(recorder);
        recorder.messages += 1;
      },
      (at) => {
        const { calls } = recorder;
        while (calls.count < recorder.words[at + 5]) calls.add(ids[calls.count]);
        nameCall(recorder.words, at, calls.tools);
      },
    );
    if (recorder.calls.count !== ids.length) throw damaged('ids');
    if (recorder.starts !== undefined) recorder.starts.ids = ids;
    recorder.used = recorder.words.length;
    if (told !== undefined) recorder.claims.recall(told);
    this.list = new Array(length).fill(undefined);
    this.absent = length;
    this.shown.restore(base, bits);
    this.#recorder = recorder;
    this.#ledger.send(recorder, 0);
  }

  #newRecorder() {
    return new Recorder(this.#policy.measures, false, this.#ledger.tools, this.#options.countTokens);
  }
}

function absence() {
  return new EbblineError('mismatch', 'this concerns messages that the session was restored without: restore it with them');
}
