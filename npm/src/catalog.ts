import * as core from './core.js';
import { engineMemory, isStarted } from './engine.js';
import { EbblineError } from './errors.js';
import { FORMATS, RULES } from './generated/names.js';
import { guarded } from './guard.js';

/** What the engine says about a format: its title, and what the usage that it reports includes. */
export function formatNamed(name) {
  if (!Object.hasOwn(FORMATS, name)) throw new EbblineError('unknown_format', unknown('format', name, Object.keys(FORMATS)));
  return { format: name, ...FORMATS[name] };
}

/** The names of the rules that a session can break. */
export function ruleNames() {
  return RULES;
}

/** The known name that is nearest to a word, if one is. */
export function nearest(word, names) {
  engineMemory();
  return core.nearest(word, names);
}

/** What is said of a name that does not exist: which one may have been meant, and which there are. */
export function unknown(noun, name, names) {
  // What is wrong with the options can be said before the engine is loaded; what was meant, only then.
  const meant = isStarted() ? core.nearest(name, names) : undefined;
  const thereAre = meant === undefined ? 'there are' : `did you mean "${meant}"? There are`;
  return `there is no ${noun} "${name}"; ${thereAre} ${names.join(', ')}`;
}

/** The profiles, the default first. */
export const profiles = guarded(function profiles() {
  engineMemory();
  return JSON.parse(core.profiles());
});
