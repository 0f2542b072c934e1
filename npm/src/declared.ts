export type { SummaryAnswer, InitOptions, PolicyOptions } from '../types/index.js';
export type {
  Compaction,
  Compactor,
  CompactorEvent,
  CompactorOptions,
  CompactorRecord,
  PrepareOptions,
  Summarize,
  SummaryText,
} from '../types/compactor.js';
export type { ModelRequest } from '../types/results.js';
export type { ErrorCode } from '../types/words.js';
