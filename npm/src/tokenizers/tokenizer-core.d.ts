export class Tokenizer {
    free(): void;
    [Symbol.dispose](): void;
    clear(): void;
    countPart(length: number, is_last: boolean, special: number): number;
    decode(tokens: Uint32Array): Uint8Array | undefined;
    encodePart(length: number, is_last: boolean, special: number): void;
    grow(): void;
    constructor(encoding: string, ranks: Uint8Array);
    specialTokens(): string[];
    readonly rest: number;
    readonly textLength: number;
    readonly textPointer: number;
    readonly tokensLength: number;
    readonly tokensPointer: number;
}
export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;
export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbindgen_externrefs: WebAssembly.Table;
}
export type SyncInitInput = BufferSource | WebAssembly.Module;
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;
export default function __wbg_init (module_or_path: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
