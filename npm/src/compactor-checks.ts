// What a compactor takes, and what its calls and hooks do.

import type { CompactionWish, CompactorOptions, PrepareOptions } from './compactor-options.js';
import { isText } from './engine-json.js';
import {
  type Check,
  type Checks,
  amount,
  checkedBy,
  count,
  flag,
  object,
  oneOf,
  share,
  signal,
  text,
  tokenCounter,
} from './option-checks.js';
import { isObject } from './values.js';

const HOOKS = ['before', 'after', 'failed'];
const LONGEST_INTRODUCTION = 4_000;
const ROLES = ['user', 'system', 'developer', 'assistant'];
const ACCEPTANCE_CHECKS: Record<string, Check> = { headings: flag, language: flag, facts: share };
/** So many milliseconds may a model take for a summary. */
const TIMEOUT = 600_000;

const COMPACTOR_CHECKS: Checks<CompactorOptions> = {
  profile: text,
  policy: object,
  model: object,
  set: object,
  format: text,
  overhead: amount,
  countTokens: tokenCounter,
  summarize: (value) =>
    typeof value === 'function' ||
    value === 'deterministic' ||
    value === 'later' ||
    "a function of a request that returns the text of the answer, 'deterministic' or 'later'",
  accept: (value) => value === false || isAcceptance(value) || 'false, or { headings, language, facts }',
  timeout: count,
  budgetTokens: amount,
  fallback: oneOf('when_full', 'deterministic', 'history'),
  chunks: oneOf('rolling', 'map_reduce'),
  introduction: (value) =>
    isIntroduction(value) ||
    `a text of at most ${LONGEST_INTRODUCTION} characters, or { text, role, answer } with such a text, a role among ${ROLES.join(', ')}, and true or false`,
  pins: (value) => Array.isArray(value) || 'a list of pins',
  when: object,
  store: (value) =>
    (isObject(value) && typeof value.get === 'function' && typeof value.put === 'function') ||
    'an object with the functions `get` and `put`',
  originals: oneOf('record', 'nowhere'),
  onEvent: (value) => typeof value === 'function' || 'a function of an event',
  signal,
  auto: flag,
  failures: count,
  cooldown: count,
  record: object,
  now: (value) => typeof value === 'function' || 'a function that returns the milliseconds since 1970',
  background: (value) => typeof value === 'boolean' || isBackground(value) || "true, false, or { onEdit: 'rebase' or 'drop' }",
  hooks: (value) => areHooks(value) || 'an object with the functions `before`, `after` and `failed`',
  overlap: oneOf('wait', 'refuse'),
  warn: flag,
};
const WISH_CHECKS: Checks<CompactionWish> = { focus: text, summary: text };
const PREPARE_CHECKS: Checks<PrepareOptions> = {
  signal,
  idle: amount,
  focus: text,
  notes: text,
  summarize: (value) => typeof value === 'function' || 'a function of a request that returns the text of the answer',
  target: amount,
  knownTokens: amount,
  model: object,
};

/** The options of a compactor, with what they are when they are left out. */
export type CheckedCompactorOptions = CompactorOptions &
  Required<Pick<CompactorOptions, 'auto' | 'failures' | 'cooldown' | 'overlap' | 'timeout' | 'fallback'>>;

/** Refuses options that do not exist or have a wrong type, as every function here does. */
export function checkedForCompactor(options: unknown): CheckedCompactorOptions {
  const given: CompactorOptions = checkedBy(COMPACTOR_CHECKS, options);
  return { auto: true, failures: 3, cooldown: 10, overlap: 'wait', timeout: TIMEOUT, fallback: 'when_full', ...given };
}

/** What a hook wishes for a compaction. */
export function checkedForWish(wish: unknown): CompactionWish {
  return checkedBy(WISH_CHECKS, wish);
}

/** What concerns a single request. */
export function checkedForPrepare(options: unknown): PrepareOptions {
  return checkedBy(PREPARE_CHECKS, options);
}

function areHooks(value: unknown) {
  return isObject(value) && Object.keys(value).every((name) => HOOKS.includes(name) && typeof value[name] === 'function');
}

function isAcceptance(value: unknown) {
  if (!isObject(value)) return false;
  return Object.keys(value).every((name) => Object.hasOwn(ACCEPTANCE_CHECKS, name) && ACCEPTANCE_CHECKS[name](value[name]) === true);
}

function isBackground(value: unknown) {
  if (!isObject(value)) return false;
  const { onEdit, ...others } = value;
  return (onEdit === 'rebase' || onEdit === 'drop') && Object.keys(others).length === 0;
}

function isIntroduction(value: unknown) {
  if (isText(value)) return value.length <= LONGEST_INTRODUCTION;
  if (!isObject(value)) return false;
  const { text = '', role = ROLES[0], answer = false, ...others } = value;
  const isKnown = ROLES.some((known) => known === role) && typeof answer === 'boolean' && Object.keys(others).length === 0;
  return isText(text) && text.length <= LONGEST_INTRODUCTION && isKnown;
}
