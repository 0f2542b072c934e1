// The entry for Vercel's edge runtime: as workerd.js, but its bundlers want `?module` behind the name.
import module from './ebbline.wasm?module';

import { startNow } from './start-now.js';

startNow(module);

export * from './exports.js';
export { init } from './start-now.js';
