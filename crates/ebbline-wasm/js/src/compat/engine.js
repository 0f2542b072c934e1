import load, { TextBuffer, initSync } from '../compat-core.js';
import { EbblineError } from '../errors.js';

/** @type {WebAssembly.Memory | undefined} */
let memory;
/** @type {Promise<void> | undefined} */
let loading;
/** @type {(() => BufferSource) | undefined} */
let readModule;
/** @type {(() => unknown) | undefined} */
let locate;

/** The module that answers for other systems: what `text.js` needs to hand texts to it. */
export const engine = { TextBuffer, memory: compatMemory };

/** Called by the entry file of a runtime where a file can be read at once: the first question then loads the module. */
export function readWith(read) {
  readModule = read;
}

/** Called by the entry file of every other runtime: where the module is, if the caller does not say so. */
export function loadFrom(beside) {
  locate = beside;
}

/**
 * Loads the module. Called again it waits for the first call; after a failure it tries again.
 *
 * @param {import('../../types/index.js').ModuleSource} [source] where the module is, if not beside the package's own files
 */
export function initCompat(source) {
  loading ??= loadNow(source).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function loadNow(source) {
  if (readModule !== undefined) compatMemory();
  else start(await load({ module_or_path: source ?? locate?.() }));
}

/** The memory of the module, or an error that says what to do first. */
export function compatMemory() {
  if (memory === undefined && readModule !== undefined) start(initSync({ module: readModule() }));
  if (memory === undefined) {
    throw new EbblineError('not_initialised', 'the module of `compat` is not loaded yet: `await compat.init()` first');
  }
  return memory;
}

function start(exports) {
  memory = exports.memory;
}
