/* ------------------------------------------------------------------------------------------------------- inside an agent */

/**
 * Keeps the session of an agent inside its context window. The agent keeps its whole history, hands it over before each request
 * and sends what it gets. One compactor serves one session.
 *
 * Messages are pruned first. A summary is asked for only if that is not enough, at most once a request. What was decided stays
 * decided: the same messages are sent until something new has to be decided, so that the provider's cache holds, whether the agent
 * keeps what it sent or not. If a summary fails, the history stays as it is; after three failures in a row, none is asked for
 * during ten requests.
 *
 * @throws {@link EbblineError} for invalid options
 *
 * @example
 * ```js
 * const compactor = createCompactor({ model: { context: 200_000 }, summarize: async (request) => (await ask(request)).text });
 *
 * let view = await compactor.prepare(history);
 * const answer = await send(view).catch(async (error) => send(await compactor.recover(error, history)));
 * compactor.usage(answer.usage);
 * ```
 */
export function createCompactor<T = unknown>(options?: CompactorOptions): Compactor<T>;

export interface CompactorOptions extends PolicyOptions {
  /** The format of the messages; without it, the format is detected. */
  format?: LiveFormatName | undefined;
  /**
   * Asks a model for a summary. It gets the request and returns the text of the answer. Without it, messages are pruned and never
   * summarised.
   */
  summarize?: ((request: ModelRequest, options: { signal: AbortSignal | undefined }) => SummaryText | Promise<SummaryText>) | undefined;
  /** Hears what happens. What it throws is ignored. */
  onEvent?: ((event: CompactorEvent) => void) | undefined;
  /** Cancels what is running, and every later call. */
  signal?: AbortSignal | undefined;
  /** The tokens sent beside the messages. Without it, {@link Compactor.usage} learns it. */
  overhead?: number | undefined;
  /** Counts the tokens of a text, as in {@link PlanOptions}. */
  countTokens?: ((text: string) => number) | undefined;
  /** Whether {@link Compactor.prepare} compacts by itself; by default it does. If not, only `compactNow` and `recover` compact. */
  auto?: boolean | undefined;
  /** After how many failed summaries in a row none is asked for during `cooldown` requests; 3 by default. */
  failures?: number | undefined;
  /** For how many requests no summary is asked for after that; 10 by default. */
  cooldown?: number | undefined;
  /**
   * The {@link Compactor.record} of an earlier compactor: this one goes on where that one was. The first history must have the messages
   * that the record concerns; otherwise the first call is refused with the code `mismatch`.
   */
  record?: CompactorRecord | undefined;
  /** The current time in milliseconds since 1970, for the record and for formats that store it; by default `Date.now`. */
  now?: (() => number) | undefined;
  /**
   * Whether the agent goes on while a model writes a summary. The summary is taken over by a later {@link Compactor.prepare}; messages that
   * came in between stay. It is waited for only if the context would exceed the window. By default, `prepare` waits for it.
   */
  background?: boolean | undefined;
  /** Your own code inside a compaction. */
  hooks?: CompactorHooks | undefined;
  /** Whether a call waits while another one is running (`"wait"`, the default), or is refused with the code `busy`. */
  overlap?: "wait" | "refuse" | undefined;
}

export interface CompactorHooks {
  /**
   * Called before each compaction. It may forbid it (`false`), say what the summary should focus on, or give the summary itself. What it
   * throws is thrown by the call that would have compacted, and nothing is changed.
   */
  before?: (compaction: {
    cause: CompactionCause;
    /** Whether outputs are pruned without a summary, or a summary is to be asked for. */
    step: "prune" | "summarise";
    plan: Plan;
  }) => CompactionWish | false | undefined | Promise<CompactionWish | false | undefined>;
}

export interface CompactionWish {
  /** What the summary should focus on. */
  focus?: string | undefined;
  /** The summary, so that no model is asked. */
  summary?: string | undefined;
}

/** The text of a model's answer. */
export type SummaryText = string | SummaryAnswer;

export interface PrepareOptions {
  /** Cancels this call. What was decided before stays; nothing new is decided. */
  signal?: AbortSignal | undefined;
  /** The milliseconds since the last request, as in {@link PlanOptions}. */
  idle?: number | undefined;
  /** What a summary should focus on. */
  focus?: string | undefined;
  /** The limits of the model from now on, if it is another one than before. */
  model?: PolicyOptions["model"];
}

export interface Compactor<T = unknown> {
  /**
   * Returns what to send for the whole history: the history itself if nothing was ever changed; otherwise the same messages as
   * last time, with the new ones behind them, until something has to be decided. It also takes what it returned itself, with new
   * messages behind it. Messages are recognised by reference, or by their content; an edited one drops what it makes invalid.
   *
   * @throws {@link EbblineError} `overhead_fills_window`; the `reason` of the signal if it was cancelled
   */
  prepare(history: readonly T[], options?: PrepareOptions): Promise<T[]>;

  /**
   * Returns what to send instead, after the provider refused a request because the context is too large. Any other error is
   * thrown again.
   *
   * @throws `error` itself if it is no overflow; {@link EbblineError} `still_too_large` for a second overflow in a row,
   *   `nothing_to_compact`, `no_summary`, `overhead_fills_window`
   */
  recover(error: unknown, history: readonly T[], options?: PrepareOptions): Promise<T[]>;

  /** Compacts now, however full the context is, and returns what to send. Without a history, it takes the one known. */
  compactNow(history?: readonly T[], options?: PrepareOptions): Promise<T[]>;

  /**
   * Learns from the usage of the last request how many tokens are sent beside the messages: the number of all input tokens,
   * cached ones included, or usage as OpenAI, Anthropic, Gemini, Bedrock, LangChain and the AI SDK report it.
   */
  usage(reported: number | object): void;

  /** How full the context is that would be sent now. */
  contextUsage(): ContextUsage;

  /**
   * Takes the newest compaction back. The context is not compacted again until {@link Compactor.compactNow} or
   * {@link Compactor.recover} is called. Returns whether there was one.
   */
  undo(): boolean;

  /** Makes the compaction again that was taken back last. Returns whether there was one. */
  redo(): boolean;

  /** The whole output of the call with this id, whatever became of it; `undefined` if the history has none. */
  recall(id: string): string | undefined;

  /**
   * What was decided, as plain data that JSON can hold: with it, another compactor goes on where this one is, in another process as
   * well. A summary that is being asked for counts as cancelled. The history itself is not in it.
   */
  readonly record: CompactorRecord;

  /** Releases the engine's memory. */
  free(): void;
}

/** What a compactor decided. */
export interface CompactorRecord {
  readonly version: 1;
  /** How many messages the history had. */
  readonly messages: number;
  /** The tokens sent beside the messages; `null` if they are not known. */
  readonly overhead: number | null;
  /** What the controller remembers. */
  readonly controller: readonly number[];
  /** The compactions, oldest first. */
  readonly changes: readonly RecordedChange[];
}

export interface RecordedChange {
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
  readonly cause: CompactionCause;
  readonly profile: string;
  readonly pruned: number;
  readonly summarised: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Messages whose outputs were cleared: their index in the history, a checksum of each, and what is sent instead. */
  readonly replaced: readonly { readonly message: number; readonly checksum: number; readonly becomes: object }[];
  /** The messages that a summary stands for, and what is sent instead. */
  readonly summary?: {
    readonly until: number;
    readonly replaces: readonly { readonly message: number; readonly checksum: number }[];
    readonly earlier: readonly number[];
    readonly made: readonly { readonly place: number; readonly becomes: object; readonly like?: number }[];
  };
}

export interface ContextUsage {
  /** The tokens of the context, with what is sent beside the messages. */
  tokens: number;
  /** Where this number comes from. */
  source: TriggerReport["source"];
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

/** Why a compaction was made: the context is full, the provider refused it, or somebody asked. */
export type CompactionCause = "full" | "overflow" | "asked";

export type CompactorEvent =
  /** A compaction was made. */
  | {
      type: "compacted";
      cause: CompactionCause;
      /** How many outputs were cleared or cut, and how many messages a summary replaced. */
      pruned: number;
      summarised: number;
      tokensBefore: number;
      tokensAfter: number;
      plan: Plan;
    }
  /** A model is asked for a summary of so many messages with so many tokens. */
  | { type: "summary_requested"; cause: CompactionCause; messages: number; tokens: number }
  /** There is no summary. What could be pruned is pruned, and the rest of the history stays. */
  | { type: "summary_failed"; cause: CompactionCause; error: unknown }
  /** The provider refused a request as too large. */
  | { type: "overflow"; error: unknown }
  /** Nothing makes the context fit. */
  | { type: "gave_up"; code: ErrorCode; error: EbblineError }
  /** Known messages were changed or are gone; what they made invalid was dropped. */
  | { type: "edited"; messages: number }
  /** A compaction was taken back, or made again; so many messages are sent now. */
  | { type: "undone" | "redone"; messages: number };
