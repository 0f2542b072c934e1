/**
 * ebbline keeps an LLM agent's session inside its context window.
 *
 * {@link plan} decides what happens to every message, and says why; {@link compact} carries the plan out on a copy.
 *
 * @packageDocumentation
 */

// What every entry exports, some with an `init` of their own. `node.js` and `node.cjs` repeat the names, because Node finds exports only
// if they are written in the file.
export type * from './classification.js';
export { classifyError } from './classify.js';
export { profiles, type Profile } from './catalog.js';
export { compact, type Compacted } from './compact.js';
export type * from './compaction.js';
export { createCompactor } from './compactor.js';
export type * from './compactor-interface.js';
export type * from './compactor-options.js';
export * from './compat/index.js';
export { EbblineError } from './errors.js';
export type * from './generated/plan.js';
export type * from './generated/policy.js';
export type * from './generated/reports.js';
export type * from './generated/words.js';
export type { SummaryHandle } from './handle.js';
export { introductions } from './introductions.js';
export type { InitOptions, ModuleSource } from './module-source.js';
export { plan } from './plan.js';
export type * from './plan-options.js';
export type * from './policy-options.js';
export * from './provider-compaction.js';
export { recallTool } from './recall-tool.js';
export { repair, type Mended, type Repaired } from './repair.js';
export { audit, compare, replay } from './replay.js';
export type * from './replay-options.js';
export type * from './replay-report.js';
export type * from './requested-summary.js';
export { Session } from './session.js';
export type * from './session-options.js';
export { detect, read, type Detection, type Report } from './session-report.js';
export type { SessionInput } from './session-source.js';
export { policyFromSettings, type SettingsSurroundings } from './settings.js';
export { init } from './start-now.js';
export { finishSummary, reviewSummary, summaryRequest } from './summary-request.js';
export { sweep } from './sweep.js';
export { validate, type Validation } from './validation.js';
