/**
 * OpenCode's event-based core: `2026-06` exactly, `later` (undated) by reading.
 *
 * Entries are session messages, alone or as `{ seq, message }`, as values or as JSON text, oldest first.
 */
export interface OpencodeV2Compat {
  /** Compacts with the model's replies so far. */
  compact(entries: readonly unknown[] | string, options: OpencodeV2CompactOptions): OpencodeV2Compaction;
  /** Whether the next request has to be compacted first. */
  required(entries: readonly unknown[] | string, options: OpencodeV2Options): boolean;
}

export interface OpencodeV2Options {
  /** `2026-06` by default. */
  version?: "2026-06" | "later" | undefined;
  /** The model's limits; `input` counts in the later version only. */
  limits?: { context?: number | undefined; input?: number | undefined; output?: number | undefined } | undefined;
  /** The request about to be sent: in `2026-06` its JSON size is measured, later its system prompt and tools. */
  request?: { system?: unknown; messages?: unknown; tools?: unknown; generation?: { maxTokens?: number | undefined } | undefined } | undefined;
  /** Configuration documents in order of precedence. */
  config?: readonly { type: "document"; info: { compaction?: OpencodeV2Config | undefined } }[] | undefined;
}

export interface OpencodeV2Config {
  auto?: boolean | undefined;
  /** 20,000 by default. */
  buffer?: number | undefined;
  /** 8,000 by default in `2026-06`, 15,000 later. */
  keep?: { tokens?: number | undefined } | undefined;
}

export interface OpencodeV2CompactOptions extends OpencodeV2Options {
  /** `ifNeeded` asks {@link OpencodeV2Compat.required} first; `afterOverflow` by default. */
  mode?: "ifNeeded" | "afterOverflow" | "manual" | undefined;
  /** What the model answered: its events, its text, or an error. */
  reply?: OpencodeV2Reply | undefined;
  /** The same, for the later version's second request. */
  replies?: readonly OpencodeV2Reply[] | undefined;
}

export type OpencodeV2Reply = string | { error: string } | readonly { type: string; text?: string }[];

export interface OpencodeV2Compaction {
  compacted: boolean;
  /** The types of the published events, in order. */
  events: string[];
  /** The last request made. */
  request: OpencodeV2Request | null;
  checkpoint: OpencodeV2Checkpoint | null;
  /** Why it failed, where the system says so. */
  failure?: { type: string; message: string };
  /** Whether the request still waits for its reply. */
  waiting: boolean;
}

export interface OpencodeV2Request {
  /** How many of the messages go in front, as in a normal request; 0 in `2026-06`. */
  history: number;
  system: string;
  messages: { role: "user" | "assistant"; text: string }[];
  maxTokens: number | null;
  reasoning: string | null;
  cacheRetention: "none" | null;
}

export interface OpencodeV2Checkpoint {
  reason: "auto" | "manual";
  summary: string;
  /** The recent history as text. */
  recent: string;
  /** The message of role user in which both are sent. */
  text: string;
}
