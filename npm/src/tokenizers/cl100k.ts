// The entry for browsers and bundlers: both files are fetched from this file's folder.
import { loaderOf } from './loader.js';

export const { load } = loaderOf('cl100k_base', {
  wasm: () => new URL('./tokenizer.wasm', import.meta.url),
  ranks: () => new URL('./cl100k.bin', import.meta.url),
});

export { EbblineError } from './tokenizer-error.js';
