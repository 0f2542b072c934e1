// The entry for Cloudflare Workers, where only a static import can load a module: compiling one is forbidden there.
import module from './ebbline.wasm';
import texts from './files.wasm';

import { engine as compat } from './compat/engine.js';
import { files } from './files.js';
import { startNow } from './start-now.js';

startNow(module);

files.readWith(() => texts);
compat.loadFrom(async () => (await import('./compat.wasm')).default);

export * from './index.js';
