import { Policy, defaultProfile } from './core.js';
import { engineMemory } from './engine.js';
import { EbblineError } from './errors.js';

/**
 * What each option must be; what a policy may hold, the engine itself checks. Every function takes them all, so that one
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
  knownTokens: isAmount,
  now: isAmount,
  summary: isText,
  focus: isText,
  budgetTokens: isAmount,
};

/** How many policies are kept ready. An agent uses one or two. */
const MOST_POLICIES = 32;
/** @type {Map<string, ReturnType<typeof makePolicy>>} */
const policies = new Map();

/** Refuses options that do not exist or do not fit: a misspelled one would silently do nothing. */
export function checked(options) {
  if (options === undefined) return {};
  if (isObject(options) !== true) throw invalid('the options must be an object');
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(CHECKS, name)) {
      throw invalid(`there is no option "${name}"; there are ${Object.keys(CHECKS).join(', ')}`);
    }
    const value = options[name];
    const fits = value === undefined || CHECKS[name](value);
    if (fits !== true) throw invalid(`the option ${name} must be ${fits}`);
  }
  return options;
}

/**
 * The policy that the options describe: a profile, what `policy` lays over it, the model, and single knobs.
 *
 * @returns {{ handle: Policy, placeholder: string, wide: boolean }} it is shared: never to be changed or freed
 */
export function policyOf({ profile, policy, model, set }) {
  engineMemory();
  const key = jsonOf([profile, policy, model, set]);
  const ready = policies.get(key);
  if (ready !== undefined) return ready;
  const made = makePolicy(profile, policy, model, set);
  if (policies.size >= MOST_POLICIES) {
    for (const old of policies.values()) old.handle.free();
    policies.clear();
  }
  policies.set(key, made);
  return made;
}

function makePolicy(profile = defaultProfile(), policy, model, set) {
  const handle = new Policy(profile);
  try {
    if (policy !== undefined) handle.overlay(jsonOf(policy));
    if (model !== undefined) handle.overlay(jsonOf({ model }));
    for (const [path, value] of Object.entries(set ?? {})) {
      if (value !== undefined) handle.set(path, jsonOf(value));
    }
    const { placeholder, countsCodePoints, countsBytes } = handle;
    return { handle, placeholder, wide: countsCodePoints || countsBytes };
  } catch (error) {
    handle.free();
    throw error;
  }
}

/** A knob's value as the engine reads it. */
function jsonOf(value) {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    throw new EbblineError('invalid_policy', `the policy cannot be written as JSON: ${error.message}`);
  }
}

function isText(value) {
  return typeof value === 'string' || 'a string';
}

function isObject(value) {
  return (typeof value === 'object' && value !== null && !Array.isArray(value)) || 'an object';
}

function isAmount(value) {
  return (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER) || 'a number of 0 or more';
}

function invalid(message) {
  return new EbblineError('invalid_option', message);
}
