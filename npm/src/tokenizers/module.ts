import type { TokenizerFile } from './loader.js';
import { EbblineError } from './tokenizer-error.js';
import initialize, { initSync } from './tokenizer-core.js';

type Source = TokenizerFile | WebAssembly.Module;

let started: WebAssembly.Memory | undefined;
let starting: Promise<void> | undefined;

/** Starts the module of both encodings once; after a failure, the next call tries again. */
export function start(source: () => Source | Promise<Source>): Promise<void> {
  if (started !== undefined) return Promise.resolve();
  starting ??= begin(source).catch((error) => {
    starting = undefined;
    throw error;
  });
  return starting;
}

/** Starts the module synchronously with one that is given. */
export function startSync(source: () => BufferSource | WebAssembly.Module): void {
  started ??= initSync({ module: source() }).memory;
}

/** The memory of the module, which is started before anything is made in it. */
export function memory(): WebAssembly.Memory {
  return started as WebAssembly.Memory;
}

async function begin(source: () => Source | Promise<Source>): Promise<void> {
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

async function compiled(source: Source): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  const given = isAddress(source) ? await fetch(source) : source;
  // The runtime says what is no module.
  if (!isResponse(given)) return WebAssembly.compile(given as BufferSource);
  if (given.ok === false) {
    throw new EbblineError('not_found', `the module cannot be loaded: ${given.url || source} answers ${given.status}`);
  }
  const isNamedSo = given.headers?.get('content-type')?.startsWith('application/wasm');
  return isNamedSo ? WebAssembly.compileStreaming(given) : WebAssembly.compile(await given.arrayBuffer());
}

/** Whether something can be fetched. */
export function isAddress(source: unknown): source is string | URL | Request {
  return typeof source === 'string' || source instanceof URL || (typeof Request === 'function' && source instanceof Request);
}

/** Whether something is a response, also of another realm. */
export function isResponse(given: unknown): given is Response {
  return typeof (given as { arrayBuffer?: unknown } | null | undefined)?.arrayBuffer === 'function';
}
