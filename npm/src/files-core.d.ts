import type { CarriedSummary } from './carry-over.js';
import type { Policy } from './generated/policy.js';
import type { CacheCheck, Loss, PolicyOutcome, ReplayReport } from './generated/reports.js';
import type { Repaired as RepairReport } from './repair.js';
import type { Assumptions } from './replay.js';
import type { Detection } from './session-report.js';
import type { Judgement } from './summary-request.js';
import type { WrittenSweep } from './sweep.js';
import type { NumberedValidation, Validation } from './validation.js';
export class Division {
    free(): void;
    [Symbol.dispose](): void;
    cuts(): Uint32Array | undefined;
    found(messages: number): void;
    constructor(messages: Uint32Array, boundary: number, summarized: number, budget: number);
    nextPart(): Uint32Array | undefined;
    tooLarge(): void;
    readonly budget: number;
}
export class Plan {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    toJson(): string;
}
export class Repaired {
    free(): void;
    [Symbol.dispose](): void;
    constructor(text: TextBuffer, length: number, format: string | null | undefined, strict: boolean, conversation: number | null | undefined, also: string[], except: string[]);
    report(): RepairReport;
    text(): TextBuffer;
}
export class SessionText {
    free(): void;
    [Symbol.dispose](): void;
    audit(findings: number): Loss;
    cacheCheck(policy: string, terms: Terms): CacheCheck | null;
    compact(plan: Plan, summary: string | null | undefined, now: number | null | undefined, free_bytes: boolean): TextBuffer;
    compare(policies: string[], terms: Terms): PolicyOutcome[];
    loss(policies: string[], terms: Terms, findings: number): Loss[];
    constructor(text: TextBuffer, length: number, format: string | null | undefined, placeholder: string | null | undefined, strict: boolean, conversation?: number | null);
    plan(policy: string, force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number): Plan;
    replay(policy: string, terms: Terms): ReplayReport;
    report(): string;
    summaryRequest(plan: Plan, focus?: string | null, notes?: string | null, budget_tokens?: number | null): string | undefined;
    validate(also: string[], except: string[]): Validation;
}
export class Sweep {
    free(): void;
    [Symbol.dispose](): void;
    add(figures: Float64Array): void;
    axis(path: string, values: string[]): void;
    beside(policy: string): void;
    make(windows: Float64Array): void;
    constructor(base?: string | null);
    report(): WrittenSweep;
    weigh(session: SessionText, terms: Terms): Float64Array;
}
export class Terms {
    free(): void;
    [Symbol.dispose](): void;
    constructor(given: Assumptions);
}
export class TextBuffer {
    free(): void;
    [Symbol.dispose](): void;
    constructor(capacity: number);
    resize(capacity: number): void;
    readonly length: number;
    readonly pointer: number;
}
export function carriedOfRecords(words: Uint32Array, tools: string[], texts: TextBuffer, pieces: Uint32Array, gone: Uint8Array, pinned: Uint32Array, summary: string): CarriedSummary;
export function compareRecords(words: Uint32Array, tools: string[], policies: string[], terms: Terms): PolicyOutcome[];
export function detect(text: TextBuffer, length: number): Detection;
export function deterministicOfRecords(words: Uint32Array, tools: string[], policy: string, force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number, texts: TextBuffer, pieces: Uint32Array): string | undefined;
export function isTooMuch(summarized: number, budget: number): boolean;
export function joinedSummaries(summaries: string[]): string;
export function judgementOfRecords(words: Uint32Array, tools: string[], policy: string, force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number, texts: TextBuffer, pieces: Uint32Array, answer: string, truncated: boolean, wanted: string, sent: string, budget: number): Judgement;
export function largerSummary(before: number, after: number, most: number): string | undefined;
export function passesOfRecords(words: Uint32Array, tools: string[], policy: string, force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number, texts: TextBuffer, pieces: Uint32Array, bodies: TextBuffer, bodies_length: number): string | undefined;
export function readSettings(profile: string, settings: string, environment: string[], model?: string | null): Policy;
export function remainsOfRecords(words: Uint32Array, tools: string[], policy: string, texts: TextBuffer, pieces: Uint32Array, outputs: Uint32Array): string[];
export function replayRecords(words: Uint32Array, tools: string[], policy: string, terms: Terms): ReplayReport;
export function validateRecords(words: Uint32Array, tools: string[], format: string, also: string[], except: string[], empty_calls: Uint32Array, cache_marks: Uint32Array, blank_texts: Uint32Array, calls: Uint32Array): NumberedValidation;
export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;
export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbindgen_externrefs: WebAssembly.Table;
}
export type SyncInitInput = BufferSource | WebAssembly.Module;
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;
export default function __wbg_init (module_or_path: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
