import { bytesIn } from '../bytes.js';
import { EbblineError } from '../errors.js';
import { guarded, guardedLater } from '../guard.js';
import { start, startSync } from './module.js';
import { Tokenizer, Vocabulary } from './tokenizer.js';

/**
 * The functions that load the tokenizer of an encoding. All tokenizers share one vocabulary, which is loaded once.
 *
 * @param beside where both files are by
 * default
 */
export function loaderOf(encoding: string, beside: { wasm: () => unknown; ranks: () => unknown; ranksNow?: () => unknown }) {
  let vocabulary: Vocabulary | undefined;
  let loading: Promise<Vocabulary> | undefined;

  const make = (bytes) => {
    const made = new Vocabulary(encoding, bytes, () => {
      vocabulary = undefined;
      loading = undefined;
    });
    vocabulary = made;
    return made;
  };

  async function read({ wasm, ranks }) {
    const [bytes] = await Promise.all([bytesOf(ranks ?? beside.ranks()), start(() => wasm ?? beside.wasm())]);
    return vocabulary ?? make(bytes);
  }

  /** Loads the tokenizer; later calls do not read the files again. */
  async function load(source = {}) {
    const given = checkedSource(source);
    if (vocabulary === undefined) {
      loading ??= read(given).catch((error) => {
        loading = undefined;
        throw error;
      });
      await loading;
    }
    // Meanwhile another tokenizer may have been freed, and the vocabulary with it.
    return vocabulary === undefined ? load(source) : new Tokenizer(encoding, vocabulary);
  }

  /** The same synchronously, if files can be read so or both contents are given. */
  function loadSync(source = {}) {
    const { wasm, ranks } = checkedSource(source);
    if (vocabulary === undefined) {
      startSync(() => wasm ?? beside.wasm());
      const bytes = ranks ?? (beside.ranksNow ?? beside.ranks)();
      make(bytesIn(bytes) ?? refuse(bytes));
    }
    return new Tokenizer(encoding, vocabulary);
  }

  return { load: guardedLater(load), loadSync: guarded(loadSync) };
}

/** The bytes of an address, a response, bytes, or a promise of one of these. */
async function bytesOf(source) {
  const given = await source;
  const view = bytesIn(given);
  if (view !== undefined) return view;
  const isAddress = typeof given === 'string' || given instanceof URL || (typeof Request === 'function' && given instanceof Request);
  const response = isAddress ? await fetched(given) : given;
  if (typeof response?.arrayBuffer !== 'function') refuse(given);
  if (response.ok === false) {
    throw new EbblineError('not_found', `the ranks cannot be loaded: ${response.url || given} answers ${response.status}`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

async function fetched(address) {
  try {
    return await fetch(address);
  } catch (error) {
    throw new EbblineError('not_found', `the ranks cannot be loaded from ${JSON.stringify(String(address))}: ${error.message}`);
  }
}

function refuse(source) {
  throw new EbblineError(
    'invalid_option',
    `\`ranks\` must be bytes, an address or a response, not ${source === null ? 'null' : typeof source}`,
  );
}

function checkedSource(source) {
  if (typeof source !== 'object' || source === null) {
    throw new EbblineError('invalid_option', 'what to load must be an object { wasm, ranks }');
  }
  for (const name of Object.keys(source)) {
    if (name !== 'wasm' && name !== 'ranks') throw new EbblineError('invalid_option', `there is no option ${JSON.stringify(name)}`);
  }
  const { wasm, ranks } = source;
  return { wasm, ranks };
}
