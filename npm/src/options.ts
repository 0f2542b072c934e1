// The options of each function. Most functions accept all of `plan` and `compact`, so that one object serves them all.

import { ruleNames, unknown } from './catalog.js';
import type { ClassifyOptions } from './classification.js';
import { type Checks, amount, checkedBy, flag, invalid, names, object, oneOf, text, tokenCounter } from './option-checks.js';
import type { CompactOptions, PlanOptions, SummaryRequestOptions, ValidateOptions } from './plan-options.js';
import type { PolicyOptions } from './policy-options.js';
import type { ProviderOptions } from './provider-compaction.js';
import type { ReplayOptions } from './replay-options.js';
import type { ApplyOptions, DecisionOptions, RequestOptions, SessionOptions } from './session-options.js';
import type { SettingsSurroundings } from './settings.js';

/** The options of `plan`, `compact` and their like. */
export type GivenOptions = CompactOptions & SummaryRequestOptions & ValidateOptions;

const POLICY_CHECKS: Checks<PolicyOptions> = { profile: text, policy: object, model: object, set: object };
const DECISION_CHECKS: Checks<DecisionOptions> = { force: flag, knownTokens: amount, overhead: amount, idle: amount };

const CHECKS: Checks<GivenOptions> = {
  ...POLICY_CHECKS,
  format: text,
  force: flag,
  strict: flag,
  conversation: (value) => (Number.isSafeInteger(value) && Number(value) >= 0) || 'a whole number of 0 or more',
  knownTokens: amount,
  overhead: amount,
  idle: amount,
  now: amount,
  freeBytes: flag,
  summary: text,
  handle: object,
  also: names,
  except: names,
  countTokens: tokenCounter,
  focus: text,
  notes: text,
  budgetTokens: amount,
};

const ERROR_CHECKS: Checks<ClassifyOptions> = { ...POLICY_CHECKS, provider: text, contextWindow: amount, desiredMaxOutput: amount };

const SESSION_CHECKS: Checks<SessionOptions & GivenOptions> = {
  ...CHECKS,
  idle: () => 'left to check, plan and apply: it is another one before each request',
  verify: oneOf('last', 'all'),
};
const APPLY_CHECKS: Checks<ApplyOptions> = { ...DECISION_CHECKS, summary: text, handle: object, now: amount, freeBytes: flag };
const REQUEST_CHECKS: Checks<RequestOptions> = { ...DECISION_CHECKS, focus: text, notes: text, budgetTokens: amount };
const RESTORE_CHECKS: Checks<Pick<PlanOptions, 'countTokens'>> = { countTokens: tokenCounter };

const REPLAY_CHECKS: Checks<ReplayOptions> = {
  ...POLICY_CHECKS,
  format: text,
  strict: flag,
  conversation: CHECKS.conversation,
  overhead: amount,
  usage: text,
  moments: text,
  rates: object,
  prices: object,
  cache: object,
  loss: flag,
  cacheCheck: flag,
  // The engine names the words.
  carried: () => true,
};

const PROVIDER_CHECKS: Checks<ProviderOptions> = { ...POLICY_CHECKS, thinking: flag, instructions: text };
const SETTINGS_CHECKS: Checks<SettingsSurroundings> = { environment: object, model: text };

/** Refuses options that do not exist or have a wrong type, as every function here does. */
export function checked(options: unknown): GivenOptions {
  return checkedBy(CHECKS, options);
}

export function checkedForSession(options: unknown): SessionOptions & GivenOptions {
  return checkedBy(SESSION_CHECKS, options);
}

/** What is asked of a session. */
export function checkedForDecision(options: unknown): DecisionOptions {
  return checkedBy(DECISION_CHECKS, options);
}

/** What concerns the carrying out of a session's plan. */
export function checkedForApply(options: unknown): ApplyOptions {
  return checkedBy(APPLY_CHECKS, options);
}

/** What concerns the request for a summary of a session. */
export function checkedForRequest(options: unknown): RequestOptions {
  return checkedBy(REQUEST_CHECKS, options);
}

/** What a snapshot can be restored with. */
export function checkedForRestore(options: unknown): Pick<PlanOptions, 'countTokens'> {
  return checkedBy(RESTORE_CHECKS, options);
}

/** What has to do with errors. */
export function checkedForErrors(options: unknown): ClassifyOptions {
  return checkedBy(ERROR_CHECKS, options);
}

export function checkedForReplay(options: unknown): ReplayOptions {
  return checkedBy(REPLAY_CHECKS, options);
}

/** What concerns another system's settings. */
export function checkedForSettings(options: unknown): SettingsSurroundings {
  return checkedBy(SETTINGS_CHECKS, options);
}

/** What can be written as a provider's parameters. */
export function checkedForProvider(options: unknown): ProviderOptions {
  return checkedBy(PROVIDER_CHECKS, options);
}

/** Refuses a rule that does not exist. */
export function checkRule(name: string) {
  const known = ruleNames();
  if (!known.some((rule) => rule === name)) throw invalid(unknown('rule', name, known));
}
