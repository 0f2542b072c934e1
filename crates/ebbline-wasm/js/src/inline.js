// The entry that needs no other file, for bundlers and servers that cannot serve one. `cargo xtask npm` writes the
// modules as text into ebbline.wasm.js and compat.wasm.js; bundlers can keep the latter apart.
import { module } from './ebbline.wasm.js';
import { loadFrom as loadCompatFrom } from './compat/engine.js';
import { startNow } from './start-now.js';

startNow(bytesOf(module));
loadCompatFrom(async () => bytesOf((await import('./compat.wasm.js')).module));

export * from './exports.js';
export { init } from './start-now.js';

function bytesOf(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
