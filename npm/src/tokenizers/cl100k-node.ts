/**
 * Exact token counts for `cl100k_base`, equal to `tiktoken` token by token.
 *
 * Nothing is loaded before {@link load} is called. It loads a module for both encodings, and the vocabulary of this one.
 *
 * @packageDocumentation
 */

import type { Tokenizer, TokenizerSource, TokenizerSourceNow } from './loader.js';
// Both `import` and `require` get what node.cjs holds: one vocabulary, one EbblineError.
import { EbblineError as Thrown, cl100k } from './node.cjs';
import type { EbblineErrorClass, EbblineError as TokenizerError } from './tokenizer-error.js';

export type { EncodeOptions, Encoding, Tokenizer, TokenizerFile, TokenizerSource, TokenizerSourceNow } from './loader.js';
export type { EbblineErrorClass, TokenizerErrorCode } from './tokenizer-error.js';

/** The error that the functions of this module throw; the same class as in `ebbline`. */
export type EbblineError = TokenizerError;
export const EbblineError: EbblineErrorClass = Thrown;

/**
 * Loads the tokenizer of this encoding. Loaded files are shared: a second call reads no file and takes no memory.
 *
 * In Node, Deno and Bun the files are read from the package, in browsers they are fetched from beside it, and in
 * Cloudflare Workers they are part of the worker.
 *
 * @param source where the files are, if they are in other places
 * @throws {@link EbblineError}, as a rejection: `not_found`, `bad_ranks`, `invalid_option`
 *
 * @example
 * ```js
 * import { load } from "ebbline/tokenizers/cl100k";
 *
 * const cl100k = await load();
 * cl100k.count("hello world");  // 2
 * cl100k.encode("hello world"); // Uint32Array [15339, 1917]
 * ```
 */
export const load: (source?: TokenizerSource) => Promise<Tokenizer> = cl100k.load;

/**
 * The same as {@link load}, but synchronous. It exists in Node, Deno, Bun and Cloudflare Workers, not in browsers.
 *
 * @throws {@link EbblineError}
 */
export const loadSync: (source?: TokenizerSourceNow) => Tokenizer = cl100k.loadSync;
