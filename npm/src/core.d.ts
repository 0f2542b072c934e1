/* tslint:disable */
/* eslint-disable */

/**
 * What a compactor does, one action after the other. What is not known is negative.
 */
export class Course {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * There is a summary.
     *
     * # Errors
     *
     * `mismatch` when none was asked for.
     */
    accepted(): void;
    /**
     * The provider answered.
     */
    answered(): void;
    /**
     * Before a request.
     *
     * # Errors
     *
     * None.
     */
    beforeRequest(ledger: Ledger, changed_at: number, idle: number, left: number): string;
    /**
     * The summary is not wanted.
     *
     * # Errors
     *
     * `mismatch` when none was asked for.
     */
    cancelled(): void;
    /**
     * The ledger has what a compaction left; its tokens.
     */
    committed(ledger: Ledger, changed_at: number, cause: string, before: number, is_summary: boolean): number;
    /**
     * The call has ended; its passes stay, or were taken back.
     */
    ends(is_taken_back: boolean): void;
    /**
     * The summary of the newest order failed, and nobody wants to go on.
     *
     * # Errors
     *
     * `mismatch` when none was asked for.
     */
    failedForGood(): void;
    /**
     * The summary of the newest order failed.
     *
     * # Errors
     *
     * `mismatch` when none was asked for.
     */
    failed(ledger: Ledger, changed_at: number): string;
    /**
     * What no compaction makes smaller has so many tokens.
     *
     * # Errors
     *
     * None.
     */
    fixed(ledger: Ledger, changed_at: number, tokens: number, has_pins: boolean): string;
    /**
     * After an overflow, or when somebody asks.
     */
    forced(ledger: Ledger, changed_at: number, is_overflow: boolean, idle: number): string;
    /**
     * Whether the context exceeds the window.
     */
    isOverWindow(ledger: Ledger, changed_at: number, idle: number): boolean;
    /**
     * Learns from a refusal, which may name the window; the window to go on with, if it is another one.
     */
    learn(ledger: Ledger, changed_at: number, named: number): number;
    /**
     * A window that was learnt, and what the caller had said of it.
     */
    learnt(): Float64Array | undefined;
    /**
     * The course of a compactor that continues from the figures of a state; without any, of one that has not sent anything.
     *
     * # Errors
     *
     * `mismatch` when the state is none, `invalid_option` when the caller's own trigger is none.
     */
    constructor(auto: boolean, failures: number, cooldown: number, state: Float64Array, author: string, fallback: string, when: string | null | undefined, overhead: number, remembered: number);
    /**
     * What a plan is asked for with: its size, and the tokens that are sent beside the messages.
     */
    options(ledger: Ledger, changed_at: number, force: boolean, idle: number): Float64Array;
    /**
     * The event of a context that exceeds the window, as JSON; nothing if it fits.
     */
    overWindow(ledger: Ledger, changed_at: number): string | undefined;
    /**
     * The provider refused what was sent.
     */
    overflows(): void;
    /**
     * The tokens that are sent beside the messages.
     */
    overhead(ledger: Ledger): number;
    /**
     * Passes were made, and left a context of this size, if it is known; or there were none.
     *
     * # Errors
     *
     * None.
     */
    passed(ledger: Ledger, changed_at: number, is_made: boolean, size: number): string;
    /**
     * An overflow was not recovered from.
     */
    recoveredFromNothing(): void;
    /**
     * Goes on with a window that was learnt, if the caller says the same as then; whether it does.
     */
    remember(window: number, told: number, said: number): boolean;
    /**
     * Goes on with what was ordered before a request while a summary was written.
     */
    resumes(ledger: Ledger, changed_at: number, idle: number): void;
    /**
     * The size of the context.
     */
    size(ledger: Ledger, changed_at: number): number;
    /**
     * What the controller remembers, as figures.
     */
    state(): Float64Array;
    /**
     * Another model gets the next requests.
     */
    switches(): void;
    /**
     * The history of a call was taken.
     */
    took(is_edited: boolean, is_longer: boolean): void;
    /**
     * The newest compaction was taken back, or one was made again.
     */
    turned(is_redo: boolean, can_redo: boolean): void;
    /**
     * The provider reported the tokens of the last request, and those that it cleared of it.
     */
    usage(tokens: number, cleared: number, ledger: Ledger): void;
    /**
     * A summary is written while the agent goes on, or no longer.
     */
    waits(is_waiting: boolean): void;
    /**
     * No summary by rule can be had.
     *
     * # Errors
     *
     * None.
     */
    withoutRule(ledger: Ledger, changed_at: number): string;
    /**
     * Why the newest action is done.
     */
    readonly cause: string;
    /**
     * The code of what is in the way.
     */
    readonly code: string | undefined;
    /**
     * Whether the caller need not be asked for it.
     */
    readonly isAllowed: boolean;
    /**
     * What is in the way, as a sentence.
     */
    readonly message: string | undefined;
    /**
     * The tokens of which a summary by rule must leave less.
     */
    readonly most: number;
    /**
     * What its plan is asked for with: whether it is forced, its size, what is sent beside the messages, how long nothing was sent.
     */
    readonly order: Float64Array;
}

/**
 * Where messages are divided: JavaScript tries the parts.
 */
export class Division {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * For each part, the first message behind it, and how many messages it is asked for with.
     */
    cuts(): Uint32Array | undefined;
    /**
     * So many messages of the part that was tried are worth a request.
     */
    found(messages: number): void;
    /**
     * The division of messages, two words each: 2 for one that is summarized, 1 for one that is sent; and its tokens.
     */
    constructor(messages: Uint32Array, boundary: number, summarized: number, budget: number);
    /**
     * The part that is tried next: its first message, and the first behind it.
     */
    nextPart(): Uint32Array | undefined;
    /**
     * The request for the part that was tried is too large.
     */
    tooLarge(): void;
    /**
     * The most tokens of a request for a part that is tried.
     */
    readonly budget: number;
}

/**
 * A session that grows under one policy.
 */
export class Ledger {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Says that the context changes to `messages` messages. Returns what is remembered of the tokens sent beside the
     * messages; a negative number when nothing is known.
     */
    changesTo(messages: number): number;
    /**
     * The outputs that the plan cuts, oldest first, six words each ([`ebbline::binding::cut`]).
     */
    cut(): Uint32Array;
    /**
     * Decides; the figures then hold the decision.
     */
    decide(force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number): void;
    /**
     * What the ledger knows of the tokens sent beside the messages and a plan of the messages alone does not learn; a
     * negative number for nothing.
     */
    knownOverhead(): number;
    /**
     * A ledger without messages.
     */
    constructor(policy: Policy);
    /**
     * The whole plan as JSON, from the same sums as the decision.
     */
    plan(force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number): string;
    /**
     * The outputs that the plan prunes or cuts, oldest first: message, part, message, part …
     */
    pruned(): Uint32Array;
    /**
     * Adds the messages of the first `count` words of the room.
     *
     * # Errors
     *
     * `mismatch` when the words are no records.
     */
    push(count: number): void;
    /**
     * Remembers what another ledger knew when the context became what its first `messages` messages are.
     */
    recall(overhead: number, messages: number): void;
    /**
     * Makes room for `count` words and says where it lies in the module's memory; it moves when more is asked for.
     *
     * # Errors
     *
     * `too_large` when there is not that much memory.
     */
    room(count: number): number;
    /**
     * Registers the next tool that records will number: the first is number 1.
     */
    tool(name: string): void;
    /**
     * Forgets all but the first `messages` messages.
     */
    truncate(messages: number): void;
    /**
     * Where the figures of the decision made last lie in the module's memory, as doubles. They never move.
     */
    readonly figures: number;
}

/**
 * A policy.
 */
export class Policy {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Takes over what the policy holds for the model `name`.
     *
     * # Errors
     *
     * As [`ebbline::Policy::for_model`].
     */
    forModel(name: string): void;
    /**
     * The policy of a profile.
     *
     * # Errors
     *
     * `unknown_profile`.
     */
    constructor(profile: string);
    /**
     * Takes over what a partial policy in JSON names.
     *
     * # Errors
     *
     * As [`ebbline::Policy::overlay`].
     */
    overlay(json: string): void;
    /**
     * Turns one knob.
     *
     * # Errors
     *
     * As [`ebbline::Policy::set`].
     */
    set(path: string, value: string): void;
    /**
     * The policy as JSON.
     */
    toJson(): string;
    /**
     * Whether a summary carries the user's own words.
     */
    readonly carriesWords: boolean;
    /**
     * Whether text has to be measured in bytes.
     */
    readonly countsBytes: boolean;
    /**
     * The same, and values as the JSON that is sent.
     */
    readonly countsClassesOfJson: boolean;
    /**
     * Whether text has to be measured by the kinds of its characters.
     */
    readonly countsClasses: boolean;
    /**
     * Whether text has to be measured in code points.
     */
    readonly countsCodePoints: boolean;
    /**
     * Whether parts are measured in the notation of the format's own system.
     */
    readonly countsNotation: boolean;
    /**
     * The text that replaces a pruned output.
     */
    readonly placeholder: string;
    /**
     * Whether a reference to the call follows the placeholder.
     */
    readonly reference: boolean;
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
 * The tables of [`ebbline::binding::classes::tables`].
 */
export function classTables(): Uint8Array;

/**
 * What the error means that is written as JSON in the first `length` bytes of a buffer, which is used up; the
 * answer is JSON. `policy` is the name that a policy has, `profile` one that must be known. Without either, the rules of all
 * systems are taken together.
 *
 * # Errors
 *
 * `unknown_profile`, `not_json`.
 */
export function classifyFailure(error: TextBuffer, length: number, profile?: string | null, policy?: string | null, provider?: string | null, context_window?: number | null, desired_output?: number | null): string;

/**
 * The name of the profile used when none is named.
 */
export function defaultProfile(): string;

/**
 * The transcript that `words` hold as JSON: its counts and messages.
 *
 * # Errors
 *
 * `mismatch` when the words are no records.
 */
export function describeRecords(words: Uint32Array, tools: string[]): string;

/**
 * The fingerprint of messages that comes with the request for their summary.
 *
 * # Errors
 *
 * `mismatch` when the words are no records, `not_utf8`.
 */
export function fingerprintOfRecords(words: Uint32Array, tools: string[], texts: TextBuffer, pieces: Uint32Array): string;

/**
 * The summary that an answer makes and what is unusual about it, as JSON: `{summary, warnings: [{code, text}]}`;
 * `context` is what came with the request, as JSON.
 *
 * # Errors
 *
 * As [`ebbline::summary::review`] and [`SummaryContext::from_json`].
 */
export function finishSummary(context: string, text: string, truncated: boolean): string;

/**
 * Whether a summary shows nothing, as [`ebbline::summary::is_blank`] has it.
 */
export function isBlank(summary: string): boolean;

/**
 * Whether one request of this budget would have to leave out or cut much of so many tokens.
 */
export function isTooMuch(summarized: number, budget: number): boolean;

/**
 * Summaries of parts as the messages of which one summary is written, a JSON array.
 */
export function joinedSummaries(summaries: string[]): string;

/**
 * Why a summary must not be used that makes `after` of `before` tokens and must leave less than `most`, if that is known.
 */
export function largerSummary(before: number, after: number, most: number): string | undefined;

/**
 * The known name that is nearest to `word`, as [`ebbline::binding::nearest`] finds it.
 */
export function nearest(word: string, known: string[]): string | undefined;

/**
 * Plans the transcript that `words` hold, `tools` being the names they number; the plan as JSON.
 *
 * # Errors
 *
 * `mismatch` when the words are no records.
 */
export function planRecords(words: Uint32Array, tools: string[], policy: Policy, force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number): string;

/**
 * What stays of an output that is cut: `text`, of which `length` bytes are used, is the output's own.
 *
 * # Errors
 *
 * `not_utf8` when the bytes are no text.
 */
export function previewOf(text: TextBuffer, length: number, policy: Policy, head: number, tail: number, most: number, media: number): string;

/**
 * Every profile as JSON, the default first: `[{name, about, policy}]`.
 */
export function profiles(): string;

/**
 * What became of known messages, for a person.
 */
export function reasonOfEdit(kept: number, known: number): string;

/**
 * The request for a summary of what the plan of live messages summarizes: what
 * [`ebbline::binding::summary_request`] writes; nothing if the plan summarizes nothing. `words` are the records of the
 * messages and `tools` the names that they number; `texts` holds the texts of their parts, which `pieces` describes
 * ([`Texts::of_pieces`]).
 *
 * # Errors
 *
 * `mismatch` when the words are no records, or the texts are not those of their parts; the errors of
 * [`ebbline::summary::request_of_texts`].
 */
export function summaryRequestOfRecords(words: Uint32Array, tools: string[], policy: Policy, force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number, texts: TextBuffer, pieces: Uint32Array, focus?: string | null, budget_tokens?: number | null): string | undefined;

/**
 * The summary with the user's own words behind it ([`ebbline::summary::words_of_texts`]); the arguments are those of
 * [`summary_request_of_records`].
 *
 * # Errors
 *
 * `mismatch` when the words are no records, or the texts are not those of their parts.
 */
export function wordsOfRecords(words: Uint32Array, tools: string[], policy: Policy, force: boolean, known_tokens: number, overhead: number, idle: number, changed_at: number, texts: TextBuffer, pieces: Uint32Array, summary: string): string;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_course_free: (a: number, b: number) => void;
    readonly __wbg_division_free: (a: number, b: number) => void;
    readonly __wbg_ledger_free: (a: number, b: number) => void;
    readonly __wbg_policy_free: (a: number, b: number) => void;
    readonly __wbg_textbuffer_free: (a: number, b: number) => void;
    readonly classTables: () => [number, number];
    readonly classifyFailure: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number) => [number, number, number, number];
    readonly course_accepted: (a: number) => [number, number];
    readonly course_answered: (a: number) => void;
    readonly course_beforeRequest: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly course_cancelled: (a: number) => [number, number];
    readonly course_cause: (a: number) => [number, number];
    readonly course_code: (a: number) => [number, number];
    readonly course_committed: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => number;
    readonly course_ends: (a: number, b: number) => void;
    readonly course_failed: (a: number, b: number, c: number) => [number, number, number, number];
    readonly course_failedForGood: (a: number) => [number, number];
    readonly course_fixed: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly course_forced: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly course_isAllowed: (a: number) => number;
    readonly course_isOverWindow: (a: number, b: number, c: number, d: number) => number;
    readonly course_learn: (a: number, b: number, c: number, d: number) => number;
    readonly course_learnt: (a: number) => [number, number];
    readonly course_message: (a: number) => [number, number];
    readonly course_most: (a: number) => number;
    readonly course_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number, m: number) => [number, number, number];
    readonly course_options: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly course_order: (a: number) => [number, number];
    readonly course_overWindow: (a: number, b: number, c: number) => [number, number];
    readonly course_overflows: (a: number) => void;
    readonly course_overhead: (a: number, b: number) => number;
    readonly course_passed: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly course_recoveredFromNothing: (a: number) => void;
    readonly course_remember: (a: number, b: number, c: number, d: number) => number;
    readonly course_resumes: (a: number, b: number, c: number, d: number) => void;
    readonly course_size: (a: number, b: number, c: number) => number;
    readonly course_state: (a: number) => [number, number];
    readonly course_switches: (a: number) => void;
    readonly course_took: (a: number, b: number, c: number) => void;
    readonly course_turned: (a: number, b: number, c: number) => void;
    readonly course_usage: (a: number, b: number, c: number, d: number) => void;
    readonly course_waits: (a: number, b: number) => void;
    readonly course_withoutRule: (a: number, b: number, c: number) => [number, number, number, number];
    readonly defaultProfile: () => [number, number];
    readonly describeRecords: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly division_budget: (a: number) => number;
    readonly division_cuts: (a: number) => [number, number];
    readonly division_found: (a: number, b: number) => void;
    readonly division_new: (a: number, b: number, c: number, d: number, e: number) => number;
    readonly division_nextPart: (a: number) => [number, number];
    readonly division_tooLarge: (a: number) => void;
    readonly fingerprintOfRecords: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number, number, number];
    readonly finishSummary: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly isBlank: (a: number, b: number) => number;
    readonly isTooMuch: (a: number, b: number) => number;
    readonly joinedSummaries: (a: number, b: number) => [number, number];
    readonly largerSummary: (a: number, b: number, c: number) => [number, number];
    readonly ledger_changesTo: (a: number, b: number) => number;
    readonly ledger_cut: (a: number) => [number, number];
    readonly ledger_decide: (a: number, b: number, c: number, d: number, e: number, f: number) => void;
    readonly ledger_figures: (a: number) => number;
    readonly ledger_knownOverhead: (a: number) => number;
    readonly ledger_new: (a: number) => number;
    readonly ledger_plan: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number];
    readonly ledger_pruned: (a: number) => [number, number];
    readonly ledger_push: (a: number, b: number) => [number, number];
    readonly ledger_recall: (a: number, b: number, c: number) => void;
    readonly ledger_room: (a: number, b: number) => [number, number, number];
    readonly ledger_tool: (a: number, b: number, c: number) => void;
    readonly ledger_truncate: (a: number, b: number) => void;
    readonly nearest: (a: number, b: number, c: number, d: number) => [number, number];
    readonly planRecords: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number) => [number, number, number, number];
    readonly policy_carries_words: (a: number) => number;
    readonly policy_countsBytes: (a: number) => number;
    readonly policy_countsClasses: (a: number) => number;
    readonly policy_countsClassesOfJson: (a: number) => number;
    readonly policy_countsCodePoints: (a: number) => number;
    readonly policy_countsNotation: (a: number) => number;
    readonly policy_forModel: (a: number, b: number, c: number) => [number, number];
    readonly policy_new: (a: number, b: number) => [number, number, number];
    readonly policy_overlay: (a: number, b: number, c: number) => [number, number];
    readonly policy_placeholder: (a: number) => [number, number];
    readonly policy_reference: (a: number) => number;
    readonly policy_set: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly policy_toJson: (a: number) => [number, number];
    readonly previewOf: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number, number, number];
    readonly profiles: () => [number, number];
    readonly reasonOfEdit: (a: number, b: number) => [number, number];
    readonly summaryRequestOfRecords: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number, m: number, n: number, o: number, p: number, q: number) => [number, number, number, number];
    readonly textbuffer_length: (a: number) => number;
    readonly textbuffer_new: (a: number) => [number, number, number];
    readonly textbuffer_pointer: (a: number) => number;
    readonly textbuffer_resize: (a: number, b: number) => [number, number];
    readonly wordsOfRecords: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number, m: number, n: number, o: number) => [number, number, number, number];
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __externref_table_alloc: () => number;
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
