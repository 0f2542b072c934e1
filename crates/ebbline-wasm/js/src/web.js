import load from './core.js';
import { start } from './engine.js';

/** @type {Promise<void> | undefined} */
let loading;

/**
 * Loads the engine. Called again it waits for the first call; after a failure it tries again.
 *
 * @param {URL | string | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>} [source]
 *   where the engine is, if not beside this file
 */
export function init(source = new URL('./ebbline.wasm', import.meta.url)) {
  loading ??= load({ module_or_path: source }).then(start).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

export { compact, detect, finishSummary, plan, profiles, read, summaryRequest, validate } from './api.js';
export { classifyError } from './classify.js';
export { compat } from './compat/index.js';
export { EbblineError } from './errors.js';
export { Session } from './session.js';
export { policyFromSettings } from './settings.js';
