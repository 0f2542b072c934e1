import { initSync } from './core.js';
import { start } from './engine.js';

/** Starts the engine of a runtime that has the module at hand when the package is loaded. */
export function startNow(module) {
  start(initSync({ module }));
}

/** Nothing to wait for: the engine is there when the package is. */
export async function init() {}
