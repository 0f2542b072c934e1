import { loadCompat } from './engine.js';
import { systems } from './systems.js';

/** What other systems answer about their own data, version by version; `init` loads the module that knows. */
export const compat = {
  init: (source = new URL('../compat.wasm', import.meta.url)) => loadCompat(source),
  ...systems,
};
