// The entry for Node. It is bundled into node.cjs, which both `require` and `import` load: one engine, one EbblineError.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { compatMemory, readWith } from './compat/engine.js';
import { systems } from './compat/systems.js';
import { initSync } from './core.js';
import { start } from './engine.js';

start(initSync({ module: readFileSync(join(__dirname, 'ebbline.wasm')) }));

readWith(() => readFileSync(join(__dirname, 'compat.wasm')));

/** What other systems answer about their own data; the module that knows is loaded with the first question, or by `init`. */
export const compat = {
  init: async () => void compatMemory(),
  ...systems,
};

/** Nothing to wait for: in Node the engine is loaded when the package is. */
export async function init() {}

export { compact, detect, finishSummary, plan, profiles, read, summaryRequest, validate } from './api.js';
export { classifyError } from './classify.js';
export { EbblineError } from './errors.js';
export { policyFromSettings } from './settings.js';
