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
export function createCompactor(options?: CompactorOptions): Compactor;

/**
 * The definition of a tool with which a model gets a cleared output back, as a provider spells it. The agent answers a call of it with
 * {@link Compactor.recall} of its argument `ref`.
 *
 * @example
 * ```js
 * const tools = [...myTools, recallTool("anthropic_messages")];
 * ```
 */
export function recallTool(
  spelling?: "openai_chat" | "openai_responses" | "anthropic_messages" | "gemini_contents" | "bedrock_converse" | "mcp",
): Record<string, unknown>;

/**
 * Sentences that tell a model what a summary is: ebbline's own (`default`), and those of agents, word for word.
 *
 * @example
 * ```js
 * createCompactor({ introduction: introductions.codex, summarize });
 * ```
 */
export const introductions: {
  readonly default: string;
  readonly claude_code: string;
  readonly codex: string;
  readonly pi: string;
};

export interface CompactorOptions extends PolicyOptions {
  /** The format of the messages; without it, the format is detected. */
  format?: LiveFormatName | undefined;
  /**
   * Asks a model for a summary. It gets the request and returns the text of the answer. `"deterministic"` writes summaries by rule,
   * without a model. Without it, messages are pruned and never summarized.
   */
  summarize?: Summarize | "deterministic" | undefined;
  /**
   * What a summary must have, beyond being none of these: empty, cut off, larger than what it replaces, a refusal, an error message, a
   * call, `nothing` (a placeholder such as `undefined`, one word, data, an empty outline, an echo of the request), `unrelated` (about
   * something else than 1,000 tokens or more that it would replace). A model whose answer lacks something is asked once more, with what is
   * missing. `false`: the language, the facts and the topic are not checked.
   */
  accept?: Acceptance | false | undefined;
  /** How many milliseconds a model may take for an answer, which may be that of one part; 10 minutes by default. */
  timeout?: number | undefined;
  /** The most tokens of a request for a summary, if another model than the agent's writes it. */
  budgetTokens?: number | undefined;
  /**
   * How a summary is written of messages that have more than twice the tokens of a request for a summary: in at most 64 parts, each with a
   * request of its own that fits. `"rolling"`: the oldest part first; its summary is the earlier summary of the next part.
   * `"map_reduce"`: each part by itself, then one request joins the summaries. Without it, there is one request, which leaves out what does
   * not fit; only where even that would be too large, parts are summarized as with `"rolling"`. If a part fails, the summary failed.
   * Messages of the format `opencode` are not divided.
   */
  chunks?: "rolling" | "map_reduce" | undefined;
  /**
   * A text between the line that marks a summary and the summary itself, which tells the model what it is; `""` for none. By default
   * `introductions.default`. Where the format has a field for summaries (`pi`, `opencode`), the agent introduces them itself, and
   * this option does nothing.
   *
   * With `{ role }`, a summary is not a message of the user but of the application (`"system"`, `"developer"`) or of the model
   * (`"assistant"`), where the format can have it: `openai_chat` has all four roles, `openai_responses` no `"assistant"`, and
   * `openai_agents` `"system"`. Every other format refuses another role than `"user"`. Where nothing stands behind a summary by which it
   * could be recognized, it is a message of the user all the same.
   *
   * With `{ answer: true }`, the model says "Understood." between a summary and a message of the user, for servers that want the roles in
   * turn, as the chat templates of Mistral and Gemma do: `openai_chat`, `anthropic_messages`, `gemini_contents` and `vercel_model`.
   * `bedrock_converse` always has it. Every other format refuses it.
   */
  introduction?:
    | string
    | {
        text?: string | undefined;
        role?: "user" | "system" | "developer" | "assistant" | undefined;
        answer?: boolean | undefined;
      }
    | undefined;
  /**
   * What becomes of messages whose summary failed. `"when_full"`, the default: they stay, and a summary by rule takes their place if the
   * context would not fit into the window otherwise. `"deterministic"`: a summary by rule takes their place at once. `"history"`: they stay.
   */
  fallback?: "when_full" | "deterministic" | "history" | undefined;
  /**
   * What stays word for word. Outputs that are pinned are never cleared. If a summary replaces a message, its pinned parts stand behind
   * the summary, and behind every later one.
   */
  pins?: readonly Pin[] | undefined;
  /** When to compact even if the policy does not ask for it. After a compaction, the context has to grow by an eighth first. */
  when?: When | undefined;
  /**
   * Where the messages are kept that are no longer sent as they are. With it and a {@link CompactorOptions.record}, an agent that kept
   * only what it sent gets its whole history back. If `put` fails, nothing is compacted.
   */
  store?: CompactorStore | undefined;
  /** `"record"`: the same, inside the record. By default the messages are kept nowhere but in the caller's history. */
  originals?: "record" | "nowhere" | undefined;
  /**
   * Without `onEvent`, what is most likely a mistake is said on the console, once for each kind and compactor: a summary failed, the history
   * shares nothing with the one before, two sessions take turns, no `model` was given, limits that cannot be. `false`: it is not.
   */
  warn?: boolean | undefined;
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
   *
   * If the history is edited meanwhile, `{ onEdit: "rebase" }`, which is the same as `true`, keeps the summary if the messages that it was
   * asked for are still there, and puts it in front of what stands behind them now. If one of these was edited, the summary is dropped:
   * it would tell of what was taken back. `{ onEdit: "drop" }` drops it at any edit.
   */
  background?: boolean | { onEdit: "rebase" | "drop" } | undefined;
  /** Your own code inside a compaction. */
  hooks?: CompactorHooks | undefined;
  /** Whether a call waits while another one is running (`"wait"`, the default), or is refused with the code `busy`. */
  overlap?: "wait" | "refuse" | undefined;
}

/** Asks a model for a summary. */
export type Summarize = (request: ModelRequest, options: { signal: AbortSignal | undefined }) => SummaryText | Promise<SummaryText>;

export interface Acceptance {
  /** Whether it must have a heading of the outline; by default not. */
  headings?: boolean;
  /** Whether it must be in the language in which the user writes, if both show a language; by default it must. */
  language?: boolean;
  /**
   * The share of facts that it must contain, from 0 to 1; half of them by default. Facts are paths, error codes, hashes, long numbers and
   * commands that an earlier summary states, or that the agent or the user mentions and something else mentions as well.
   */
  facts?: number;
}

/** What is pinned: everything that fits all members of a pin. In a glob, `*` stands for anything but a slash and `**` for anything. */
export interface Pin {
  /** A glob of a tool's name: its outputs. */
  tool?: string;
  /** A text that the part contains. */
  contains?: string;
  /** A glob of a path among the arguments of a call: its output. */
  path?: string;
  /** Whether a message is meant: all of its parts. The second argument is its place in the history. */
  message?: (message: never, index: number) => boolean;
}

/** A test of the context, or several that must all hold. */
export interface When {
  /** From so many tokens on. */
  tokens?: number;
  /** From this share of the window on. */
  share?: number;
  /** When so few tokens are left in the window. */
  reserve?: number;
  /** From so many sent messages on. */
  messages?: number;
  /** From so many turns on. */
  turns?: number;
  /** After so many milliseconds without a request, as `prepare` is told by `idle`. */
  idle?: number;
  /** All of these hold. */
  all?: readonly When[];
  /** One of these holds. */
  any?: readonly When[];
}

/** Keeps texts by their names. One store serves one session. */
export interface CompactorStore {
  get(key: string): string | undefined | null | Promise<string | undefined | null>;
  put(key: string, text: string): unknown;
}

export interface CompactorHooks {
  /**
   * Called before each compaction. It may forbid it (`false`), say what the summary should focus on, or give the summary itself. What it
   * throws is thrown by the call that would have compacted, and nothing is changed.
   */
  before?: (compaction: {
    cause: CompactionCause;
    /** Whether outputs are pruned without a summary, or a summary is to be asked for. */
    step: "prune" | "summarize";
    plan: Plan;
  }) => CompactionWish | false | undefined | Promise<CompactionWish | false | undefined>;
  /**
   * Called after each compaction, and waited for. What it throws is thrown by the call that compacted; the compaction stays. A call that is
   * cancelled meanwhile waits no longer and returns what to send: the compaction is made, and is not paid for again.
   */
  after?: (compaction: Compaction) => unknown;
  /** Called when there is no summary, and waited for, before it is decided what to do without. */
  failed?: (failure: { cause: CompactionCause; error: unknown }) => unknown;
}

/** A compaction that was made. */
export interface Compaction {
  cause: CompactionCause;
  /** How many outputs were cleared or cut, and how many messages a summary replaced. */
  pruned: number;
  summarized: number;
  /** How many standing orders of the user, and how many pinned texts, stand behind the summary. */
  orders?: number;
  pins?: number;
  /** Whether the summary was written by rule. */
  byRule?: boolean;
  tokensBefore: number;
  tokensAfter: number;
  plan: Plan;
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
  /** Cancels this call. What was decided before stays; nothing new is decided. Once a compaction is made, the call returns its view. */
  signal?: AbortSignal | undefined;
  /** The milliseconds since the last request, as in {@link PlanOptions}. */
  idle?: number | undefined;
  /** What a summary should focus on. */
  focus?: string | undefined;
  /** The limits of the model from now on, if it is another one than before. */
  model?: PolicyOptions["model"];
}

export interface Compactor {
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

  /** The same as {@link Compactor.free}, for `using`. In a runtime without `Symbol.dispose`, only `free` exists. */
  [Symbol.dispose](): void;
}

/**
 * What a compactor decided: plain data, which may be stored as JSON. What is in it is of no version's promise; a changed record is
 * refused.
 */
export interface CompactorRecord {
  readonly "~ebbline": "CompactorRecord";
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

/** Why a compaction was made: the context is full, the caller's own trigger holds, the provider refused it, or somebody asked. */
export type CompactionCause = "full" | "triggered" | "overflow" | "asked";

export type CompactorEvent =
  /** A compaction was made. */
  | ({ type: "compacted" } & Compaction)
  /** A model is asked for a summary of so many messages with so many tokens: part number `part` of `parts`, or the only one. */
  | { type: "summary_requested"; cause: CompactionCause; messages: number; tokens: number; part: number; parts: number }
  /** There is no summary. What could be pruned is pruned, and the rest of the history stays. */
  | { type: "summary_failed"; cause: CompactionCause; error: unknown }
  /** The provider refused a request as too large. */
  | { type: "overflow"; error: unknown }
  /** Nothing makes the context fit. */
  | { type: "gave_up"; code: ErrorCode; error: EbblineError }
  /**
   * What is sent is estimated at more than the window, because nothing more could be cleared or summarized: a message that the model has
   * not seen yet may be that large. `message` says it in a sentence.
   */
  | { type: "over_window"; tokens: number; window: number; message: string }
  /**
   * Known messages were changed or are gone; what they made invalid was dropped. `reason` says it in a sentence for people, also if the
   * history shares nothing with the known one, as when only new messages are passed. Of `known` messages the first `kept` are as they were;
   * system prompts alone count as none.
   */
  | { type: "edited"; messages: number; kept: number; known: number; reason: string }
  /** A record did not fit the history, so that the compactor began anew (`resumeCompactor`). */
  | { type: "begun_anew"; reason: string }
  /** A compaction was taken back, or made again; so many messages are sent now. */
  | { type: "undone" | "redone"; messages: number };
