export class TextBuffer {
    free(): void;
    [Symbol.dispose](): void;
    constructor(capacity: number);
    resize(capacity: number): void;
    readonly length: number;
    readonly pointer: number;
}
export function askCompat(system: string, name: string, data: TextBuffer, length: number, options: string): TextBuffer;
export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;
export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbindgen_externrefs: WebAssembly.Table;
}
export type SyncInitInput = BufferSource | WebAssembly.Module;
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;
export default function __wbg_init (module_or_path: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
