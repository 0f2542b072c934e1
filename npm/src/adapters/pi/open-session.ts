import type { ExtensionAPI, ExtensionContext, MessageEndEvent, SessionBeforeCompactEvent } from '@earendil-works/pi-coding-agent';

import type { CompactorEvent } from '../../compaction.js';
import type { Compactor, CompactorRecord } from '../../compactor-interface.js';
import type { PrepareOptions } from '../../compactor-options.js';
import { told } from '../common/session-command.js';
import { checkedCompactor, release } from '../common/sessions.js';
import type { PiSessionOptions } from '../pi.js';
import { type PiMessage, cutOf } from './cut.js';
import { summarizeWith } from './summarize.js';

/** A model of pi's. */
export type Model = NonNullable<ExtensionContext['model']>;

type Limits = NonNullable<PiSessionOptions['model']>;

/** What takes the place of pi's own compaction. */
interface Replacement {
  cancel?: boolean;
  compaction?: { summary: string; firstKeptEntryId: string; tokensBefore: number };
}

const CHANGING = ['compacted', 'undone', 'redone', 'edited'];

/** How often a compaction that only clears outputs is followed by another one until there is a summary. */
const ROUNDS = 10;

/** The type of the message that goes on after an overflow, and what the model reads. */
const SHORTENED = 'ebbline';
const GO_ON = 'The last request was too large for the model, so older parts of this session were shortened. Go on with the task.';

/** One session of pi, with its compactor. */
export class OpenSession {
  /** The type of the entries in the session file that hold the record of a compactor. */
  static RECORD = 'ebbline';

  ctx: ExtensionContext;
  readonly id: string;
  readonly compactor: Compactor;
  #pi: ExtensionAPI;
  /** The limits of the model, as the compactor knows them. */
  #model: Limits | undefined;
  /** What pi wanted to send last. */
  #history: readonly PiMessage[] = [];
  /** what the provider answered last, if it was an error */
  #refusal: Error | undefined;
  #isChanged = false;

  constructor(
    pi: ExtensionAPI,
    compactorFor: (options: PiSessionOptions) => Compactor,
    ctx: ExtensionContext,
    record: CompactorRecord | undefined,
  ) {
    this.#pi = pi;
    this.ctx = ctx;
    this.id = ctx.sessionManager.getSessionId();
    this.#model = limitsOf(ctx.model);
    this.compactor = checkedCompactor(compactorFor(this.#options(record)));
  }

  #options(record: CompactorRecord | undefined): PiSessionOptions {
    return {
      format: 'pi',
      summarize: summarizeWith(this),
      onEvent: (event) => this.#heard(event),
      ...(this.#model !== undefined && { model: this.#model }),
      ...(record !== undefined && { record }),
    };
  }

  #heard(event: CompactorEvent): void {
    if (CHANGING.includes(event.type)) this.#isChanged = true;
    const said = told(event);
    if (said !== undefined) this.ctx.ui.notify(said, event.type === 'compacted' ? 'info' : 'warning');
  }

  async prepare(messages: PiMessage[]): Promise<PiMessage[]> {
    this.#history = messages;
    const model = limitsOf(this.ctx.model);
    const isOther = model !== undefined && JSON.stringify(model) !== JSON.stringify(this.#model);
    if (isOther) this.#model = model;
    const how = { signal: this.ctx.signal, ...(isOther && { model }) };
    return (await this.#recover(messages, how)) ?? this.compactor.prepare(messages, how);
  }

  /** What to send after an overflow that pi did not ask about; `undefined` if there was none, or nothing can be done about it. */
  async #recover(messages: PiMessage[], how: PrepareOptions): Promise<PiMessage[] | undefined> {
    const refusal = this.#taken();
    if (refusal === undefined) return undefined;
    try {
      return await this.compactor.recover(refusal, messages, how);
    } catch {
      return undefined;
    }
  }

  /** The error that the provider answered with last, unless something was done about it. */
  #taken(): Error | undefined {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    return refusal;
  }

  /** Notes the error of an answer. Its usage needs no note: the compactor reads it in the messages. */
  answered({ message }: MessageEndEvent): void {
    if (message.role !== 'assistant' || message.stopReason === 'aborted') return;
    const { stopReason, errorMessage } = message;
    this.#refusal = stopReason === 'error' && errorMessage ? new Error(errorMessage) : undefined;
  }

  /** Stores what was decided in the session file, so that the session can be resumed. */
  store(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    this.#pi.appendEntry(OpenSession.RECORD, this.compactor.record);
  }

  /** What pi's own compaction is to be replaced with; `undefined` if pi is to compact. */
  async beforeCompaction(event: SessionBeforeCompactEvent): Promise<Replacement | undefined> {
    switch (event.reason) {
      case 'threshold':
        return this.compactor.contextUsage().fits ? { cancel: true } : undefined;
      case 'overflow':
        return this.#recovered(event);
      default:
        return this.#stored(event);
    }
  }

  /** Makes the view smaller instead, and lets pi go on with it. */
  async #recovered({ willRetry, signal }: SessionBeforeCompactEvent): Promise<Replacement | undefined> {
    const refusal = this.#taken();
    try {
      if (refusal === undefined) await this.compactor.compactNow(this.#history, { signal });
      else await this.compactor.recover(refusal, this.#history, { signal });
    } catch {
      return signal.aborted ? { cancel: true } : undefined;
    }
    // After a cancelled compaction, pi goes on only if a message waits.
    if (willRetry) this.#pi.sendMessage({ customType: SHORTENED, content: GO_ON, display: false }, { deliverAs: 'steer' });
    return { cancel: true };
  }

  /** The summary and the cut that pi stores when the user asked for a compaction. The first ones may only clear outputs. */
  async #stored(event: SessionBeforeCompactEvent): Promise<Replacement | undefined> {
    const { branchEntries, customInstructions: focus, preparation, signal } = event;
    for (let round = 0; round < ROUNDS; round += 1) {
      const view = await this.compactor.compactNow(this.#history, { signal, focus }).catch(() => undefined);
      if (signal.aborted) return { cancel: true };
      if (view === undefined) return undefined;
      const cut = cutOf(view, this.#history, branchEntries);
      if (cut !== undefined) return { compaction: { ...cut, tokensBefore: preparation.tokensBefore } };
    }
    return undefined;
  }

  /** Compacts now, as the user wants it. */
  async compact(focus: string | undefined): Promise<void> {
    await this.compactor.compactNow(undefined, focus === undefined ? undefined : { focus });
  }

  close(): void {
    release(this.compactor);
  }
}

/** The limits of a model; `undefined` if pi does not know its window. */
function limitsOf(model: Model | undefined): Limits | undefined {
  if (model === undefined || !(model.contextWindow > 0)) return undefined;
  const name = `${model.provider}/${model.id}`;
  return { context: model.contextWindow, ...(model.maxTokens > 0 && { output: model.maxTokens }), name };
}
