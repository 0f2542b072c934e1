import { engine as compat } from './compat/engine.js';
import { initSync } from './core.js';
import { start } from './engine.js';
import { files } from './files.js';
import { checkedForInit } from './options.js';

/** Starts the engine in a runtime that has the module when the package is loaded. */
export function startNow(module) {
  start(initSync({ module }));
}

/** Loads the other modules that are asked for. The engine itself is loaded with the package. */
export async function init(options) {
  const { files: texts, compat: systems } = checkedForInit(options);
  await Promise.all([texts && files.init(sourceOf(texts)), systems && compat.init(sourceOf(systems))]);
}

/** @returns where a module is; `undefined` if it is beside the package's own files */
export function sourceOf(given): unknown {
  return given === true ? undefined : given;
}
