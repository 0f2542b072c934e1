// What every entry exports in addition to its own `init`. `node.js` and `node.cjs` repeat the names, because Node finds
// exports only if they are written in the file.
export { compact, detect, finishSummary, plan, profiles, read, reviewSummary, summaryRequest, validate } from './api.js';
export { classifyError } from './classify.js';
export { createCompactor } from './compactor.js';
export { compat } from './compat/index.js';
export { EbblineError } from './errors.js';
export { introductions } from './introductions.js';
export { providerCompaction } from './provider-compaction.js';
export { recallTool } from './recall-tool.js';
export { repair } from './repair.js';
export { audit, compare, replay } from './replay.js';
export { Session } from './session.js';
export { policyFromSettings } from './settings.js';
export { sweep } from './sweep.js';
