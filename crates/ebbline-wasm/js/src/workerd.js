// The entry for Cloudflare Workers, where only a static import can load a module: compiling one is forbidden there.
import module from './ebbline.wasm';

import { loadFrom as loadCompatFrom } from './compat/engine.js';
import { startNow } from './start-now.js';

startNow(module);

loadCompatFrom(async () => (await import('./compat.wasm')).default);

export * from './exports.js';
export { init } from './start-now.js';
