export class Bytes {
    free(): void;
    [Symbol.dispose](): void;
    constructor(length: number);
    readonly length: number;
    readonly pointer: number;
}
export class CommandRun {
    free(): void;
    [Symbol.dispose](): void;
    bytes(): Bytes;
    code(): number;
    constructor(args: string, terminal: string);
    step(answer: string, bytes?: Bytes | null): string;
}
export class TaskRun {
    free(): void;
    [Symbol.dispose](): void;
    constructor(task: string);
    run(file: string, bytes: Bytes): string;
}
export class TextBuffer {
    free(): void;
    [Symbol.dispose](): void;
    constructor(capacity: number);
    resize(capacity: number): void;
    readonly length: number;
    readonly pointer: number;
}
export function brokenFile(file: string, error: string): string;
export function unreadFile(file: string, refusal: string): string;
export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;
export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbindgen_externrefs: WebAssembly.Table;
}
export type SyncInitInput = BufferSource | WebAssembly.Module;
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;
export default function __wbg_init (module_or_path: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
