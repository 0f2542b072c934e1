import load from './core.js';
import { start } from './engine.js';

/**
 * The `init` of a runtime that has to wait for the engine. A second call waits for the first; after a failure, it tries again.
 *
 * @param {() => unknown} beside where the engine is, if the caller does not say so
 * @returns {(source?: URL | string | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>) => Promise<void>}
 */
export function initFrom(beside) {
  /** @type {Promise<void> | undefined} */
  let loading;
  return (source = beside()) => {
    loading ??= load({ module_or_path: source }).then(start).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
