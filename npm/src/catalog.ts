import * as core from './core.js';
import { engineMemory, isStarted } from './engine.js';
import { EbblineError } from './errors.js';
import { FORMATS, RULES } from './generated/names.js';
import type { Policy } from './generated/policy.js';
import type { FormatName, ProfileName, RuleName } from './generated/words.js';
import { guarded } from './guard.js';

/** A profile: a policy for one version of one system. */
export interface Profile {
  name: ProfileName;
  /** One sentence on what it reproduces. */
  about: string;
  policy: Policy;
}

/**
 * What the engine says about a format: its title, and what the usage that it reports includes.
 *
 * @internal
 */
export function formatNamed(name: string) {
  if (!isFormat(name)) throw new EbblineError('unknown_format', unknown('format', name, Object.keys(FORMATS)));
  return { format: name, ...FORMATS[name] };
}

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name);
}

/**
 * The names of the rules that a session can break.
 *
 * @internal
 */
export function ruleNames(): readonly RuleName[] {
  return RULES;
}

/**
 * What is said of a name that does not exist: which one may have been meant, and which there are.
 *
 * @internal
 */
export function unknown(noun: string, name: string, names: readonly string[]) {
  // What is wrong with the options can be said before the engine is loaded; what was meant, only then.
  const meant = isStarted() ? core.nearest(name, [...names]) : undefined;
  const thereAre = meant === undefined ? 'there are' : `did you mean "${meant}"? There are`;
  return `there is no ${noun} "${name}"; ${thereAre} ${names.join(', ')}`;
}

/** All profiles, each a policy for one version of one system; the default comes first. */
export const profiles = guarded(function profiles(): Profile[] {
  engineMemory();
  return JSON.parse(core.profiles());
});
