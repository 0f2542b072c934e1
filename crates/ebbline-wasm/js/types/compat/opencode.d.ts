/* --------------------------------------------------------------------------------------------- OpenCode, its 1.x line */

/**
 * What OpenCode's shipping 1.x line answers about its own data: stored messages, `{ info, parts }`, oldest first, or an
 * export `{ info, messages }`; values or their JSON text. `version` is the newest there is unless it is given.
 *
 * Nothing here talks to a model: what leads to a request gives the request.
 */
export interface OpencodeCompat {
  /** The room for input, and whether a context with these tokens is to be compacted; the same as `isOverflow`. */
  usable(tokens: OpencodeTokens | string | null, options: OpencodeLimits): OpencodeRoom;

  /**
   * Whether a context with these tokens is to be compacted now.
   *
   * @example
   * ```js
   * const model = { limit: { context: 200_000, output: 32_000 } };
   * compat.opencode.isOverflow({ input: 168_000, output: 0, cache: { read: 0, write: 0 } }, { model }).isOverflow; // true
   * ```
   */
  isOverflow(tokens: OpencodeTokens | string | null, options: OpencodeLimits): OpencodeRoom;

  /** The ids of the messages that go to the model, in the order in which they go. */
  filterCompacted(messages: OpencodeMessages, options?: OpencodeOptions): { ids: (string | null)[] };

  /** The newest messages, by id (until 2026-01: by where they stand), and the tasks that are still open. */
  latest(messages: OpencodeMessages, options?: OpencodeOptions): OpencodeLatest;

  /**
   * What the session loop does next about compaction: before it asks the model or, with `answer`, after what the model
   * said. All stored messages are given; what is sent of them decides.
   *
   * @example
   * ```js
   * const { action, ...task } = compat.opencode.step(messages, { model });
   * if (action === "process") compat.opencode.process(messages, { ...task, model });
   * ```
   *
   * @throws {@link EbblineError} when no user message is sent
   */
  step(messages: OpencodeMessages, options: OpencodeStepOptions): OpencodeStep;

  /**
   * Stored messages as the model messages that are sent (2026-06), with the length of their JSON and the estimate from
   * it.
   */
  modelMessages(messages: OpencodeMessages, options?: OpencodeConversion): OpencodeModelMessages;

  /** Which old tool outputs are cleared. Since 2026-04 none, unless `config.compaction.prune` is true. */
  prune(messages: OpencodeMessages, options?: OpencodeOptions & { config?: OpencodeConfig | undefined }): OpencodePruned;

  /**
   * One compaction: what is summarised, what stays, the request, and what is written afterwards. Only `result`,
   * `tailStartID` and `created` depend on the `outcome`: ask once for the request, and again when it was answered.
   *
   * @throws {@link EbblineError} when `parentID` names no user message
   */
  process(messages: OpencodeMessages, options: OpencodeCompactionTask): OpencodeCompaction;

  /**
   * The request for a title: of the user message `messageID` (until 2026-01), or of the session without it. `null` when
   * there is nothing to name.
   */
  titleRequest(
    messages: OpencodeMessages,
    options?: OpencodeOptions & { messageID?: string | undefined; model?: OpencodeModel | undefined; reasoning?: boolean | undefined },
  ): { request: OpencodeDisplayRequest | null };

  /** The title that a model's reply gives. Until 2026-01 it is the reply; then its first line that says something. */
  title(reply: string, options?: OpencodeOptions): { title: string | null };

  /**
   * The body of a user message (2025-12): `body` if there is no `request`, or if that fails. `hasDiffs` says whether
   * files were changed.
   */
  bodyRequest(
    messages: OpencodeMessages,
    options: OpencodeOptions & { messageID: string; model?: OpencodeModel | undefined; hasDiffs?: boolean | undefined },
  ): { request: OpencodeDisplayRequest | null; body: string | null };

  /**
   * Which snapshots show what a message or the session changed, and the sums of `fileDiffs`, what comparing them gave.
   * Until 2026-01 a session's totals count only files that a patch part names, below `worktree`.
   */
  diffs<D extends OpencodeFileDiff>(
    messages: OpencodeMessages,
    options?: OpencodeOptions & { messageID?: string | undefined; fileDiffs?: D[] | undefined; worktree?: string | undefined },
  ): OpencodeChanges<D>;

  /** Whether an error of this text means that the context was too large. */
  isContextOverflow(errorText: string): boolean;
  /** How OpenCode stores what a provider threw: an `Error`, or whatever a response stream throws. */
  fromError(thrown: unknown, options?: { providerID?: string | undefined }): OpencodeStoredError;
}

/** Versions whose answers are known, by the month of the commit that was looked at. */
export type OpencodeVersion = "2025-12" | "2026-01" | "2026-06";

export interface OpencodeOptions {
  version?: OpencodeVersion | undefined;
}

/** Stored messages, an export that holds them, or the JSON text of either. */
export type OpencodeMessages = readonly object[] | { messages: readonly object[] } | string;

/** What an assistant's message says it has used. */
export interface OpencodeTokens {
  total?: number;
  input: number;
  output: number;
  reasoning?: number;
  cache: { read: number; write: number };
}

/** What of a model is looked at. */
export interface OpencodeModel {
  id?: string | undefined;
  providerID?: string | undefined;
  /** Decides what a tool's result may hold. */
  api?: { id?: string | undefined; npm?: string | undefined } | undefined;
  limit?: { context: number; input?: number | undefined; output: number } | undefined;
}

/** The part of OpenCode's configuration that is looked at. */
export interface OpencodeConfig {
  compaction?: {
    auto?: boolean | undefined;
    prune?: boolean | undefined;
    /** Tokens kept free below an input limit; without such a limit it has no effect. */
    reserved?: number | undefined;
    /** How many of the newest turns may stay word for word; 2 by default. */
    tail_turns?: number | undefined;
    /** How many tokens they may have; by default a quarter of the room for input, between 2,000 and 8,000. */
    preserve_recent_tokens?: number | undefined;
  } | undefined;
}

export interface OpencodeLimits extends OpencodeOptions {
  model: OpencodeModel;
  config?: OpencodeConfig | undefined;
  /** What any answer may be long; 32,000 by default. */
  outputTokenMax?: number | undefined;
}

export interface OpencodeRoom {
  /** The tokens that input may take; a name stands for a number that JSON does not know. */
  usable: number | "NaN" | "Infinity" | "-Infinity";
  isOverflow: boolean;
}

export interface OpencodeLatest {
  user: string | null;
  assistant: string | null;
  /** The newest answer that the model has ended. */
  finished: string | null;
  /** The compaction and subtask parts of messages newer than `finished`. */
  tasks: { type: "compaction" | "subtask"; id?: string }[];
}

export interface OpencodeStepOptions extends OpencodeLimits {
  /** The answer that the model just gave: its `info`, with the error that `fromError` made of a failure. */
  answer?: object | undefined;
  /** Whether the person refused what a tool wanted to do. */
  blocked?: boolean | undefined;
}

export interface OpencodeStep {
  /**
   * - `process`: a compaction that was asked for is carried out. `subtask`: a subtask is.
   * - `create`: a compaction marker is written, and the loop begins again.
   * - `continue`: the model is asked or, after an answer, the loop begins again.
   * - `done`: the loop ends. `fail`: it ends, and the person sees that the request is too large (2026-06).
   */
  action: "process" | "subtask" | "create" | "continue" | "done" | "fail";
  /** The part that asks for it. */
  task?: { type: "compaction" | "subtask" };
  /** Whether nobody asked for the compaction. */
  auto?: boolean;
  /** Whether a request exceeded the window, and is repeated after the summary (2026-06). */
  overflow?: boolean;
  /** The newest user message, the marker of the compaction. */
  parentID?: string;
}

export interface OpencodeConversion {
  model?: OpencodeModel | undefined;
  /** Whether images and PDFs give way to a line that names them. */
  stripMedia?: boolean | undefined;
  /** How many UTF-16 units of an output are kept; all when it is 0 or missing. */
  toolOutputMaxChars?: number | undefined;
}

/** A model message of the `ai` package. */
export interface OpencodeModelMessage {
  role: "user" | "assistant" | "tool";
  content: { type: string }[];
}

export interface OpencodeModelMessages {
  messages: OpencodeModelMessage[];
  /** The length of the messages' JSON in UTF-16 units. */
  jsonLength: number;
  /** A quarter of it, halves up. */
  estimate: number;
}

export interface OpencodePruned {
  /** The tool parts whose output is cleared, the newest first. */
  prunedParts: (string | null)[];
  /** Tokens that were looked at, and those of them beyond the protected amount; `null` when switched off. */
  counted: { total: number; prunable: number } | null;
}

export interface OpencodeCompactionTask extends OpencodeOptions {
  /** The compaction marker that is worked on. */
  parentID: string;
  /** Whether nobody asked for it. */
  auto?: boolean | undefined;
  /** Whether a request exceeded the context window; it is repeated after the summary. */
  overflow?: boolean | undefined;
  /** The model of the conversation. */
  model: OpencodeModel;
  /** The summariser, if it is another one. Its limits then decide how much stays. */
  compactionModel?: OpencodeModel | undefined;
  config?: OpencodeConfig | undefined;
  /** How the summary request ended; `compact` when it exceeded the window itself. */
  outcome?: "continue" | "stop" | "compact" | undefined;
  /** What plugins answered. */
  hooks?: { compacting?: { context?: string[] | undefined; prompt?: string | undefined } | undefined; autocontinue?: boolean | undefined } | undefined;
  /**
   * Ids for what is created, in the order in which they are used: one for each new message (two at most), and one for each new
   * part (as many as the repeated request has, otherwise one). Without them nothing that is created has an id.
   */
  newIDs?: { messages: string[]; parts: string[] } | undefined;
}

export interface OpencodeCompaction {
  result: "continue" | "stop" | "compact";
  /** What is to be written to the marker: the first message that stays word for word; `null` leaves it as it is. */
  tailStartID: string | null;
  /** What is summarised. */
  head: { count: number; messages: OpencodeModelMessage[] };
  /** The request's last message, after `head`. */
  prompt: string;
  /** What is written, in order: with the ids of `newIDs`, times left out. A message that is written again stands there again. */
  created: { messages: object[]; parts: object[] };
}

/** What a small model is asked for. */
export interface OpencodeDisplayRequest {
  system: string;
  messages: OpencodeModelMessage[];
  maxTokens: number | null;
}

/** What was changed in one file. */
export interface OpencodeFileDiff {
  file?: string;
  additions: number;
  deletions: number;
}

export interface OpencodeChanges<D = OpencodeFileDiff> {
  /** What the caller compares; `null` when nothing was recorded. */
  snapshots: { from: string; to: string } | null;
  /** The file diffs that count. */
  diffs: D[];
  totals: { additions: number; deletions: number; files: number };
}

/** An error as OpenCode stores it with a message; `ContextOverflowError` leads to a compaction. */
export interface OpencodeStoredError {
  name: "ContextOverflowError" | "APIError" | "UnknownError";
  data: {
    message: string;
    statusCode?: number;
    isRetryable?: boolean;
    responseHeaders?: Record<string, string>;
    responseBody?: string;
    metadata?: { url: string };
  };
}
