import type { Compaction as MadeCompaction, CompactorEvent } from '../../compaction.js';
import type { Compactor, CompactorRecord, ContextUsage } from '../../compactor-interface.js';
import type { CompactorOptions, PrepareOptions } from '../../compactor-options.js';
import { hasCode } from '../common/refusal.js';
import { told } from '../common/session-command.js';
import { checkedCompactor, release } from '../common/sessions.js';
import type { AgentMessage, Assembly, Compaction, CompactionResult, HostModel, Status, Turn } from './host.js';
import { type Marked, grown, marked, marksOf, otherwise } from './log.js';
import type { RecordFile, Stored } from './record-file.js';
import { Room } from './room.js';
import { summarizeWith } from './summarize.js';
import { hasPlainIds, transcriptOf, withPlainIds } from './transcript.js';

/** How often a compaction that only clears outputs is followed by another one until there is a summary. */
const ROUNDS = 10;

/** What OpenClaw takes for a compaction that was not needed, and not for a failure. */
const NOT_NEEDED = 'already under target';

/** What a session is opened with. */
export interface Opening {
  sessionKey: string;
  sessionId: string;
  file: RecordFile;
  /** Makes a compactor. */
  make: (options: Pick<CompactorOptions, 'record' | 'onEvent' | 'auto'>) => Compactor;
  /** The settings, by which it is seen that others hold now. */
  settings: string;
  log: (message: string) => void;
  /** Hears how full the session is. */
  show: (status: Status) => void;
}

/** One session of OpenClaw, with its compactor. */
export class OpenSession {
  readonly sessionId: string;
  readonly settings: string;
  compactor: Compactor;
  /** Whether the compactor only reads: no request has said what it is to decide for. */
  #isReading = false;
  readonly #about: Opening;
  readonly #room: Room;
  /** The limits of the model, as the compactor knows them. */
  #model: Room['model'];
  #turns: string[];
  /** What the session had in another process. */
  readonly #marks: string;
  /** The messages that OpenClaw gives otherwise than it stores them. */
  #given: Marked;
  /** The whole session without the running turn, as OpenClaw gave it; `undefined` before the first request of this process. */
  #log: readonly AgentMessage[] | undefined;
  /** Whether OpenClaw gives the ids of calls without the characters that some providers refuse. */
  #hasPlainIds: boolean | undefined;
  /** Whether the user has said something since the last upkeep: because of a heartbeat, no model is asked. */
  #isSpoken = false;
  /** What was compacted in the call that is running. */
  #made: MadeCompaction[] = [];

  private constructor(about: Opening, stored: Stored | undefined) {
    this.#about = about;
    this.sessionId = about.sessionId;
    this.settings = about.settings;
    this.#room = new Room(stored?.limits);
    this.#turns = stored?.turns ?? [];
    this.#hasPlainIds = stored?.hasPlainIds;
    this.#marks = stored?.messages ?? '';
    this.#given = stored?.given ?? {};
    this.compactor = this.#compactor(stored?.record);
  }

  /** Opens a session, and goes on where it was in another process. */
  static async open(about: Opening): Promise<OpenSession> {
    const stored = await about.file.read();
    // After `/new`, another session has the same key.
    const isSame = stored?.sessionId === about.sessionId || stored?.sessionId === null;
    return new OpenSession(about, isSame ? stored : undefined);
  }

  #compactor(record: CompactorRecord | undefined): Compactor {
    const onEvent = (event: CompactorEvent) => this.#heard(event);
    return checkedCompactor(
      this.#about.make({ onEvent, ...(record !== undefined && { record }), ...(this.#isReading && { auto: false }) }),
    );
  }

  /** Goes on with another compactor. */
  #goOn(record: CompactorRecord | undefined): void {
    release(this.compactor);
    this.compactor = this.#compactor(record);
  }

  #heard(event: CompactorEvent): void {
    if (event.type === 'compacted') this.#made.push(event);
    const said = told(event);
    if (said !== undefined) this.#about.log(said);
  }

  /** What is sent instead of the messages before the running turn. */
  async assemble<M extends AgentMessage>(params: Assembly<M>): Promise<{ messages: M[]; estimatedTokens: number }> {
    // In a running turn, OpenClaw gives what it was given at its beginning.
    if (this.#room.begins(params) || this.#log === undefined) {
      this.#hasPlainIds = hasPlainIds(params.messages) ?? this.#hasPlainIds;
      const log = this.#log ?? (await this.#stored(params.sessionTarget?.agentId));
      this.#given = { ...this.#given, ...otherwise(log, params.messages) };
      this.#log = grown(log, params.messages);
    }
    this.#made = [];
    const messages = await this.#view(this.#log, { target: this.#room.now });
    if (this.#made.length > 0) await this.kept();
    const { tokens, window, sent, history } = this.compactor.contextUsage();
    this.#about.show({ tokens, window, sent, history });
    // What is not one of OpenClaw's messages is a summary, as pi and OpenClaw have them.
    return { messages: messages as M[], estimatedTokens: tokens };
  }

  async #view(history: readonly AgentMessage[], how: PrepareOptions, isReading = false): Promise<AgentMessage[]> {
    const { model } = this.#room;
    if (isReading !== this.#isReading) {
      this.#isReading = isReading;
      this.#goOn(this.compactor.record);
    }
    const isOther = JSON.stringify(model) !== JSON.stringify(this.#model);
    this.#model = model;
    const call = { ...how, ...(isOther && model !== undefined && { model }) };
    try {
      return await this.compactor.prepare(history, call);
    } catch (error) {
      if (!hasCode(error, 'mismatch')) throw error;
      // The record belongs to another branch of the session.
      this.#about.log(`ebbline: ${error.message}`);
      this.#goOn(undefined);
      return this.compactor.prepare(history, { ...how, ...(model !== undefined && { model }) });
    }
  }

  /** All messages that OpenClaw has stored, as it gives them before a turn. */
  async #stored(agentId?: string): Promise<readonly AgentMessage[]> {
    const { sessionKey, log } = this.#about;
    const target = { sessionKey, sessionId: this.sessionId, agentId: agentId ?? agentOf(sessionKey) };
    try {
      return marked(this.#spelt((await transcriptOf(target)) ?? []), this.#marks, this.#given);
    } catch (error) {
      log(`ebbline: ${(error as Error).message}`);
      return [];
    }
  }

  /** Stored messages, with the ids of calls as OpenClaw gives them. */
  #spelt(stored: readonly AgentMessage[]): readonly AgentMessage[] {
    return this.#hasPlainIds ? stored.map(withPlainIds) : stored;
  }

  /** The whole session, in a process that has got no request of it. */
  async #whole(agentId?: string): Promise<readonly AgentMessage[]> {
    const stored = await this.#stored(agentId);
    if (stored.length > 0) this.#log = stored;
    return stored;
  }

  /** Makes the session smaller because OpenClaw or its user wants it. */
  async compactFor(params: Compaction): Promise<CompactionResult> {
    const { customInstructions: focus, runtimeContext, abortSignal: signal } = params;
    const isAsked = params.compactionTarget === 'threshold';
    const history = this.#log ?? (await this.#whole(params.agentId));
    const isRefused = runtimeContext?.trigger === 'overflow' || runtimeContext?.trigger === 'timeout_recovery';
    const how: PrepareOptions = { signal, focus, target: this.#room.now, ...modelIn(runtimeContext?.llm) };
    this.#made = [];
    if (isRefused) await this.#shrink(history, how, params);
    else if (!isAsked) await this.#view(history, how);
    if (this.#made.length === 0 && (isAsked || isRefused)) await this.#force(history, how, isAsked ? ROUNDS : 1);
    await this.kept();
    const [first, last] = [this.#made[0], this.#made.at(-1)];
    if (first === undefined || last === undefined) return { ok: true, compacted: false, reason: NOT_NEEDED };
    const sum = (member: 'pruned' | 'summarized') => this.#made.reduce((all, made) => all + made[member], 0);
    const details = { pruned: sum('pruned'), summarized: sum('summarized') };
    return { ok: true, compacted: true, result: { tokensBefore: first.tokensBefore, tokensAfter: last.tokensAfter, details } };
  }

  /** Makes the session smaller after a refusal: nobody knows by how much, so the room shrinks until something gives way. */
  async #shrink(history: readonly AgentMessage[], how: PrepareOptions, params: Compaction): Promise<void> {
    while (this.#made.length === 0 && this.#room.refused(params)) await this.#view(history, { ...how, target: this.#room.now });
  }

  /** Compacts although everything fits. */
  async #force(history: readonly AgentMessage[], { target: _, ...how }: PrepareOptions, rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      const before = this.#made.length;
      try {
        await this.compactor.compactNow(history, how);
      } catch (error) {
        if (!hasCode(error, 'nothing_to_compact', 'no_summary', 'still_too_large')) throw error;
        return this.#about.log(`ebbline: ${error.message}`);
      }
      if (this.#made.length === before || this.#made.some(({ summarized }) => summarized > 0)) return;
    }
  }

  /** Compacts as `/ebbline compact` wants it. */
  async compact(focus: string | undefined, llm?: HostModel): Promise<void> {
    this.#made = [];
    await this.#force(this.#log ?? (await this.#whole()), { focus, ...modelIn(llm) }, ROUNDS);
  }

  /** Writes a summary before it is needed, because there is no model when it is. */
  async maintain({ abortSignal, runtimeContext }: Pick<Compaction, 'abortSignal' | 'runtimeContext'>): Promise<void> {
    const llm = runtimeContext?.llm;
    if (llm === undefined || this.#log === undefined || !this.#isSpoken) return;
    this.#isSpoken = false;
    const failed = new AbortController();
    const signal = abortSignal === undefined ? failed.signal : AbortSignal.any([abortSignal, failed.signal]);
    // Without an answer nothing is decided: what fits needs no summary by rule.
    const summarize = summarizeWith(llm, (error) => failed.abort(error));
    try {
      await this.#view(this.#log, { signal, target: this.#room.ahead, summarize });
    } catch (error) {
      abortSignal?.throwIfAborted();
      this.#about.log(`ebbline: no summary was made (${(error as Error).message})`);
    }
    await this.kept();
  }

  /** Stores that a turn is part of the session. */
  async commit({ advancementKey, messages, isHeartbeat = false }: Turn): Promise<'committed' | 'duplicate'> {
    this.#isSpoken ||= !isHeartbeat;
    if (this.#turns.includes(advancementKey)) return 'duplicate';
    this.#turns.push(advancementKey);
    try {
      await this.#store();
    } catch (error) {
      this.#turns.pop();
      throw error;
    }
    // Before the first call, nobody knows how OpenClaw gives their ids.
    if (this.#log !== undefined && this.#hasPlainIds !== undefined) this.#log = [...this.#log, ...this.#spelt(messages)];
    return 'committed';
  }

  /** The whole output of a call, wherever it is. */
  async recall(call: string): Promise<string | undefined> {
    await this.known();
    return this.compactor.recall(call);
  }

  /** Reads the session, in a process that has got no request of it. For a window that is not known, nothing is decided. */
  async known(): Promise<void> {
    const whole = this.#log === undefined ? await this.#whole() : [];
    if (whole.length > 0) await this.#view(whole, { target: this.#room.now }, this.#room.limits === undefined);
  }

  /** How full the context is. What is only read has no window yet. */
  contextUsage(): ContextUsage {
    const usage = this.compactor.contextUsage();
    return this.#isReading ? { ...usage, window: null } : usage;
  }

  /** Sessions that never commit a turn are OpenClaw's own, and end with the process. */
  async #store(): Promise<void> {
    if (this.#turns.length === 0) return;
    const { sessionId, compactor } = this;
    const learnt = { limits: this.#room.limits, hasPlainIds: this.#hasPlainIds };
    const log = { messages: marksOf(this.#log ?? []), given: this.#given };
    await this.#about.file.write({ sessionId, record: compactor.record, turns: this.#turns, ...learnt, ...log });
  }

  /** Stores what was decided. If that fails, it holds as long as the process lives. */
  async kept(): Promise<void> {
    await this.#store().catch((error) => this.#about.log(`ebbline: the record is not stored (${error.message})`));
  }

  close(): void {
    release(this.compactor);
  }
}

function modelIn(llm: HostModel | undefined): Pick<PrepareOptions, 'summarize'> {
  return llm === undefined ? {} : { summarize: summarizeWith(llm) };
}

/** The agent that a session belongs to, as its key says it. */
function agentOf(sessionKey: string): string {
  const [prefix, agent] = sessionKey.split(':');
  return prefix === 'agent' && agent ? agent : 'main';
}
