/* tslint:disable */
/* eslint-disable */

/**
 * A plan, kept to be carried out.
 */
export class Plan {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The plan as JSON.
     */
    toJson(): string;
}

/**
 * A repaired text, and what was done.
 */
export class Repaired {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Repairs the first `length` bytes of a buffer, which is used up, by the rules of its format with `also` and without `except`.
     *
     * # Errors
     *
     * As [`ebbline::repair::repair_under`]; `unknown_format`, `invalid_settings` for a name that is no rule's.
     */
    constructor(text: TextBuffer, length: number, format: string | null | undefined, strict: boolean, conversation: number | null | undefined, also: string[], except: string[]);
    /**
     * What was done and what is left, as JSON: `{done, left}`.
     */
    report(): string;
    /**
     * The text; it can be taken once.
     */
    text(): TextBuffer;
}

/**
 * A session together with its text.
 */
export class SessionText {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * What the compactions lost that the session itself records, with at most `findings` findings.
     */
    audit(findings: number): string;
    /**
     * The rules of the cache checked against the reads that the session's provider reported, by the estimator of a whole
     * policy, given as JSON; `null` if it reported none.
     *
     * # Errors
     *
     * As [`ebbline::Policy::overlay`].
     */
    cacheCheck(policy: string, terms: Terms): string;
    /**
     * The ids of the calls with these numbers, as the report gives them; empty for a call without an id.
     */
    callIds(calls: Uint32Array): string[];
    /**
     * The text with `plan` carried out.
     *
     * # Errors
     *
     * As [`ebbline::SessionText::compact_bytes`].
     */
    compact(plan: Plan, summary: string | null | undefined, now: number | null | undefined, free_bytes: boolean): TextBuffer;
    /**
     * The life of the session under several whole policies, each given as JSON; the outcomes as JSON.
     *
     * # Errors
     *
     * As [`ebbline::Policy::overlay`].
     */
    compare(policies: string[], terms: Terms): string;
    /**
     * The edits by which [`SessionText::compact`] writes: for each the first byte, the byte behind the last, and how many bytes
     * are written instead.
     *
     * # Errors
     *
     * As [`ebbline::SessionText::edits`].
     */
    edits(plan: Plan, summary: string | null | undefined, now: number | null | undefined, free_bytes: boolean): Uint32Array;
    /**
     * What the session loses under each of several whole policies, each given as JSON: a list of reports, each with at
     * most `findings` findings.
     *
     * # Errors
     *
     * As [`ebbline::Policy::overlay`].
     */
    loss(policies: string[], terms: Terms, findings: number): string;
    /**
     * Reads the first `length` bytes of a buffer, which is used up.
     *
     * # Errors
     *
     * As [`ebbline::SessionText::read_with`]; `unknown_format`.
     */
    constructor(text: TextBuffer, length: number, format: string | null | undefined, placeholder: string | null | undefined, strict: boolean, conversation?: number | null);
    /**
     * The output of a call, as JSON: `{text, whole}`; nothing if no result answers it.
     */
    output(id: string): string | undefined;
    /**
     * Plans under a whole policy, given as JSON.
     *
     * # Errors
     *
     * As [`ebbline::Policy::overlay`].
     */
    plan(policy: string, force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number): Plan;
    /**
     * The life of the session under a whole policy, given as JSON; the report as JSON.
     *
     * # Errors
     *
     * As [`ebbline::Policy::overlay`].
     */
    replay(policy: string, terms: Terms): string;
    /**
     * What was read, as JSON.
     */
    report(): string;
    /**
     * The request for a summary of what `plan` summarizes, as JSON: `{request, context}`; nothing when it summarizes
     * nothing. `plan` may be one of the live messages that the session's text was written from.
     *
     * # Errors
     *
     * As [`ebbline::SessionText::summary_request`].
     */
    summaryRequest(plan: Plan, focus?: string | null, budget_tokens?: number | null): string | undefined;
    /**
     * Whether it is a valid request, as JSON; `also` and `except` name rules.
     *
     * # Errors
     *
     * `invalid_settings` for the name of a rule.
     */
    validate(also: string[], except: string[]): string;
}

/**
 * A grid and what is known of its points.
 */
export class Sweep {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Adds the figures of one session.
     */
    add(figures: Float64Array): void;
    /**
     * The values of a knob.
     */
    axis(path: string, values: string[]): void;
    /**
     * A whole policy, given as JSON, whose knobs are not turned.
     *
     * # Errors
     *
     * As [`ebbline::Policy::overlay`].
     */
    beside(policy: string): void;
    /**
     * The points of the grid in these windows.
     *
     * # Errors
     *
     * As [`Grid::points`].
     */
    make(windows: Float64Array): void;
    /**
     * A grid over a whole policy, given as JSON, if there is one; each other policy and each axis is added. The points are made
     * by [`Sweep::make`].
     *
     * # Errors
     *
     * As [`ebbline::Policy::overlay`].
     */
    constructor(base?: string | null);
    /**
     * The sums and the frontier, as JSON.
     */
    report(): string;
    /**
     * What one session does at each point: the figures of all points, for [`Sweep::add`] of any sweep of the same grid.
     */
    weigh(session: SessionText, terms: Terms): Float64Array;
}

/**
 * What a replay assumes.
 */
export class Terms {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The provider's cache: its smallest prefix, its blocks, and how long it lives in milliseconds.
     */
    cache(minimum: number, block: number, lives?: number | null): void;
    /**
     * When policies decide, a word of [`Moments`].
     *
     * # Errors
     *
     * `invalid_option` for another word.
     */
    moments(word: string): void;
    /**
     * The assumptions of a replay; `usage` is a word of [`UsageFrom`].
     *
     * # Errors
     *
     * `invalid_option` for another word.
     */
    constructor(overhead: number, usage: string, cached: number, written: number, output: number);
}

/**
 * Bytes of UTF-8 text.
 */
export class TextBuffer {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * A buffer of `capacity` bytes.
     *
     * # Errors
     *
     * `too_large` if there is not enough memory.
     */
    constructor(capacity: number);
    /**
     * Resizes the buffer to `capacity` bytes and keeps its content. The pointer changes.
     *
     * # Errors
     *
     * `too_large` if there is not enough memory.
     */
    resize(capacity: number): void;
    /**
     * The number of bytes.
     */
    readonly length: number;
    /**
     * The address of the bytes in the module's memory.
     */
    readonly pointer: number;
}

/**
 * The summary with the standing orders and pinned texts that it carries behind it
 * ([`ebbline::summary::carried_of_texts`]), as JSON: `{summary, orders, pins}`. The messages are the whole history; `gone` has
 * one byte for each, 1 if it is no longer sent as it is.
 *
 * # Errors
 *
 * `mismatch` when the words are no records, or the arguments do not belong together.
 */
export function carriedOfRecords(words: Uint32Array, tools: string[], texts: TextBuffer, pieces: Uint32Array, gone: Uint8Array, pinned: Uint32Array, summary: string): string;

/**
 * Refuses the first `length` bytes of a buffer, which is used up, unless they are text.
 *
 * # Errors
 *
 * `not_utf8`, with the place of the first byte that is none.
 */
export function checkUtf8(text: TextBuffer, length: number): void;

/**
 * As [`SessionText::compare`], for the transcript that records hold.
 *
 * # Errors
 *
 * As [`SessionText::compare`]; `mismatch` when the words are no records.
 */
export function compareRecords(words: Uint32Array, tools: string[], policies: string[], terms: Terms): string;

/**
 * The format of the text in the first `length` bytes of a buffer, which is used up, as JSON:
 * `{format, title, supported, evidence}`.
 *
 * # Errors
 *
 * As [`ebbline::format::detect_text`].
 */
export function detect(text: TextBuffer, length: number): string;

/**
 * The summary that needs no model ([`ebbline::summary::deterministic_of_texts`]); nothing if the plan summarizes nothing but an
 * earlier summary. `policy` is a whole policy as JSON.
 *
 * # Errors
 *
 * As [`ebbline::Policy::overlay`]; `mismatch` when the words are no records, or the texts are not those of their parts.
 */
export function deterministicOfRecords(words: Uint32Array, tools: string[], policy: string, force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number, texts: TextBuffer, pieces: Uint32Array): string | undefined;

/**
 * Why an answer is no summary at all ([`ebbline::summary::no_summary`]), as JSON, as below; nothing if it may be one.
 */
export function noSummary(answer: string): string | undefined;

/**
 * The plan of live messages with the passes that the policy switches on, as JSON; nothing if they change nothing
 * ([`ebbline::binding::passes`]).
 *
 * # Errors
 *
 * As [`ebbline::Policy::overlay`]; `mismatch` when the words are no records, or the texts are not those of
 * their parts.
 */
export function passesOfRecords(words: Uint32Array, tools: string[], policy: string, force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number, texts: TextBuffer, pieces: Uint32Array, bodies: TextBuffer, bodies_length: number): string | undefined;

/**
 * The policy of `profile` as `settings` (JSON) turn it, as JSON; `environment` holds names and values in turn.
 *
 * # Errors
 *
 * As [`ebbline::settings::policy`].
 */
export function readSettings(profile: string, settings: string, environment: string[], model?: string | null): string;

/**
 * What remains of outputs that are pruned, without the references to their calls ([`ebbline::binding::remains`]).
 *
 * # Errors
 *
 * As [`passes_of_records`].
 */
export function remainsOfRecords(words: Uint32Array, tools: string[], policy: string, texts: TextBuffer, pieces: Uint32Array, outputs: Uint32Array): string[];

/**
 * As [`SessionText::replay`], for the transcript that records hold.
 *
 * # Errors
 *
 * As [`SessionText::replay`]; `mismatch` when the words are no records.
 */
export function replayRecords(words: Uint32Array, tools: string[], policy: string, terms: Terms): string;

/**
 * What a summary lacks ([`ebbline::summary::shortcomings_of_texts`]), as JSON: `{why, none, reminder}`; the other
 * arguments are those of [`deterministic_of_records`].
 *
 * # Errors
 *
 * As [`deterministic_of_records`].
 */
export function shortcomingsOfRecords(words: Uint32Array, tools: string[], policy: string, force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number, texts: TextBuffer, pieces: Uint32Array, summary: string, headings: boolean, language: boolean, facts: number): string;

/**
 * What a model is shown of a refused answer ([`ebbline::summary::again`]), as JSON: `[answer, reminder]`.
 *
 * # Errors
 *
 * As [`SummaryContext::from_json`].
 */
export function summaryAgain(context: string, sent: string, answer: string, reminder: string, budget: number): string;

/**
 * Validates live messages of a format, given as the records that a walker made of them and the names of the tools
 * that these number; `also` and `except` name rules. `empty_calls`, `cache_marks`, `blank_texts` and `calls` are what no record holds, see
 * [`Facts`]. Of a pending call, `number` is the call's number in the records.
 *
 * # Errors
 *
 * `mismatch` when the words are no records; `unknown_format`; `invalid_settings` for the name of a rule.
 */
export function validateRecords(words: Uint32Array, tools: string[], format: string, also: string[], except: string[], empty_calls: Uint32Array, cache_marks: Uint32Array, blank_texts: Uint32Array, calls: Uint32Array): string;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_plan_free: (a: number, b: number) => void;
    readonly __wbg_repaired_free: (a: number, b: number) => void;
    readonly __wbg_sessiontext_free: (a: number, b: number) => void;
    readonly __wbg_sweep_free: (a: number, b: number) => void;
    readonly __wbg_terms_free: (a: number, b: number) => void;
    readonly __wbg_textbuffer_free: (a: number, b: number) => void;
    readonly carriedOfRecords: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number, m: number) => [number, number, number, number];
    readonly checkUtf8: (a: number, b: number) => [number, number];
    readonly compareRecords: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number, number, number];
    readonly detect: (a: number, b: number) => [number, number, number, number];
    readonly deterministicOfRecords: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number, m: number, n: number) => [number, number, number, number];
    readonly noSummary: (a: number, b: number) => [number, number];
    readonly passesOfRecords: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number, m: number, n: number, o: number, p: number) => [number, number, number, number];
    readonly plan_toJson: (a: number) => [number, number];
    readonly readSettings: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number, number];
    readonly remainsOfRecords: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number) => [number, number, number, number];
    readonly repaired_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number) => [number, number, number];
    readonly repaired_report: (a: number) => [number, number];
    readonly repaired_text: (a: number) => number;
    readonly replayRecords: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number, number, number];
    readonly sessiontext_audit: (a: number, b: number) => [number, number];
    readonly sessiontext_cacheCheck: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly sessiontext_callIds: (a: number, b: number, c: number) => [number, number];
    readonly sessiontext_compact: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number, number];
    readonly sessiontext_compare: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly sessiontext_edits: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number, number, number];
    readonly sessiontext_loss: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly sessiontext_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number) => [number, number, number];
    readonly sessiontext_output: (a: number, b: number, c: number) => [number, number];
    readonly sessiontext_plan: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number];
    readonly sessiontext_replay: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly sessiontext_report: (a: number) => [number, number];
    readonly sessiontext_summaryRequest: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number, number];
    readonly sessiontext_validate: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly shortcomingsOfRecords: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number, m: number, n: number, o: number, p: number, q: number, r: number, s: number) => [number, number, number, number];
    readonly summaryAgain: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number) => [number, number, number, number];
    readonly sweep_add: (a: number, b: number, c: number) => void;
    readonly sweep_axis: (a: number, b: number, c: number, d: number, e: number) => void;
    readonly sweep_beside: (a: number, b: number, c: number) => [number, number];
    readonly sweep_make: (a: number, b: number, c: number) => [number, number];
    readonly sweep_new: (a: number, b: number) => [number, number, number];
    readonly sweep_report: (a: number) => [number, number];
    readonly sweep_weigh: (a: number, b: number, c: number) => [number, number];
    readonly terms_cache: (a: number, b: number, c: number, d: number, e: number) => void;
    readonly terms_moments: (a: number, b: number, c: number) => [number, number];
    readonly terms_new: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly textbuffer_length: (a: number) => number;
    readonly textbuffer_new: (a: number) => [number, number, number];
    readonly textbuffer_pointer: (a: number) => number;
    readonly textbuffer_resize: (a: number, b: number) => [number, number];
    readonly validateRecords: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number, m: number, n: number, o: number, p: number, q: number, r: number) => [number, number, number, number];
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __externref_table_alloc: () => number;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __externref_drop_slice: (a: number, b: number) => void;
    readonly __wbindgen_start: () => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
