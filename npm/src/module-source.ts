/** Where a WebAssembly module is: its address, a response that contains it, its bytes, or the compiled module itself. */
export type ModuleSource = URL | string | Request | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module | Promise<Response>;

/** A module that can be started at once. */
export type ModuleNow = BufferSource | WebAssembly.Module;

/** What wasm-bindgen takes for a module that it loads. */
export type InitInput = RequestInfo | URL | Response | ModuleNow | Promise<Response>;
