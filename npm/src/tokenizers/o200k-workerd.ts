// The entry for Cloudflare Workers, where both files come by a static import: compiling a module is forbidden there, and
// there is nothing to fetch them from.
import ranks from './o200k.bin';
import wasm from './tokenizer.wasm';

import { loaderOf } from './loader.js';

export const { load, loadSync } = loaderOf('o200k_base', { wasm: () => wasm, ranks: () => ranks });

export { EbblineError } from './tokenizer-error.js';
