/* -------------------------------------------------------------------------------------------------------- other results */

/** What {@link compact} did. */
export interface Compacted {
  /** The plan that was carried out. */
  plan: Plan;
  /** What was done. */
  applied: {
    /** How many tool outputs were replaced by the placeholder, including those of summarized messages. */
    pruned: number;
    /** How many messages were replaced by the summary. */
    summarized: number;
  };
  /** Whether old messages should be summarized but stayed, because the options contain no `summary`. */
  summaryNeeded: boolean;
}

/** What {@link validate} found. */
export interface Validation {
  /** Whether no rule is violated. */
  valid: boolean;
  /** The format whose rules were checked. */
  format: FormatName;
  /** Every violation, in the order of the messages. */
  violations: Violation[];
  /** The calls at the end that have no result yet, in order. They are not violations. */
  pending: PendingCall[];
}

/** A call that still waits for its result. It must stay in the session until the result has arrived. */
export interface PendingCall {
  /** The message that makes the call, by its index in the array, or among the messages that {@link read} finds in a text. */
  message: number;
  /** The call, by its index in the message. */
  part: number;
  /** The call's id; missing when it has none. */
  id?: string;
  /** The tool's name, if it is known. */
  tool?: string;
  /** What happens when a late result arrives, in words. */
  text: string;
  /** The line on which the message begins, counted from 1; only for text. */
  line?: number;
  /** The byte at which the message begins, counted from 0; only for text. */
  byte?: number;
}

/** One place at which a session breaks a rule. */
export interface Violation {
  /** The message, by its index in the array, or among the messages that {@link read} finds in a text; 0 for an empty list. */
  message: number;
  /** The part, by its index in the message; missing if the message as a whole breaks the rule. */
  part?: number;
  rule: RuleName;
  /** What is wrong, in words. */
  text: string;
  /** The line on which the message begins, counted from 1; only for text. */
  line?: number;
  /** The byte at which the message begins, counted from 0; only for text. */
  byte?: number;
}

/** What {@link repair} did. */
export interface Repaired {
  /** What was done, one entry for each fault, in the order in which it was done. */
  done: Mended[];
  /** The violations that are left in the repaired text, because they cannot be mended. */
  left: Violation[];
}

/** One fault that {@link repair} mended. */
export interface Mended {
  /**
   * `removed`: the part, or the message if nothing else was in it, is gone. `moved`: a result now is where the provider expects it.
   * `added`: a result which says that the outcome is unknown. `filled`: an empty text as the content of a result, or a note in the
   * place of what was removed. `joined`: a message became part of the one before it.
   */
  mending: "removed" | "moved" | "added" | "filled" | "joined";
  rule: RuleName;
  /** The message in the text as it was, by its index among the messages that {@link read} finds. */
  message: number;
  /** What was wrong and what was done, in words. */
  text: string;
  /** The line of the message in the text as it was, counted from 1. */
  line: number;
  /** Its first byte in that text, counted from 0. */
  byte: number;
}

/** The result of {@link reviewSummary}. */
export interface ReviewedSummary {
  /** The summary, as {@link finishSummary} returns it. */
  summary: string;
  /** What is unusual about the summary; usually empty. */
  warnings: SummaryWarning[];
}

/** Something unusual about a summary that is accepted nevertheless. */
export interface SummaryWarning {
  code: /** It contains none of the requested headings: it is prose, or has headings in another language. */
    | "no_headings"
    /** It has no headings and is very short for what it replaces: the model may have refused. */
    | "very_short"
    /** It began with the model's reasoning (`<think>`), which was removed. */
    | "reasoning_removed";
  /** The same in words. */
  text: string;
}

/** The result of {@link summaryRequest}. */
export interface RequestedSummary {
  /** The request to send to the model. */
  request: ModelRequest;
  /** What {@link finishSummary} needs in addition to the answer. */
  context: SummaryContext;
  /** The plan whose old messages should be summarized. */
  plan: Plan;
  /** What binds the summary to the messages of the request. A request made of a text has none. */
  handle?: SummaryHandle;
}

/**
 * What binds a summary to the messages that it was asked for: pass it to {@link compact} or {@link Session.apply} together with
 * the summary. It is plain data, which may be stored as JSON; what is in it is of no version's promise.
 */
export interface SummaryHandle {
  readonly "~ebbline": "SummaryHandle";
}

/** A request to a model, in the form that most libraries take. */
export interface ModelRequest {
  /** The system prompt. */
  system: string;
  messages: { role: "user" | "assistant"; content: string }[];
  /** The most tokens that the answer may have. */
  maxTokens: number;
}

/** What is known about the messages that a summary replaces. */
export interface SummaryContext {
  /** The files that they read and modified. */
  files: { read: string[]; modified: string[]; unlistedRead: number; unlistedModified: number };
  /** Their size in tokens. */
  replacedTokens: number;
  /** How tokens are counted. */
  estimator: Estimator;
}

/** A format, and the evidence for it. */
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
   * What the reported input tokens of an answer cover: the whole request, only the part that did not come from the provider's
   * cache, or one of the two, depending on the agent's version. Missing for formats that report nothing.
   */
  reportedInput?: "includes_cache" | "excludes_cache" | "either";
  counts: Counts;
  /** Where the file records that its agent compacted, pruned or rewound the session; only for text. */
  markers?: Marker[];
  /** What could not be read; its bytes stay in every output. */
  problems: Problem[];
  /** The entries of a session tree (pi); only for text. */
  entries?: Entry[];
  messages: MessageReport[];
}

/** A place where a file records what its agent did to the session. */
export interface Marker {
  kind: "compaction" | "summary" | "prune" | "branch" | "rewind";
  /** The format's own word for it, for example `compact_boundary`. */
  name: string;
  /** Its place in the text, in bytes. */
  bytes: [start: number, end: number];
}

export interface Counts {
  /** Messages, active or not. */
  messages: number;
  /** Messages that the agent would not send now; without notices, which it never sends. */
  inactive: number;
  /** Tool calls. */
  calls: number;
  /** Tool results. */
  results: number;
  /** Characters of all tool results, as Unicode code points. */
  resultChars: number;
  /** Tool results that were pruned before. */
  alreadyPruned: number;
  /** Calls without a result that has their id. */
  callsWithoutResult: number;
  /** Those of them that have a result nevertheless: the session has no ids, and name and order pair calls and results. */
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
  /** Whether it begins a turn: a message of a person, or one that the agent wrote in the user's name. */
  turn: "no" | "person" | "synthetic";
  /** Whether the model ended its answer here. */
  ended: boolean;
  /** Whether it is a summary of what came before. */
  summary: boolean;
  /** Whether the agent would send it now. */
  active: boolean;
  /**
   * Whether it continues the answer of the message before it (some formats store one answer in several entries), or belongs
   * to the tail of an earlier compaction of OpenCode. No window begins with it.
   */
  continues: boolean;
  /** Whether the agent sends it even if a summary replaces it (OpenHands 0); missing if it does not. */
  pinned?: true;
  /**
   * The tokens that the provider reported for the request and this answer together, including cached ones. Missing if it
   * reported none, or if they describe a context that a compaction has since replaced.
   */
  usage?: number;
  /** Its place in the text, in bytes; only for text. */
  bytes?: [start: number, end: number];
  parts: PartReport[];
}

export interface PartReport {
  kind: PartKind;
  /** What may be done with a tool result. */
  output: PartOutput;
  /** The number of texts that it consists of. */
  pieces: number;
  /** `classed`: 64ths of a token, estimated by the kinds of characters; `classedJson`: of values, those of the JSON that is sent. */
  length: { utf16: number; codePoints: number; bytes: number; classed: number; classedJson: number };
  /** The length in the notation of the format's own system, if that system measures another text than it sends. */
  native?: number;
  /** The call that the part makes, answers or belongs to: a number that pairs them. */
  call?: number;
  /** The tool's name. */
  toolName?: string;
  /** Whether it has a signature or encrypted content that the provider verifies. */
  signed: boolean;
}

/* --------------------------------------------------------------------------------------------------------- errors */

export interface ClassifyOptions extends PolicyOptions {
  /**
   * Whose rules decide: those of the system and version that the profile reproduces. ebbline's own profiles have the rules
   * of all systems without their known false positives; so has a policy with a name of its own. The limits of the policy's model
   * count if `model` or `policy` names them.
   */
  profile?: ProfileName | undefined;
  /** The provider, if the error does not name it; Cerebras answers with a bare status if the context is too large. */
  provider?: string | undefined;
  /**
   * The model's context window, in tokens; needed for an answer whose usage shows that its request did not fit. By default that of
   * `model`, if given.
   */
  contextWindow?: number | undefined;
  /** The requested output limit, before it was reduced to what was left of the window. By default that of `model`, if given. */
  desiredMaxOutput?: number | undefined;
}

/** What an error means, and why. */
export interface Classification {
  kind: FailureKind;
  /** `over_rate_limit`: the request is larger than a rate limit allows at once, so waiting does not help. */
  code?: "over_rate_limit";
  /** The evidence for it; missing for `other`. */
  evidence?: FailureEvidence;
  /** Whether an answer stopped before its output limit, so that compacting and sending the request again may help. */
  recoverableLength: boolean;
}

export type FailureKind =
  /** The request has more tokens than the context window: compact, and send it again. */
  | "context_overflow"
  /** The request has more bytes than the server accepts: remove images and large outputs. */
  | "payload_too_large"
  /** Too many images or documents, or one that is too large: remove older ones. */
  | "media_limit"
  /** Too many requests, an exhausted quota or an overloaded server: wait. */
  | "rate_limit"
  /** Anything else. */
  | "other";

export interface FailureEvidence {
  /** The kind of evidence. */
  sign: "text" | "code" | "status" | "usage";
  /** The regular expression that matches (with the flag `i`), the code, or the status. */
  pattern: string;
  /** The provider whose message it is. */
  provider?: string;
  /** Where it was found, for example `cause.responseBody.error.message`; empty if the error itself is a text. */
  at: string;
  /** The text in which it was found, shortened. */
  text?: string;
  /** The limit in tokens that the error names for the whole context. */
  window?: number;
}
