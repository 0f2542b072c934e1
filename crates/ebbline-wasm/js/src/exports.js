// What every entry gives away beside its own `init`. `node.js` and `node.cjs` repeat the names: Node has to see them written down.
export { compact, detect, finishSummary, plan, profiles, read, reviewSummary, summaryRequest, validate } from './api.js';
export { classifyError } from './classify.js';
export { compat } from './compat/index.js';
export { EbblineError } from './errors.js';
export { Session } from './session.js';
export { policyFromSettings } from './settings.js';
