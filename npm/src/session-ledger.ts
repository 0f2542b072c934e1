import { Ledger, type Policy } from './core.js';
import { type Asked, UNKNOWN, decisionAt, pushWords } from './decision.js';
import { EbblineError } from './errors.js';
import { type Recorder, Tools } from './recorder.js';

/** What the ledger was told of the newest change of the context. */
export interface ContextMemory {
  /** What was known of the overhead; -1 for nothing. */
  overhead: number;
  /** How many messages were left. */
  length: number;
}

/** The length that no list of messages reaches: without a change, no usage is known to be newer than one. */
const NEVER = 0xffff_ffff;

/** The ledger of a session that grows, and how much of the session it knows. */
export class SessionLedger {
  readonly tools = new Tools();
  /** Whether usage that was reported since says how large the context is. Without its session, a plan of the messages does not know. */
  heedsChanges = false;
  #ledger: Ledger | undefined;
  /** Where the engine writes its decisions. */
  #figures: number;
  /** How many tools, and how many messages, the ledger knows. */
  #toolsSent = 0;
  #sent = 0;
  #memory: ContextMemory | undefined;

  constructor(handle: Policy) {
    this.#ledger = new Ledger(handle);
    this.#figures = this.#ledger.figures;
  }

  get isFree() {
    return this.#ledger === undefined;
  }

  /** The ledger in the engine. */
  get inEngine(): Ledger {
    if (this.#ledger === undefined) throw new EbblineError('freed', 'the session was freed');
    return this.#ledger;
  }

  /** What is remembered of the newest change of the context. */
  get memory() {
    return this.#memory;
  }

  /** How many messages the newest change left, if usage since then says how large the context is. */
  get changedAt() {
    return this.heedsChanges && this.#memory !== undefined ? this.#memory.length : UNKNOWN;
  }

  /** The tokens sent beside the messages: as given, or as the ledger remembers them. */
  overheadFor(overhead: number) {
    return overhead === UNKNOWN && this.#memory !== undefined ? this.inEngine.knownOverhead() : overhead;
  }

  decide(asked: Asked) {
    this.inEngine.decide(...asked);
  }

  /** The decision that was made last. */
  decision(profile: string) {
    return decisionAt(this.#figures, profile);
  }

  /** Remembers what the provider reported until now: it was of another context than that of `length` messages. */
  changesTo(length: number) {
    this.#memory = { overhead: this.inEngine.changesTo(length), length };
  }

  /** Takes over what was remembered of a context. */
  recall(memory: ContextMemory | undefined) {
    this.#memory = memory;
    this.inEngine.recall(memory?.overhead ?? UNKNOWN, memory?.length ?? NEVER);
  }

  /** Updates the ledger, which knows the records of at most the first `same` messages, to the state of the recorder. */
  send(recorder: Recorder, same: number) {
    const ledger = this.inEngine;
    const first = Math.min(same, this.#sent);
    if (first < this.#sent) ledger.truncate(first);
    this.#sent = first;
    const { names } = this.tools;
    for (; this.#toolsSent < names.length; this.#toolsSent += 1) ledger.tool(names[this.#toolsSent]);
    if (first < recorder.messages) pushWords(ledger, recorder.words, recorder.start(first), recorder.used);
    this.#sent = recorder.messages;
  }

  free() {
    this.#ledger?.free();
    this.#ledger = undefined;
  }
}
