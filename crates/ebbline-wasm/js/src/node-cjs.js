// The entry for Node. It is bundled into node.cjs, which both `require` and `import` load: one engine, one EbblineError.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { initSync } from './core.js';
import { start } from './engine.js';

start(initSync({ module: readFileSync(join(__dirname, 'ebbline.wasm')) }));

/** Nothing to wait for: in Node the engine is loaded when the package is. */
export async function init() {}

export { compact, detect, finishSummary, plan, profiles, read, summaryRequest, validate } from './api.js';
export { classifyError } from './classify.js';
export { compat } from './compat/index.js';
export { EbblineError } from './errors.js';
export { Session } from './session.js';
export { policyFromSettings } from './settings.js';
