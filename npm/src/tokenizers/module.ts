import { EbblineError } from '../errors.js';
import initialize, { initSync } from './tokenizer-core.js';

let started: WebAssembly.Memory | undefined;
let starting: Promise<void> | undefined;

/** Starts the module of both encodings once; after a failure, the next call tries again. */
export function start(source) {
  if (started !== undefined) return Promise.resolve();
  starting ??= begin(source).catch((error) => {
    starting = undefined;
    throw error;
  });
  return starting;
}

/** Starts the module synchronously with one that is given. */
export function startSync(source) {
  started ??= initSync({ module: source() }).memory;
}

/** The memory of the module, once it is started. */
export function memory() {
  return started;
}

async function begin(source) {
  const module = await compiled(await source());
  try {
    // There is only one module, even if `startSync` was faster.
    startSync(() => module);
  } catch (error) {
    // Older browsers cannot instantiate synchronously; `startSync` is never called there.
    if (!(error instanceof RangeError)) throw error;
    started = (await initialize({ module_or_path: module })).memory;
  }
}

async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  const isAddress = typeof source === 'string' || source instanceof URL || (typeof Request === 'function' && source instanceof Request);
  const given = isAddress ? await fetch(source) : source;
  if (typeof given?.arrayBuffer !== 'function') return WebAssembly.compile(given);
  if (given.ok === false) {
    throw new EbblineError('not_found', `the module cannot be loaded: ${given.url || source} answers ${given.status}`);
  }
  const isNamedSo = given.headers?.get('content-type')?.startsWith('application/wasm');
  return isNamedSo ? WebAssembly.compileStreaming(given) : WebAssembly.compile(await given.arrayBuffer());
}
