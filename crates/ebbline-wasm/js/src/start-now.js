import { initSync } from './core.js';
import { start } from './engine.js';

/** Starts the engine in a runtime that has the module when the package is loaded. */
export function startNow(module) {
  start(initSync({ module }));
}

/** Does nothing: the engine is loaded with the package. */
export async function init() {}
