import load from './core.js';
import { start } from './engine.js';
import { type InitInput, type InitOptions, type ModuleSource, checkedForInit } from './module-source.js';
import { loadOthers } from './start-now.js';

/**
 * The `init` of a runtime that has to wait for the engine. A second call waits for the first; after a failure, it tries again.
 *
 * @param beside where the engine is, if the caller does not say so
 */
export function initFrom(beside: () => ModuleSource): (options?: InitOptions) => Promise<void> {
  let loading: Promise<void> | undefined;
  const engine = (source = beside()) => {
    // The runtime says what it cannot load.
    loading ??= load({ module_or_path: source as InitInput })
      .then(start)
      .catch((error) => {
        loading = undefined;
        throw error;
      });
    return loading;
  };
  return async (options) => {
    const given = checkedForInit(options);
    await loadOthers(given, engine(given.engine));
  };
}
