/* tslint:disable */
/* eslint-disable */

/**
 * Says when an agent compacts. Steps and obstacles leave as their words.
 */
export class Controller {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The step after an overflow, by a forced decision.
     */
    afterOverflow(ledger: Ledger): string;
    /**
     * The step after what came of the request for a summary.
     *
     * # Errors
     *
     * `mismatch` if the controller does not wait for this summary.
     */
    answer(summary: number, answer: string): string;
    /**
     * Reports that the provider answered.
     */
    answered(): void;
    /**
     * The step before a request, by the decision that the ledger made last.
     */
    beforeRequest(ledger: Ledger): string;
    /**
     * Reports that a plan was carried out with a summary.
     */
    committed(tokens_before: number, tokens_after: number): void;
    /**
     * The step when somebody asks for a compaction, by a forced decision.
     */
    compactNow(ledger: Ledger): string;
    /**
     * A controller that continues from the figures of a state; without any, one of an agent that has not sent anything.
     *
     * # Errors
     *
     * `mismatch` when the state is none.
     */
    constructor(auto: boolean, failures: number, cooldown: number, state: Float64Array);
    /**
     * Why the last step was `give_up`.
     */
    obstacle(): string | undefined;
    /**
     * Reports that a compaction was made again.
     */
    redone(): void;
    /**
     * What the controller remembers, as figures.
     */
    state(): Float64Array;
    /**
     * Reports that a compaction was taken back.
     */
    undone(): void;
    /**
     * The number of the newest summary that was asked for.
     */
    readonly asked: number;
    /**
     * Whether a compaction was taken back, so that none is made unasked.
     */
    readonly isHeld: boolean;
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
 * What was learnt from reports. What is not known is negative.
 */
export class Reports {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The size to decide by where the context of the ledger's messages may not fit; negative if it fits all the same.
     */
    cautious(size: number, reclaimed: number, threshold: number, ledger: Ledger): number;
    /**
     * Says that a compaction made messages of one estimate those of another.
     */
    changes(before: number, after: number): void;
    /**
     * Takes back what was learnt of the overhead; whether there was anything.
     */
    doubts(): boolean;
    /**
     * Learns from the tokens that are reported, and from those that the provider cleared.
     */
    learn(reported: number, cleared: number, ledger: Ledger): void;
    /**
     * Before any report: what the caller says is sent beside the messages, and what is remembered of it.
     */
    constructor(given: number, remembered: number);
    /**
     * The tokens that are sent beside the messages.
     */
    overhead(ledger: Ledger): number;
    /**
     * Says that the model sees all that is sent.
     */
    seesAll(): void;
    /**
     * Says that the ledger's messages are sent. `is_reported`: they report usage themselves.
     */
    sends(ledger: Ledger, is_reported: boolean): void;
    /**
     * How many tokens fewer than estimated the model sees.
     */
    readonly unseen: number;
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
 * Whether a caller's own trigger holds ([`Trigger`]). What is not known is negative.
 */
export function isTriggered(figures: Float64Array, tokens: number, window: number, messages: number, turns: number, idle: number, left: number): boolean;

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
 * The window to go on with after a refusal: the one that it names, or else the size that was sent. Nothing if that is not
 * smaller than what is known.
 */
export function windowLearnt(named: number | null | undefined, sent: number, known?: number | null): number | undefined;

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
    readonly __wbg_controller_free: (a: number, b: number) => void;
    readonly __wbg_ledger_free: (a: number, b: number) => void;
    readonly __wbg_policy_free: (a: number, b: number) => void;
    readonly __wbg_reports_free: (a: number, b: number) => void;
    readonly __wbg_textbuffer_free: (a: number, b: number) => void;
    readonly classTables: () => [number, number];
    readonly classifyFailure: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number) => [number, number, number, number];
    readonly controller_afterOverflow: (a: number, b: number) => [number, number];
    readonly controller_answer: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly controller_answered: (a: number) => void;
    readonly controller_asked: (a: number) => number;
    readonly controller_beforeRequest: (a: number, b: number) => [number, number];
    readonly controller_committed: (a: number, b: number, c: number) => void;
    readonly controller_compactNow: (a: number, b: number) => [number, number];
    readonly controller_isHeld: (a: number) => number;
    readonly controller_new: (a: number, b: number, c: number, d: number, e: number) => [number, number, number];
    readonly controller_obstacle: (a: number) => [number, number];
    readonly controller_redone: (a: number) => void;
    readonly controller_state: (a: number) => [number, number];
    readonly controller_undone: (a: number) => void;
    readonly defaultProfile: () => [number, number];
    readonly describeRecords: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly fingerprintOfRecords: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number, number, number];
    readonly finishSummary: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly isBlank: (a: number, b: number) => number;
    readonly isTriggered: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => number;
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
    readonly reports_cautious: (a: number, b: number, c: number, d: number, e: number) => number;
    readonly reports_changes: (a: number, b: number, c: number) => void;
    readonly reports_doubts: (a: number) => number;
    readonly reports_learn: (a: number, b: number, c: number, d: number) => void;
    readonly reports_new: (a: number, b: number) => number;
    readonly reports_overhead: (a: number, b: number) => number;
    readonly reports_seesAll: (a: number) => void;
    readonly reports_sends: (a: number, b: number, c: number) => void;
    readonly reports_unseen: (a: number) => number;
    readonly summaryRequestOfRecords: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number, m: number, n: number, o: number, p: number, q: number) => [number, number, number, number];
    readonly textbuffer_length: (a: number) => number;
    readonly textbuffer_new: (a: number) => [number, number, number];
    readonly textbuffer_pointer: (a: number) => number;
    readonly textbuffer_resize: (a: number, b: number) => [number, number];
    readonly windowLearnt: (a: number, b: number, c: number, d: number, e: number) => [number, number];
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
