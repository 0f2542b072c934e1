/**
 * Exact token counts for `o200k_base` and `cl100k_base`, equal to `tiktoken` token by token.
 *
 * Nothing is loaded before {@link load} is called. It loads a module for both encodings, and the vocabulary of this one.
 *
 * @packageDocumentation
 */

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
 * import { load } from "ebbline/tokenizers/o200k";
 *
 * const o200k = await load();
 * o200k.count("hello world");  // 2
 * o200k.encode("hello world"); // Uint32Array [24912, 2375]
 * ```
 */
export function load(source?: TokenizerSource): Promise<Tokenizer>;

/**
 * The same as {@link load}, but synchronous. It exists in Node, Deno, Bun and Cloudflare Workers, not in browsers.
 *
 * @throws {@link EbblineError}
 */
export function loadSync(source?: TokenizerSourceNow): Tokenizer;

/** The files of a tokenizer, each as an address, a response, or its content. */
export interface TokenizerSource {
  /** `ebbline/tokenizers/tokenizer.wasm`. All tokenizers share it, so only the first one that is loaded uses this option. */
  wasm?: TokenizerFile | WebAssembly.Module | Promise<TokenizerFile | WebAssembly.Module> | undefined;
  /** `ebbline/tokenizers/o200k.bin` or `ebbline/tokenizers/cl100k.bin`. */
  ranks?: TokenizerFile | Promise<TokenizerFile> | undefined;
}

export type TokenizerFile = URL | string | Request | Response | ArrayBuffer | ArrayBufferView;

/** The files of a tokenizer, already loaded. */
export interface TokenizerSourceNow {
  wasm?: ArrayBuffer | ArrayBufferView | WebAssembly.Module | undefined;
  ranks?: ArrayBuffer | ArrayBufferView | undefined;
}

/** Counts, encodes and decodes; all methods are synchronous. */
export interface Tokenizer extends Disposes {
  readonly encoding: "o200k_base" | "cl100k_base";

  /**
   * How many tokens a text has. An unpaired surrogate counts as U+FFFD.
   *
   * @throws {@link EbblineError} `invalid_option`, `special_token`, `freed`
   */
  count(text: string, options?: EncodeOptions): number;

  /**
   * The tokens of a text.
   *
   * @throws {@link EbblineError} `invalid_option`, `special_token`, `freed`, `too_large`
   */
  encode(text: string, options?: EncodeOptions): Uint32Array;

  /**
   * The text of tokens, including special tokens. U+FFFD replaces each part of a character that is divided between tokens.
   *
   * @throws {@link EbblineError} `invalid_option` if a number is not a token, `freed`
   */
  decode(tokens: Uint32Array | readonly number[]): string;

  /**
   * Releases the memory once no other tokenizer of the encoding is in use. Every later call throws. `using` does the same if
   * the runtime has `Symbol.dispose`.
   */
  free(): void;
}

/** `[Symbol.dispose]()`, if the compiler knows that symbol. */
type Disposes = SymbolConstructor extends { readonly dispose: infer D extends symbol } ? { [K in D]: () => void } : {};

export interface EncodeOptions {
  /**
   * Which special tokens in the text, such as `<|endoftext|>`, are encoded as special tokens: none of them (the default: they
   * are ordinary text), all of them, or the listed ones.
   */
  special?: "none" | "all" | readonly string[] | undefined;
  /** Whether a special token that `special` does not name is an error, as it is in `tiktoken`; `false` by default. */
  strict?: boolean | undefined;
}

/** The error that the functions of this module throw; the same class as in `ebbline`. */
export class EbblineError extends Error {
  constructor(code: TokenizerErrorCode, message: string, line?: number, byte?: number);
  readonly name: "EbblineError";
  /** What went wrong; programs should compare this code, not the message. */
  readonly code: TokenizerErrorCode;
}

export type TokenizerErrorCode =
  /** A file of the tokenizer cannot be fetched. */
  | "not_found"
  /** The ranks are damaged, or belong to another encoding. */
  | "bad_ranks"
  /** An argument or an option has the wrong type, or does not exist. */
  | "invalid_option"
  /** With `strict`: the text has a special token that was not allowed. */
  | "special_token"
  /** An argument threw an exception while it was read; `cause` is this exception. */
  | "unreadable"
  /** The tokenizer was freed before. */
  | "freed"
  /** There is not enough memory for the text or its tokens. */
  | "too_large";
