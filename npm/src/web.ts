// The entry for browsers and every other runtime with `fetch`: the modules are beside this file.
import { engine as compat } from './compat/engine.js';
import { files } from './files.js';
import { initFrom } from './start-later.js';

export const init = initFrom(() => new URL('./ebbline.wasm', import.meta.url));

files.loadFrom(() => new URL('./files.wasm', import.meta.url));
compat.loadFrom(() => new URL('./compat.wasm', import.meta.url));

export * from './index.js';
