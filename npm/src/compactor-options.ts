import type { Compaction, CompactionCause, CompactorEvent } from './compaction.js';
import type { Compactor } from './compactor-interface.js';
import type { Plan } from './generated/plan.js';
import type { LiveFormatName } from './generated/words.js';
import type { PlanOptions } from './plan-options.js';
import type { PolicyOptions } from './policy-options.js';
import type { ModelRequest, SummaryText } from './requested-summary.js';

export interface CompactorOptions extends PolicyOptions {
  /** The format of the messages; without it, the format is detected. */
  format?: LiveFormatName | undefined;
  /**
   * Asks a model for a summary. It gets the request and returns the text of the answer. `"deterministic"` writes summaries by rule,
   * without a model. `"later"`: a model is there only in calls that have a `summarize` of their own ({@link PrepareOptions}); until then
   * it is done without summaries, as when one failed. Without it, messages are pruned and never summarized.
   */
  summarize?: Summarize | 'deterministic' | 'later' | undefined;
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
  chunks?: 'rolling' | 'map_reduce' | undefined;
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
        role?: 'user' | 'system' | 'developer' | 'assistant' | undefined;
        answer?: boolean | undefined;
      }
    | undefined;
  /**
   * What becomes of messages whose summary failed. `"when_full"`, the default: they stay, and a summary by rule takes their place if the
   * context would not fit into the window otherwise. `"deterministic"`: a summary by rule takes their place at once. `"history"`: they stay.
   */
  fallback?: 'when_full' | 'deterministic' | 'history' | undefined;
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
  originals?: 'record' | 'nowhere' | undefined;
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
  countTokens?: PlanOptions['countTokens'];
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
  record?: Compactor['record'] | undefined;
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
  background?: boolean | { onEdit: 'rebase' | 'drop' } | undefined;
  /** Your own code inside a compaction. */
  hooks?: CompactorHooks | undefined;
  /** Whether a call waits while another one is running (`"wait"`, the default), or is refused with the code `busy`. */
  overlap?: 'wait' | 'refuse' | undefined;
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
  /** After so many milliseconds without a request. */
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
    step: 'prune' | 'summarize';
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

export interface CompactionWish {
  /** What the summary should focus on. */
  focus?: string | undefined;
  /** The summary, so that no model is asked. */
  summary?: string | undefined;
}

export interface PrepareOptions {
  /** Cancels this call. What was decided before stays; nothing new is decided. Once a compaction is made, the call returns its view. */
  signal?: AbortSignal | undefined;
  /** The milliseconds since the last request, as in {@link PlanOptions}. By default, those since the last `prepare`, that of the record included. */
  idle?: number | undefined;
  /** What a summary should focus on. */
  focus?: string | undefined;
  /** What you know beside the messages, such as what you keep in a memory; the request for a summary contains it unchanged. */
  notes?: string | undefined;
  /** Asks a model for the summaries of this call, instead of the compactor's `summarize`, which must be a function or `"later"`. */
  summarize?: Summarize | undefined;
  /**
   * How many tokens the messages alone may have. It is best effort: what cannot be made so small is sent all the same, and with a target
   * nothing is thrown because the context does not fit, except by {@link Compactor.recover}.
   */
  target?: number | undefined;
  /** How many tokens the context has now, with what is sent beside the messages, if you have counted it. */
  knownTokens?: number | undefined;
  /** The limits of the model from now on, if it is another one than before. */
  model?: PolicyOptions['model'];
}
