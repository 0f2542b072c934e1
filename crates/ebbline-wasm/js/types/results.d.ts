/* -------------------------------------------------------------------------------------------------- what else comes out */

/** What {@link compact} did. */
export interface Compacted {
  /** What was planned. */
  plan: Plan;
  /** What was done. */
  applied: {
    /** How many tool outputs gave way to the placeholder, those of summarised messages included. */
    pruned: number;
    /** How many messages gave way to the summary. */
    summarised: number;
  };
  /** Whether old messages are to be summarised, and stay only for want of a `summary`. */
  summaryNeeded: boolean;
}

/** What {@link validate} found. */
export interface Validation {
  /** Whether nothing is violated. */
  valid: boolean;
  /** The format whose rules it was held to. */
  format: FormatName;
  /** Every violation, in the order of the messages. */
  violations: Violation[];
  /** The calls at the end that no result answers yet, in their order. They are no violation by themselves. */
  pending: PendingCall[];
}

/** A call that still waits for its result: nothing may take it away until that has come. */
export interface PendingCall {
  /** The message that makes the call, by its index in the array, or among the messages that {@link read} finds in a text. */
  message: number;
  /** The call, by its index in the message. */
  part: number;
  /** The call's id; missing when it has none. */
  id?: string;
  /** The tool's name, if it is known. */
  tool?: string;
  /** What a late result would do, in words. */
  text: string;
  /** The line on which the message begins, counted from 1; only of text. */
  line?: number;
  /** The byte at which the message begins, counted from 0; only of text. */
  byte?: number;
}

/** One place at which a session breaks a rule. */
export interface Violation {
  /** The message, by its index in the array, or among the messages that {@link read} finds in a text; 0 of an empty list. */
  message: number;
  /** The part, by its index in the message; missing when it is the message as a whole. */
  part?: number;
  rule: RuleName;
  /** What is wrong, in words. */
  text: string;
  /** The line on which the message begins, counted from 1; only of text. */
  line?: number;
  /** The byte at which the message begins, counted from 0; only of text. */
  byte?: number;
}

/** What {@link reviewSummary} makes of an answer. */
export interface ReviewedSummary {
  /** The summary, as {@link finishSummary} returns it. */
  summary: string;
  /** What is unusual about it; mostly nothing. */
  warnings: SummaryWarning[];
}

/** What is unusual about a summary that may stand for what it summarises all the same. */
export interface SummaryWarning {
  code:
    /** None of the headings that were asked for is in it: prose, or headings in another language. */
    | "no_headings"
    /** It has no headings and is very short for what it stands for: the model may have refused. */
    | "very_short"
    /** The model's reasoning (`<think>`) stood in front of it and was taken away. */
    | "reasoning_removed";
  /** The same in words. */
  text: string;
}

/** What {@link summaryRequest} gives. */
export interface RequestedSummary {
  /** What goes to the model. */
  request: ModelRequest;
  /** What {@link finishSummary} needs beside the answer. */
  context: SummaryContext;
  /** The plan whose old messages are to be summarised. */
  plan: Plan;
}

/** A request to a model, in the form that most libraries take. */
export interface ModelRequest {
  /** The system prompt. */
  system: string;
  messages: { role: "user" | "assistant"; content: string }[];
  /** The most tokens of the answer. */
  maxTokens: number;
}

/** What is known about the messages that a summary is to stand for. */
export interface SummaryContext {
  /** The files that they read and modified. */
  files: { read: string[]; modified: string[]; unlistedRead: number; unlistedModified: number };
  /** Their tokens. */
  replacedTokens: number;
  /** How tokens are counted. */
  estimator: Estimator;
}

/** A format, and what shows it. */
export interface Detection {
  format: FormatName;
  /** The format's name for people. */
  title: string;
  /** Whether it can be planned and compacted. */
  supported: boolean;
  /** What shows it, in words. */
  evidence: string;
}

/** What was found in a session. */
export interface Report {
  format: FormatName;
  title: string;
  evidence: string;
  /**
   * What the input covers that is reported with answers: all of the request, only what did not come from the provider's
   * cache, or either, by the version of the agent. Missing for formats that report nothing.
   */
  reportedInput?: "includes_cache" | "excludes_cache" | "either";
  counts: Counts;
  /** Where the file records that its own agent compacted, pruned or went back; only of text. */
  markers?: Marker[];
  /** What could not be read; it stays in every output. */
  problems: Problem[];
  /** The entries of a session tree (pi); only of text. */
  entries?: Entry[];
  messages: MessageReport[];
}

/** A place where a file records what its own agent did to the session. */
export interface Marker {
  kind: "compaction" | "summary" | "prune" | "branch" | "rewind";
  /** The format's own word for it, for example `compact_boundary`. */
  name: string;
  /** Where it stands in the text, in bytes. */
  bytes: [start: number, end: number];
}

export interface Counts {
  /** Messages, active or not. */
  messages: number;
  /** Messages that the agent would not send now; notices, of which it never sends anything, are not among them. */
  inactive: number;
  /** Tool calls. */
  calls: number;
  /** Tool results. */
  results: number;
  /** Characters of all tool results, as Unicode code points. */
  resultChars: number;
  /** Tool results that were pruned before. */
  alreadyPruned: number;
  /** Calls that no result answers by its id. */
  callsWithoutResult: number;
  /** Those of them that are answered all the same: the session has no ids, and name and order pair them. */
  pairedByPlace: number;
  resultsWithoutCall: number;
  images: number;
}

export interface Problem {
  code: ErrorCode;
  message: string;
  line?: number;
  byte?: number;
}

/** One entry of a pi session, as pi sees it after migrating the file to its version 3. */
export interface Entry {
  type: string;
  version?: string;
  id?: string;
  parentId: string | null;
  role?: string;
  firstKeptEntryId?: string;
  /** The message made from the entry. */
  message?: number;
  /** Whether the entry is on the branch that ends in the newest entry. */
  onBranch: boolean;
}

export interface MessageReport {
  role: Role;
  /** Whether it begins a turn: a person's message, or one that the agent wrote in the user's place. */
  turn: "no" | "person" | "synthetic";
  /** Whether the model ended its answer here. */
  ended: boolean;
  /** Whether it is a summary of what came before. */
  summary: boolean;
  /** Whether the agent would send it now. */
  active: boolean;
  /**
   * Whether it goes on with the answer of the message before it, since formats may keep one answer in several entries; or
   * stands in the tail of an earlier compaction of OpenCode. No window begins with it.
   */
  continues: boolean;
  /** Whether the agent sends it whatever a summary stands for (OpenHands 0); missing when it does not. */
  pinned?: true;
  /**
   * The tokens that the provider reported for the request and this answer together, cached ones included. Missing when it
   * reported none, or when they describe a context that a compaction has since replaced.
   */
  usage?: number;
  /** Where it stands in the text, in bytes; only of text. */
  bytes?: [start: number, end: number];
  parts: PartReport[];
}

export interface PartReport {
  kind: PartKind;
  /** For a tool result, what may be done with it. */
  output: PartOutput;
  /** Of how many texts it is made. */
  pieces: number;
  /** `classed`: 64ths of a token, estimated by the kinds of characters. */
  length: { utf16: number; codePoints: number; bytes: number; classed: number };
  /** The length in the notation of the format's own system, where it measures another text than the one it sends. */
  native?: number;
  /** The call that the part makes, answers or belongs to: a number that pairs them. */
  call?: number;
  /** The tool's name. */
  toolName?: string;
  /** Whether a signature or encrypted content goes with it that the provider verifies. */
  signed: boolean;
}

/* --------------------------------------------------------------------------------------------------------- errors */

export interface ClassifyOptions {
  /**
   * Whose rules decide: `pi@0.58`, `pi@0.84`, `pi@1.5`, `opencode@2026-06`, `opencode@later`, `tunacode@0.2`. By default
   * all of them together, without their known false positives.
   */
  profile?: string | undefined;
  /** The provider, if the error does not say; Cerebras answers with a bare status when the context is too large. */
  provider?: string | undefined;
  /** The model's context window, in tokens, for an answer whose usage shows that its request did not fit. */
  contextWindow?: number | undefined;
  /** The output limit that was wanted, before it was clamped to what was left of the window. */
  desiredMaxOutput?: number | undefined;
}

/** What an error means, and why. */
export interface Classification {
  kind: FailureKind;
  /** What shows it; not there for `other`. */
  evidence?: FailureEvidence;
  /** Whether an answer stopped before its output limit, so that compacting and asking once more may help. */
  recoverableLength: boolean;
}

export type FailureKind =
  /** The request has more tokens than the context window: compact, and send it again. */
  | "context_overflow"
  /** The request has more bytes than the server takes: remove images and large outputs. */
  | "payload_too_large"
  /** Too many requests, a used-up quota or a server without room: wait. */
  | "rate_limit"
  /** Anything else. */
  | "other";

export interface FailureEvidence {
  /** What kind of thing shows it. */
  sign: "text" | "code" | "status" | "usage";
  /** The regular expression (with the flag `i`) that matches, the code, or the status. */
  pattern: string;
  /** Whose message it is. */
  provider?: string;
  /** Where it was found: `cause.responseBody.error.message`; empty for an error that is a text. */
  at: string;
  /** The text in which it was found, shortened. */
  text?: string;
}
