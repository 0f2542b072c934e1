import * as core from './core.js';
import { engineMemory, isStarted } from './engine.js';
import { guarded } from './guard.js';

/** @type {Map<string, { format: string, title: string, supported: boolean, reportedInput?: string }> | undefined} */
let formats;

/** What the engine says about a format: its title, and whether it has a reader. */
export function formatNamed(name) {
  engineMemory();
  formats ??= new Map(JSON.parse(core.formats()).map((format) => [format.format, format]));
  return formats.get(name) ?? JSON.parse(core.formatNamed(name)); // the engine knows what to say of an unknown name
}

/** The titles of the formats that are read. */
export function supportedTitles() {
  formatNamed('pi');
  return [...formats.values()].filter((format) => format.supported).map((format) => format.title);
}

/** @type {string[] | undefined} */
let rules;

/** The names of the rules that a session can break. */
export function ruleNames() {
  engineMemory();
  rules ??= JSON.parse(core.ruleNames());
  return rules;
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
