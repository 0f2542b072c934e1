/**
 * Exact token counts: `o200k_base` and `cl100k_base`, token by token as `tiktoken`.
 *
 * Nothing is loaded before {@link load} is called: a module of both encodings, and the vocabulary of this one.
 *
 * @packageDocumentation
 */

/**
 * Loads the tokenizer of this encoding. What is loaded is shared: a second call reads no file, and takes no memory.
 *
 * In Node, Deno and Bun the files are read from the package, in browsers they are fetched from beside it, and in
 * Cloudflare Workers they are part of the worker.
 *
 * @param source where the files are, if they are somewhere else
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
 * As {@link load}, but at once: in Node, Deno, Bun and Cloudflare Workers. Browsers do not have it.
 *
 * @throws {@link EbblineError}
 */
export function loadSync(source?: TokenizerSourceNow): Tokenizer;

/** The files of a tokenizer, each as an address, a response, or what is in it. */
export interface TokenizerSource {
  /** `ebbline/tokenizers/tokenizer.wasm`; of the first tokenizer that is loaded, for all share it. */
  wasm?: TokenizerFile | WebAssembly.Module | Promise<TokenizerFile | WebAssembly.Module> | undefined;
  /** `ebbline/tokenizers/o200k.bin` or `ebbline/tokenizers/cl100k.bin`. */
  ranks?: TokenizerFile | Promise<TokenizerFile> | undefined;
}

export type TokenizerFile = URL | string | Request | Response | ArrayBuffer | ArrayBufferView;

/** The files of a tokenizer, at hand. */
export interface TokenizerSourceNow {
  wasm?: ArrayBuffer | ArrayBufferView | WebAssembly.Module | undefined;
  ranks?: ArrayBuffer | ArrayBufferView | undefined;
}

/** Counts, encodes and decodes; all at once, without waiting. */
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
   * The text of tokens, those of special tokens included. Where a character is divided, U+FFFD stands for its part.
   *
   * @throws {@link EbblineError} `invalid_option` when a number is no token, `freed`
   */
  decode(tokens: Uint32Array | readonly number[]): string;

  /**
   * Gives the memory back once no other tokenizer of the encoding is in use; what is called after it throws. `using` does
   * the same where the runtime has `Symbol.dispose`.
   */
  free(): void;
}

/** `[Symbol.dispose]()`, where the compiler knows that symbol. */
type Disposes = SymbolConstructor extends { readonly dispose: infer D extends symbol } ? { [K in D]: () => void } : {};

export interface EncodeOptions {
  /**
   * Which special tokens in the text, such as `<|endoftext|>`, are tokens: none of them (the default: they are text like
   * any other), all of them, or these.
   */
  special?: "none" | "all" | readonly string[] | undefined;
  /** Whether a special token that `special` does not name is an error, as it is in `tiktoken`; `false` by default. */
  strict?: boolean | undefined;
}

/** What every function of this module throws; the same class as that of `ebbline`. */
export class EbblineError extends Error {
  constructor(code: TokenizerErrorCode, message: string, line?: number, byte?: number);
  readonly name: "EbblineError";
  /** What went wrong, to be compared with. */
  readonly code: TokenizerErrorCode;
}

export type TokenizerErrorCode =
  /** A file of the tokenizer cannot be fetched. */
  | "not_found"
  /** The ranks are not those of the encoding, or damaged. */
  | "bad_ranks"
  /** An argument or an option is of the wrong type, or does not exist. */
  | "invalid_option"
  /** With `strict`: the text has a special token that was not allowed. */
  | "special_token"
  /** Something that was handed over threw an error when it was read; `cause` is what it threw. */
  | "unreadable"
  /** The tokenizer was freed. */
  | "freed"
  /** There is no memory for the text or its tokens. */
  | "too_large";
