import { engine as compat } from './compat/engine.js';
import load from './core.js';
import { start } from './engine.js';
import { files } from './files.js';
import { type InitOptions, type ModuleSource, checkedForInit } from './module-source.js';
import { sourceOf } from './start-now.js';

/**
 * The `init` of a runtime that has to wait for the engine. A second call waits for the first; after a failure, it tries again.
 *
 * @param beside where the engine is, if the caller does not say so
 */
export function initFrom(beside: () => ModuleSource): (options?: InitOptions) => Promise<void> {
  let loading: Promise<void> | undefined;
  const engine = (source = beside()) => {
    loading ??= load({ module_or_path: source })
      .then(start)
      .catch((error) => {
        loading = undefined;
        throw error;
      });
    return loading;
  };
  return async (options) => {
    const { engine: source, files: texts, compat: systems } = checkedForInit(options);
    await Promise.all([engine(source), texts && files.init(sourceOf(texts)), systems && compat.init(sourceOf(systems))]);
  };
}
