// The entry for browsers and every other runtime with `fetch`: the modules are beside this file.
import { loadFrom as loadCompatFrom } from './compat/engine.js';
import { initFrom } from './start-later.js';

export const init = initFrom(() => new URL('./ebbline.wasm', import.meta.url));

loadCompatFrom(() => new URL('./compat.wasm', import.meta.url));

export * from './exports.js';
