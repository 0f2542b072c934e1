// The entry for Vercel's edge runtime, whose bundlers need `?module` after the name. Their result is not always a
// `WebAssembly.Module` of the same realm; only the asynchronous `init` accepts it.
import module from './ebbline.wasm?module';

import { loadFrom as loadCompatFrom } from './compat/engine.js';
import { initFrom } from './start-later.js';

export const init = initFrom(() => module);

loadCompatFrom(async () => (await import('./compat.wasm?module')).default);

export * from './exports.js';
