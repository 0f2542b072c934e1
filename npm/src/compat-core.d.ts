/* tslint:disable */
/* eslint-disable */

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
 * Asks `system` the question `name` about the JSON in the first `length` bytes of a buffer, which is used up.
 *
 * # Errors
 *
 * As [`ebbline_compat::ask`].
 */
export function askCompat(system: string, name: string, data: TextBuffer, length: number, options: string): TextBuffer;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_textbuffer_free: (a: number, b: number) => void;
    readonly askCompat: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number];
    readonly textbuffer_length: (a: number) => number;
    readonly textbuffer_new: (a: number) => [number, number, number];
    readonly textbuffer_pointer: (a: number) => number;
    readonly textbuffer_resize: (a: number, b: number) => [number, number];
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __externref_table_dealloc: (a: number) => void;
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
