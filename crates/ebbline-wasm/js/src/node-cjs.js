// The entry for Node. It is bundled into node.cjs, which both `require` and `import` load: one engine, one EbblineError.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startNow } from './start-now.js';

startNow(readFileSync(join(__dirname, 'ebbline.wasm')));

export * from './exports.js';
export { init } from './start-now.js';
