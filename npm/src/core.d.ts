export enum Action {
    Send = 0,
    MeasureFixed = 1,
    Pass = 2,
    Prune = 3,
    PruneAlone = 4,
    Summarize = 5,
    SummarizeByRule = 6,
    GiveUp = 7,
}
export class Course {
    free(): void;
    [Symbol.dispose](): void;
    accepted(): void;
    answered(): void;
    beforeRequest(ledger: Ledger, changed_at: number, idle: number, left: number): Action;
    begins(now: number, size: number, target: number, has_model: boolean): void;
    cancelled(): void;
    committed(ledger: Ledger, changed_at: number, cause: string, before: number, is_summary: boolean): number;
    ends(is_taken_back: boolean): void;
    failedForGood(): void;
    failed(ledger: Ledger, changed_at: number): Action;
    fixed(ledger: Ledger, changed_at: number, tokens: number, has_pins: boolean): Action;
    forced(ledger: Ledger, changed_at: number, is_overflow: boolean, idle: number): Action;
    idle(said: number, now: number): number;
    isOverWindow(ledger: Ledger, changed_at: number, idle: number): boolean;
    learn(ledger: Ledger, changed_at: number, named: number): number;
    learnt(): Float64Array | undefined;
    constructor(auto: boolean, failures: number, cooldown: number, state: Float64Array, author: string, fallback: string, when: string | null | undefined, overhead: number, remembered: number);
    options(ledger: Ledger, changed_at: number, force: boolean, idle: number): Float64Array;
    overWindow(ledger: Ledger, changed_at: number): string | undefined;
    overflows(): void;
    overhead(ledger: Ledger): number;
    passed(ledger: Ledger, changed_at: number, is_made: boolean, size: number): Action;
    recoveredFromNothing(): void;
    remember(window: number, told: number, said: number): boolean;
    restores(newer: number): void;
    resumes(ledger: Ledger, changed_at: number, idle: number): void;
    size(ledger: Ledger, changed_at: number): number;
    state(): Float64Array;
    switches(): void;
    took(is_edited: boolean, is_longer: boolean): void;
    turned(is_redo: boolean, can_redo: boolean): void;
    usage(tokens: number, cleared: number, ledger: Ledger): void;
    waits(is_waiting: boolean): void;
    withoutRule(ledger: Ledger, changed_at: number): Action;
    readonly cause: string;
    readonly code: string | undefined;
    readonly isAllowed: boolean;
    readonly message: string | undefined;
    readonly most: number;
    readonly order: Float64Array;
}
export class Ledger {
    free(): void;
    [Symbol.dispose](): void;
    changesTo(messages: number): number;
    cut(): Uint32Array;
    decide(force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number): void;
    knownOverhead(): number;
    constructor(policy: Policy);
    plan(force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number): string;
    pruned(): Uint32Array;
    push(count: number): void;
    recall(overhead: number, messages: number): void;
    room(count: number): number;
    tool(name: string): void;
    truncate(messages: number): void;
    readonly figures: number;
}
export class Policy {
    free(): void;
    [Symbol.dispose](): void;
    forModel(name: string): void;
    constructor(profile: string);
    overlay(json: string): void;
    set(path: string, value: string): void;
    toJson(): string;
    readonly carriesWords: boolean;
    readonly countsBytes: boolean;
    readonly countsClassesOfJson: boolean;
    readonly countsClasses: boolean;
    readonly countsCodePoints: boolean;
    readonly countsNotation: boolean;
    readonly describes: boolean;
    readonly placeholder: string;
    readonly reference: boolean;
}
export class TextBuffer {
    free(): void;
    [Symbol.dispose](): void;
    constructor(capacity: number);
    resize(capacity: number): void;
    readonly length: number;
    readonly pointer: number;
}
export function classTables(): Uint8Array;
export function classifyFailure(error: TextBuffer, length: number, profile?: string | null, policy?: string | null, provider?: string | null, context_window?: number | null, desired_output?: number | null): string;
export function defaultProfile(): string;
export function describeRecords(words: Uint32Array, tools: string[]): string;
export function fingerprintOfRecords(words: Uint32Array, tools: string[], texts: TextBuffer, pieces: Uint32Array): string;
export function finishSummary(context: string, text: string, truncated: boolean): string;
export function isBlank(summary: string): boolean;
export function nearest(word: string, known: string[]): string | undefined;
export function planRecords(words: Uint32Array, tools: string[], policy: Policy, force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number): string;
export function previewOf(text: TextBuffer, length: number, policy: Policy, head: number, tail: number, most: number, media: number): string;
export function profiles(): string;
export function reasonOfEdit(kept: number, known: number): string;
export function summaryRequestOfRecords(words: Uint32Array, tools: string[], policy: Policy, force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number, texts: TextBuffer, pieces: Uint32Array, focus?: string | null, notes?: string | null, budget_tokens?: number | null): string | undefined;
export function wordsOfRecords(words: Uint32Array, tools: string[], policy: Policy, force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number, texts: TextBuffer, pieces: Uint32Array, summary: string): string;
export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;
export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbindgen_externrefs: WebAssembly.Table;
}
export type SyncInitInput = BufferSource | WebAssembly.Module;
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;
export default function __wbg_init (module_or_path: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
