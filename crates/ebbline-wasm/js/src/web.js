// The entry for browsers and everything else that can fetch: the module lies beside this file.
import { initFrom } from './start-later.js';

export const init = initFrom(() => new URL('./ebbline.wasm', import.meta.url));

export * from './exports.js';
