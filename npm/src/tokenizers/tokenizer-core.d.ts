/* tslint:disable */
/* eslint-disable */

/**
 * A tokenizer with buffers for a part of a text and for tokens.
 */
export class Tokenizer {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Clears text and tokens; buffers of an ordinary size are kept.
     */
    clear(): void;
    /**
     * Counts the tokens of the part's first `length` bytes; if it is not the last part, only those tokens that do not
     * depend on the next one.
     */
    countPart(length: number, is_last: boolean, special: number): number;
    /**
     * The bytes of tokens; `None` if one of them is not a token.
     */
    decode(tokens: Uint32Array): Uint8Array | undefined;
    /**
     * Like [`Self::count_part`], but appends the tokens to those of the previous parts.
     *
     * # Errors
     *
     * `too_large` when there is no memory for them.
     */
    encodePart(length: number, is_last: boolean, special: number): void;
    /**
     * Doubles the buffer. The pointer changes; the remaining bytes stay.
     *
     * # Errors
     *
     * `too_large` when there is not that much memory.
     */
    grow(): void;
    /**
     * The tokenizer of an encoding, with its packed ranks.
     *
     * # Errors
     *
     * `bad_ranks` when they are not those of the encoding.
     */
    constructor(encoding: string, ranks: Uint8Array);
    /**
     * The names of the special tokens, in the order of the bits of `special` below.
     */
    specialTokens(): string[];
    /**
     * The number of remaining bytes of the previous part; the next part is written after them.
     */
    readonly rest: number;
    /**
     * The most bytes of a part.
     */
    readonly textLength: number;
    /**
     * The address of the part in the module's memory.
     */
    readonly textPointer: number;
    /**
     * The number of tokens.
     */
    readonly tokensLength: number;
    /**
     * The address of the tokens in the module's memory.
     */
    readonly tokensPointer: number;
}

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_tokenizer_free: (a: number, b: number) => void;
    readonly tokenizer_clear: (a: number) => void;
    readonly tokenizer_countPart: (a: number, b: number, c: number, d: number) => number;
    readonly tokenizer_decode: (a: number, b: number, c: number) => [number, number];
    readonly tokenizer_encodePart: (a: number, b: number, c: number, d: number) => [number, number];
    readonly tokenizer_grow: (a: number) => [number, number];
    readonly tokenizer_new: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly tokenizer_rest: (a: number) => number;
    readonly tokenizer_specialTokens: (a: number) => [number, number];
    readonly tokenizer_textLength: (a: number) => number;
    readonly tokenizer_textPointer: (a: number) => number;
    readonly tokenizer_tokensLength: (a: number) => number;
    readonly tokenizer_tokensPointer: (a: number) => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
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
