// The entry for Vercel's edge runtime, whose bundlers need `?module` after the name. Their result is not always a
// `WebAssembly.Module` of the same realm; only the asynchronous `init` accepts it.
import module from './ebbline.wasm?module';

import { engine as compat } from './compat/engine.js';
import { files } from './files.js';
import { initFrom } from './start-later.js';

export const init = initFrom(() => module);

files.loadFrom(async () => (await import('./files.wasm?module')).default);
compat.loadFrom(async () => (await import('./compat.wasm?module')).default);

export * from './index.js';
