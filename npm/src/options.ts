import { ruleNames, unknown } from './catalog.js';
import { Ledger, Policy, defaultProfile } from './core.js';
import { pushWords } from './decision.js';
import { engineMemory } from './engine.js';
import { EbblineError } from './errors.js';
import { isNested, wordsOf } from './guard.js';
import { listOf } from './bounded-list.js';
import { Tools } from './recorder.js';

/**
 * The type of each option. The engine itself checks the content of a policy. Every function accepts all of them, so that one
 * object serves `plan` and `compact`.
 */
const CHECKS = {
  profile: isText,
  policy: isObject,
  model: isObject,
  set: isObject,
  format: isText,
  force: (value) => typeof value === 'boolean' || 'true or false',
  strict: (value) => typeof value === 'boolean' || 'true or false',
  conversation: (value) => (Number.isSafeInteger(value) && value >= 0) || 'a whole number of 0 or more',
  knownTokens: isAmount,
  overhead: isAmount,
  idle: isAmount,
  now: isAmount,
  freeBytes: (value) => typeof value === 'boolean' || 'true or false',
  summary: isText,
  handle: isObject,
  also: isNames,
  except: isNames,
  countTokens: (value) => typeof value === 'function' || 'a function of a text that returns its tokens',
  focus: isText,
  budgetTokens: isAmount,
};

/** The type of each option of `classifyError`. */
const ERROR_CHECKS = {
  profile: isText,
  policy: isObject,
  model: isObject,
  set: isObject,
  provider: isText,
  contextWindow: isAmount,
  desiredMaxOutput: isAmount,
};

/** The type of each option of a session. */
const SESSION_CHECKS = {
  ...CHECKS,
  idle: () => 'left to check, plan and apply: it is another one before each request',
  verify: (value) => value === 'last' || value === 'all' || "'last' or 'all'",
};
/** The type of each option of a replay. */
const REPLAY_CHECKS = {
  profile: isText,
  policy: isObject,
  model: isObject,
  set: isObject,
  format: isText,
  strict: CHECKS.strict,
  conversation: CHECKS.conversation,
  overhead: isAmount,
  usage: isText,
  moments: isText,
  rates: isObject,
  prices: isObject,
  cache: isObject,
  loss: CHECKS.strict,
  cacheCheck: CHECKS.strict,
};
const DECISION_CHECKS = { force: CHECKS.force, knownTokens: isAmount, overhead: isAmount, idle: isAmount };
const APPLY_CHECKS = { ...DECISION_CHECKS, summary: isText, handle: isObject, now: isAmount, freeBytes: CHECKS.freeBytes };
const RESTORE_CHECKS = { countTokens: CHECKS.countTokens };
/** The type of each option of a compactor. */
const COMPACTOR_CHECKS = {
  profile: isText,
  policy: isObject,
  model: isObject,
  set: isObject,
  format: isText,
  overhead: isAmount,
  countTokens: CHECKS.countTokens,
  summarize: (value) =>
    typeof value === 'function' ||
    value === 'deterministic' ||
    "a function of a request that returns the text of the answer, or 'deterministic'",
  accept: (value) => value === false || (isObject(value) === true && isAcceptance(value)) || 'false, or { headings, language, facts }',
  timeout: isCount,
  budgetTokens: isAmount,
  fallback: (value) => FALLBACKS.includes(value) || "'when_full', 'deterministic' or 'history'",
  chunks: (value) => CHUNKS.includes(value) || "'rolling' or 'map_reduce'",
  introduction: (value) =>
    isIntroduction(value) ||
    `a text of at most ${LONGEST_INTRODUCTION} characters, or { text, role, answer } with such a text, a role among ${ROLES.join(', ')}, and true or false`,
  pins: (value) => Array.isArray(value) || 'a list of pins',
  when: isObject,
  store: (value) =>
    (isObject(value) === true && typeof value.get === 'function' && typeof value.put === 'function') ||
    'an object with the functions `get` and `put`',
  originals: (value) => value === 'record' || value === 'nowhere' || "'record' or 'nowhere'",
  onEvent: (value) => typeof value === 'function' || 'a function of an event',
  signal: isSignal,
  auto: CHECKS.strict,
  failures: isCount,
  cooldown: isCount,
  record: isObject,
  now: (value) => typeof value === 'function' || 'a function that returns the milliseconds since 1970',
  background: (value) =>
    typeof value === 'boolean' || (isObject(value) === true && isBackground(value)) || "true, false, or { onEdit: 'rebase' or 'drop' }",
  hooks: (value) =>
    isObject(value) === true && isHooks(value) === true ? true : 'an object with the functions `before`, `after` and `failed`',
  overlap: (value) => value === 'wait' || value === 'refuse' || "'wait' or 'refuse'",
  warn: CHECKS.strict,
};
const HOOKS = ['before', 'after', 'failed'];
const FALLBACKS = ['when_full', 'deterministic', 'history'];
const CHUNKS = ['rolling', 'map_reduce'];
const LONGEST_INTRODUCTION = 4_000;
const ROLES = ['user', 'system', 'developer', 'assistant'];
const ACCEPTANCE_CHECKS = { headings: CHECKS.strict, language: CHECKS.strict, facts: isShare };
/** So many milliseconds may a model take for a summary. */
const TIMEOUT = 600_000;
const WISH_CHECKS = { focus: isText, summary: isText };
const PREPARE_CHECKS = { signal: isSignal, idle: isAmount, focus: isText, model: isObject };
const REQUEST_CHECKS = { ...DECISION_CHECKS, focus: isText, budgetTokens: isAmount };
/** The type of each option of a policy that is written as a provider's parameters. */
const PROVIDER_CHECKS = {
  profile: isText,
  policy: isObject,
  model: isObject,
  set: isObject,
  thinking: CHECKS.strict,
  instructions: isText,
};
const SETTINGS_CHECKS = { environment: isObject, model: isText };
const INIT_CHECKS = { engine: isSource, files: isWanted, compat: isWanted };

/** The greatest length of a text that is passed to the engine in addition to a session. */
const LONGEST_TEXT = 1 << 26;

/** How many policies stay in memory. An agent uses one or two. */
const MOST_POLICIES = 32;
const policies: Map<string, ReadyPolicy> = new Map();
/** The policy that was asked for last, of those that are nothing but a profile and a model, and how. */
let newest;

/** How many tools' names, and words of records, a ledger may have seen to be used again. */
const MOST_TOOLS = 1000;
const MOST_WORDS = 1 << 20;

/** A policy in the engine, its members that concern reading, and a ledger under it for whole arrays. */
class ReadyPolicy {
  #ledger: Ledger | undefined;
  #figures = 0;
  #tools = new Tools();
  #toolsSent = 0;
  #json: string | undefined;

  constructor(
    handle,
    key,
    { profile, placeholder, reference, carriesWords, takesPasses, describes, wide, classes, ofJson, notation, images },
  ) {
    this.handle = handle;
    this.key = key;
    this.profile = profile;
    this.placeholder = placeholder;
    /** Whether a reference to the call follows the placeholder. */
    this.reference = reference;
    /** Whether a summary carries the user's own words. */
    this.carriesWords = carriesWords;
    /** Whether passes come before the boundary, and whether what remains of an output differs from output to output. */
    this.takesPasses = takesPasses;
    this.describes = describes;
    this.wide = wide;
    this.classes = classes;
    this.ofJson = ofJson;
    this.notation = notation;
    /** Whether the data of an image is measured; a policy may count every image with the same size. */
    this.images = images;
  }

  /** The whole policy as JSON, for the modules that share no memory with the engine. */
  get json() {
    this.#json ??= this.handle.toJson();
    return this.#json;
  }

  /** The tools that {@link decide} knows by their numbers. They may become others with every call of it. */
  get tools() {
    return this.#tools;
  }

  /**
   * Decides on records, whose tools are numbered as `tools`, and hands ledger and figures to `use`; `asked` are the arguments of
   * the ledger's `decide`.
   */
  decide(words, tools, asked, use) {
    // Whoever planned in between may have left other tools behind than those that were numbered.
    if (tools !== this.#tools.names) return this.#decideApart(words, tools, asked, use);
    if (this.#ledger === undefined) {
      this.#ledger = new Ledger(this.handle);
      this.#figures = this.#ledger.figures;
      this.#toolsSent = 0;
    }
    const ledger = this.#ledger;
    const { names } = this.#tools;
    try {
      for (; this.#toolsSent < names.length; this.#toolsSent += 1) ledger.tool(names[this.#toolsSent]);
      pushWords(ledger, words, 0, words.length);
      ledger.decide(...asked);
      return use(ledger, this.#figures);
    } finally {
      ledger.truncate(0);
      if (names.length > MOST_TOOLS || words.length > MOST_WORDS) this.#drop();
    }
  }

  #decideApart(words, tools, asked, use) {
    const ledger = new Ledger(this.handle);
    try {
      for (const name of tools) ledger.tool(name);
      pushWords(ledger, words, 0, words.length);
      ledger.decide(...asked);
      return use(ledger, ledger.figures);
    } finally {
      ledger.free();
    }
  }

  free() {
    this.#drop();
    this.handle.free();
  }

  #drop() {
    this.#ledger?.free();
    this.#ledger = undefined;
    this.#tools = new Tools();
  }
}

/** Refuses options that do not exist or have a wrong type: a misspelt option would silently do nothing. */
export function checked(options) {
  return checkedBy(CHECKS, options);
}

/** Refuses, as `checked` does, options that a session does not take. */
export function checkedForSession(options) {
  return checkedBy(SESSION_CHECKS, options);
}

/** Refuses, as `checked` does, what is no question to a session. */
export function checkedForDecision(options) {
  return checkedBy(DECISION_CHECKS, options);
}

/** Refuses, as `checked` does, what does not concern the carrying out of a session's plan. */
export function checkedForApply(options) {
  return checkedBy(APPLY_CHECKS, options);
}

/** Refuses, as `checked` does, what does not concern the request for a summary of a session. */
export function checkedForRequest(options) {
  return checkedBy(REQUEST_CHECKS, options);
}

/** Refuses, as `checked` does, options that a compactor does not take. */
export function checkedForCompactor(options) {
  const given: any = checkedBy(COMPACTOR_CHECKS, options);
  return { auto: true, failures: 3, cooldown: 10, overlap: 'wait', timeout: TIMEOUT, fallback: 'when_full', ...given };
}

/** Refuses, as `checked` does, what a hook cannot wish for a compaction. */
export function checkedForWish(wish) {
  return checkedBy(WISH_CHECKS, wish);
}

/** Refuses, as `checked` does, what does not concern a single request of a compactor. */
export function checkedForPrepare(options) {
  return checkedBy(PREPARE_CHECKS, options);
}

/** Refuses, as `checked` does, options that have nothing to do with errors. */
export function checkedForErrors(options) {
  return checkedBy(ERROR_CHECKS, options);
}

/** Refuses, as `checked` does, what does not concern a replay. */
export function checkedForReplay(options) {
  return checkedBy(REPLAY_CHECKS, options);
}

/** Refuses, as `checked` does, what a snapshot cannot be restored with. */
export function checkedForRestore(options) {
  return checkedBy(RESTORE_CHECKS, options);
}

/** Refuses, as `checked` does, what does not concern another system's settings. */
export function checkedForSettings(options) {
  return checkedBy(SETTINGS_CHECKS, options);
}

/** Refuses, as `checked` does, what cannot be written as a provider's parameters. */
export function checkedForProvider(options) {
  return checkedBy(PROVIDER_CHECKS, options);
}

/** Refuses, as `checked` does, what `init` cannot load. */
export function checkedForInit(options) {
  if (options !== undefined && !isPlain(options)) {
    throw invalid('init takes an object that says what to load; the place of the engine is its member: `init({ engine: source })`');
  }
  return checkedBy(INIT_CHECKS, options);
}

/** Whether a value is an object of no class, of any realm. */
function isPlain(value) {
  const prototype = isObject(value) === true ? Object.getPrototypeOf(value) : undefined;
  return prototype === null || (prototype !== undefined && Object.getPrototypeOf(prototype) === null);
}

/** A copy of the options. Each is read only once, because a second read might return another value. */
function checkedBy(checks, options): any {
  if (options === undefined) return {};
  if (isObject(options) !== true) throw invalid('the options must be an object');
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(checks, name)) {
      throw invalid(unknown('option', name, Object.keys(checks)));
    }
  }
  const given = {};
  for (const name in checks) {
    const read = options[name];
    if (read === undefined) continue;
    const value = Array.isArray(read) ? listOf(read) : read;
    const fits = checks[name](value);
    if (fits !== true) throw invalid(`the option ${name} must be ${fits}`);
    given[name] = value;
  }
  return given;
}

/** Refuses a rule that does not exist. */
export function checkRule(name) {
  const names = ruleNames();
  if (!names.includes(name)) throw invalid(unknown('rule', name, names));
}

/**
 * The policy that the options describe: a profile, the changes in `policy`, the model, and single knobs.
 *
 * @returns it is shared: never to be changed, freed or kept
 */
export function policyOf({
  profile,
  policy,
  model,
  set,
  countTokens,
}: {
  profile?: any;
  policy?: any;
  model?: any;
  set?: any;
  countTokens?: any;
}): ReadyPolicy {
  engineMemory();
  const isCounted = countTokens !== undefined;
  const isPlain = policy === undefined && set === undefined && !isCounted;
  if (isPlain && newest !== undefined && newest.profile === profile && isSameModel(newest.model, model)) return newest.policy;
  // A copy, so that the remembered limits are those of the policy.
  const limits = model && { ...model };
  const found = policyKnownBy(jsonOf([profile, policy, limits, set, isCounted]));
  if (isPlain) newest = { profile, model: limits, policy: found };
  return found;
}

/** The policy of a key. A policy that was dropped meanwhile is built again. */
export function policyKnownBy(key) {
  const ready = policies.get(key);
  if (ready !== undefined) return ready;
  const made = makePolicy(key);
  // A call that runs inside another call must not drop the other call's policy.
  if (policies.size >= MOST_POLICIES && !isNested()) {
    for (const old of policies.values()) old.free();
    policies.clear();
    newest = undefined;
  }
  policies.set(key, made);
  return made;
}

/** Whether a model has the limits that another had, as far as they can be compared at a glance. */
function isSameModel(known, model) {
  if (known === undefined || model === undefined) return known === model;
  let count = 0;
  for (const name in model) {
    if (typeof model[name] === 'object' || model[name] !== known[name]) return false;
    count += 1;
  }
  return count === Object.keys(known).length;
}

function makePolicy(key) {
  const [profile, policy, model, set, isCounted] = JSON.parse(key);
  const handle = new Policy(profile ?? defaultProfile());
  try {
    if (policy !== null) handle.overlay(jsonOf(policy));
    const { name: modelName, ...limits } = model ?? {};
    if (modelName !== undefined) handle.forModel(String(modelName));
    handle.overlay(jsonOf({ model: limits }));
    for (const [path, value] of Object.entries(set ?? {})) {
      if (value !== undefined) handle.set(path, jsonOf(value));
    }
    const { profile: name, estimator, prune } = JSON.parse(handle.toJson());
    if (isCounted) handle.overlay(jsonOf({ estimator: counted(estimator) }));
    const { placeholder, reference, carriesWords, countsCodePoints, countsBytes, countsClasses, countsClassesOfJson, countsNotation } =
      handle;
    return new ReadyPolicy(handle, key, {
      profile: name,
      placeholder,
      reference,
      carriesWords,
      takesPasses: prune.enabled && takesPasses(prune),
      describes: reference && (isSome(prune.excerpt) || prune.placeholder.includes('{')),
      wide: countsCodePoints || countsBytes,
      classes: countsClasses,
      ofJson: countsClassesOfJson,
      notation: countsNotation,
      images: estimator.image === null,
    });
  } catch (error) {
    handle.free();
    throw error;
  }
}

/** Whether any pass is switched on. */
function takesPasses({ repeated, superseded, thinking, images, arguments: longest }) {
  return repeated || superseded || thinking !== null || images !== null || isSome(longest);
}

/** Whether an amount, which may be a share, is not 0. */
function isSome(amount) {
  return amount !== 0;
}

/** An estimator that leaves it to the caller to count text: in 64ths of a token, where lengths by classes stand. */
function counted({ perToken, separator, image }) {
  const scaled = (length) => Math.round((length * 64) / perToken);
  return {
    unit: 'classes',
    perToken: 64,
    nativeNotation: false,
    separator: scaled(separator),
    image: image === null ? null : scaled(image),
  };
}

/** A copy of the options that describe a policy, because the caller may change the originals. */
export function copyOfPolicy({ profile, policy, model, set, countTokens }) {
  return { ...JSON.parse(jsonOf({ profile, policy, model, set })), ...(countTokens && { countTokens }) };
}

/** A knob's value as the engine reads it. */
function jsonOf(value) {
  return jsonFor('invalid_policy', 'the policy', value);
}

/**
 * A value as the engine reads it.
 *
 * @param code of the error that is thrown when it has no JSON
 * @param what it is, in words
 */
export function jsonFor(code: import('../types/words.js').ErrorCode, what: string, value) {
  let json;
  try {
    json = JSON.stringify(value) ?? 'null';
  } catch (error) {
    const refusal = new EbblineError(code, `${what} cannot be written as JSON: ${wordsOf(error)}`);
    refusal.cause = error;
    throw refusal;
  }
  if (json.length > LONGEST_TEXT) throw new EbblineError('too_large', `${what} is longer than ${LONGEST_TEXT} characters of JSON`);
  return json;
}

/** Refuses a value that is not a text, or a text that is too long to be passed in addition to a session. */
export function checkText(what, value) {
  const fits = isText(value);
  if (fits !== true) throw invalid(`${what} must be ${fits}`);
}

function isText(value) {
  return (typeof value === 'string' && value.length <= LONGEST_TEXT) || `a string of at most ${LONGEST_TEXT} characters`;
}

function isObject(value) {
  return (typeof value === 'object' && value !== null && !Array.isArray(value)) || 'an object';
}

function isNames(value) {
  return (Array.isArray(value) && value.every((name) => typeof name === 'string')) || 'a list of names';
}

/** Where a module is. The runtime says what it cannot load. */
function isSource(value) {
  return typeof value === 'string' || (typeof value === 'object' && value !== null) || 'a URL, a response, bytes or a module';
}

function isHooks(value) {
  return Object.keys(value).every((name) => HOOKS.includes(name) && typeof value[name] === 'function');
}

function isAcceptance(value) {
  return Object.keys(value).every((name) => Object.hasOwn(ACCEPTANCE_CHECKS, name) && ACCEPTANCE_CHECKS[name](value[name]) === true);
}

function isBackground({ onEdit, ...others }) {
  return ['rebase', 'drop'].includes(onEdit) && Object.keys(others).length === 0;
}

function isIntroduction(value) {
  if (isText(value) === true) return value.length <= LONGEST_INTRODUCTION;
  if (isObject(value) !== true) return false;
  const { text = '', role = ROLES[0], answer = false, ...others } = value;
  const isKnown = ROLES.includes(role) && typeof answer === 'boolean' && Object.keys(others).length === 0;
  return isText(text) === true && text.length <= LONGEST_INTRODUCTION && isKnown;
}

function isShare(value) {
  return (typeof value === 'number' && value >= 0 && value <= 1) || 'a share from 0 to 1';
}

function isSignal(value) {
  return (typeof value === 'object' && value !== null && typeof value.aborted === 'boolean') || 'an AbortSignal';
}

function isCount(value) {
  return (Number.isSafeInteger(value) && value >= 1 && value < LONGEST_TEXT) || 'a whole number of 1 or more';
}

function isWanted(value) {
  return typeof value === 'boolean' || isSource(value) === true || 'true, or where the module is';
}

function isAmount(value) {
  return (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER) || 'a number of 0 or more';
}

function invalid(message) {
  return new EbblineError('invalid_option', message);
}
