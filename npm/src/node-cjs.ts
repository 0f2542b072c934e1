// The engine for Node. It is bundled into node-engine.cjs, which node.cjs loads for both `require` and `import`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { engine as compat } from './compat/engine.js';
import { files } from './files.js';
import { startNow } from './start-now.js';

startNow(readFileSync(join(__dirname, 'ebbline.wasm')));
files.readWith(() => readFileSync(join(__dirname, 'files.wasm')));
compat.readWith(() => readFileSync(join(__dirname, 'compat.wasm')));

export * from './index.js';
