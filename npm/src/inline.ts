// The entry that needs no other file, for bundlers and servers that cannot serve one. `cargo xtask npm` writes the
// modules as text into ebbline.wasm.js, files.wasm.js and compat.wasm.js; bundlers can keep the latter two apart.
import { module } from './ebbline.wasm.js';
import { engine as compat } from './compat/engine.js';
import { files } from './files.js';
import { startNow } from './start-now.js';

startNow(bytesOf(module));
files.loadFrom(async () => bytesOf((await import('./files.wasm.js')).module));
compat.loadFrom(async () => bytesOf((await import('./compat.wasm.js')).module));

export * from './index.js';

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
