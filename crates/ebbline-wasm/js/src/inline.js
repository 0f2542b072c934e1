// The entry that needs no file beside it, for bundlers and places where none can be served. `cargo xtask npm` writes the
// module as text into ebbline.wasm.js.
import { module } from './ebbline.wasm.js';
import { startNow } from './start-now.js';

startNow(Uint8Array.from(atob(module), (letter) => letter.charCodeAt(0)));

export * from './exports.js';
export { init } from './start-now.js';
