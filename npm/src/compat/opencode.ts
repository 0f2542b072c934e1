import { guarded } from '../guard.js';
import { question, questionAboutText, toJson } from './ask.js';
import { type OpencodeStoredError, fromError } from './opencode-errors.js';

/**
 * What OpenCode 1.x answers about its own data: stored messages (`{ info, parts }`, oldest first) or an export
 * (`{ info, messages }`), as values or JSON text. By default, `version` is the newest one.
 *
 * No function calls a model: a function that needs a model returns the request.
 */
export interface OpencodeCompat {
  /** The room for input, and whether a context of this size must be compacted; the same as `isOverflow`. */
  usable(tokens: OpencodeTokens | string | null, options: OpencodeLimits): OpencodeRoom;

  /**
   * Whether a context of this size must be compacted now.
   *
   * @example
   * ```js
   * const model = { limit: { context: 200_000, output: 32_000 } };
   * compat.opencode.isOverflow({ input: 168_000, output: 0, cache: { read: 0, write: 0 } }, { model }).isOverflow; // true
   * ```
   */
  isOverflow(tokens: OpencodeTokens | string | null, options: OpencodeLimits): OpencodeRoom;

  /** The ids of the messages that are sent to the model, in the order in which they are sent. */
  filterCompacted(messages: OpencodeMessages, options?: OpencodeOptions): { ids: (string | null)[] };

  /** The newest messages, by id (until 2026-01: by their position), and the tasks that are still open. */
  latest(messages: OpencodeMessages, options?: OpencodeOptions): OpencodeLatest;

  /**
   * What the session loop does next about compaction: before it calls the model or, with `answer`, after the model's answer.
   * Pass all stored messages; the decision depends on those of them that are sent.
   *
   * @example
   * ```js
   * const { action, ...task } = compat.opencode.step(messages, { model });
   * if (action === "process") compat.opencode.process(messages, { ...task, model });
   * ```
   *
   * @throws {@link EbblineError} if no user message is sent
   */
  step(messages: OpencodeMessages, options: OpencodeStepOptions): OpencodeStep;

  /**
   * Converts stored messages to the model messages that are sent (2026-06), with the length of their JSON and the estimate
   * derived from it.
   */
  modelMessages(messages: OpencodeMessages, options?: OpencodeConversion): OpencodeModelMessages;

  /** Which old tool outputs are cleared. Since 2026-04, none are unless `config.compaction.prune` is true. */
  prune(messages: OpencodeMessages, options?: OpencodeOptions & { config?: OpencodeConfig | undefined }): OpencodePruned;

  /**
   * One compaction: what is summarized, what stays, the request, and what is written afterwards. Only `result`,
   * `tailStartID` and `created` depend on the `outcome`: call it once for the request, and again after the answer.
   *
   * @throws {@link EbblineError} if `parentID` is not the id of a user message
   */
  process(messages: OpencodeMessages, options: OpencodeCompactionTask): OpencodeCompaction;

  /**
   * The request for a title of the user message `messageID` (until 2026-01) or, without `messageID`, of the session. `null` if
   * there is nothing to name.
   */
  titleRequest(
    messages: OpencodeMessages,
    options?: OpencodeOptions & { messageID?: string | undefined; model?: OpencodeModel | undefined; reasoning?: boolean | undefined },
  ): { request: OpencodeDisplayRequest | null };

  /** The title in a model's reply. Until 2026-01 it is the whole reply; later, the reply's first line that is not blank. */
  title(reply: string, options?: OpencodeOptions): { title: string | null };

  /**
   * The body of a user message (2025-12): `body` applies if there is no `request`, or if the request fails. `hasDiffs` says
   * whether files were changed.
   */
  bodyRequest(
    messages: OpencodeMessages,
    options: OpencodeOptions & { messageID: string; model?: OpencodeModel | undefined; hasDiffs?: boolean | undefined },
  ): { request: OpencodeDisplayRequest | null; body: string | null };

  /**
   * Which two snapshots show what a message or the session changed, and the totals of `fileDiffs`, the result of comparing
   * them. Until 2026-01, a session's totals count only files that a patch part names, below `worktree`.
   */
  diffs<D extends OpencodeFileDiff>(
    messages: OpencodeMessages,
    options?: OpencodeOptions & { messageID?: string | undefined; fileDiffs?: D[] | undefined; worktree?: string | undefined },
  ): OpencodeChanges<D>;

  /** Whether an error with this text means that the context was too large. */
  isContextOverflow(errorText: string): boolean;
  /** How OpenCode stores an exception of a provider: an `Error`, or any value that a response stream throws. */
  fromError(thrown: unknown, options?: { providerID?: string | undefined }): OpencodeStoredError;
}

/** The reproduced versions, each named by the month of its commit. */
export type OpencodeVersion = '2025-12' | '2026-01' | '2026-06';

export interface OpencodeOptions {
  version?: OpencodeVersion | undefined;
}

/** Stored messages, an export that holds them, or the JSON text of either. */
export type OpencodeMessages = readonly object[] | { messages: readonly object[] } | string;

/** The usage that an assistant's message reports. */
export interface OpencodeTokens {
  total?: number;
  input: number;
  output: number;
  reasoning?: number;
  cache: { read: number; write: number };
}

/** The properties of a model that are used. */
export interface OpencodeModel {
  id?: string | undefined;
  providerID?: string | undefined;
  /** Decides what a tool's result may contain. */
  api?: { id?: string | undefined; npm?: string | undefined } | undefined;
  limit?: { context: number; input?: number | undefined; output: number } | undefined;
}

/** The part of OpenCode's configuration that is used. */
export interface OpencodeConfig {
  compaction?:
    | {
        auto?: boolean | undefined;
        prune?: boolean | undefined;
        /** Tokens kept free below an input limit; without such a limit it has no effect. */
        reserved?: number | undefined;
        /** How many of the newest turns may stay word for word; 2 by default. */
        tail_turns?: number | undefined;
        /** How many tokens they may have; by default a quarter of the room for input, between 2,000 and 8,000. */
        preserve_recent_tokens?: number | undefined;
      }
    | undefined;
}

export interface OpencodeLimits extends OpencodeOptions {
  model: OpencodeModel;
  config?: OpencodeConfig | undefined;
  /** The most tokens that any answer may have; 32,000 by default. */
  outputTokenMax?: number | undefined;
}

export interface OpencodeRoom {
  /** The most tokens that input may have; a string stands for a number that JSON cannot express. */
  usable: number | 'NaN' | 'Infinity' | '-Infinity';
  isOverflow: boolean;
}

export interface OpencodeLatest {
  user: string | null;
  assistant: string | null;
  /** The newest answer that the model has finished. */
  finished: string | null;
  /** The compaction and subtask parts of messages newer than `finished`. */
  tasks: { type: 'compaction' | 'subtask'; id?: string }[];
}

export interface OpencodeStepOptions extends OpencodeLimits {
  /** The `info` of the answer that the model just gave, with the result of `fromError` if it failed. */
  answer?: object | undefined;
  /** Whether the person refused a tool's request for permission. */
  blocked?: boolean | undefined;
}

export interface OpencodeStep {
  /**
   * - `process`: a requested compaction is carried out. `subtask`: a subtask is carried out.
   * - `create`: a compaction marker is written, and the loop begins again.
   * - `continue`: the model is called or, after an answer, the loop begins again.
   * - `done`: the loop ends. `fail`: it ends, and the person sees that the request is too large (2026-06).
   */
  action: 'process' | 'subtask' | 'create' | 'continue' | 'done' | 'fail';
  /** The part that requests it. */
  task?: { type: 'compaction' | 'subtask' };
  /** Whether the compaction is automatic, not requested by anybody. */
  auto?: boolean;
  /** Whether a request exceeded the window and is repeated after the summary (2026-06). */
  overflow?: boolean;
  /** The newest user message, the marker of the compaction. */
  parentID?: string;
}

export interface OpencodeConversion {
  model?: OpencodeModel | undefined;
  /** Whether images and PDFs are replaced by a line that names them. */
  stripMedia?: boolean | undefined;
  /** How many UTF-16 units of an output are kept; all if it is 0 or missing. */
  toolOutputMaxChars?: number | undefined;
}

/** A model message of the `ai` package. */
export interface OpencodeModelMessage {
  role: 'user' | 'assistant' | 'tool';
  content: { type: string }[];
}

export interface OpencodeModelMessages {
  messages: OpencodeModelMessage[];
  /** The length of the messages' JSON in UTF-16 units. */
  jsonLength: number;
  /** A quarter of `jsonLength`; halves are rounded up. */
  estimate: number;
}

export interface OpencodePruned {
  /** The tool parts whose output is cleared, the newest first. */
  prunedParts: (string | null)[];
  /** Tokens that were examined, and those of them beyond the protected amount; `null` if pruning is switched off. */
  counted: { total: number; prunable: number } | null;
}

export interface OpencodeCompactionTask extends OpencodeOptions {
  /** The id of the compaction marker that is processed. */
  parentID: string;
  /** Whether the compaction is automatic, not requested by anybody. */
  auto?: boolean | undefined;
  /** Whether a request exceeded the context window; it is repeated after the summary. */
  overflow?: boolean | undefined;
  /** The model of the conversation. */
  model: OpencodeModel;
  /** The summarizer, if it is another model. Its limits then decide how much stays. */
  compactionModel?: OpencodeModel | undefined;
  config?: OpencodeConfig | undefined;
  /** How the summary request ended; `compact` if it exceeded the window itself. */
  outcome?: 'continue' | 'stop' | 'compact' | undefined;
  /** What plugins answered. */
  hooks?:
    | { compacting?: { context?: string[] | undefined; prompt?: string | undefined } | undefined; autocontinue?: boolean | undefined }
    | undefined;
  /**
   * Ids for new messages and parts, in the order in which they are used: one for each new message (two at most), and one for
   * each new part (as many as the repeated request has, otherwise one). Without them, new messages and parts have no ids.
   */
  newIDs?: { messages: string[]; parts: string[] } | undefined;
}

export interface OpencodeCompaction {
  result: 'continue' | 'stop' | 'compact';
  /** The id to write to the marker: the first message that stays word for word; `null` leaves the marker unchanged. */
  tailStartID: string | null;
  /** The messages that are summarized. */
  head: { count: number; messages: OpencodeModelMessage[] };
  /** The request's last message, after `head`. */
  prompt: string;
  /** What is written, in order, with the ids of `newIDs` and without times. A message that is written twice is listed twice. */
  created: { messages: object[]; parts: object[] };
}

/** A request to a small model. */
export interface OpencodeDisplayRequest {
  system: string;
  messages: OpencodeModelMessage[];
  maxTokens: number | null;
}

/** The changes of one file. */
export interface OpencodeFileDiff {
  file?: string;
  additions: number;
  deletions: number;
}

export interface OpencodeChanges<D = OpencodeFileDiff> {
  /** The snapshots that the caller compares; `null` if nothing was recorded. */
  snapshots: { from: string; to: string } | null;
  /** The file diffs that count. */
  diffs: D[];
  totals: { additions: number; deletions: number; files: number };
}

const ask = <N extends keyof OpencodeCompat>(name: N) => question<OpencodeCompat[N]>('opencode', name);

const opencode: OpencodeCompat = {
  usable: ask('usable'),
  isOverflow: ask('isOverflow'),
  filterCompacted: ask('filterCompacted'),
  latest: ask('latest'),
  step: ask('step'),
  modelMessages: ask('modelMessages'),
  prune: ask('prune'),
  process: ask('process'),
  titleRequest: ask('titleRequest'),
  // Data that is a string counts as JSON, but a reply is plain text.
  title: guarded((reply, options) => ask('title')(toJson('the reply', reply), options)),
  bodyRequest: ask('bodyRequest'),
  diffs: ask('diffs'),
  isContextOverflow: questionAboutText('opencode', 'isContextOverflow'),
  fromError,
};

export default opencode;
