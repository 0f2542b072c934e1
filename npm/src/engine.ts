import { EbblineError } from './errors.js';

let memory: WebAssembly.Memory | undefined;

/** The entry file of each runtime calls it once the module is loaded. */
export function start(exports: { memory: WebAssembly.Memory }) {
  memory = exports.memory;
}

/** Whether the engine can be called. */
export function isStarted() {
  return memory !== undefined;
}

/** The memory of the engine, or an error that says what to do first. */
export function engineMemory(): WebAssembly.Memory {
  if (memory === undefined) {
    throw new EbblineError(
      'not_initialized',
      'the engine is not loaded yet: `await init()` first, or `await init({ files: true })` to pass texts',
    );
  }
  return memory;
}
