// The entry for browsers and bundlers: both files are fetched from this file's folder.
import { loaderOf } from './loader.js';

export const { load } = loaderOf('o200k_base', {
  wasm: () => new URL('./tokenizer.wasm', import.meta.url),
  ranks: () => new URL('./o200k.bin', import.meta.url),
});

export { EbblineError } from './tokenizer-error.js';
