import { engine as compat } from './compat/engine.js';
import { type SyncInitInput, initSync } from './core.js';
import { start } from './engine.js';
import { files } from './files.js';
import { type InitOptions, type ModuleSource, checkedForInit } from './module-source.js';

/**
 * Starts the engine in a runtime that has the module when the package is loaded.
 *
 * @internal
 */
export function startNow(module: SyncInitInput) {
  start(initSync({ module }));
}

/**
 * Loads what a runtime cannot load without waiting. In Node, Deno, Bun and Workers it has nothing to do; in browsers, call it once
 * before any other function. `init()` loads the engine, which is all that arrays of live messages need.
 *
 * A second call waits for the first, and loads what the first did not; after a failure, it tries again.
 *
 * @throws {@link EbblineError} `invalid_option` for anything but an object of these options
 *
 * @example
 * ```js
 * await init();                 // live messages
 * await init({ files: true });  // also texts of session files
 * ```
 */
export async function init(options?: InitOptions): Promise<void> {
  await loadOthers(checkedForInit(options));
}

/**
 * Loads the other modules that are asked for. The engine is loaded with the package, or beside it.
 *
 * @internal
 */
export async function loadOthers({ files: texts, compat: systems }: InitOptions, engine?: Promise<void>): Promise<void> {
  await Promise.all([engine, texts && files.init(sourceOf(texts)), systems && compat.init(sourceOf(systems))]);
}

/** Where a module is; `undefined` if it is beside the package's own files. */
function sourceOf(given: true | ModuleSource): ModuleSource | undefined {
  return given === true ? undefined : given;
}
