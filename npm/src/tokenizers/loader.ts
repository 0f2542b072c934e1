import { bytesIn } from '../bytes.js';
import type { Disposes } from '../dispose.js';
import { guarded, guardedLater } from '../guard.js';
import { isAddress, isResponse, start, startSync } from './module.js';
import { Tokenizer as Handle, Vocabulary } from './tokenizer.js';
import { EbblineError } from './tokenizer-error.js';

/** An encoding of text as tokens. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/** The files of a tokenizer, each as an address, a response, or its content. */
export interface TokenizerSource {
  /** `ebbline/tokenizers/tokenizer.wasm`. All tokenizers share it, so only the first one that is loaded uses this option. */
  wasm?: TokenizerFile | WebAssembly.Module | Promise<TokenizerFile | WebAssembly.Module> | undefined;
  /** `ebbline/tokenizers/o200k.bin` or `ebbline/tokenizers/cl100k.bin`. */
  ranks?: TokenizerFile | Promise<TokenizerFile> | undefined;
}

/** A file of a tokenizer: its address, a response that contains it, or its bytes. */
export type TokenizerFile = URL | string | Request | Response | ArrayBuffer | ArrayBufferView;

/** The files of a tokenizer, already loaded. */
export interface TokenizerSourceNow {
  wasm?: ArrayBuffer | ArrayBufferView | WebAssembly.Module | undefined;
  ranks?: ArrayBuffer | ArrayBufferView | undefined;
}

/** Counts, encodes and decodes; all methods are synchronous. */
export interface Tokenizer extends Disposes {
  readonly encoding: Encoding;

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

export interface EncodeOptions {
  /**
   * Which special tokens in the text, such as `<|endoftext|>`, are encoded as special tokens: none of them (the default: they
   * are ordinary text), all of them, or the listed ones.
   */
  special?: 'none' | 'all' | readonly string[] | undefined;
  /** Whether a special token that `special` does not name is an error, as it is in `tiktoken`; `false` by default. */
  strict?: boolean | undefined;
}

/** Loads a tokenizer. */
export type Load = (source?: TokenizerSource) => Promise<Tokenizer>;

/** Loads a tokenizer synchronously. */
export type LoadSync = (source?: TokenizerSourceNow) => Tokenizer;

/** Where both files are by default. What cannot be read at once has to be given to `loadSync`. */
interface Beside {
  wasm: () => URL | BufferSource | WebAssembly.Module;
  ranks: () => TokenizerFile | Promise<TokenizerFile>;
  ranksNow?: () => TokenizerFile;
}

/**
 * The functions that load the tokenizer of an encoding. All tokenizers share one vocabulary, which is loaded once.
 *
 * @internal
 */
export function loaderOf(encoding: Encoding, beside: Beside): { load: Load; loadSync: LoadSync } {
  let vocabulary: Vocabulary | undefined;
  let loading: Promise<Vocabulary> | undefined;

  const make = (bytes: Uint8Array) => {
    const made = new Vocabulary(encoding, bytes, () => {
      vocabulary = undefined;
      loading = undefined;
    });
    vocabulary = made;
    return made;
  };

  async function read({ wasm, ranks }: TokenizerSource): Promise<Vocabulary> {
    const [bytes] = await Promise.all([bytesOf(ranks ?? beside.ranks()), start(() => wasm ?? beside.wasm())]);
    return vocabulary ?? make(bytes);
  }

  function makeNow(source: unknown): Vocabulary {
    return make(bytesIn(source) ?? refuse(source));
  }

  /** Loads the tokenizer; later calls do not read the files again. */
  async function load(source: TokenizerSource = {}): Promise<Tokenizer> {
    const given = checkedSource(source);
    if (vocabulary === undefined) {
      loading ??= read(given).catch((error) => {
        loading = undefined;
        throw error;
      });
      await loading;
    }
    // Meanwhile another tokenizer may have been freed, and the vocabulary with it.
    return vocabulary === undefined ? load(source) : new Handle(encoding, vocabulary);
  }

  /** The same synchronously, if files can be read so or both contents are given. */
  function loadSync(source: TokenizerSourceNow = {}): Tokenizer {
    const { wasm, ranks } = checkedSource(source);
    // The runtime says what is no module that can be started at once.
    if (vocabulary === undefined) startSync(() => (wasm ?? beside.wasm()) as BufferSource | WebAssembly.Module);
    return new Handle(encoding, vocabulary ?? makeNow(ranks ?? (beside.ranksNow ?? beside.ranks)()));
  }

  return { load: guardedLater(load), loadSync: guarded(loadSync) };
}

/** The bytes of an address, a response, bytes, or a promise of one of these. */
async function bytesOf(source: TokenizerFile | Promise<TokenizerFile>): Promise<Uint8Array> {
  const given = await source;
  const view = bytesIn(given);
  if (view !== undefined) return view;
  const response = isAddress(given) ? await fetched(given) : given;
  if (!isResponse(response)) return refuse(given);
  if (response.ok === false) {
    throw new EbblineError('not_found', `the ranks cannot be loaded: ${response.url || given} answers ${response.status}`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

async function fetched(address: string | URL | Request): Promise<Response> {
  try {
    return await fetch(address);
  } catch (error) {
    throw new EbblineError('not_found', `the ranks cannot be loaded from ${JSON.stringify(String(address))}: ${(error as Error).message}`);
  }
}

function refuse(source: unknown): never {
  throw new EbblineError(
    'invalid_option',
    `\`ranks\` must be bytes, an address or a response, not ${source === null ? 'null' : typeof source}`,
  );
}

function checkedSource<S extends TokenizerSource>(source: S): Pick<S, 'wasm' | 'ranks'> {
  if (typeof source !== 'object' || source === null) {
    throw new EbblineError('invalid_option', 'what to load must be an object { wasm, ranks }');
  }
  for (const name of Object.keys(source)) {
    if (name !== 'wasm' && name !== 'ranks') throw new EbblineError('invalid_option', `there is no option ${JSON.stringify(name)}`);
  }
  const { wasm, ranks } = source;
  return { wasm, ranks };
}
