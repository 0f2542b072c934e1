// The entry for Cloudflare Workers, where a module can be had by a static import only: compiling one is forbidden there.
import module from './ebbline.wasm';

import { startNow } from './start-now.js';

startNow(module);

export * from './exports.js';
export { init } from './start-now.js';
