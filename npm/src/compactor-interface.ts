import type { Disposes } from './dispose.js';
import type { PrepareOptions } from './compactor-options.js';
import type { TriggerReport } from './generated/plan.js';

export interface Compactor extends Disposes {
  /**
   * Returns what to send for the whole history: the history itself if nothing was ever changed; otherwise the same messages as
   * last time, with the new ones behind them, until something has to be decided. It also takes what any earlier call returned, with
   * new messages behind it. Messages are recognized by what a model sees of them: an edited one drops what it makes invalid, and what
   * no model sees (ids, times, metadata, cache marks) is taken as the history has it, like a system prompt in front.
   *
   * @throws {@link EbblineError} `overhead_fills_window`, `head_fills_window`; the `reason` of the signal if it was cancelled
   */
  prepare<M>(history: readonly M[], options?: PrepareOptions): Promise<M[]>;

  /**
   * Returns what to send instead, after the provider refused a request because the context is too large. Any other error is
   * thrown again.
   *
   * @throws `error` itself if it is no overflow; {@link EbblineError} `still_too_large` for a second overflow in a row,
   *   `nothing_to_compact`, `no_summary`, `overhead_fills_window`
   */
  recover<M>(error: unknown, history: readonly M[], options?: PrepareOptions): Promise<M[]>;

  /** Compacts now, however full the context is, and returns what to send. Without a history, it takes the one known. */
  compactNow<M>(history?: readonly M[], options?: PrepareOptions): Promise<M[]>;

  /**
   * Learns from the usage of the last request how many tokens are sent beside the messages: the number of all input tokens,
   * cached ones included, or usage as OpenAI, Anthropic, Gemini, Bedrock, LangChain and the AI SDK report it. With the answer that the
   * usage was reported with, usage of an earlier request is refused.
   *
   * Where the provider compacts by itself, hand over its whole answer: what it cleared (`context_management.applied_edits`) then counts
   * as gone until the next compaction, and an answer in which it compacted (a `compaction` block or item) teaches nothing.
   *
   * What reports nothing teaches nothing: `undefined`, `null`, 0, or members without a value. Neither does what cannot be true: more than
   * the window, or less than half of the text that was sent. What was learnt never ends a session.
   */
  usage(reported: number | object | null | undefined): void;
  usage(answer: object, reported: number | object | null | undefined): void;

  /** How full the context is that would be sent now. */
  contextUsage(): ContextUsage;

  /**
   * Takes the newest compaction back. The context is not compacted again until {@link Compactor.compactNow} or
   * {@link Compactor.recover} is called. Returns whether there was one.
   */
  undo(): boolean;

  /** Makes the compaction again that was taken back last. Returns whether there was one. */
  redo(): boolean;

  /**
   * The whole output of a call, whatever became of it; `undefined` if the history has none. The call is named by its id, or by the
   * reference that stands in the place of its output: `abcdefgh` for `[ref abcdefgh]`.
   */
  recall(call: string): string | undefined;

  /**
   * What was decided, as plain data that JSON can hold: with it, another compactor goes on where this one is, in another process as
   * well. A summary that is being asked for counts as cancelled. The history itself is not in it.
   */
  readonly record: CompactorRecord;

  /** Why the record of an earlier compactor was not used (`resumeCompactor`). */
  readonly begunAnew: string | undefined;

  /** Releases the engine's memory. */
  free(): void;
}

export interface ContextUsage {
  /** The tokens of the context, with what is sent beside the messages. */
  tokens: number;
  /** Where this number comes from. */
  source: TriggerReport['source'];
  /** The size at which the context is compacted. */
  threshold: number;
  /** The context window; `null` if it is not known. */
  window: number | null;
  /** The tokens sent beside the messages; `null` if they are not known. */
  overhead: number | null;
  /** Whether the context is below the threshold, or will be after what is due. */
  fits: boolean;
  /** How many messages are sent, and how many the history has. */
  sent: number;
  history: number;
}

/**
 * What a compactor decided: plain data, which may be stored as JSON. What is in it is of no version's promise; a changed record is
 * refused.
 */
export interface CompactorRecord {
  readonly '~ebbline': 'CompactorRecord';
}
