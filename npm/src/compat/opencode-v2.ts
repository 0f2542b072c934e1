import { question } from './ask.js';

/**
 * OpenCode's event-based core. `2026-06` is reproduced exactly; `later` (undated) is implemented from reading its code.
 *
 * Entries are session messages, oldest first, alone or as `{ seq, message }`, as values or as JSON text.
 */
export interface OpencodeV2Compat {
  /** Carries out a compaction with the model's replies so far. */
  compact(entries: readonly unknown[] | string, options: OpencodeV2CompactOptions): OpencodeV2Compaction;
  /** Whether the context must be compacted before the next request. */
  required(entries: readonly unknown[] | string, options: OpencodeV2Options): boolean;
}

export interface OpencodeV2Options {
  /** `2026-06` by default. */
  version?: '2026-06' | 'later' | undefined;
  /** The model's limits; only the later version uses `input`. */
  limits?: { context?: number | undefined; input?: number | undefined; output?: number | undefined } | undefined;
  /** The next request: `2026-06` measures the size of its JSON, the later version its system prompt and tools. */
  request?:
    | { system?: unknown; messages?: unknown; tools?: unknown; generation?: { maxTokens?: number | undefined } | undefined }
    | undefined;
  /** Configuration documents in order of precedence. */
  config?: readonly { type: 'document'; info: { compaction?: OpencodeV2Config | undefined } }[] | undefined;
}

export interface OpencodeV2Config {
  auto?: boolean | undefined;
  /** 20,000 by default. */
  buffer?: number | undefined;
  /** 8,000 by default in `2026-06`, 15,000 in the later version. */
  keep?: { tokens?: number | undefined } | undefined;
}

export interface OpencodeV2CompactOptions extends OpencodeV2Options {
  /** `ifNeeded` asks {@link OpencodeV2Compat.required} first; `afterOverflow` by default. */
  mode?: 'ifNeeded' | 'afterOverflow' | 'manual' | undefined;
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
  /** The last request. */
  request: OpencodeV2Request | null;
  checkpoint: OpencodeV2Checkpoint | null;
  /** Why it failed, if the system says so. */
  failure?: { type: string; message: string };
  /** Whether the request still waits for its reply. */
  waiting: boolean;
}

export interface OpencodeV2Request {
  /** How many messages of the session precede the request's own, as in a normal request; 0 in `2026-06`. */
  history: number;
  system: string;
  messages: { role: 'user' | 'assistant'; text: string }[];
  maxTokens: number | null;
  reasoning: string | null;
  cacheRetention: 'none' | null;
}

export interface OpencodeV2Checkpoint {
  reason: 'auto' | 'manual';
  summary: string;
  /** The recent history as text. */
  recent: string;
  /** The message with the role `user` that contains both. */
  text: string;
}

const ask = <N extends keyof OpencodeV2Compat>(name: N) => question<OpencodeV2Compat[N]>('opencodeV2', name);

const opencodeV2: OpencodeV2Compat = {
  compact: ask('compact'),
  required: ask('required'),
};

export default opencodeV2;
