/* tslint:disable */
/* eslint-disable */

/**
 * Bytes that cross.
 */
export class Bytes {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * So many bytes.
     *
     * # Errors
     *
     * `too_large` if there is not enough memory.
     */
    constructor(length: number);
    /**
     * How many they are.
     */
    readonly length: number;
    /**
     * The address of the bytes in the module's memory, which changes with every call that may allocate.
     */
    readonly pointer: number;
}

/**
 * A command that runs.
 */
export class CommandRun {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The bytes of what was asked last; they can be taken once.
     */
    bytes(): Bytes;
    /**
     * The exit code, once the command is done.
     */
    code(): number;
    /**
     * A command of the arguments behind the program's name, and of its terminal, both as JSON.
     */
    constructor(args: string, terminal: string);
    /**
     * Goes on with an answer, and says what is asked next. Bytes that belong to the answer are in a buffer.
     */
    step(answer: string, bytes?: Bytes | null): string;
}

/**
 * Does one task on any number of files.
 */
export class TaskRun {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * A task, as JSON.
     */
    constructor(task: string);
    /**
     * What becomes of a file with these bytes, as JSON.
     */
    run(file: string, bytes: Bytes): string;
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
 * What becomes of a file on which the module failed, as JSON.
 */
export function brokenFile(file: string, error: string): string;

/**
 * What becomes of a file that cannot be read, as JSON; `refusal` says why.
 */
export function unreadFile(file: string, refusal: string): string;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_bytes_free: (a: number, b: number) => void;
    readonly __wbg_commandrun_free: (a: number, b: number) => void;
    readonly __wbg_taskrun_free: (a: number, b: number) => void;
    readonly __wbg_textbuffer_free: (a: number, b: number) => void;
    readonly brokenFile: (a: number, b: number, c: number, d: number) => [number, number];
    readonly bytes_length: (a: number) => number;
    readonly bytes_new: (a: number) => [number, number, number];
    readonly bytes_pointer: (a: number) => number;
    readonly commandrun_bytes: (a: number) => number;
    readonly commandrun_code: (a: number) => number;
    readonly commandrun_new: (a: number, b: number, c: number, d: number) => number;
    readonly commandrun_step: (a: number, b: number, c: number, d: number) => [number, number];
    readonly taskrun_new: (a: number, b: number) => number;
    readonly taskrun_run: (a: number, b: number, c: number, d: number) => [number, number];
    readonly textbuffer_length: (a: number) => number;
    readonly textbuffer_new: (a: number) => [number, number, number];
    readonly textbuffer_pointer: (a: number) => number;
    readonly textbuffer_resize: (a: number, b: number) => [number, number];
    readonly unreadFile: (a: number, b: number, c: number, d: number) => [number, number];
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
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
