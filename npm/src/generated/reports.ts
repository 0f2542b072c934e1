// Written by `cargo xtask gen` from the engine's definitions. Change those, not this file.

import type { PartKind, Position, PruneReport, RetainReport, Role, TriggerReport, Verdict, VerdictReason } from './plan.js';
import type { ErrorCode, KnownHistory, PartOutput, RuleName, UsageFrom } from './words.js';

/** A replay and its bill. */
export interface ReplayReport {
  /** The name and version of this form. */
  schema: "ebbline.replay/1";
  /** The name of the policy. */
  profile: string;
  /** The model's context window, in tokens; `null` if it is not known. */
  window: number | null;
  /** The size from which the policy considers the context full; `null` if the window is not known. */
  threshold: number | null;
  /** How many messages the life of the session has. */
  messages: number;
  /** How much of its life is known. */
  known: KnownHistory;
  /** How many outputs were already pruned when the session was recorded. */
  alreadyPruned: number;
  /** The tokens that every request sends beside the messages. */
  overhead: number;
  /** Where reported usage came from. */
  usage: UsageFrom;
  /** Every request, oldest first. The last one is the next request of the session, and has no charge. */
  requests: ReplayRequest[];
  /** Every compaction, oldest first. */
  compactions: ReplayCompaction[];
  /** What all answered requests are charged for. */
  total: Charge;
  /** The cost of all answered requests, in fresh input tokens. */
  cost: number;
}

/** One request of a report. */
export interface ReplayRequest {
  /** The message of the log that answers it; `null` for the next request. */
  message: number | null;
  /**
   * The place in the history of the message that answers it. The request sends what precedes this place. The last
   * request of a replay has no answer yet: its place is the length of the history.
   */
  at: number;
  /** The estimated tokens of the messages that it sends. What is sent beside them is not included. */
  tokens: number;
  /**
   * How many of these tokens stand unchanged at the beginning of both this request and the one before: what a cache
   * of exact prefixes can hold.
   */
  unchanged: number;
  /** The estimated tokens of the answer; 0 for a request without one. */
  output: number;
  /** The compaction that was carried out before it, by its index among all. */
  compaction: number | null;
  /** Whether what it sends stays below the threshold of the policy. */
  fits: boolean;
  /**
   * Whether what it sends, with what is sent beside the messages, is more than the context window: a provider refuses
   * such a request. `false` if the window is not known.
   */
  overWindow: boolean;
  /** What it is charged for; `null` for the next request. */
  charge: Charge | null;
}

/** One compaction of a report. */
export interface ReplayCompaction {
  /** The request before which it was carried out. */
  request: number;
  /** The pruned outputs, with the images inside them, by message and part of the log. */
  pruned: Position[];
  /** The messages of the log that the summary replaced. */
  summarized: number[];
  /** The tokens of the summary; 0 if none was made. */
  summary: number;
  /** The tokens of what it was made from. */
  summaryInput: number;
  /** When it has earned what it cost; `null` if no answered request follows. */
  payback: Payback | null;
  /** What is to be done. */
  verdict: Verdict;
  /** Why. */
  reason: VerdictReason;
  /** Estimated tokens of the active messages before. */
  tokensBefore: number;
  /** Estimated tokens after, the summary's allowance included. */
  tokensAfter: number;
  /** Whether what is left stays below the threshold: `false` when the plan cannot make the context fit. */
  fits: boolean;
  /** What `tokensAfter` allows for a summary that does not exist yet; 0 when none is to be made. */
  summaryAllowance: number;
  /** When summarizing fires. */
  trigger: TriggerReport;
  /** The protection boundary. */
  prune: PruneReport;
  /** The retention window. */
  retain: RetainReport;
}

/** When a compaction has earned what it cost. */
export interface Payback {
  /** The request before which it was carried out. */
  request: number;
  /** What it cost at once: the cache that it broke and the summary, in fresh input tokens. */
  cost: number;
  /** What each later request saves, in fresh input tokens. */
  saving: number;
  /**
   * The first request by which the savings cover the cost; `null` if there is none before the session ends or the
   * next compaction.
   */
  coveredBy: number | null;
}

/** What a policy does over the life of a session, and what that costs. */
export interface PolicyOutcome {
  /** The name of the policy. */
  profile: string;
  /** The model's context window, in tokens; `null` if it is not known. */
  window: number | null;
  /** The size from which the policy considers the context full; `null` if the window is not known. */
  threshold: number | null;
  /** How many answered requests there are. */
  requests: number;
  /** How many compactions pruned outputs. One that did may have made a summary as well. */
  prunes: number;
  /** How many compactions made a summary. */
  summaries: number;
  /** How many outputs were pruned in all. */
  outputs: number;
  /**
   * How many answered requests send more than the policy's threshold allows, because nothing more could be removed.
   */
  unfit: number;
  /**
   * How many answered requests, with what is sent beside the messages, are larger than the window: a provider would
   * have refused them. `null` if the window is not known.
   */
  overWindow: number | null;
  /** The largest request, in tokens, with what is sent beside the messages. */
  peak: number;
  /** The mean of all requests. */
  mean: number;
  /** What all requests are charged for. */
  charge: Charge;
  /** The cost, in fresh input tokens. */
  cost: number;
  /**
   * What the same life costs without any compaction, in fresh input tokens. Such a life may be impossible: its
   * requests may be larger than the window.
   */
  without: number;
  /** `cost` as a share of `without`; `null` if that is nothing. */
  ofNothing: number | null;
}

/** What one request is charged for, in tokens. */
export interface Charge {
  /** Input that is neither read from the cache nor written to it. */
  fresh: number;
  /** Input that is read from the cache. */
  cached: number;
  /** Input that is written to the cache. */
  written: number;
  /** Output. */
  output: number;
  /** The input of the summary that was made before the request, all of it fresh. */
  summaryInput: number;
  /** The output of that summary. */
  summaryOutput: number;
  /**
   * Tokens that were in the cache at the request before and cannot be read any more, because what precedes them
   * changed.
   */
  broken: number;
}

/** What the rules of a cache predict for a recorded session, beside what its provider reported. */
export interface CacheCheck {
  /** Every request with a report that follows another, oldest first. */
  requests: CheckedRequest[];
  /** The median error of what is predicted from reported sizes, as a share of what was reported. */
  medianError: number;
  /** The same for what is predicted from estimated sizes. */
  medianErrorEstimated: number;
  /** All reads that are predicted from reported sizes, in tokens. */
  predicted: number;
  /** All reads that are predicted from estimated sizes, in tokens. */
  estimated: number;
  /** All reads that were reported, in tokens. */
  reported: number;
  /** Requests for which reads are predicted and none was reported: an entry expired or was never kept. */
  missed: number;
  /** Requests for which no read is predicted and one was reported: an entry lived longer than the rules say. */
  unexpected: number;
  /** What is sent beside the messages, in tokens, as the reported sizes show it. */
  overhead: number;
  /** How many reported tokens one estimated token is. */
  ratio: number;
}

/** One request of a check, in tokens. */
export interface CheckedRequest {
  /** The message of the log that answers it. */
  message: number;
  /** All of its input, as reported. */
  input: number;
  /** The predicted read, from the reported size of the request before. */
  predicted: number;
  /** The predicted read, from estimated sizes. */
  estimated: number;
  /** The reported read. */
  reported: number;
}

/** A sweep as a report, for programs in other languages. */
export interface SweepReport {
  /** The name and version of this form. */
  schema: "ebbline.sweep/1";
  /** How many sessions were added up. */
  sessions: number;
  /** The points, in the order of the grid. */
  points: PointReport[];
}

/** One point of a report. */
export interface PointReport {
  /** The name of the policy. */
  profile: string;
  /** The knobs that the grid turned, by their paths, with their values as they were given. */
  set: Record<string, unknown>;
  /** The context window, in tokens; `null` if it is not known. */
  window: number | null;
  /** The size from which the policy considers the context full; `null` if the window is not known. */
  threshold: number | null;
  /** Answered requests. */
  requests: number;
  /** Compactions that pruned outputs. */
  prunes: number;
  /** Compactions that made a summary. */
  summaries: number;
  /** Pruned outputs. */
  outputs: number;
  /** Requests that send more than the policy's threshold allows, because nothing more could be removed. */
  unfit: number;
  /** Requests that are larger than the window; 0 if it is not known. */
  overWindow: number;
  /** The largest request, in tokens. */
  peak: number;
  /** The input of all requests, in tokens. */
  input: number;
  /** The cost, in fresh input tokens. */
  cost: number;
  /** What the same sessions cost without any compaction. */
  without: number;
  /** Outputs that left the context. */
  departedOutputs: number;
  /** Outputs that left and that the assistant needs again. */
  neededAgain: number;
  /** How many of them were pruned; a summary stood for the others. */
  neededAgainPruned: number;
  /** Calls that are made again after their output left. */
  readAgain: number;
  /** Decisions of the assistant that left, and of which nothing returns. */
  decisionsGone: number;
  /** Compactions after which the user's first message is not in the context word for word. */
  goalGone: number;
  /** The mean of all requests, in tokens. */
  mean: number;
  /** The cost as a share of what the same sessions cost without any compaction; `null` if that is nothing. */
  ofNothing: number | null;
  /** Outputs that are needed again, for each 100 requests; `null` without requests. */
  neededAgainPer100Requests: number | null;
  /** Whether no other point beats it. */
  onFrontier: boolean;
  /** The cheapest point of the frontier that beats it, by its index; `null` on the frontier. */
  beatenBy: number | null;
}

/** What the compactions of a session lost. */
export interface Loss {
  /** Requests that the session made: answers of the model. */
  requests: number;
  /** Moments at which something left. */
  compactions: number;
  /** Parts that left. */
  departedParts: number;
  /** Outputs that left. */
  departedOutputs: number;
  /** Parts that left and whose text the file does not contain: nothing is measured of them. */
  withoutText: number;
  /** Outputs that are needed again. */
  references: References;
  /** Calls that are made again. */
  reReads: ReReads;
  /**
   * What summaries and the rest of the context still contain of what was summarized; `null` if nothing was
   * summarized, or if the text of a summary is unknown.
   */
  coverage: Coverage | null;
  /** What the user ordered. */
  orders: OrderLoss;
  /** Decisions of the assistant that left. */
  decisions: DecisionLoss;
  /** The user's own words at the moments of compaction. */
  words: WordsKept;
  /** Compactions that undo each other. */
  thrash: Thrash;
  /** How full the context was; `null` without sizes or without a window. */
  utilization: Utilization | null;
  /** The worst findings, worst first. */
  worst: LossFinding[];
}

/** Outputs that left and whose identifiers the assistant uses later. */
export interface References {
  /** Outputs that left with identifiers that nothing else in the context contains. */
  withUnique: number;
  /** How many of them are re-referenced. */
  reReferenced: number;
  /** How many of the re-referenced outputs were pruned; a summary stood for the others. */
  pruned: number;
  /** Re-referenced outputs for each 100 requests; `null` without requests. */
  per100Requests: number | null;
  /** Share of the outputs that left which are re-referenced, 0 to 1; `null` if none left. */
  rate: number | null;
}

/** Calls that repeat the call of an output that left. */
export interface ReReads {
  /** Outputs that left and whose call is known. */
  outputs: number;
  /** How many of these calls are made again, with the same tool and the same arguments. */
  exact: number;
}

/** Coverage by class. Files, numbers and names are counted apart in outputs, where most are noise. */
export interface Coverage {
  /** Files that the user, the assistant or a call's arguments name. */
  files: CoverageShare;
  /** Commands that the assistant ran. */
  commands: CoverageShare;
  /** Error codes and error messages, wherever they are. */
  errors: CoverageShare;
  /** Numbers that the user, the assistant or a call's arguments name. */
  numbers: CoverageShare;
  /** Names in code and hashes that the user, the assistant or a call's arguments name. */
  names: CoverageShare;
  /** Files, numbers and names that only outputs name. */
  inOutputs: CoverageShare;
}

/** How much of a class is still there. */
export interface CoverageShare {
  /** Different identifiers that were summarized. */
  departed: number;
  /** How many of them a summary or the rest of the context contains. */
  kept: number;
}

/** What became of standing orders. */
export interface OrderLoss {
  /** Orders that the user gave. */
  given: number;
  /** How many of them a later order superseded. */
  superseded: number;
  /** Orders that left while they were in force, and that a summary repeats word for word. */
  repeated: number;
  /** The same, of which a line of a summary has nearly all words. */
  paraphrased: number;
  /** The same, of which nothing is left; `null` if the text of a summary is unknown. */
  lost: number | null;
}

/** What became of decisions. */
export interface DecisionLoss {
  /** Sentences that left, state a decision, and name an identifier. */
  departed: number;
  /** How many of them name only what never appears again, in no summary either. */
  neverReturn: number;
}

/** At how many compactions the user's words were in the context afterwards, word for word. */
export interface WordsKept {
  /** Compactions with a message of the user before them. */
  compactions: number;
  /** How many of them kept the first message. */
  goalKept: number;
  /** How many of them kept the newest message. */
  lastKept: number;
}

/** Compactions that come too soon, and work that is undone. */
export interface Thrash {
  /** Compactions that come soon after the one before. */
  close: number;
  /** Outputs that left again after they had been read again. */
  departedAgain: number;
  /** Close compactions as a share of all but the first, 0 to 1; `null` with fewer than two. */
  index: number | null;
}

/** How full the context window was. */
export interface Utilization {
  /** The largest size as a share of the window. */
  peak: number;
  /** The mean size as a share of the window. */
  mean: number;
}

/** One loss. */
export interface LossFinding {
  /** What was lost. */
  kind:
    /** A standing order in force is neither in the context nor in a summary. */
    | "lost_order"
    /** The user's first message is not in the context word for word. */
    | "lost_goal"
    /** The assistant uses what only an output said that has left. */
    | "re_reference"
    /** The assistant makes the call again whose output has left. */
    | "re_read"
    /** A decision left, and nothing that it names appears again. */
    | "decision";
  /** The message that it was in. */
  message: number;
  /** The part that it was in, as an index of the transcript's parts. */
  part: number;
  /** The message whose request was the first without it. */
  at: number;
  /** The identifiers, the order, or the sentence. */
  words: string[];
  /** The message in which the assistant uses it later. */
  usedIn: number | null;
  /** How many identifiers are concerned. */
  weight: number;
}

/** One place at which a message list breaks a rule. */
export interface Violation {
  /** The message, by its index in the session; 0 for an empty list. */
  message: number;
  /** The part, by its index in the message; missing if the message as a whole breaks the rule. */
  part?: number;
  /** The rule that is broken. */
  rule: RuleName;
  /** What is wrong, as a sentence. */
  text: string;
  /** The line on which the message begins, counted from 1; only for text. */
  line?: number;
  /** The byte at which the message begins, counted from 0; only for text. */
  byte?: number;
}

/** A call at the end of a session that has no result yet. */
export interface PendingCall {
  /** The message that makes the call, by its index in the session. */
  message: number;
  /** The call, by its index in the message. */
  part: number;
  /** The call's id, if the session has one and the transcript was read from text. */
  id?: string;
  /** The tool's name. */
  tool?: string;
  /** What a late result would cause, as a sentence. */
  text: string;
  /** The line on which the message begins, counted from 1; only for text. */
  line?: number;
  /** The byte at which the message begins, counted from 0; only for text. */
  byte?: number;
}

/** A description of a session or a transcript, for people and for other languages. */
export interface ReadReport {
  /** The format's name. */
  format?: string;
  /** The format's name for people. */
  title?: string;
  /** What shows that the session has it, in words. */
  evidence?: string;
  /**
   * What the reported input tokens of an answer cover: the whole request, only the part that did not come from the
   * provider's cache, or one of the two, depending on the agent's version. Missing for formats that report nothing.
   */
  reportedInput?:
    /** All of the request, what came from the provider's cache included. */
    | "includes_cache"
    /** Only what did not come from the cache; reads and writes of the cache are reported beside it. */
    | "excludes_cache"
    /** It depends on the version that wrote the file, or on the provider. */
    | "either";
  /** How many there are of what. */
  counts: Counts;
  /** Where the file records that its agent compacted, pruned or rewound the session; only for text. */
  markers?: Marker[];
  /** What could not be read; its bytes stay in every output. */
  problems: Problem[];
  /** The entries of a session tree (pi); only for text. */
  entries?: Entry[];
  /** Every message with its parts. */
  messages: MessageReport[];
}

/** Numbers of messages, calls and results, counted while reading. */
export interface Counts {
  /**
   * Messages in the file, active or not. Markers are not counted, nor are system prompts outside the list of
   * messages.
   */
  messages: number;
  /** Messages that the agent would not send now. Notices, which the agent never sends, are not counted. */
  inactive: number;
  /** Tool calls. */
  calls: number;
  /** Tool results. */
  results: number;
  /** Total length of all tool results, in Unicode code points. */
  resultChars: number;
  /** Tool results that were pruned before. */
  alreadyPruned: number;
  /** Calls whose id no result answers. */
  callsWithoutResult: number;
  /**
   * How many of the calls without a result by id do have one: the session has no ids for them, so name and order pair
   * them with their results.
   */
  pairedByPlace: number;
  /**
   * Results whose call is missing. In formats that pair by order alone, a result may name no call; such results are
   * not counted.
   */
  resultsWithoutCall: number;
  /** Images. */
  images: number;
}

/** What the file records of its own agent's compactions. */
export interface Marker {
  /** What it records. */
  kind:
    /** Old messages gave way to a summary. */
    | "compaction"
    /** The summary itself, where it stands apart from the compaction's record. */
    | "summary"
    /** Old tool outputs were cleared. */
    | "prune"
    /** A branch was left behind, and a summary tells of it. */
    | "branch"
    /** Messages were taken back: a rewind, a rollback. */
    | "rewind";
  /** The format's own word for it, for example `compact_boundary`. */
  name: string;
  /** Its place in the text, in bytes. */
  bytes: [start: number, end: number];
}

/** A piece of the source that could not be read. */
export interface Problem {
  /** The error's code. */
  code: ErrorCode;
  /** What is wrong, in words. */
  message: string;
  /** The line, counted from 1. */
  line?: number;
  /** The byte, counted from 0. */
  byte?: number;
}

/** One entry of a session tree as pi sees it after migrating the file to its version 3. */
export interface Entry {
  /** `session`, `message`, `compaction`, … */
  type: string;
  /** For the header: the version after migration. */
  version?: string;
  /** The entry's id; entries of version 1 get one from their line. */
  id?: string;
  /** The id of the entry before it on its branch. */
  parentId: string | null;
  /** The role of a message entry; `hookMessage` of version 2 reads `custom`. */
  role?: string;
  /** For a compaction: the first entry that it keeps. */
  firstKeptEntryId?: string;
  /** The message of the transcript made from the entry. */
  message?: number;
  /** Whether the entry is on the branch that ends in the newest entry. */
  onBranch: boolean;
}

/** A message with its place and its parts. */
export interface MessageReport {
  /** Who speaks. */
  role: Role;
  /** Whether it begins a turn. */
  turn:
    /** It does not. */
    | "no"
    /** A person's message. */
    | "person"
    /** A message in the user's place that the agent wrote itself: a compaction marker, "Continue …". */
    | "synthetic"
    /**
     * Context that the agent added in the user's place: reminders, lists of tools, files, output of its own commands,
     * the task of a sub-agent. Nobody said it, and it begins no turn.
     */
    | "context";
  /** Whether the model ended its answer with this message: by a stop reason, or by text without a call. */
  ended: boolean;
  /** Whether it is a summary of what came before. */
  summary: boolean;
  /**
   * Whether the agent would send the message now. A message before a recorded compaction, or on another branch of a
   * session tree, is not active: it stays in the file, and no decision takes it into account.
   */
  active: boolean;
  /**
   * Whether the message continues the answer of the message before it. Some formats (OpenAI Responses, Codex, Claude
   * Code) keep one answer of the model in several entries; nothing may come between these.
   */
  continues: boolean;
  /**
   * Whether the agent sends the message even when a summary replaces its surroundings. OpenHands 0, for example, puts
   * the user's first message back.
   */
  pinned?: boolean;
  /**
   * Whether the format has a field that marks an output of this message as pruned. If it has, the plain placeholder
   * is sent for the output. If not, the placeholder may carry a reference, by which it is recognized later.
   */
  hasPruneField?: boolean;
  /**
   * For a summary: how many of the messages behind it existed already when it was written. Missing when nothing says
   * so.
   */
  kept?: number;
  /**
   * The tokens that the provider reported for the request and this answer together. Missing when it reported none, or
   * when a later compaction has replaced the context that the figure describes.
   */
  usage?: number;
  /** Its place in the text, in bytes; only for text. */
  bytes?: [start: number, end: number];
  /** Its parts, in their order. */
  parts: PartReport[];
}

/** A part with its tool by name instead of by index. */
export interface PartReport {
  /** What the part is. */
  kind: PartKind;
  /** For a tool result: what may be done with it. */
  output: PartOutput;
  /** The number of texts that the part is made of. Estimators that join texts with a separator need it. */
  pieces: number;
  /** The length of what is sent. For a tool call, this is the length of its arguments as compact JSON. */
  length: PartLength;
  /**
   * The length in the notation of the format's own system, where that system measures another text than the one it
   * sends. TunaCode measures the Python `repr` of a result that is not a string (in code points). pi measures what
   * `JSON.stringify` writes for a call's arguments, and Gemini CLI what it writes for a response (both in UTF-16
   * units). No notation of a value is empty.
   */
  native?: number;
  /**
   * The call that the part makes or answers, or that an image belongs to. Parts with the same index belong to the
   * same call.
   */
  call?: number;
  /**
   * Whether the part carries a signature or encrypted content that the provider verifies. Such a part must be sent
   * back unchanged and in its place.
   */
  signed: boolean;
  /** The tool's name. */
  toolName?: string;
}

/** The length of a text, in every unit in which an estimator may measure it. */
export interface PartLength {
  /** UTF-16 code units. */
  utf16: number;
  /** Unicode code points. */
  codePoints: number;
  /** Bytes of UTF-8. */
  bytes: number;
  /** 64ths of a token, estimated by the kinds of characters. */
  classed: number;
  /** The same; of a value, those of the JSON that is sent. */
  classedJson: number;
}
