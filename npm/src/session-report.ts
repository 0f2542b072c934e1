import * as core from './core.js';
import { formatNamed } from './catalog.js';
import { files } from './files.js';
import * as filesCore from './files-core.js';
import type { PartKind, Role } from './generated/plan.js';
import type { ErrorCode, FormatName, PartOutput } from './generated/words.js';
import { guarded } from './guard.js';
import { detectLive, evidenceOf } from './live-format.js';
import { walk } from './live-plan.js';
import { checked } from './options.js';
import type { ReadOptions } from './plan-options.js';
import { policyOf } from './ready-policy.js';
import { type SessionInput, sourceOf } from './session-source.js';
import { readText } from './text-session.js';
import { putText } from './text-buffer.js';

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
  reportedInput?: 'includes_cache' | 'excludes_cache' | 'either';
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
  kind: 'compaction' | 'summary' | 'prune' | 'branch' | 'rewind';
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
  turn: 'no' | 'person' | 'synthetic';
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

/**
 * Finds out which format a session has. `supported` is false for an array in a format that is read as text only.
 *
 * @throws {@link EbblineError} `no_messages` if the input is not a session in any known format
 */
export const detect = guarded(function detect(input: SessionInput): Detection {
  const source = sourceOf(input);
  if (Array.isArray(source)) return detectLive(source);
  const { buffer, length } = putText(source, files);
  return filesCore.detect(buffer, length);
});

/**
 * Reads a session and reports its content: counts, what could not be read, every message with its parts.
 *
 * @throws {@link EbblineError}
 */
export const read = guarded(function read(input: SessionInput, options?: ReadOptions): Report {
  const given = checked(options);
  const policy = policyOf(given);
  const source = sourceOf(input);
  if (!Array.isArray(source)) return readText(source, given, policy, (session) => JSON.parse(session.report()));
  const measures = { placeholder: policy.placeholder, wide: true, classes: true, ofJson: true, notation: true };
  return walk(source, { ...given, countTokens: undefined }, { measures }, false, (found, recorder) => {
    const { format, title, reportedInput } = formatNamed(found.format.name);
    const evidence = evidenceOf(source, found, title);
    const report: Pick<Report, 'counts' | 'problems' | 'messages'> = JSON.parse(core.describeRecords(recorder.records, recorder.tools));
    return { format, title, evidence, ...(reportedInput && { reportedInput }), ...report };
  });
});
